//! What a lock costs: acquire and release (a pair), and an attempt that is refused, through the
//! provider and through the executor, beside the same statements without either.

mod contest;
mod mariadb;
mod pgbench;
mod postgres;
mod results;
mod sqlite;
mod statements;
mod store;

use std::env;

use anyhow::Result;
use clap::Args;
use sqlx::{postgres::PgConnectOptions, sqlite::SqliteConnectOptions};
use tokio::runtime::Runtime;

use self::{
    contest::Contest, mariadb::MariaDb, pgbench::Pgbench, postgres::Postgres, results::Limits,
    sqlite::Sqlite, statements::StatementLog,
};
use crate::table::Table;

#[derive(Args)]
pub(crate) struct Options {
    /// How often all ways to take a lock take their turn
    #[arg(long, default_value_t = 60)]
    rounds: usize,
    /// How many pairs are in a round
    #[arg(long, default_value_t = 100)]
    pairs: usize,
    /// How many refused attempts are in a round
    #[arg(long, default_value_t = 250)]
    refused: usize,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Whether a commit waits until it is on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Durability {
    Durable,
    Asynchronous,
}

impl Durability {
    /// As in the options of a session.
    fn setting(self) -> (&'static str, &'static str) {
        match self {
            Self::Durable => ("synchronous_commit", "on"),
            Self::Asynchronous => ("synchronous_commit", "off"),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Durable => "PostgreSQL",
            Self::Asynchronous => "PostgreSQL, commits not awaited",
        }
    }
}

pub(crate) fn run(options: Options) -> Result<()> {
    StatementLog::install()?;
    // As in an application: a task of the runtime, not the thread that waits for it.
    let runtime = Runtime::new()?;
    runtime.block_on(runtime.spawn(measure(options)))?
}

async fn measure(options: Options) -> Result<()> {
    let mut table = Table::new(&[
        "store",
        "operation",
        "through",
        "p50 us",
        "p99 us",
        "per s",
        "figures",
    ]);
    sqlite(&options, &mut table).await?;
    if let Some(url) = server("SHEDLOCK_BENCH_POSTGRES_URL") {
        for durability in [Durability::Asynchronous, Durability::Durable] {
            postgres(&url, durability, &options, &mut table).await?;
        }
    }
    if let Some(url) = server("SHEDLOCK_BENCH_MARIADB_URL") {
        let contest = Contest::<MariaDb>::prepare(url.parse()?).await?;
        let results = contest.run(&options).await?;
        results.report("MariaDB", Limits::default(), &mut table);
    }
    table.print(options.json);
    Ok(())
}

fn server(variable: &str) -> Option<String> {
    let url = env::var(variable).ok();
    if url.is_none() {
        eprintln!("{variable} is not set: that server is not measured");
    }
    url
}

async fn sqlite(options: &Options, table: &mut Table) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let connect = SqliteConnectOptions::new()
        .filename(directory.path().join("locks.db"))
        .create_if_missing(true);
    let contest = Contest::<Sqlite>::prepare(connect).await?;
    let results = contest.run(options).await?;
    results.report("SQLite file", Limits::default(), table);
    Ok(())
}

async fn postgres(
    url: &str,
    durability: Durability,
    options: &Options,
    table: &mut Table,
) -> Result<()> {
    let connect = url
        .parse::<PgConnectOptions>()?
        .options([durability.setting()]);
    let contest = Contest::<Postgres>::prepare(connect).await?;
    let pgbench = env::var_os("SHEDLOCK_BENCH_PGBENCH")
        .map(|program| Pgbench::of_pairs(program, url, contest.statements(), durability));
    let results = contest.with_pgbench(pgbench).run(options).await?;
    let limits = Limits {
        pair: (durability == Durability::Asynchronous).then_some(1.3),
        refused: Some(1.5),
    };
    results.report(durability.name(), limits, table);
    Ok(())
}
