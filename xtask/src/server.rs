//! One database server in a directory of its own.

use std::fs::{DirBuilder, File};
use std::net::TcpListener;
use std::os::unix::fs::{DirBuilderExt, chown};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::Signal;
use tokio::process::Command;

use crate::install;
use crate::process::{self, Group};

/// Long enough for a slow machine that does other things too.
const READY_WITHIN: Duration = Duration::from_mins(2);

/// Servers refuse to run as root. This user is on every machine.
const NOBODY: u32 = 65534;

/// Both servers understand it as: stop now, whoever is connected.
const STOP: Signal = Signal::QUIT;

/// Whether a commit survives a power failure. Tests don't need it, benchmarks measure it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Durability {
    Durable,
    Volatile,
}

/// A database whose server can be started: its programs, once they are found.
pub(crate) trait Database: Sized {
    /// As in the names of the variables.
    const NAME: &str;
    const PACKAGES: &[&str];

    fn find() -> Option<Self>;

    async fn start(&self, home: Home, durability: Durability) -> Result<Server>;
}

/// A running server, stopped when it is dropped.
pub(crate) struct Server {
    name: &'static str,
    url: String,
    log: PathBuf,
    _process: Group,
}

impl Server {
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn log(&self) -> &Path {
        &self.log
    }
}

/// Where a server lives: its directory and its port.
pub(crate) struct Home {
    name: &'static str,
    directory: PathBuf,
    port: u16,
}

impl Home {
    pub(crate) fn create<D: Database>(parent: &Path) -> Result<Self> {
        let directory = parent.join(D::NAME.to_lowercase());
        DirBuilder::new().mode(0o755).create(&directory)?;
        if install::is_root() {
            chown(&directory, Some(NOBODY), Some(NOBODY))?;
        }
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        Ok(Self {
            name: D::NAME,
            directory,
            port,
        })
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    fn log(&self) -> PathBuf {
        self.path("log")
    }

    /// A program of the server: not as root, and ended by the kernel should we be killed.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = match install::find("setpriv", []) {
            Some(setpriv) => {
                let mut command = Command::new(setpriv);
                if install::is_root() {
                    command.args([
                        format!("--reuid={NOBODY}"),
                        format!("--regid={NOBODY}"),
                        "--clear-groups".into(),
                    ]);
                }
                command.arg("--pdeathsig=QUIT").arg(program);
                command
            }
            None => Command::new(program),
        };
        command
            .current_dir(&self.directory)
            .env("TMPDIR", &self.directory);
        command
    }

    /// Runs a command that prepares the directory.
    pub(crate) async fn prepare(&self, command: &mut Command) -> Result<()> {
        let log = File::create(self.log())?;
        let prepared = process::run(command.stdout(log.try_clone()?).stderr(log)).await;
        prepared.with_context(|| self.last_words())
    }

    /// Starts the server and waits until `probe` succeeds.
    pub(crate) async fn start(
        self,
        server: &mut Command,
        probe: &mut Command,
        url: String,
    ) -> Result<Server> {
        let log = File::create(self.log())?;
        let mut process = Group::spawn(server.stdout(log.try_clone()?).stderr(log), STOP)?;
        let deadline = Instant::now() + READY_WITHIN;
        loop {
            let answers = process::succeeds(probe).await?;
            // In this order: an answer of a server that has ended came from another one.
            if process.has_exited()? {
                bail!(
                    "{}\n`{}` has ended",
                    self.last_words(),
                    process::text(server)
                );
            }
            if answers {
                return Ok(Server {
                    name: self.name,
                    url,
                    log: self.log(),
                    _process: process,
                });
            }
            if Instant::now() > deadline {
                bail!(
                    "{}\n`{}` does not answer",
                    self.last_words(),
                    process::text(server)
                );
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    fn last_words(&self) -> String {
        let log = std::fs::read(self.log()).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<_> = log.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }
}
