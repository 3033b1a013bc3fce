//! A private server of `PostgreSQL`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use tokio::process::Command;

use crate::install;
use crate::server::{Database, Durability, Home, Server};

/// The directory of the programs: Debian's newest, which are not in `PATH`, or else `PATH`'s.
pub(crate) struct Postgres(PathBuf);

impl Postgres {
    pub(crate) fn pgbench(&self) -> PathBuf {
        self.0.join("pgbench")
    }
}

impl Database for Postgres {
    const NAME: &str = "POSTGRES";
    const PACKAGES: &[&str] = &["postgresql"];

    fn find() -> Option<Self> {
        let versions = std::fs::read_dir("/usr/lib/postgresql");
        let versions = versions
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        // A directory without the server holds the client's programs.
        let complete = versions.filter(|path| install::is_program(&path.join("bin/initdb")));
        let debian = newest(complete).map(|version| version.join("bin"));
        let path = || Some(install::find("initdb", [])?.parent()?.to_path_buf());
        debian.or_else(path).map(Self)
    }

    async fn start(&self, home: Home, durability: Durability) -> Result<Server> {
        let data = home.path("data");
        let mut initdb = home.command(&self.0.join("initdb"));
        initdb
            .args([
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
            ])
            .args(["--no-sync", "--pgdata"])
            .arg(&data);
        home.prepare(&mut initdb).await?;

        let port = home.port();
        let mut server = home.command(&self.0.join("postgres"));
        server
            .arg("-D")
            .arg(&data)
            .args(["-c", &format!("port={port}")]);
        for setting in settings(durability) {
            server.args(["-c", setting]);
        }
        let mut probe = Command::new(self.0.join("pg_isready"));
        probe.args([
            "--host=127.0.0.1",
            "--username=postgres",
            "--dbname=postgres",
            &format!("--port={port}"),
        ]);
        let url = format!("postgres://postgres@127.0.0.1:{port}/postgres");
        home.start(&mut server, &mut probe, url).await
    }
}

/// A zone far from UTC, so that a mistake with zones can't hide.
fn settings(durability: Durability) -> impl Iterator<Item = &'static str> {
    let common = [
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=",
        "max_connections=200",
        "timezone=Asia/Seoul",
        "log_min_messages=warning",
        "log_min_error_statement=error",
        "log_line_prefix=%m [%p] %d ",
    ];
    common.into_iter().chain(match durability {
        Durability::Durable => None,
        Durability::Volatile => Some("fsync=off"),
    })
}

/// Versions are numbers: 9 is older than 15.
fn newest(versions: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    versions
        .filter(|path| number(path).is_some())
        .max_by_key(|path| number(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_is_the_greatest_number() {
        let versions = ["/pg/9", "/pg/15", "/pg/bin", "/pg/13"].map(PathBuf::from);
        assert_eq!(newest(versions.into_iter()), Some("/pg/15".into()));
    }
}
