use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::Instant,
};

use shedlock_core::{__caught as caught, Execution, LockError, SkipReason};
use tokio::{select, sync::SemaphorePermit, task::spawn_blocking};

use crate::{
    Event, RunContext, RunSkipReason,
    extract::TaskResult,
    runner::{Job, Runner},
    task::{AsyncFunction, BlockingFunction, Body},
};

/// One run: waits for its turn, takes the lock, calls the function, tells how it went.
#[derive(Clone)]
pub(crate) struct Run {
    pub(crate) runner: Arc<Runner>,
    pub(crate) job: Arc<Job>,
    pub(crate) cx: RunContext,
}

impl Run {
    pub(crate) async fn finish(self) {
        let event = match self.job.body {
            Body::Async(_) => select! {
                biased;
                event = self.in_turn() => event,
                () = self.runner.cancel.cancelled() => self.cancelled(),
            },
            // A thread can't be dropped. It is waited for, so that it keeps its lock.
            Body::Blocking(_) => self.in_turn().await,
        };
        self.runner.emit(&event);
    }

    async fn in_turn(&self) -> Event {
        let Ok(_permit) = self.permit().await else {
            return self.skipped(RunSkipReason::ShuttingDown);
        };
        match (&self.job.lock, &self.job.body) {
            (None, Body::Async(function)) => self.call(&**function).await,
            (None, Body::Blocking(function)) => spawn_blocking(self.blocking_call(function))
                .await
                .unwrap_or_else(|_| self.cancelled()),
            (Some(lock), Body::Async(function)) => {
                let job = self.call(&**function);
                self.executed(lock.executor.execute(&lock.configuration, job).await)
            }
            (Some(lock), Body::Blocking(function)) => {
                let job = self.blocking_call(function);
                let executor = &lock.executor;
                self.executed(
                    executor
                        .execute_on_blocking_pool(&lock.configuration, job)
                        .await,
                )
            }
        }
    }

    /// One of the runs that may go on at once.
    async fn permit(&self) -> Result<Option<SemaphorePermit<'_>>, ShuttingDown> {
        let Some(permits) = &self.runner.permits else {
            return Ok(None);
        };
        select! {
            biased;
            () = self.runner.shutdown.cancelled() => Err(ShuttingDown),
            permit = permits.acquire() => Ok(permit.ok()),
        }
    }

    async fn call(&self, function: &AsyncFunction) -> Event {
        let Ok(started) = self.begin() else {
            return self.skipped(RunSkipReason::ShuttingDown);
        };
        // The function is called within the future: it may panic before it returns its own.
        let called = caught(async {
            let data = Arc::clone(self.cx.data_map());
            data.scope(function(&self.cx)).await
        });
        #[cfg(feature = "tracing")]
        let called = tracing::Instrument::instrument(called, crate::log::span(&self.cx));
        self.ended(started, called.await)
    }

    fn blocking_call(&self, function: &Arc<BlockingFunction>) -> impl FnOnce() -> Event + use<> {
        let (run, function) = (self.clone(), Arc::clone(function));
        move || {
            let Ok(started) = run.begin() else {
                return run.skipped(RunSkipReason::ShuttingDown);
            };
            let called = || {
                #[cfg(feature = "tracing")]
                let _span = crate::log::span(&run.cx).entered();
                function(&run.cx)
            };
            run.ended(started, catch_unwind(AssertUnwindSafe(called)))
        }
    }

    fn begin(&self) -> Result<Instant, ShuttingDown> {
        if self.job.lock.is_some() {
            self.runner.store_answered();
        }
        if self.runner.shutdown.is_cancelled() {
            return Err(ShuttingDown);
        }
        self.runner.emit(&Event::Started {
            run: self.cx.clone(),
        });
        Ok(Instant::now())
    }

    fn ended(&self, started: Instant, outcome: thread::Result<TaskResult>) -> Event {
        let (run, duration) = (self.cx.clone(), started.elapsed());
        match outcome {
            Ok(Ok(())) => Event::Finished { run, duration },
            Ok(Err(error)) => Event::Failed {
                run,
                duration,
                error,
            },
            Err(panic) => Event::Panicked {
                run,
                duration,
                message: message(&*panic),
            },
        }
    }

    fn executed(&self, execution: Result<Execution<Event>, LockError>) -> Event {
        let error = match execution {
            Ok(Execution::Ran(event)) => return event,
            Ok(Execution::Skipped(SkipReason::Held { name })) => {
                self.runner.store_answered();
                return self.skipped(RunSkipReason::HeldElsewhere(name));
            }
            Ok(Execution::Skipped(reason)) => reason.into(),
            Err(error) => error,
        };
        self.skipped(self.runner.store_failed(error))
    }

    pub(crate) fn skipped(&self, reason: RunSkipReason) -> Event {
        Event::Skipped {
            run: self.cx.clone(),
            reason,
        }
    }

    fn cancelled(&self) -> Event {
        Event::Cancelled {
            run: self.cx.clone(),
        }
    }
}

struct ShuttingDown;

/// What was given to `panic!`.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a value that is no text").to_owned()
}
