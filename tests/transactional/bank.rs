//! A bank whose only job pays one account, and ends in each way that a job can end.

use std::{future::pending, sync::Arc, time::Duration};

use shedlock::{DataMap, LockConfiguration, LockingExecutor};
use tokio::{
    sync::{Notify, mpsc},
    time::timeout,
};

use crate::watched::Seen;

pub(crate) const LONG_ENOUGH: Duration = Duration::from_mins(1);

/// How the job ends after it has paid.
#[derive(Debug, Clone)]
pub(crate) enum End {
    Well,
    WithAnError,
    WithAPanic,
    /// Only from outside, once it has told that it has paid.
    Never(Arc<Notify>),
}

impl End {
    pub(crate) async fn reach(self) -> anyhow::Result<()> {
        match self {
            Self::Well => Ok(()),
            Self::WithAnError => Err(anyhow::anyhow!("the bank is closed")),
            Self::WithAPanic => panic!("the bank is on fire"),
            Self::Never(paid) => {
                paid.notify_one();
                pending().await
            }
        }
    }
}

/// One node of an application: its locks, its data.
#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) executor: LockingExecutor,
    pub(crate) data: Arc<DataMap>,
}

impl Node {
    /// Runs what uses the node's locks and data.
    pub(crate) async fn run<T>(self, job: impl Future<Output = T>) -> T {
        let outer = outer();
        let ran = self.executor.execute(&outer, self.data.scope(job));
        ran.await.unwrap().ran().unwrap()
    }
}

/// A lock around the one that is watched.
pub(crate) fn outer() -> LockConfiguration {
    LockConfiguration::new("outer", Duration::from_mins(1)).unwrap()
}

/// What was seen when the lock was about to be released.
pub(crate) async fn seen(told: &mut mpsc::UnboundedReceiver<Seen>) -> Seen {
    let seen = timeout(LONG_ENOUGH, told.recv()).await;
    seen.expect("the lock is released")
        .expect("the lock is watched")
}

pub(crate) const PAID: Seen = Seen {
    balance: 1,
    is_free: true,
};

pub(crate) const UNTOUCHED: Seen = Seen {
    balance: 0,
    is_free: true,
};

/// The tests, on one database.
macro_rules! bank {
    (
        mod $name:ident;
        $(#[$ignored:meta])?
        database: $Database:ty,
        open: $open:path,
        create: $create:literal,
        pay: $pay:literal,
        look: $look:literal,
        touch: $touch:literal,
        slow: $slow:literal,
        level: $level:literal,
        isolations: $($isolation:literal)*
    ) => {
        mod $name {
            use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll, time::Duration};

            use shedlock::{
                DataMap, LockingExecutor, Scheduler, SharedLockProvider, Task, Trigger, scheduler_lock,
                transactional,
            };
            use sqlx::{Pool, Transaction};
            use tokio::{
                sync::{Notify, mpsc},
                time::{sleep, timeout},
            };

            use crate::{
                bank::{End, LONG_ENOUGH, Node, PAID, UNTOUCHED, outer, seen},
                watched::{Eye, Seen, Watched},
            };

            type Database = $Database;

            #[scheduler_lock(name = "pay", lock_at_most_for = "1m", duplicate = "allow")]
            #[transactional]
            async fn pay(
                account: i64,
                tx: &mut Transaction<'_, Database>,
                end: End,
            ) -> anyhow::Result<()> {
                sqlx::query($pay).bind(account).execute(&mut **tx).await?;
                end.reach().await
            }

            #[scheduler_lock(name = "pay", lock_at_most_for = "1m", duplicate = "allow")]
            #[transactional]
            async fn pay_slowly(
                account: i64,
                paid: Arc<Notify>,
                tx: &mut Transaction<'_, Database>,
            ) -> anyhow::Result<()> {
                sqlx::query($pay).bind(account).execute(&mut **tx).await?;
                let mut slow = pin!(sqlx::raw_sql($slow).execute(&mut **tx));
                // Polled once, it is on its way.
                let on_its_way = poll_fn(|cx| Poll::Ready(slow.as_mut().poll(cx).is_pending()));
                assert!(on_its_way.await);
                paid.notify_one();
                slow.await?;
                Ok(())
            }

            #[transactional(pool = pool)]
            async fn pay_from(
                pool: &Pool<Database>,
                account: i64,
                tx: &mut Transaction<'_, Database>,
                end: End,
            ) -> anyhow::Result<()> {
                sqlx::query($pay).bind(account).execute(&mut **tx).await?;
                end.reach().await
            }

            #[transactional]
            async fn swallow(tx: &mut Transaction<'_, Database>, account: i64) -> sqlx::Result<()> {
                sqlx::query($pay).bind(account).execute(&mut **tx).await?;
                let failed = sqlx::query("INSERT INTO nothing VALUES (1)").execute(&mut **tx);
                assert!(failed.await.is_err());
                Ok(())
            }

            struct Bank {
                pool: Pool<Database>,
                locks: Watched<SharedLockProvider>,
                eye: Eye,
                account: i64,
                node: Node,
                told: mpsc::UnboundedReceiver<Seen>,
                _files: Option<tempfile::TempDir>,
            }

            impl Bank {
                async fn open() -> Self {
                    let (pool, eye_pool, locks, files) = $open().await;
                    let account = crate::unique();
                    let create = "CREATE TABLE IF NOT EXISTS account (id BIGINT PRIMARY KEY, balance BIGINT)";
                    // Two that create it at once may both try.
                    let _ = sqlx::query(create).execute(&eye_pool).await;
                    let open = sqlx::query($create).bind(account);
                    open.execute(&eye_pool).await.unwrap();
                    let eye: Eye = Arc::new(move || {
                        let pool = eye_pool.clone();
                        Box::pin(async move { look(&pool, account).await })
                    });
                    let (locks, told) = Watched::new(SharedLockProvider::new(locks), Arc::clone(&eye));
                    let mut data = DataMap::default();
                    data.insert(pool.clone());
                    let node = Node {
                        executor: LockingExecutor::new(locks.clone()),
                        data: Arc::new(data),
                    };
                    Self { pool, locks, eye, account, node, told, _files: files }
                }

                async fn pay(&self, end: End) -> anyhow::Result<()> {
                    self.node.clone().run(pay(self.account, end)).await
                }
            }

            async fn look(pool: &Pool<Database>, account: i64) -> Seen {
                let balance = sqlx::query_scalar($look).bind(account).fetch_one(pool);
                let touched = sqlx::query($touch).bind(account).execute(pool);
                Seen {
                    balance: balance.await.unwrap(),
                    is_free: touched.await.is_ok(),
                }
            }

            #[tokio::test(flavor = "multi_thread")]
            $(#[$ignored])?
            async fn a_commit_is_visible_before_the_lock_is_free() {
                let mut bank = Bank::open().await;
                bank.pay(End::Well).await.unwrap();
                assert_eq!(seen(&mut bank.told).await, PAID);
            }

            #[tokio::test(flavor = "multi_thread")]
            $(#[$ignored])?
            async fn an_error_leaves_nothing() {
                let mut bank = Bank::open().await;
                let error = bank.pay(End::WithAnError).await.unwrap_err();
                assert_eq!(error.to_string(), "the bank is closed");
                assert_eq!(seen(&mut bank.told).await, UNTOUCHED);
            }

            #[tokio::test(flavor = "multi_thread")]
            $(#[$ignored])?
            async fn a_panic_leaves_nothing() {
                let mut bank = Bank::open().await;
                let job = bank.node.clone().run(pay(bank.account, End::WithAPanic));
                let panic = tokio::spawn(job).await.unwrap_err();
                assert!(panic.is_panic());
                assert_eq!(seen(&mut bank.told).await, UNTOUCHED);
            }

            #[tokio::test(flavor = "multi_thread")]
            $(#[$ignored])?
            async fn a_dropped_job_leaves_nothing() {
                let mut bank = Bank::open().await;
                let paid = Arc::new(Notify::new());
                let end = End::Never(Arc::clone(&paid));
                let job = tokio::spawn(bank.node.clone().run(pay(bank.account, end)));
                timeout(LONG_ENOUGH, paid.notified()).await.unwrap();
                job.abort();
                assert_eq!(seen(&mut bank.told).await, UNTOUCHED);
            }

            #[tokio::test(flavor = "multi_thread")]
            $(#[$ignored])?
            async fn a_job_that_is_dropped_in_a_statement_leaves_nothing() {
                let mut bank = Bank::open().await;
                let paid = Arc::new(Notify::new());
                let job = pay_slowly(bank.account, Arc::clone(&paid));
                let job = tokio::spawn(bank.node.clone().run(job));
                timeout(LONG_ENOUGH, paid.notified()).await.unwrap();
                job.abort();
                assert_eq!(seen(&mut bank.told).await, UNTOUCHED);
            }

            #[tokio::test(flavor = "multi_thread")]
            $(#[$ignored])?
            async fn a_shutdown_leaves_nothing() {
                let mut bank = Bank::open().await;
                let paid = Arc::new(Notify::new());
                let (account, end) = (bank.account, End::Never(Arc::clone(&paid)));
                let job = Task::new("pay", Trigger::FixedRate(LONG_ENOUGH), move || {
                    pay(account, end.clone())
                });
                let scheduler = Scheduler::builder()
                    .lock_provider(bank.locks.clone())
                    .data(bank.pool.clone())
                    .task(job.lock(outer()))
                    .shutdown_grace_period(Duration::ZERO)
                    .build()
                    .unwrap();
                let paid = async { timeout(LONG_ENOUGH, paid.notified()).await.unwrap() };
                scheduler.run_until(paid).await.unwrap();
                assert_eq!(bank.told.try_recv(), Ok(UNTOUCHED), "before the scheduler has ended");
            }

            #[tokio::test(flavor = "multi_thread")]
            $(#[$ignored])?
            async fn a_call_without_a_lock_takes_the_pool_that_it_names() {
                let bank = Bank::open().await;
                pay_from(&bank.pool, bank.account, End::WithAnError).await.unwrap_err();
                assert_eq!((bank.eye)().await, UNTOUCHED);
                pay_from(&bank.pool, bank.account, End::Well).await.unwrap();
                assert_eq!((bank.eye)().await, PAID);
            }

            #[tokio::test(flavor = "multi_thread")]
            $(#[$ignored])?
            async fn ok_is_returned_only_if_all_was_committed() {
                let bank = Bank::open().await;
                let job = swallow(bank.account);
                let is_ok = bank.node.clone().run(job).await.is_ok();
                assert_eq!(is_ok, (bank.eye)().await == PAID);
            }

            #[tokio::test(flavor = "multi_thread")]
            $(#[$ignored])?
            async fn each_isolation_is_begun() {
                let bank = Bank::open().await;
                $({
                    #[transactional(isolation = $isolation)]
                    async fn begin(
                        account: i64,
                        tx: &mut Transaction<'_, Database>,
                    ) -> sqlx::Result<()> {
                        sqlx::query($pay).bind(account).execute(&mut **tx).await?;
                        loop {
                            let level: String =
                                sqlx::query_scalar($level).fetch_one(&mut **tx).await?;
                            if level.to_lowercase() == $isolation {
                                return Ok(());
                            }
                            // MariaDB reads it anew only if nobody has asked for 100 ms.
                            sleep(Duration::from_millis(150)).await;
                        }
                    }
                    let begun = bank.node.clone().run(begin(bank.account));
                    let begun = timeout(LONG_ENOUGH, begun).await;
                    begun.expect($isolation).unwrap();
                })*
            }
        }
    };
}
pub(crate) use bank;
