//! The database servers that tests and benchmarks use, for as long as we run.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::server::{Durability, Home, Server};
use crate::{install, mariadb, postgres};

/// Starts the servers and keeps them until a signal ends us.
pub(crate) async fn serve() -> Result<ExitCode> {
    let programs = Programs::find_or_install(Purpose::Test).await?;
    let servers = Servers::start(programs).await?;
    for (name, value) in servers.variables() {
        println!("export {name}='{value}'");
    }
    eprintln!("the servers run until ctrl-c");
    std::future::pending().await
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    Test,
    Bench,
}

impl Purpose {
    fn durability(self) -> Durability {
        match self {
            Self::Test => Durability::Volatile,
            Self::Bench => Durability::Durable,
        }
    }

    /// `SHEDLOCK_TEST_POSTGRES_URL` and its like.
    fn variable(self, server: &str, what: &str) -> String {
        let purpose = match self {
            Self::Test => "TEST",
            Self::Bench => "BENCH",
        };
        format!("SHEDLOCK_{purpose}_{server}_{what}")
    }

    /// Whether the environment names a server that runs already.
    fn has(self, server: &str) -> bool {
        std::env::var_os(self.variable(server, "URL")).is_some()
    }
}

/// The programs of the servers that have to be started.
#[derive(Debug)]
pub(crate) struct Programs {
    purpose: Purpose,
    postgres: Option<postgres::Programs>,
    mariadb: Option<mariadb::Programs>,
}

impl Programs {
    /// An error says why these programs can't be had here.
    pub(crate) async fn find_or_install(purpose: Purpose) -> Result<Self> {
        let start_postgres = !purpose.has("POSTGRES");
        let start_mariadb = !purpose.has("MARIADB");

        let mut missing = Vec::new();
        if start_postgres && postgres::Programs::find().is_none() {
            missing.extend(postgres::PACKAGES);
        }
        if start_mariadb && mariadb::Programs::find().is_none() {
            missing.extend(mariadb::PACKAGES);
        }
        if !missing.is_empty() {
            install::packages(&missing).await?;
        }

        let find_postgres = || postgres::Programs::find().context("PostgreSQL is not complete");
        let find_mariadb = || mariadb::Programs::find().context("MariaDB is not complete");
        Ok(Self {
            purpose,
            postgres: start_postgres.then(find_postgres).transpose()?,
            mariadb: start_mariadb.then(find_mariadb).transpose()?,
        })
    }

    /// The variable that leads a benchmark to the program it is compared with.
    pub(crate) fn pgbench(&self) -> Option<(&'static str, PathBuf)> {
        self.postgres
            .as_ref()
            .map(|programs| ("SHEDLOCK_BENCH_PGBENCH", programs.pgbench()))
    }
}

/// Running servers. Dropped, they stop and leave nothing behind.
pub(crate) struct Servers {
    purpose: Purpose,
    postgres: Option<Server>,
    mariadb: Option<Server>,
    // Last, because fields are dropped in their order.
    _directory: TempDir,
}

impl Servers {
    pub(crate) async fn start(programs: Programs) -> Result<Self> {
        let Programs {
            purpose,
            postgres,
            mariadb,
        } = programs;
        let directory = tempfile::Builder::new()
            .prefix("shedlock-")
            .permissions(Permissions::from_mode(0o755))
            .tempdir()?;
        let durability = purpose.durability();
        let postgres = match postgres {
            Some(programs) => {
                let home = Home::create(directory.path().join("postgres"))?;
                Some(programs.start(home, durability).await?)
            }
            None => None,
        };
        let mariadb = match mariadb {
            Some(programs) => {
                let home = Home::create(directory.path().join("mariadb"))?;
                Some(programs.start(home, durability).await?)
            }
            None => None,
        };
        Ok(Self {
            purpose,
            postgres,
            mariadb,
            _directory: directory,
        })
    }

    /// What leads a test or a benchmark to the servers that we started.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let mut variables = Vec::new();
        for (name, server) in [("POSTGRES", &self.postgres), ("MARIADB", &self.mariadb)] {
            if let Some(server) = server {
                let log = server.log().display().to_string();
                variables.push((self.purpose.variable(name, "URL"), server.url().to_owned()));
                variables.push((self.purpose.variable(name, "LOG"), log));
            }
        }
        variables
    }
}
