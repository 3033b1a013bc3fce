//! The parent of the replicas: it makes the tables, feeds in orders, replaces a replica halfway,
//! and counts at the end.

use std::{
    collections::BTreeMap,
    env, mem,
    process::{ExitCode, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};

use anyhow::Context as _;
use chrono::Utc;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    task::JoinHandle,
    time::{Instant, interval, sleep_until},
};
use uuid::Uuid;

use crate::{
    database::Database, options::Options, receiver, replica, report::Report, settlement::Calendar,
};

/// How often an order comes in.
const ORDER_EVERY: Duration = Duration::from_millis(100);
const MERCHANTS: i64 = 5;
const HOLDBACKS: i64 = 20;

/// What the replicas said of their runs: per task and replica, how often each word.
pub(crate) type Runs = BTreeMap<(String, u32), BTreeMap<String, u32>>;

pub(crate) async fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let directory = TempDir::new()?;
    let store = options.store.clone().unwrap_or_else(|| {
        format!(
            "sqlite://{}?mode=rwc",
            directory.path().join("settlement.db").display()
        )
    });
    let calendar = Calendar {
        seconds_per_day: i64::try_from(options.day)?,
    };
    let database = Database::connect(&store).await?;
    database.create_tables().await?;
    replica::lock_provider(&store).await?;
    add_holdbacks(&database, calendar).await?;
    let (address, inbox) = receiver::start().await?;

    let runs = Arc::new(Mutex::new(Runs::new()));
    let cluster = Cluster {
        arguments: arguments(options, &store, &address.to_string()),
        day: options.day,
        runs: Arc::clone(&runs),
    };
    println!(
        "{} replicas for {:?}, a day is {} s, locks {}",
        options.replicas,
        options.run_for,
        options.day,
        if options.unlocked { "off" } else { "on" },
    );
    let end = Instant::now() + options.run_for;
    let mut replicas = Vec::new();
    for number in 1..=options.replicas {
        replicas.push(cluster.start(number)?);
    }
    let orders = tokio::spawn(take_orders(database.clone(), calendar));
    sleep_until(end - options.run_for / 2).await;
    println!("replacing replica 1, as a rolling update does");
    replicas.remove(0).stop().await?;
    replicas.insert(0, cluster.start(1)?);
    sleep_until(end).await;
    orders.abort();
    for replica in replicas {
        replica.stop().await?;
    }

    let runs = mem::take(&mut *runs.lock().expect("no holder panics"));
    let inbox = mem::take(&mut *inbox.lock().expect("no holder panics"));
    Report::gather(&database, &runs, &inbox, options)
        .await?
        .print()
}

struct Cluster {
    arguments: Vec<String>,
    day: u64,
    runs: Arc<Mutex<Runs>>,
}

fn arguments(options: &Options, store: &str, receiver: &str) -> Vec<String> {
    let mut arguments: Vec<String> = [
        "replica",
        "--store",
        store,
        "--receiver",
        receiver,
        "--day",
        &options.day.to_string(),
    ]
    .map(str::to_owned)
    .into();
    if options.unlocked {
        arguments.push("--unlocked".to_owned());
    }
    arguments
}

impl Cluster {
    fn start(&self, number: u32) -> anyhow::Result<Replica> {
        let mut process = Command::new(env::current_exe()?)
            .args(&self.arguments)
            .envs(self.compressed_day())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = process
            .stdout
            .take()
            .context("the replica's output is piped")?;
        let runs = Arc::clone(&self.runs);
        let listener = tokio::spawn(async move {
            let mut lines = BufReader::new(output).lines();
            while let Some(line) = lines.next_line().await? {
                let (word, task) = line.split_once('\t').context("not a report of a run")?;
                let mut runs = runs.lock().expect("no holder panics");
                let words = runs.entry((task.to_owned(), number)).or_default();
                *words.entry(word.to_owned()).or_default() += 1;
            }
            Ok(())
        });
        Ok(Replica { process, listener })
    }

    /// The daily jobs' times, one day within `day` seconds, for their placeholders.
    fn compressed_day(&self) -> [(&'static str, String); 6] {
        let at = |second: u64| format!("{second}/{} * * * * *", self.day);
        [
            ("SETTLEMENT_CREATE_CRON", at(1)),
            ("SETTLEMENT_CONFIRM_CRON", at(2)),
            ("HOLDBACK_RELEASE_CRON", at(3)),
            ("PAYOUT_EXECUTE_CRON", at(4)),
            ("XR_METRICS_CRON", at(1)),
            ("DAILY_LOCK_AT_LEAST_FOR", "1s".to_owned()),
        ]
    }
}

struct Replica {
    process: Child,
    listener: JoinHandle<anyhow::Result<()>>,
}

impl Replica {
    /// Sends SIGTERM and waits until the replica has finished its runs and ended.
    async fn stop(mut self) -> anyhow::Result<()> {
        terminate(&mut self.process)?;
        let status = self.process.wait().await?;
        self.listener.await??;
        anyhow::ensure!(status.success(), "a replica ended with {status}");
        Ok(())
    }
}

#[cfg(unix)]
fn terminate(process: &mut Child) -> anyhow::Result<()> {
    use rustix::process::{Pid, Signal, kill_process};

    let id = process
        .id()
        .and_then(|id| i32::try_from(id).ok())
        .and_then(Pid::from_raw);
    kill_process(id.context("the replica ended by itself")?, Signal::TERM)?;
    Ok(())
}

#[cfg(not(unix))]
fn terminate(process: &mut Child) -> anyhow::Result<()> {
    process.start_kill()?;
    Ok(())
}

/// Orders as customers place them, each with its event in the same transaction.
async fn take_orders(database: Database, calendar: Calendar) -> anyhow::Result<()> {
    let mut ticks = interval(ORDER_EVERY);
    for number in 0_i64.. {
        ticks.tick().await;
        let id = Uuid::new_v4().to_string();
        let merchant = number % MERCHANTS;
        let mut transaction = database.begin().await?;
        database
            .execute_in(
                &mut transaction,
                "insert into orders (id, merchant, day, amount) values ($1, $2, $3, $4)",
                &[
                    id.as_str().into(),
                    merchant.into(),
                    calendar.day(Utc::now()).into(),
                    (100 + number).into(),
                ],
            )
            .await?;
        let service = if number % 4 == 0 { "xr" } else { "settlement" };
        database
            .add_event(&mut transaction, service, &id, &format!("order {id}"))
            .await?;
        transaction.commit().await?;
    }
    Ok(())
}

/// Holdbacks that fall due one after the other from today on.
async fn add_holdbacks(database: &Database, calendar: Calendar) -> anyhow::Result<()> {
    let today = calendar.day(Utc::now());
    for number in 0..HOLDBACKS {
        database
            .execute(
                "insert into holdbacks (id, merchant, due, amount, released) values ($1, $2, $3, 500, 0)",
                &[
                    Uuid::new_v4().to_string().as_str().into(),
                    (number % MERCHANTS).into(),
                    (today + number / 4).into(),
                ],
            )
            .await?;
    }
    Ok(())
}
