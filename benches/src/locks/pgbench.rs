//! The same two statements in pgbench: prepared, one client, nothing between it and the server.

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use sqlx::SqlStr;
use tokio::process::Command;

use super::{Durability, statements::Statements};

/// As each acquisition has: one that was released can't be taken again by its owner.
const NEW_OWNER: &str = "\\set owner random(1, 1000000000000000000)\n";

pub(crate) struct Pgbench {
    program: OsString,
    url: String,
    script: String,
    options: String,
}

impl Pgbench {
    /// A pair takes a free lock for an hour and releases it.
    pub(crate) fn of_pairs(
        program: OsString,
        url: &str,
        statements: &Statements,
        durability: Durability,
    ) -> Self {
        let (setting, value) = durability.setting();
        let acquire = script(&statements.acquire, "at_most");
        let release = script(&statements.release, "at_least");
        Self {
            program,
            url: url.to_owned(),
            script: format!("{NEW_OWNER}{acquire}{release}"),
            options: format!("-c {setting}={value}"),
        }
    }

    /// The latencies of `count` pairs on a new connection.
    pub(crate) async fn run(&self, count: usize) -> Result<Vec<Duration>> {
        let directory = tempfile::tempdir()?;
        let script = directory.path().join("pair.sql");
        fs::write(&script, &self.script)?;
        let output = Command::new(&self.program)
            .args(["--no-vacuum", "--protocol=prepared", "--client=1", "--log"])
            .arg(format!("--transactions={count}"))
            .args(["--define=name=bench-pgbench", "--define=at_most=1 hour"])
            .arg("--define=at_least=0")
            .args([OsStr::new("--file"), script.as_os_str()])
            .arg(&self.url)
            .env("PGOPTIONS", &self.options)
            .current_dir(directory.path())
            .output()
            .await?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "pgbench failed: {errors}");
        let latencies = latencies(directory.path())?;
        ensure!(latencies.len() == count, "pgbench failed: {errors}");
        Ok(latencies)
    }
}

fn script(statement: &SqlStr, duration: &str) -> String {
    let statement = statement.as_str().replace("$1", ":name");
    let statement = statement.replace("$2", ":owner");
    statement.replace("$3", &format!(":{duration}")) + ";\n"
}

/// The third word of each line of `pgbench_log.<pid>`, in microseconds.
fn latencies(directory: &Path) -> Result<Vec<Duration>> {
    let paths = fs::read_dir(directory)?.map(|entry| Ok(entry?.path()));
    let paths: Vec<PathBuf> = paths.collect::<Result<_>>()?;
    let is_log = |path: &&PathBuf| path.file_stem() == Some(OsStr::new("pgbench_log"));
    let log = paths.iter().find(is_log).context("pgbench left no log")?;
    let latency = |line: &str| {
        let word = line.split_whitespace().nth(2).context("no latency")?;
        Ok(Duration::from_micros(word.parse()?))
    };
    fs::read_to_string(log)?.lines().map(latency).collect()
}
