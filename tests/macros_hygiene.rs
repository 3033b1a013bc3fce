//! The attributes' output compiles under the strictest lints, beside names that shadow what it
//! uses. `cargo clippy` checks this file like any other.

#![cfg(all(feature = "macros", feature = "scheduler"))]
#![forbid(
    unsafe_code,
    missing_docs,
    unused_qualifications,
    unused_results,
    unreachable_code
)]
#![deny(warnings, clippy::all, clippy::pedantic, clippy::nursery)]

/// Everything that generated code could name, as something else.
pub mod shadowed {
    use shedlock::{scheduled, scheduler_lock, transactional};

    macro_rules! shadow {
        ($($name:ident)*) => { $(
            /// Not what it looks like.
            #[derive(Debug)]
            pub struct $name;
        )* };
    }
    shadow!(Option Some None Result Ok Err Box Vec String Send Sync Future FromRun TaskReturn TaskDefinition);

    /// Not `core`.
    pub mod core {}
    /// Not `std`.
    pub mod std {}
    /// Not the macro of the prelude.
    #[macro_export]
    macro_rules! line {
        () => {
            compile_error!("the user's own macro")
        };
    }

    type Pages = shedlock::Data<u32>;
    type Tx = sqlx::SqliteTransaction<'static>;

    /// Async, with parameters that are called as generated names are.
    #[scheduled(fixed_rate = "5s", initial_delay = "1s")]
    #[scheduler_lock(name = "shadowed", lock_at_most_for = "1m", lock_at_least_for = "1s")]
    pub async fn run(cx: Pages, data: Pages) {
        print(cx.0 + data.0).await;
    }

    /// Blocking.
    #[scheduled(cron = "0 4 * * *", zone = "UTC")]
    #[scheduler_lock(name = "shadowed blocking")]
    pub fn blocking(cx: Pages, data: Pages) {
        println!("{}", cx.0 + data.0);
    }

    /// In a transaction, under names that the generated code has for its own.
    ///
    /// # Errors
    /// When the database says so.
    #[scheduled(cron = "0 4 * * *")]
    #[scheduler_lock(name = "shadowed transactional", lock_at_most_for = "1m")]
    #[transactional(isolation = "immediate")]
    pub async fn in_a_transaction(
        transaction: Pages,
        pool: &mut Tx,
        body: Pages,
    ) -> anyhow::Result<()> {
        let pay = sqlx::query("UPDATE account SET balance = $1");
        let pay = pay.bind(transaction.0 + body.0).execute(&mut **pool);
        let _ = pay.await?;
        anyhow::Result::Ok(())
    }

    async fn print(sum: u32) {
        tokio::task::yield_now().await;
        println!("{sum}");
    }
}

/// The crate under another path.
pub mod renamed {
    pub(crate) use shedlock as locks;

    mod reexports {
        pub(super) use shedlock;
    }

    /// Both attributes by another path.
    #[locks::scheduled(fixed_delay = "5s", allow = "short_period", crate = locks)]
    #[locks::scheduler_lock(name = "renamed", lock_at_most_for = "1m", crate = crate::renamed::reexports::shedlock)]
    pub async fn job(
        _: locks::FireTime,
        _: locks::RunContext,
        _: locks::CancellationToken,
        pages: Option<locks::Data<String>>,
    ) -> Result<(), locks::LockError> {
        tokio::task::yield_now().await;
        drop(pages);
        Ok(())
    }
}

/// Locks without a schedule.
pub mod locked {
    use shedlock::{Execution, LockError, scheduler_lock};

    /// A coercion in the tail expression.
    #[derive(Debug)]
    pub struct Report(Vec<u8>);

    impl Report {
        /// Borrows from `self`.
        #[scheduler_lock(name = "method")]
        pub async fn pages(&self) -> Option<&[u8]> {
            tokio::task::yield_now().await;
            Some(&self.0)
        }

        /// Borrows from `self` for a named lifetime.
        #[scheduler_lock(name = "blocking method")]
        pub fn first<'a>(&'a mut self, pages: &[u8]) -> Execution<&'a mut u8> {
            self.0.extend_from_slice(pages);
            Execution::Ran(&mut self.0[0])
        }

        /// A type that has no name.
        ///
        /// # Errors
        /// While the lock is held.
        #[scheduler_lock(name = "impl trait")]
        pub async fn sorted(mut self) -> Result<impl Iterator<Item = u8>, LockError> {
            tokio::task::yield_now().await;
            self.0.sort_unstable();
            Ok(self.0.into_iter())
        }
    }

    /// Generic, and with a parameter that the body changes.
    ///
    /// # Errors
    /// When it is no number.
    #[scheduler_lock(name = "generic")]
    pub fn parse<T: AsRef<str>>(text: T, mut sum: i32) -> Result<i32, Box<dyn std::error::Error>> {
        #![inline]
        sum += text.as_ref().parse::<i32>()?;
        if sum < 0 {
            return Ok(0);
        }
        Ok(sum)
    }
}

/// Transactions without a schedule.
pub mod transactional {
    use shedlock::LockError;
    use sqlx::{MySqlTransaction, PgPool, PgTransaction, Postgres, Transaction};

    /// Why nothing was paid.
    #[derive(Debug)]
    pub struct PayoutError(pub String);

    impl From<sqlx::Error> for PayoutError {
        fn from(error: sqlx::Error) -> Self {
            Self(error.to_string())
        }
    }

    impl From<LockError> for PayoutError {
        fn from(error: LockError) -> Self {
            Self(error.to_string())
        }
    }

    /// Has a pool.
    #[derive(Debug)]
    pub struct Payouts {
        pool: PgPool,
    }

    impl Payouts {
        /// Borrows from `self`.
        ///
        /// # Errors
        /// When the database says so.
        #[shedlock::scheduler_lock(name = "transactional method", lock_at_most_for = "1m")]
        #[shedlock::transactional(pool = self.pool, isolation = "repeatable read")]
        pub async fn pay<T: ToString + Send>(
            &mut self,
            amount: T,
            tx: &mut Transaction<'_, Postgres>,
            note: &str,
        ) -> Result<&mut Self, PayoutError> {
            let amount = amount.to_string() + note;
            if amount.is_empty() {
                return Err(PayoutError(amount));
            }
            let pay = sqlx::query("INSERT INTO payout VALUES ($1)").bind(amount);
            let _ = pay.execute(&mut **tx).await?;
            Ok(self)
        }
    }

    /// Between the attributes of others, and with a type that has no name.
    ///
    /// # Errors
    /// When the database says so.
    #[inline]
    #[shedlock::transactional]
    #[must_use]
    pub async fn amounts(
        tx: &mut MySqlTransaction<'_>,
    ) -> sqlx::Result<impl Iterator<Item = i64> + use<>> {
        let amounts = sqlx::query_scalar("SELECT amount FROM payout");
        Ok(amounts.fetch_all(&mut **tx).await?.into_iter())
    }

    /// By another path.
    ///
    /// # Errors
    /// When the database says so.
    #[super::renamed::locks::scheduler_lock(name = "renamed transactional", crate = crate::renamed::locks)]
    #[super::renamed::locks::transactional(crate = crate::renamed::locks)]
    pub async fn renamed(tx: &mut PgTransaction<'_>) -> Result<(), PayoutError> {
        let _ = sqlx::query("SELECT 1").execute(&mut **tx).await?;
        Ok(())
    }

    /// The futures can be spawned.
    pub fn are_send() {
        fn is_send(_: impl Send) {}
        is_send(amounts());
        is_send(renamed());
    }
}

/// Jobs inside of a function.
#[test]
fn inner_functions_compile() {
    #[shedlock::scheduled(fixed_rate = "1h")]
    #[shedlock::scheduler_lock(name = "inner")]
    async fn inner() {
        tokio::task::yield_now().await;
    }

    drop(inner());
}
