//! All ways to take a lock of one store, measured in turns.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use shedlock::{HeldLock, LockConfiguration, LockProvider, LockRequest, LockingExecutor};
use sqlx::{ConnectOptions, Pool};

use super::{
    Options,
    pgbench::Pgbench,
    results::{
        Operation::{Pair, Refused},
        Results,
        Through::{Driver, Executor, Nothing, Pgbench as ByPgbench, Provider},
    },
    statements::Statements,
    store::{ConnectionOf, OptionsOf, Store},
};
use crate::stats::Summary;

const LEASE: Duration = Duration::from_hours(1);
/// How many refused attempts must not use a transaction id.
const ATTEMPTS: usize = 10_000;
/// Whatever else runs in the server may use an id, but not each time.
const COUNTS: usize = 3;

/// One store with its provider, and a connection of the same driver beside it.
pub(crate) struct Contest<S: Store> {
    provider: S::Provider,
    executor: LockingExecutor,
    connection: ConnectionOf<S>,
    statements: Statements,
}

impl<S: Store> Contest<S> {
    pub(crate) async fn prepare(options: OptionsOf<S>) -> Result<Self> {
        let logging = S::provider(Pool::connect_lazy_with(options.clone()));
        S::migrate(&logging).await?;
        let statements = Statements::of(&logging).await?;
        let options = options.disable_statement_logging();
        let provider = S::provider(Pool::connect_lazy_with(options.clone()));
        Ok(Self {
            executor: LockingExecutor::new(provider.clone()),
            provider,
            connection: options.connect().await?,
            statements,
        })
    }

    pub(crate) fn statements(&self) -> &Statements {
        &self.statements
    }

    /// Those that are compared are neighbours in each round.
    pub(crate) async fn run(
        mut self,
        options: &Options,
        pgbench: Option<&Pgbench>,
    ) -> Result<Results> {
        let Options { pairs, refused, .. } = *options;
        let free = LockConfiguration::new("bench-free", LEASE)?;
        let busy = LockConfiguration::new("bench-busy", LEASE)?;
        let held = self.provider.try_lock(&LockRequest::new(&busy)).await?;
        held.context("somebody else runs this benchmark on this server")?;

        let mut results = Results::default();
        for _ in 0..options.rounds {
            if let Some(pgbench) = pgbench {
                results.add(Pair, ByPgbench, pgbench.run(pairs).await?);
            }
            let pair = timed(pairs, async || self.pair(&free).await);
            results.add(Pair, Provider, pair.await?);
            let pair = timed(pairs, async || self.bare_pair(&free).await);
            results.add(Pair, Driver, pair.await?);
            let pair = timed(pairs, async || self.executed(&free).await);
            results.add(Pair, Executor, pair.await?);

            let nothing = timed(refused, async || self.select_1().await);
            results.add(Refused, Nothing, nothing.await?);
            let attempt = timed(refused, async || self.refused(&busy).await);
            results.add(Refused, Provider, attempt.await?);
            let attempt = timed(refused, async || self.bare_refused(&busy).await);
            results.add(Refused, Driver, attempt.await?);
            let attempt = timed(refused, async || self.skipped(&busy).await);
            results.add(Refused, Executor, attempt.await?);
        }
        results.transaction_ids = self.transaction_ids(&busy).await?;
        Ok(results)
    }

    async fn pair(&self, free: &LockConfiguration) -> Result<()> {
        let held = self.provider.try_lock(&LockRequest::new(free)).await?;
        unlock(held.context("a free lock was refused")?).await
    }

    async fn refused(&self, busy: &LockConfiguration) -> Result<()> {
        let held = self.provider.try_lock(&LockRequest::new(busy)).await?;
        ensure!(held.is_none(), "a busy lock was granted");
        Ok(())
    }

    async fn executed(&self, free: &LockConfiguration) -> Result<()> {
        let execution = self.executor.execute(free, async {}).await?;
        execution.ran().context("a free lock was refused")
    }

    async fn skipped(&self, busy: &LockConfiguration) -> Result<()> {
        let execution = self.executor.execute(busy, async {}).await?;
        ensure!(execution.is_skipped(), "a busy lock was granted");
        Ok(())
    }

    async fn bare_pair(&mut self, free: &LockConfiguration) -> Result<()> {
        let Statements { acquire, release } = &self.statements;
        let request = LockRequest::new(free);
        let connection = &mut self.connection;
        for (statement, duration) in [(acquire, LEASE), (release, Duration::ZERO)] {
            match S::execute(connection, statement, &request, duration).await? {
                1 => {}
                rows => bail!("{rows} rows were changed, not one, by {statement:?}"),
            }
        }
        Ok(())
    }

    async fn bare_refused(&mut self, busy: &LockConfiguration) -> Result<()> {
        let (acquire, request) = (&self.statements.acquire, LockRequest::new(busy));
        let rows = S::execute(&mut self.connection, acquire, &request, LEASE).await?;
        ensure!(rows == 0, "a busy lock was granted");
        Ok(())
    }

    async fn select_1(&mut self) -> Result<()> {
        Ok(S::select_1(&mut self.connection).await?)
    }

    /// How many of the server's transaction ids so many refused attempts use, if it has any.
    async fn transaction_ids(&mut self, busy: &LockConfiguration) -> Result<Option<u64>> {
        let mut least = None;
        for _ in 0..COUNTS {
            let before = S::transaction_ids(&mut self.connection).await?;
            for _ in 0..ATTEMPTS {
                self.refused(busy).await?;
            }
            let after = S::transaction_ids(&mut self.connection).await?;
            let Some(used) = after.zip(before).map(|(after, before)| after - before) else {
                return Ok(None);
            };
            least = Some(least.map_or(used, |least: u64| least.min(used)));
        }
        Ok(least)
    }
}

pub(crate) async fn unlock(held: impl HeldLock) -> Result<()> {
    Ok(held.unlock().await.map_err(|failed| failed.error)?)
}

async fn timed(count: usize, mut operation: impl AsyncFnMut() -> Result<()>) -> Result<Summary> {
    let mut durations = Vec::with_capacity(count);
    for _ in 0..count {
        let start = Instant::now();
        operation().await?;
        durations.push(start.elapsed());
    }
    Ok(Summary::of(durations))
}
