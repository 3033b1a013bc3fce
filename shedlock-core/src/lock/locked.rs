use std::future::Future;

use crate::{
    Execution, LockConfiguration, LockDefinition, LockError, LockedReturn, LockingExecutor,
    SkipReason,
};

/// Runs the body of an `async fn` with `#[scheduler_lock]` under its lock.
///
/// The lock comes from [`LockingExecutor::current`]; `arguments` fill in its name, each a name and
/// its text.
///
/// # Cancellation
/// As [`LockingExecutor::execute`].
// An `async fn` would report a wrong `R` twice: at the call and at its `.await`.
#[expect(clippy::manual_async_fn, reason = "says a wrong `R` once")]
pub fn locked<R: LockedReturn>(
    definition: LockDefinition,
    arguments: &[(&str, String)],
    body: impl Future<Output = R>,
) -> impl Future<Output = R> {
    async move {
        let execution = match resolve(definition, arguments) {
            Ok((executor, configuration)) => executor.execute(&configuration, body).await,
            Err(error) => Err(error),
        };
        returned(execution)
    }
}

/// Runs the body of a `fn` with `#[scheduler_lock]` under its lock, on the calling thread.
///
/// The lock comes from [`LockingExecutor::current`]; `arguments` fill in its name, each a name and
/// its text.
pub fn locked_blocking<R: LockedReturn>(
    definition: LockDefinition,
    arguments: &[(&str, String)],
    body: impl FnOnce() -> R,
) -> R {
    returned(
        resolve(definition, arguments)
            .and_then(|(executor, configuration)| executor.execute_blocking(&configuration, body)),
    )
}

fn resolve(
    definition: LockDefinition,
    arguments: &[(&str, String)],
) -> Result<(LockingExecutor, LockConfiguration), LockError> {
    let executor = LockingExecutor::current().ok_or_else(|| LockError::NoProvider {
        name: definition.name.to_owned(),
    })?;
    let configuration = executor.configuration_with(&definition, arguments)?;
    Ok((executor, configuration))
}

fn returned<R: LockedReturn>(execution: Result<Execution<R>, LockError>) -> R {
    match execution {
        Ok(Execution::Ran(result)) => result,
        Ok(Execution::Skipped(reason)) => R::skipped(reason),
        Err(error) => R::skipped(SkipReason::Failed(error)),
    }
}
