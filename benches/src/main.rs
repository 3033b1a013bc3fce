//! What locks and schedules cost, beside the bare minimum and beside other crates.
//!
//! `cargo xtask bench` runs it, with servers where they are needed. Numbers are measured and
//! shown with the figure that each has to meet; nothing here is a test.

mod fire;
mod locks;
mod stats;
mod table;

use anyhow::Result;
use clap::Parser;

#[derive(Parser)]
enum Bench {
    /// What a lock costs on each SQL store
    Locks(locks::Options),
    /// How late jobs start
    Fire(fire::Options),
    /// One engine in a process of its own, started by `fire`
    #[command(hide = true)]
    FireEngine(fire::EngineOptions),
}

fn main() -> Result<()> {
    match Bench::parse() {
        Bench::Locks(options) => locks::run(options),
        Bench::Fire(options) => fire::run(&options),
        Bench::FireEngine(options) => fire::run_engine(&options),
    }
}
