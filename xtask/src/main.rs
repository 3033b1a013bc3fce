//! The chores of this repository: `cargo xtask test | servers | ci | bench`.

mod bench;
mod ci;
mod install;
mod mariadb;
mod postgres;
mod process;
mod server;
mod servers;
mod summary;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tokio::signal::unix::{SignalKind, signal};

/// The chores of this repository.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Test(test::Options),
    /// Start private database servers, print the variables that lead tests to them, stop on ctrl-c
    Servers,
    /// Everything that must hold before a merge: format, lints, docs, each feature alone, tests
    Ci,
    #[command(subcommand)]
    Bench(bench::Bench),
}

/// Every server and every child process is ended when the future that owns it is dropped: at its
/// end, on an error, by a panic, and here, by a signal.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let command = Cli::parse().command;
    tokio::select! {
        outcome = run(command) => outcome.unwrap_or_else(|error| {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }),
        signal = stop_signal() => ExitCode::from(128 + signal),
    }
}

async fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Test(options) => Ok(test::run(&options).await?.finish()),
        Command::Servers => servers::serve().await,
        Command::Ci => ci::run().await,
        Command::Bench(bench) => bench::run(&bench).await,
    }
}

/// The number of the signal that asks us to stop.
async fn stop_signal() -> u8 {
    let listen = |kind| signal(kind).expect("these signals can be listened to");
    let mut hangup = listen(SignalKind::hangup());
    let mut interrupt = listen(SignalKind::interrupt());
    let mut terminate = listen(SignalKind::terminate());
    tokio::select! {
        _ = hangup.recv() => 1,
        _ = interrupt.recv() => 2,
        _ = terminate.recv() => 15,
    }
}
