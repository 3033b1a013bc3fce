//! How late jobs start: the wall time at the first poll of a job's future minus the instant that
//! it was due.

mod engines;
mod recorder;

use std::{
    env,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

pub(crate) use self::engines::{EngineOptions, run_engine};
use self::{engines::Engine, recorder::Lateness};
use crate::{
    stats::{median, millis},
    table::{Cell, Figure, Table},
};

#[derive(Args)]
pub(crate) struct Options {
    /// How many seconds each engine is looked at in a round
    #[arg(long, default_value_t = 20)]
    seconds: u32,
    /// How often all engines take their turn
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// How many jobs are due in each second
    #[arg(long, value_delimiter = ',', default_values_t = [1, 1_000, 10_000])]
    jobs: Vec<u32>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Measures each engine in a process of its own, and compares rows of the same round only, so that
/// what changes on the machine meanwhile cancels out.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut contests: Vec<Contest> = options
        .jobs
        .iter()
        .map(|&jobs| Contest::new(jobs))
        .collect();
    for round in 1..=options.rounds {
        for contest in &mut contests {
            eprintln!("round {round} of {}: {} jobs", options.rounds, contest.jobs);
            contest.round(options.seconds)?;
        }
    }
    let mut table = Table::new(&[
        "jobs", "engine", "fires", "lost", "twice", "early", "p50 ms", "p99 ms", "max ms", "CPU s",
        "figures",
    ]);
    for contest in &contests {
        contest.report(&mut table);
    }
    table.print(options.json);
    Ok(())
}

/// All engines, with one number of jobs.
struct Contest {
    jobs: u32,
    entries: Vec<(Engine, Vec<Lateness>)>,
}

impl Contest {
    fn new(jobs: u32) -> Self {
        let engines = Engine::value_variants().iter().copied();
        let engines = engines.filter(|engine| engine.takes(jobs));
        Self {
            jobs,
            entries: engines.map(|engine| (engine, Vec::new())).collect(),
        }
    }

    fn round(&mut self, seconds: u32) -> Result<()> {
        for (engine, rounds) in &mut self.entries {
            rounds.push(measure(*engine, self.jobs, seconds)?);
        }
        Ok(())
    }

    fn report(&self, table: &mut Table) {
        for (engine, rounds) in &self.entries {
            let count = |count: fn(&Lateness) -> u64| Cell::Count(rounds.iter().map(count).sum());
            let median = |number: &dyn Fn(&Lateness) -> f64, decimals| {
                Cell::Number(median(rounds.iter().map(number)), decimals)
            };
            table.push([
                Cell::Count(self.jobs.into()),
                Cell::text_of(engine.name()),
                count(|lateness| lateness.fires),
                count(|lateness| lateness.lost),
                count(|lateness| lateness.twice),
                count(|lateness| lateness.early),
                median(&|lateness| millis(lateness.summary.p50), 3),
                median(&|lateness| millis(lateness.summary.p99), 3),
                median(&|lateness| millis(lateness.summary.max), 3),
                median(&|lateness| lateness.cpu.as_secs_f64(), 3),
                Cell::Figures(self.figures(*engine)),
            ]);
        }
    }

    /// What an engine has to reach, and other ratios that tell something.
    fn figures(&self, engine: Engine) -> Vec<Figure> {
        use Engine::{ApalisCron, BareThread, BuiltIn, Registered};

        let p50 = |other| {
            self.compare(engine, other, "p50 /", |ours, theirs| {
                ours.summary.p50.div_duration_f64(theirs.summary.p50)
            })
        };
        let p99 = |other| {
            self.compare(engine, other, "p99 /", |ours, theirs| {
                ours.summary.p99.div_duration_f64(theirs.summary.p99)
            })
        };
        let more = |other| {
            self.compare(engine, other, "p50 ms -", |ours, theirs| {
                millis(ours.summary.p50) - millis(theirs.summary.p50)
            })
        };
        let lost = self.rounds(engine).iter().map(|lateness| lateness.lost);
        let lost = Figure::count("lost", lost.sum());
        match (engine, self.jobs) {
            (BuiltIn, 1) => vec![p50(BareThread).at_most(2.0), p50(ApalisCron).at_most(1.0)],
            (BuiltIn, 10_000) => vec![
                lost.at_most(0.0),
                p50(ApalisCron).at_most(0.5),
                p99(ApalisCron).at_most(0.5),
            ],
            (BuiltIn, _) => vec![p50(ApalisCron), p99(ApalisCron)],
            (Registered, 1) => vec![more(BuiltIn).at_most(1.5)],
            (Registered, _) => vec![p50(BuiltIn), p99(BuiltIn)],
            _ => Vec::new(),
        }
    }

    /// The median of what the rounds say.
    fn compare(
        &self,
        engine: Engine,
        other: Engine,
        what: &str,
        number: impl Fn(&Lateness, &Lateness) -> f64,
    ) -> Figure {
        let rounds = self.rounds(engine).iter().zip(self.rounds(other));
        let numbers = rounds.map(|(ours, theirs)| number(ours, theirs));
        Figure::new(format!("{what} {}", other.name()), median(numbers))
    }

    fn rounds(&self, engine: Engine) -> &[Lateness] {
        let entry = self.entries.iter().find(|(entry, _)| *entry == engine);
        entry.map_or(&[], |(_, rounds)| rounds)
    }
}

fn measure(engine: Engine, jobs: u32, seconds: u32) -> Result<Lateness> {
    let name = engine.name();
    let output = Command::new(env::current_exe()?)
        .arg("fire-engine")
        .args(["--engine", &name])
        .args(["--jobs", &jobs.to_string()])
        .args(["--seconds", &seconds.to_string()])
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "{name} with {jobs} jobs failed");
    serde_json::from_slice(&output.stdout).with_context(|| format!("{name} gave no numbers"))
}
