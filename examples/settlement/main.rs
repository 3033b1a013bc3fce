//! The reference application: two services, seven jobs, several replicas, one database.
//!
//! `cargo run --example settlement` starts three replicas as processes of their own on one `SQLite`
//! file, feeds them orders for twenty seconds, replaces one replica on the way, and then counts
//! what the receiving side got twice. `--help` says what else it can do.

mod cluster;
mod database;
mod options;
mod receiver;
mod replica;
mod report;
mod settlement;
mod unlocked;
mod xr;

use std::process::ExitCode;

use clap::Parser as _;

use options::{Command, Options};

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let options = Options::parse();
    match &options.command {
        None => cluster::run(&options).await,
        Some(Command::Replica(replica)) => {
            replica::run(replica).await?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
