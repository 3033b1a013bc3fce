//! `cargo xtask bench`

use std::process::ExitCode;

use anyhow::Result;

use crate::process;
use crate::servers::{Programs, Purpose, Servers};

/// Measure what locks and schedules cost, beside the bare minimum and beside other crates
#[derive(clap::Subcommand)]
pub(crate) enum Bench {
    /// What a lock costs on each SQL store, on private servers
    Locks(Options),
    /// How late jobs start
    Fire(Options),
}

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Arguments for the benchmark
    #[arg(last = true)]
    arguments: Vec<String>,
}

pub(crate) async fn run(bench: &Bench) -> Result<ExitCode> {
    let package = ["--release", "--package=shedlock-benches"];
    // Before the servers start, so that they do not wait for a compiler.
    process::run(process::cargo(&["build"]).args(package)).await?;

    let mut command = process::cargo(&["run", "--quiet"]);
    command.args(package).arg("--");
    match bench {
        Bench::Locks(options) => {
            let programs = Programs::find_or_install(Purpose::Bench).await?;
            let pgbench = programs.pgbench();
            let servers = Servers::start(programs).await?;
            command.envs(servers.variables()).envs(pgbench);
            process::run(command.arg("locks").args(options.words())).await?;
        }
        Bench::Fire(options) => process::run(command.arg("fire").args(options.words())).await?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Options {
    fn words(&self) -> impl Iterator<Item = &str> {
        let json = self.json.then_some("--json");
        json.into_iter()
            .chain(self.arguments.iter().map(String::as_str))
    }
}
