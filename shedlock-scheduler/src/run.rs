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
    task::{AsyncFunction, BlockingFunction, Body},
};

/// One run: waits for its turn, takes the lock, calls the function, tells how it went.
#[derive(Clone)]
pub(crate) struct Run(pub(crate) RunContext);

impl Run {
    pub(crate) async fn finish(self) {
        let event = match self.0.job().body {
            Body::Async(_) => select! {
                biased;
                event = self.in_turn() => event,
                () = self.0.runner().cancel.cancelled() => self.cancelled(),
            },
            // A thread can't be dropped. It is waited for, so that it keeps its lock.
            Body::Blocking(_) => self.in_turn().await,
        };
        self.0.runner().emit(&event);
    }

    async fn in_turn(&self) -> Event {
        let Ok(_permit) = self.permit().await else {
            return self.skipped(RunSkipReason::ShuttingDown);
        };
        match (&self.0.job().lock, &self.0.job().body) {
            (None, Body::Async(function)) => self.call(&**function).await,
            (None, Body::Blocking(function)) => spawn_blocking(self.blocking_call(function))
                .await
                .unwrap_or_else(|_| self.cancelled()),
            // On the heap, so that runs without a lock stay small: ten thousand may be due together.
            (Some(lock), Body::Async(function)) => {
                let job = self.call(&**function);
                let execution = Box::pin(lock.executor.execute(&lock.configuration, job));
                self.executed(execution.await)
            }
            (Some(lock), Body::Blocking(function)) => {
                let job = self.blocking_call(function);
                let executor = &lock.executor;
                let execution =
                    Box::pin(executor.execute_on_blocking_pool(&lock.configuration, job));
                self.executed(execution.await)
            }
        }
    }

    /// One of the runs that may go on at once.
    async fn permit(&self) -> Result<Option<SemaphorePermit<'_>>, ShuttingDown> {
        let Some(permits) = &self.0.runner().permits else {
            return Ok(None);
        };
        select! {
            biased;
            () = self.0.runner().shutdown.cancelled() => Err(ShuttingDown),
            permit = permits.acquire() => Ok(permit.ok()),
        }
    }

    async fn call(&self, function: &AsyncFunction) -> Event {
        let Ok(started) = self.begin() else {
            return self.skipped(RunSkipReason::ShuttingDown);
        };
        // The function is called within the future: it may panic before it returns its own.
        let called = caught(async {
            let data = Arc::clone(self.0.data_map());
            data.scope(function(&self.0)).await
        });
        #[cfg(feature = "tracing")]
        let called = tracing::Instrument::instrument(called, crate::log::span(&self.0));
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
                let _span = crate::log::span(&run.0).entered();
                function(&run.0)
            };
            run.ended(started, catch_unwind(AssertUnwindSafe(called)))
        }
    }

    fn begin(&self) -> Result<Instant, ShuttingDown> {
        if self.0.job().lock.is_some() {
            self.0.runner().store_answered();
        }
        if self.0.runner().shutdown.is_cancelled() {
            return Err(ShuttingDown);
        }
        self.0.runner().emit(&Event::Started {
            run: self.0.clone(),
        });
        Ok(Instant::now())
    }

    fn ended(&self, started: Instant, outcome: thread::Result<TaskResult>) -> Event {
        let (run, duration) = (self.0.clone(), started.elapsed());
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
                self.0.runner().store_answered();
                return self.skipped(RunSkipReason::HeldElsewhere(name));
            }
            Ok(Execution::Skipped(reason)) => reason.into(),
            Err(error) => error,
        };
        self.skipped(self.0.runner().store_failed(error))
    }

    pub(crate) fn skipped(&self, reason: RunSkipReason) -> Event {
        Event::Skipped {
            run: self.0.clone(),
            reason,
        }
    }

    fn cancelled(&self) -> Event {
        Event::Cancelled {
            run: self.0.clone(),
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
