//! The database servers that tests and benchmarks use, for as long as we run.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::install;
use crate::mariadb::MariaDb;
use crate::postgres::Postgres;
use crate::server::{Database, Durability, Home, Server};

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
pub(crate) struct Programs {
    purpose: Purpose,
    postgres: Option<Postgres>,
    mariadb: Option<MariaDb>,
}

impl Programs {
    /// An error says why these programs can't be had here.
    pub(crate) async fn find_or_install(purpose: Purpose) -> Result<Self> {
        let missing = [missing::<Postgres>(purpose), missing::<MariaDb>(purpose)].concat();
        if !missing.is_empty() {
            install::packages(&missing).await?;
        }
        Ok(Self {
            purpose,
            postgres: find(purpose)?,
            mariadb: find(purpose)?,
        })
    }

    /// The variable that leads a benchmark to the program it is compared with.
    pub(crate) fn pgbench(&self) -> Option<(&'static str, PathBuf)> {
        let postgres = self.postgres.as_ref()?;
        Some(("SHEDLOCK_BENCH_PGBENCH", postgres.pgbench()))
    }
}

fn missing<D: Database>(purpose: Purpose) -> &'static [&'static str] {
    if purpose.has(D::NAME) || D::find().is_some() {
        &[]
    } else {
        D::PACKAGES
    }
}

fn find<D: Database>(purpose: Purpose) -> Result<Option<D>> {
    if purpose.has(D::NAME) {
        return Ok(None);
    }
    let found = D::find().with_context(|| format!("{:?} lack programs", D::PACKAGES))?;
    Ok(Some(found))
}

/// Running servers. Dropped, they stop and leave nothing behind.
pub(crate) struct Servers {
    purpose: Purpose,
    running: Vec<Server>,
    // Last, because fields are dropped in their order.
    directory: TempDir,
}

impl Servers {
    pub(crate) async fn start(programs: Programs) -> Result<Self> {
        let directory = tempfile::Builder::new()
            .prefix("shedlock-")
            .permissions(Permissions::from_mode(0o755))
            .tempdir()?;
        let mut servers = Self {
            purpose: programs.purpose,
            running: Vec::new(),
            directory,
        };
        servers.add(programs.postgres).await?;
        servers.add(programs.mariadb).await?;
        Ok(servers)
    }

    async fn add<D: Database>(&mut self, database: Option<D>) -> Result<()> {
        if let Some(database) = database {
            let home = Home::create::<D>(self.directory.path())?;
            let server = database.start(home, self.purpose.durability()).await?;
            self.running.push(server);
        }
        Ok(())
    }

    /// What leads a test or a benchmark to the servers that we started.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (String, String)> {
        self.running.iter().flat_map(|server| {
            let name = |what| self.purpose.variable(server.name(), what);
            let log = server.log().display().to_string();
            [(name("URL"), server.url().to_owned()), (name("LOG"), log)]
        })
    }
}
