//! What the run showed: the locks, who ran, and what came in twice.

use std::process::ExitCode;

use crate::{
    cluster::Runs,
    database::{Database, Kind},
    options::Options,
    receiver::Inbox,
};

/// Everything that a replica delivers once: published events, confirmations, releases, payouts.
const FACTS: &str = "select (select count(*) from outbox where published = 1) \
     + (select count(*) from settlements where status = 'confirmed') \
     + (select count(*) from holdbacks where released = 1) \
     + (select count(*) from payouts)";

pub(crate) struct Report {
    locks: Vec<[String; 4]>,
    runs: Vec<(String, Vec<String>)>,
    events: i64,
    pending: i64,
    facts: i64,
    delivered: usize,
    duplicates: u32,
    unlocked: bool,
}

impl Report {
    pub(crate) async fn gather(
        database: &Database,
        runs: &Runs,
        inbox: &Inbox,
        options: &Options,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            locks: locks(database).await?,
            runs: per_task(runs, options.replicas),
            events: database.count("select count(*) from outbox").await?,
            pending: database
                .count("select count(*) from outbox where published = 0")
                .await?,
            facts: database.count(FACTS).await?,
            delivered: inbox.delivered(),
            duplicates: inbox.duplicate_events() + inbox.duplicate_facts(),
            unlocked: options.unlocked,
        })
    }

    /// Prints it; the exit code is 1 when the locks did not keep their promise.
    pub(crate) fn print(&self) -> anyhow::Result<ExitCode> {
        println!("\nthe lock table (name, locked_at, lock_until, locked_by):");
        for [name, until, at, by] in &self.locks {
            println!("  {name:<28} {at:<26} {until:<26} {by}");
        }
        println!("\nwho ran each job (ran / skipped / failed):");
        for (task, replicas) in &self.runs {
            println!("  {task:<28} {}", replicas.join("   "));
        }
        println!(
            "\nevents in the outbox: {}, of these still pending: {}",
            self.events, self.pending
        );
        println!(
            "facts to deliver: {}, delivered: {}",
            self.facts, self.delivered
        );
        println!("duplicates: {}", self.duplicates);
        let delivered_all = i64::try_from(self.delivered)? == self.facts;
        Ok(match (self.unlocked, self.duplicates) {
            (true, 0) => {
                println!("without locks, and yet nothing came in twice this time: run it longer");
                ExitCode::SUCCESS
            }
            (true, _) => {
                println!("this is what happens without locks: events and payments come in twice");
                ExitCode::SUCCESS
            }
            (false, 0) if delivered_all => {
                println!("every fact was delivered exactly once");
                ExitCode::SUCCESS
            }
            (false, _) => {
                println!("FAILED: each fact has to be delivered exactly once");
                ExitCode::FAILURE
            }
        })
    }
}

async fn locks(database: &Database) -> anyhow::Result<Vec<[String; 4]>> {
    let columns = match database.kind {
        Kind::Sqlite => {
            "name, datetime(lock_until / 1000.0, 'unixepoch', 'subsec'), datetime(locked_at / 1000.0, 'unixepoch', 'subsec'), locked_by"
        }
        Kind::Postgres => "name, cast(lock_until as text), cast(locked_at as text), locked_by",
        Kind::MySql => "name, cast(lock_until as char), cast(locked_at as char), locked_by",
    };
    let sql = format!("select {columns} from shedlock order by name");
    let rows: Vec<(String, String, String, String)> = database.fetch(&sql, &[]).await?;
    Ok(rows
        .into_iter()
        .map(|(name, until, at, by)| [name, until, at, by])
        .collect())
}

fn per_task(runs: &Runs, replicas: u32) -> Vec<(String, Vec<String>)> {
    let mut tasks: Vec<&str> = runs.keys().map(|(task, _)| task.as_str()).collect();
    tasks.dedup();
    let cell = |task: &str, replica| {
        let words = runs.get(&(task.to_owned(), replica));
        let count = |word| {
            words
                .and_then(|words| words.get(word))
                .copied()
                .unwrap_or_default()
        };
        format!(
            "{:>3} /{:>3} /{:>3}",
            count("ran"),
            count("skipped"),
            count("failed")
        )
    };
    let row = |task: &str| (1..=replicas).map(|replica| cell(task, replica)).collect();
    tasks
        .into_iter()
        .map(|task| (task.to_owned(), row(task)))
        .collect()
}
