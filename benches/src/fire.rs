//! How late jobs start: the wall time at the first poll of a job's future minus the instant that
//! it was due.

mod engines;
mod recorder;

use std::{env, process::Command, time::Duration};

use anyhow::{Context, Result, ensure};
use clap::Args;

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

/// Some engines with one number of jobs each, in the order in which they take their turn: those
/// that are compared are neighbours.
struct Contest {
    jobs: u32,
    entries: Vec<(Engine, Vec<Lateness>)>,
}

impl Contest {
    fn new(jobs: u32) -> Self {
        let engines = Engine::ALL.into_iter().filter(|engine| engine.takes(jobs));
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
        let p50 = |lateness: &Lateness| lateness.summary.p50;
        let p99 = |lateness: &Lateness| lateness.summary.p99;
        let lost = self.rounds(engine).iter().map(|lateness| lateness.lost);
        let lost = Figure::count("lost", lost.sum());
        let figures = match (engine, self.jobs) {
            (Engine::BuiltIn, 1) => vec![
                self.ratio("p50", p50, engine, Engine::BareThread)
                    .map(|figure| figure.at_most(2.0)),
                self.ratio("p50", p50, engine, Engine::ApalisCron)
                    .map(|figure| figure.at_most(1.0)),
            ],
            (Engine::BuiltIn, 10_000) => vec![
                Some(lost.at_most(0.0)),
                self.ratio("p50", p50, engine, Engine::ApalisCron)
                    .map(|figure| figure.at_most(0.5)),
                self.ratio("p99", p99, engine, Engine::ApalisCron)
                    .map(|figure| figure.at_most(0.5)),
            ],
            (Engine::BuiltIn, _) => vec![
                self.ratio("p50", p50, engine, Engine::ApalisCron),
                self.ratio("p99", p99, engine, Engine::ApalisCron),
            ],
            _ => Vec::new(),
        };
        figures.into_iter().flatten().collect()
    }

    /// The median of the rounds' ratios.
    fn ratio(
        &self,
        what: &str,
        number: fn(&Lateness) -> Duration,
        engine: Engine,
        other: Engine,
    ) -> Option<Figure> {
        let (ours, theirs) = (self.rounds(engine), self.rounds(other));
        let ratios = ours
            .iter()
            .zip(theirs)
            .map(|(ours, theirs)| number(ours).div_duration_f64(number(theirs)));
        let what = format!("{what} / {}", other.name());
        (!theirs.is_empty()).then(|| Figure::new(what, median(ratios)))
    }

    fn rounds(&self, engine: Engine) -> &[Lateness] {
        let entry = self.entries.iter().find(|(entry, _)| *entry == engine);
        entry.map_or(&[], |(_, rounds)| rounds)
    }
}

fn measure(engine: Engine, jobs: u32, seconds: u32) -> Result<Lateness> {
    let output = Command::new(env::current_exe()?)
        .arg("fire-engine")
        .args(["--engine", engine.name()])
        .args(["--jobs", &jobs.to_string()])
        .args(["--seconds", &seconds.to_string()])
        .stderr(std::process::Stdio::inherit())
        .output()?;
    let name = engine.name();
    ensure!(output.status.success(), "{name} with {jobs} jobs failed");
    serde_json::from_slice(&output.stdout).with_context(|| format!("{name} gave no numbers"))
}
