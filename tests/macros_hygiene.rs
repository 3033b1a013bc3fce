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
    use shedlock::{scheduled, scheduler_lock};

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

    async fn print(sum: u32) {
        tokio::task::yield_now().await;
        println!("{sum}");
    }
}

/// The crate under another path.
pub mod renamed {
    use shedlock as locks;

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
