//! All ways to take a lock of one store, measured in turns.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use shedlock::{HeldLock, LockConfiguration, LockProvider, LockRequest, LockingExecutor};
use sqlx::{ConnectOptions, Pool};

use super::{
    Options,
    pgbench::Pgbench,
    results::{
        Operation::{self, Pair, Refused},
        Results,
        Through::{self, Driver, Executor, Nothing, Pgbench as ByPgbench, Provider},
    },
    statements::Statements,
    store::{ConnectionOf, OptionsOf, Store},
};

const LEASE: Duration = Duration::from_hours(1);
/// How many refused attempts must not use a transaction id.
const ATTEMPTS: usize = 10_000;
/// Whatever else runs in the server may use an id, but not each time.
const COUNTS: usize = 3;

/// The ways in the order in which they take their turn: those that are compared are neighbours.
const PAIRS: [Through; 4] = [ByPgbench, Provider, Driver, Executor];
const REFUSED: [Through; 4] = [Nothing, Provider, Driver, Executor];

/// Enough for a server to settle on its plan of a statement.
const WARM_UP: usize = 10;

/// One store with its provider, and a connection of the same driver beside it.
pub(crate) struct Contest<S: Store> {
    options: OptionsOf<S>,
    provider: S::Provider,
    executor: LockingExecutor,
    connection: ConnectionOf<S>,
    statements: Statements,
    pgbench: Option<Pgbench>,
    free: LockConfiguration,
    busy: LockConfiguration,
    held: <S::Provider as LockProvider>::Held,
}

impl<S: Store> Contest<S> {
    pub(crate) async fn prepare(options: OptionsOf<S>) -> Result<Self> {
        let logging = S::provider(Pool::connect_lazy_with(options.clone()));
        S::migrate(&logging).await?;
        let statements = Statements::of(&logging).await?;
        let options = options.disable_statement_logging();
        let provider = S::provider(Pool::connect_lazy_with(options.clone()));
        let busy = LockConfiguration::new("bench-busy", LEASE)?;
        let held = provider.try_lock(&LockRequest::new(&busy)).await?;
        Ok(Self {
            executor: LockingExecutor::new(provider.clone()),
            provider,
            connection: options.connect().await?,
            options,
            statements,
            pgbench: None,
            free: LockConfiguration::new("bench-free", LEASE)?,
            held: held.context("a benchmark runs on this server, or did within the last hour")?,
            busy,
        })
    }

    pub(crate) fn statements(&self) -> &Statements {
        &self.statements
    }

    pub(crate) fn with_pgbench(self, pgbench: Option<Pgbench>) -> Self {
        Self { pgbench, ..self }
    }

    pub(crate) async fn run(mut self, options: &Options) -> Result<Results> {
        let mut results = Results::default();
        for _ in 0..options.rounds {
            self.reconnect().await?;
            for through in PAIRS {
                let round = self.turn(Pair, through, options.pairs).await?;
                results.add(Pair, through, round);
            }
            for through in REFUSED {
                let round = self.turn(Refused, through, options.refused).await?;
                results.add(Refused, through, round);
            }
        }
        results.transaction_ids = self.transaction_ids().await?;
        unlock(self.held).await?;
        Ok(results)
    }

    /// A connection keeps a process of the server on its processor, near to ours or not, so each
    /// round has new ones.
    async fn reconnect(&mut self) -> Result<()> {
        self.provider = S::provider(Pool::connect_lazy_with(self.options.clone()));
        self.executor = LockingExecutor::new(self.provider.clone());
        self.connection = self.options.connect().await?;
        for _ in 0..WARM_UP {
            self.pair().await?;
            self.refused().await?;
            self.bare_pair().await?;
            self.bare_refused().await?;
            S::select_1(&mut self.connection).await?;
        }
        Ok(())
    }

    async fn turn(
        &mut self,
        operation: Operation,
        through: Through,
        count: usize,
    ) -> Result<Vec<Duration>> {
        let mut durations = Vec::with_capacity(count);
        for _ in 0..count {
            let start = Instant::now();
            match (operation, through) {
                (Pair, Provider) => self.pair().await?,
                (Pair, Executor) => self.executed().await?,
                (Pair, Driver) => self.bare_pair().await?,
                (Refused, Provider) => self.refused().await?,
                (Refused, Executor) => self.skipped().await?,
                (Refused, Driver) => self.bare_refused().await?,
                (_, Nothing) => S::select_1(&mut self.connection).await?,
                (_, ByPgbench) => return self.pgbench_pairs(count).await,
            }
            durations.push(start.elapsed());
        }
        Ok(durations)
    }

    /// Nothing, where there is no pgbench.
    async fn pgbench_pairs(&mut self, count: usize) -> Result<Vec<Duration>> {
        let Some(pgbench) = &self.pgbench else {
            return Ok(Vec::new());
        };
        let before = S::transaction_ids(&mut self.connection).await?;
        let durations = pgbench.run(count).await?;
        let after = S::transaction_ids(&mut self.connection).await?;
        let used = after.zip(before).map(|(after, before)| after - before);
        ensure!(
            used >= Some(2 * count as u64),
            "pgbench did not take the locks"
        );
        Ok(durations)
    }

    async fn pair(&self) -> Result<()> {
        let request = LockRequest::new(&self.free);
        let held = self.provider.try_lock(&request).await?;
        unlock(held.context("a free lock was refused")?).await
    }

    async fn refused(&self) -> Result<()> {
        let request = LockRequest::new(&self.busy);
        let held = self.provider.try_lock(&request).await?;
        ensure!(held.is_none(), "a busy lock was granted");
        Ok(())
    }

    async fn executed(&self) -> Result<()> {
        let execution = self.executor.execute(&self.free, async {}).await?;
        execution.ran().context("a free lock was refused")
    }

    async fn skipped(&self) -> Result<()> {
        let execution = self.executor.execute(&self.busy, async {}).await?;
        ensure!(execution.is_skipped(), "a busy lock was granted");
        Ok(())
    }

    async fn bare_pair(&mut self) -> Result<()> {
        let Statements { acquire, release } = &self.statements;
        let request = LockRequest::new(&self.free);
        let taken = S::acquire(&mut self.connection, acquire, &request).await?;
        ensure!(taken, "a free lock was refused");
        let released = S::release(&mut self.connection, release, &request).await?;
        ensure!(released, "a held lock was not released");
        Ok(())
    }

    async fn bare_refused(&mut self) -> Result<()> {
        let (acquire, request) = (&self.statements.acquire, LockRequest::new(&self.busy));
        let taken = S::acquire(&mut self.connection, acquire, &request).await?;
        ensure!(!taken, "a busy lock was granted");
        Ok(())
    }

    /// How many of the server's transaction ids so many refused attempts use, if it has any.
    async fn transaction_ids(&mut self) -> Result<Option<u64>> {
        let mut least = None;
        for _ in 0..COUNTS {
            let before = S::transaction_ids(&mut self.connection).await?;
            for _ in 0..ATTEMPTS {
                self.refused().await?;
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
