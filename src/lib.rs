//! Scheduled jobs that run on time, on one node at a time.
//!
//! A service runs in several copies, each with the same jobs: without a shared lock a job runs
//! once per copy. `shedlock` is ShedLock and Spring's `@Scheduled` for Rust. Annotate a function,
//! and the scheduler runs it; a lock in the database that the service already has makes sure that
//! one copy runs it while the others skip. Stores are compatible with ShedLock's, and mistakes in
//! the annotations do not compile.
//!
//! # From annotation to running
//!
//! ```no_run
//! use std::time::Duration;
//! use shedlock::{Data, MemoryLockProvider, Scheduler, scheduled, scheduler_lock};
//!
//! # #[derive(Clone)] struct Pool;
//! # impl Pool {
//! #     async fn connect() -> anyhow::Result<Self> { Ok(Self) }
//! #     async fn pay(&self) -> anyhow::Result<()> { Ok(()) }
//! # }
//! // 1. Say when the function runs, and under which lock.
//! #[scheduled(cron = "0 0 4 * * *", zone = "Asia/Seoul")]
//! #[scheduler_lock(name = "settlement-payout-execute", lock_at_most_for = "1h")]
//! async fn execute_payouts(Data(pool): Data<Pool>) -> anyhow::Result<()> {
//!     pool.pay().await
//! }
//!
//! #[tokio::main]
//! async fn main() -> anyhow::Result<()> {
//!     let pool = Pool::connect().await?;
//!     let scheduler = Scheduler::builder()
//!         // 2. Say where the locks are: in production, the database that all copies share.
//!         .lock_provider(MemoryLockProvider::new())
//!         .default_lock_at_most_for(Duration::from_secs(600))
//!         // 3. Register what the functions take, and find the functions.
//!         .data(pool)
//!         .discover()
//!         .build()?;
//!     // 4. Run until SIGTERM or ctrl-c; then let the runs end and release the locks.
//!     scheduler.run_until_shutdown().await?;
//!     Ok(())
//! }
//! ```
//!
//! [`#[scheduled]`](macro@scheduled), [`#[scheduler_lock]`](macro@scheduler_lock) and
//! [`#[transactional]`](macro@transactional) have all arguments. A [`LockingExecutor`] runs any code under a lock, without macros and scheduler.
//!
//! # Features
//!
//! | feature | gives | by default |
//! |---|---|---|
//! | `macros` | `#[scheduler_lock]`, with `scheduler` `#[scheduled]`, with a SQL store `#[transactional]` | yes |
//! | `scheduler` | [`Scheduler`], [`Task`] | yes |
//! | `tracing` | each decision as a `tracing` event | yes |
//! | `sqlite`, `postgres`, `mysql` | the stores; the runtime and TLS of `sqlx` are yours to choose | no |
//! | `tokio-cron-scheduler` | tasks inside of a `JobScheduler` that the application has | no |
//! | `test-util` | the conformance suite for lock providers | no |

#[doc(hidden)]
pub mod __private;

pub use shedlock_core::*;
#[cfg(feature = "scheduler")]
pub use shedlock_scheduler::*;

// Named, so that the compiler can say which feature a missing one needs.
#[cfg(feature = "mysql")]
pub use shedlock_core::MySqlLockProvider;
#[cfg(feature = "postgres")]
pub use shedlock_core::PostgresLockProvider;
#[cfg(feature = "sqlite")]
pub use shedlock_core::SqliteLockProvider;
#[cfg(feature = "scheduler")]
pub use shedlock_scheduler::Scheduler;

#[cfg(all(feature = "macros", feature = "scheduler"))]
#[doc(inline)]
#[doc = include_str!("docs/scheduled.md")]
pub use shedlock_macros::scheduled;
#[cfg(all(feature = "macros", not(feature = "scheduler")))]
#[doc(hidden)]
pub use shedlock_macros::scheduled_without_scheduler as scheduled;
#[cfg(feature = "macros")]
#[doc(inline)]
#[doc = include_str!("docs/scheduler_lock.md")]
pub use shedlock_macros::scheduler_lock;
#[cfg(feature = "macros")]
#[doc(inline)]
#[doc = include_str!("docs/transactional.md")]
pub use shedlock_macros::transactional;
