use std::{error::Error, future::Future, pin::Pin};

use crate::{DataMap, RunContext};

/// What a run of a task gives.
pub type TaskResult = Result<(), Box<dyn Error + Send + Sync>>;
/// A run of an async task.
pub type TaskFuture = Pin<Box<dyn Future<Output = TaskResult> + Send>>;

/// A parameter of a scheduled function: made for each run, checked when the scheduler is built.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter that a scheduled function can have",
    label = "use `Data<T>`, `Option<Data<T>>`, `FireTime`, `CancellationToken` or `RunContext`",
    note = "`T` of `Data<T>` must be `Clone + Send + Sync + 'static`; wrap it in an `Arc` if it isn't `Clone`"
)]
pub trait FromRun: Sized + Send {
    /// Says what the application has not registered.
    ///
    /// # Errors
    /// When [`from_run`](Self::from_run) could not make the value.
    fn check(data: &DataMap) -> Result<(), MissingData> {
        let _ = data;
        Ok(())
    }

    /// Makes the value for one run.
    fn from_run(cx: &RunContext) -> Self;
}

/// A value that a task needs and the application did not register.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no `{type_name}` is registered: call `.data(..)` with one before `.build()`")]
pub struct MissingData {
    pub(crate) type_name: &'static str,
}

impl MissingData {
    /// What these parameters' checks miss.
    #[must_use]
    pub fn of<const N: usize>(
        data: &DataMap,
        checks: [fn(&DataMap) -> Result<(), Self>; N],
    ) -> Vec<Self> {
        checks
            .into_iter()
            .filter_map(|check| check(data).err())
            .collect()
    }
}

/// What a scheduled function returns: `()` or `Result<(), E>`.
#[diagnostic::on_unimplemented(
    message = "a scheduled function cannot return `{Self}`",
    label = "return `()` or `Result<(), E>`",
    note = "`E` must be an error: `E: Into<Box<dyn std::error::Error + Send + Sync>>`"
)]
pub trait TaskReturn {
    /// The result as the scheduler reports it.
    ///
    /// # Errors
    /// The function's own.
    fn into_result(self) -> Result<(), Box<dyn Error + Send + Sync>>;
}

impl TaskReturn for () {
    fn into_result(self) -> TaskResult {
        Ok(())
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>> TaskReturn for Result<(), E> {
    fn into_result(self) -> TaskResult {
        self.map_err(Into::into)
    }
}

/// An async function whose parameters are [`FromRun`]: what [`Task::new`](crate::Task::new) takes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function that a task can run",
    label = "an `async fn` of up to eight parameters, each `Data<T>`, `Option<Data<T>>`, `FireTime`, `CancellationToken` or `RunContext`, that returns `()` or `Result<(), E>`"
)]
pub trait Handler<Parameters>: Send + Sync + 'static {
    /// Says what the application has not registered.
    fn check(data: &DataMap) -> Vec<MissingData>;
    /// Starts a run.
    fn run(&self, cx: &RunContext) -> TaskFuture;
}

/// A blocking function whose parameters are [`FromRun`]: what
/// [`Task::blocking`](crate::Task::blocking) takes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function that a blocking task can run",
    label = "a `fn` of up to eight parameters, each `Data<T>`, `Option<Data<T>>`, `FireTime`, `CancellationToken` or `RunContext`, that returns `()` or `Result<(), E>`"
)]
pub trait BlockingHandler<Parameters>: Send + Sync + 'static {
    /// Says what the application has not registered.
    fn check(data: &DataMap) -> Vec<MissingData>;
    /// Runs.
    ///
    /// # Errors
    /// The function's own.
    fn run(&self, cx: &RunContext) -> Result<(), Box<dyn Error + Send + Sync>>;
}

macro_rules! handlers {
    ($($parameter:ident),*) => {
        impl<F, Fut, $($parameter),*> Handler<($($parameter,)*)> for F
        where
            F: Fn($($parameter),*) -> Fut + Send + Sync + 'static,
            Fut: Future<Output: TaskReturn> + Send + 'static,
            $($parameter: FromRun,)*
        {
            fn check(data: &DataMap) -> Vec<MissingData> {
                MissingData::of(data, [$($parameter::check),*])
            }

            fn run(&self, cx: &RunContext) -> TaskFuture {
                let _ = cx;
                let running = self($($parameter::from_run(cx)),*);
                Box::pin(async { running.await.into_result() })
            }
        }

        impl<F, R, $($parameter),*> BlockingHandler<($($parameter,)*)> for F
        where
            F: Fn($($parameter),*) -> R + Send + Sync + 'static,
            R: TaskReturn,
            $($parameter: FromRun,)*
        {
            fn check(data: &DataMap) -> Vec<MissingData> {
                MissingData::of(data, [$($parameter::check),*])
            }

            fn run(&self, cx: &RunContext) -> TaskResult {
                let _ = cx;
                self($($parameter::from_run(cx)),*).into_result()
            }
        }
    };
}

handlers!();
handlers!(A);
handlers!(A, B);
handlers!(A, B, C);
handlers!(A, B, C, D);
handlers!(A, B, C, D, E);
handlers!(A, B, C, D, E, G);
handlers!(A, B, C, D, E, G, H);
handlers!(A, B, C, D, E, G, H, I);
