use std::{net::SocketAddr, time::Duration};

use clap::{Args, Parser, Subcommand};
use shedlock::parse_positive_duration;

/// Seven jobs of two services (settlement, xr) in several replicas that share one database.
///
/// Orders come in all the time; the jobs publish their events, create and confirm settlements,
/// release holdbacks, pay out and compute metrics. Halfway one replica is stopped with SIGTERM and
/// started again, as in a rolling update. At the end the receiving side says how many events and
/// payments it got more than once: with locks none, and then the exit code is 0, else 1.
#[derive(Debug, Parser)]
#[command(name = "settlement", args_conflicts_with_subcommands = true)]
pub(crate) struct Options {
    /// How many replicas run, each as a process of its own.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) replicas: u32,
    /// How long they run.
    #[arg(long = "for", value_name = "DURATION", default_value = "20s", value_parser = parse_positive_duration)]
    pub(crate) run_for: Duration,
    /// How long a day of the daily jobs is, in seconds that divide a minute.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = day)]
    pub(crate) day: u64,
    /// The database of jobs and locks: `postgres://..`, `mysql://..` or `sqlite://file`; a new
    /// `SQLite` file in a temporary directory unless given.
    #[arg(long, value_name = "URL")]
    pub(crate) store: Option<String>,
    /// Grant every lock to everybody, to see what the locks prevent.
    #[arg(long)]
    pub(crate) unlocked: bool,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// One replica; the cluster starts these.
    #[command(hide = true)]
    Replica(Replica),
}

#[derive(Debug, Args)]
pub(crate) struct Replica {
    /// The database of jobs and locks.
    #[arg(long)]
    pub(crate) store: String,
    /// Where the receiving side listens.
    #[arg(long)]
    pub(crate) receiver: SocketAddr,
    /// How long a day is, in seconds.
    #[arg(long)]
    pub(crate) day: u64,
    /// Grant every lock to everybody.
    #[arg(long)]
    pub(crate) unlocked: bool,
}

fn day(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(seconds @ 5..=60) if 60 % seconds == 0 => Ok(seconds),
        _ => Err("a day is 5, 6, 10, 12, 15, 20, 30 or 60 seconds".to_owned()),
    }
}
