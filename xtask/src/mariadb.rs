//! A private server of `MariaDB`.

use std::path::PathBuf;

use anyhow::Result;
use tokio::process::Command;

use crate::install;
use crate::server::{Database, Durability, Home, Server};

pub(crate) struct MariaDb {
    install_db: PathBuf,
    server: PathBuf,
    client: PathBuf,
}

impl Database for MariaDb {
    const NAME: &str = "MARIADB";
    /// The server's programs without its service, and the client.
    const PACKAGES: &[&str] = &["mariadb-server-core", "mariadb-client-core"];

    fn find() -> Option<Self> {
        let find = |program| install::find(program, ["/usr/sbin", "/usr/local/sbin"]);
        Some(Self {
            install_db: find("mariadb-install-db")?,
            server: find("mariadbd")?,
            client: find("mariadb")?,
        })
    }

    async fn start(&self, home: Home, durability: Durability) -> Result<Server> {
        let data = format!("--datadir={}", home.path("data").display());
        let mut install_db = home.command(&self.install_db);
        install_db
            .args(["--no-defaults", "--auth-root-authentication-method=normal"])
            .args(["--skip-name-resolve", "--skip-test-db", &data]);
        home.prepare(&mut install_db).await?;

        let port = format!("--port={}", home.port());
        let mut server = home.command(&self.server);
        server
            .args(["--no-defaults", &data, &port])
            .arg(format!("--socket={}", home.path("socket").display()))
            .args(settings(durability));
        let mut probe = Command::new(&self.client);
        probe
            .args([
                "--no-defaults",
                "--protocol=tcp",
                "--host=127.0.0.1",
                "--user=root",
                &port,
            ])
            .arg("--execute=CREATE DATABASE IF NOT EXISTS shedlock");
        let url = format!("mysql://root@127.0.0.1:{}/shedlock", home.port());
        home.start(&mut server, &mut probe, url).await
    }
}

/// A zone far from UTC, so that a mistake with zones can't hide.
fn settings(durability: Durability) -> impl Iterator<Item = &'static str> {
    let common = [
        "--bind-address=127.0.0.1",
        "--skip-name-resolve",
        "--character-set-server=utf8mb4",
        "--max-connections=200",
        "--default-time-zone=+09:00",
        "--log-warnings=2",
        "--innodb-print-all-deadlocks=1",
    ];
    common.into_iter().chain(match durability {
        Durability::Durable => None,
        Durability::Volatile => Some("--innodb-flush-log-at-trx-commit=2"),
    })
}
