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

/// In the order in which they take their turn: those that are compared are neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    #[value(name = "shedlock-in-tokio-cron-scheduler")]
    Registered,
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
    /// As on the command line.
    pub(crate) fn name(self) -> String {
        let value = self.to_possible_value();
        value.expect("no engine is skipped").get_name().to_owned()
    }

    /// Whether it can run so many jobs.
    pub(crate) fn takes(self, jobs: u32) -> bool {
        self != Self::BareThread || jobs == 1
    }

    /// Starts the engine, which runs until the process ends.
    fn start(self, runtime: &Runtime, recorder: Arc<Recorder>) {
        match self {
            Self::BareThread => drop(thread::spawn(move || bare_thread(&recorder))),
            Self::BuiltIn => drop(runtime.spawn(reported(built_in(recorder)))),
            Self::Registered => drop(runtime.spawn(reported(registered(recorder)))),
            Self::ApalisCron => drop(runtime.spawn(reported(apalis_cron(recorder)))),
            Self::TokioCronScheduler => {
                drop(runtime.spawn(reported(tokio_cron_scheduler(recorder))));
            }
        }
    }
}

/// Says why an engine does not run any more.
async fn reported(engine: impl Future<Output = Result<()>>) {
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
    Ok(scheduler(&recorder)?.run_until(pending()).await?)
}

/// Our jobs, in a `JobScheduler` as [`tokio_cron_scheduler()`] has its own.
async fn registered(recorder: Arc<Recorder>) -> Result<()> {
    let job_scheduler = JobScheduler::new().await?;
    let registered = scheduler(&recorder)?.register_with(&job_scheduler).await?;
    job_scheduler.start().await?;
    registered.run_until(pending()).await;
    Ok(())
}

fn scheduler(recorder: &Arc<Recorder>) -> Result<Scheduler> {
    let trigger = Trigger::Cron(CronSchedule::parse(EVERY_SECOND)?, Zone::UTC);
    let task = |job| {
        let recorder = Arc::clone(recorder);
        let run = move |FireTime(due): FireTime| {
            let recorder = Arc::clone(&recorder);
            async move { recorder.started(job, due.timestamp().cast_unsigned()) }
        };
        Task::new(format!("job-{job}"), trigger.clone(), run)
    };
    let tasks = (0..recorder.jobs()).map(task);
    let scheduler = tasks.fold(Scheduler::builder(), SchedulerBuilder::task);
    Ok(scheduler.build()?)
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
        let job = Job::new_async(EVERY_SECOND, move |_, _| {
            let recorder = Arc::clone(&recorder);
            Box::pin(async move { recorder.started_in_this_second(job) })
        })?;
        scheduler.add(job).await?;
    }
    scheduler.start().await?;
    pending().await
}
