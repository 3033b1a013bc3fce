//! The engines, each with jobs that are due every second.

use std::{future::pending, sync::Arc, thread};

use anyhow::{Context, Result};
use apalis_core::worker::builder::WorkerBuilder;
use apalis_cron::{CronScheduler, Tick};
use clap::{Args, ValueEnum};
use rustix::{
    thread::clock_nanosleep_absolute,
    time::{ClockId, Timespec},
};
use shedlock::{CronSchedule, FireTime, Scheduler, SchedulerBuilder, Task, Trigger, Zone};
use tokio::{runtime::Runtime, task::JoinSet};
use tokio_cron_scheduler::{Job, JobScheduler};

use super::recorder::{Recorder, now};

const EVERY_SECOND: &str = "* * * * * *";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    BareThread,
    #[value(name = "shedlock")]
    BuiltIn,
    ApalisCron,
    TokioCronScheduler,
}

#[derive(Args)]
pub(crate) struct EngineOptions {
    #[arg(long)]
    engine: Engine,
    #[arg(long)]
    jobs: usize,
    #[arg(long)]
    seconds: usize,
}

/// Measures one engine in this process, and prints the numbers as JSON.
pub(crate) fn run_engine(options: &EngineOptions) -> Result<()> {
    let runtime = Runtime::new()?;
    let recorder = Arc::new(Recorder::new(options.jobs, options.seconds));
    options.engine.start(&runtime, Arc::clone(&recorder));
    serde_json::to_writer(std::io::stdout(), &recorder.measure()?)?;
    Ok(())
}

impl Engine {
    pub(crate) const ALL: [Self; 4] = [
        Self::BareThread,
        Self::BuiltIn,
        Self::ApalisCron,
        Self::TokioCronScheduler,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::BareThread => "bare-thread",
            Self::BuiltIn => "shedlock",
            Self::ApalisCron => "apalis-cron",
            Self::TokioCronScheduler => "tokio-cron-scheduler",
        }
    }

    /// Whether it can run so many jobs.
    pub(crate) fn takes(self, jobs: u32) -> bool {
        self != Self::BareThread || jobs == 1
    }

    /// Starts the engine, which runs until the process ends.
    fn start(self, runtime: &Runtime, recorder: Arc<Recorder>) {
        match self {
            Self::BareThread => drop(thread::spawn(move || bare_thread(&recorder))),
            Self::BuiltIn => drop(runtime.spawn(ended(built_in(recorder)))),
            Self::ApalisCron => drop(runtime.spawn(ended(apalis_cron(recorder)))),
            Self::TokioCronScheduler => drop(runtime.spawn(ended(tokio_cron_scheduler(recorder)))),
        }
    }
}

/// Says why an engine does not run any more.
async fn ended(engine: impl Future<Output = Result<()>>) {
    if let Err(error) = engine.await {
        eprintln!("{error:#}");
    }
}

/// The least that any engine on this system has to do.
fn bare_thread(recorder: &Recorder) {
    loop {
        let due = now().as_secs() + 1;
        let instant = Timespec {
            tv_sec: due.cast_signed(),
            tv_nsec: 0,
        };
        if clock_nanosleep_absolute(ClockId::Realtime, &instant).is_ok() {
            recorder.started(0, due);
        }
    }
}

async fn built_in(recorder: Arc<Recorder>) -> Result<()> {
    let trigger = Trigger::Cron(CronSchedule::parse(EVERY_SECOND)?, Zone::UTC);
    let task = |job| {
        let recorder = Arc::clone(&recorder);
        let run = move |FireTime(due): FireTime| {
            let recorder = Arc::clone(&recorder);
            async move { recorder.started(job, due.timestamp().cast_unsigned()) }
        };
        Task::new(format!("job-{job}"), trigger.clone(), run)
    };
    let tasks = (0..recorder.jobs()).map(task);
    tasks
        .fold(Scheduler::builder(), SchedulerBuilder::task)
        .build()?
        .run_until(pending())
        .await?;
    Ok(())
}

/// One worker for each job, as its documentation shows.
async fn apalis_cron(recorder: Arc<Recorder>) -> Result<()> {
    let schedule: cron::Schedule = EVERY_SECOND.parse()?;
    let mut workers = JoinSet::new();
    for job in 0..recorder.jobs() {
        let recorder = Arc::clone(&recorder);
        let run = move |tick: Tick| {
            let recorder = Arc::clone(&recorder);
            async move { recorder.started(job, tick.get_timestamp()) }
        };
        let worker = WorkerBuilder::new(format!("job-{job}"))
            .backend(CronScheduler::new(schedule.clone()))
            .build(run);
        workers.spawn(worker.run());
    }
    let ended = workers.join_next().await.context("there are no workers")?;
    Ok(ended??)
}

async fn tokio_cron_scheduler(recorder: Arc<Recorder>) -> Result<()> {
    let scheduler = JobScheduler::new().await?;
    for job in 0..recorder.jobs() {
        let recorder = Arc::clone(&recorder);
        let run = move |_, _| {
            let recorder = Arc::clone(&recorder);
            let run = async move { recorder.started_in_this_second(job) };
            Box::pin(run) as std::pin::Pin<Box<dyn Future<Output = ()> + Send>>
        };
        scheduler.add(Job::new_async(EVERY_SECOND, run)?).await?;
    }
    scheduler.start().await?;
    pending().await
}
