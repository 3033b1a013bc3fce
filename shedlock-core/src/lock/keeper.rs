use std::time::Duration;

use tokio::{runtime::Handle, sync::oneshot, time::timeout};
use tokio_util::task::TaskTracker;

use super::events;
use crate::{HeldLock, LockError, LockProvider, LockRequest, SharedHeldLock, SharedLockProvider};

/// A task of its own that holds one lock, so that the lock is released whatever happens to the
/// future that runs the job: it ends, it panics, it is dropped at any `.await`.
pub(super) struct Keeper {
    /// Sending or dropping it makes the task release the lock.
    release: oneshot::Sender<()>,
    released: oneshot::Receiver<()>,
}

impl Keeper {
    /// Takes the lock: `None` when somebody else holds it. It is released after what `ending`
    /// tracks has ended.
    pub(super) async fn acquire(
        runtime: &Handle,
        tasks: &TaskTracker,
        provider: &SharedLockProvider,
        request: &LockRequest,
        ending: TaskTracker,
        limit: Duration,
    ) -> Result<Option<Self>, LockError> {
        let (answer, answered) = oneshot::channel();
        let (release, until_release) = oneshot::channel();
        let (done, released) = oneshot::channel();
        let no_runtime = LockError::NoRuntime {
            name: request.name().clone(),
        };
        let (provider, request) = (provider.clone(), request.clone());
        tasks.spawn_on(
            async move {
                let (held, taken) = match attempt(&provider, &request, limit).await {
                    Ok(Some(held)) => (Some(held), Ok(true)),
                    Ok(None) => (None, Ok(false)),
                    Err(error) => (None, Err(error)),
                };
                // Nobody waits for the answer any more: the closed channel releases at once.
                let _ = answer.send(taken);
                if let Some(held) = held {
                    let _ = until_release.await;
                    ending.close();
                    ending.wait().await;
                    unlock(held, &request, limit).await;
                }
                let _ = done.send(());
            },
            runtime,
        );
        // A runtime that shuts down drops the task without an answer.
        let taken = answered.await.map_err(|_| no_runtime)??;
        Ok(taken.then_some(Self { release, released }))
    }

    /// Releases the lock and waits until the store has answered.
    pub(super) async fn release(self) {
        let _ = self.release.send(());
        let _ = self.released.await;
    }
}

async fn attempt(
    provider: &SharedLockProvider,
    request: &LockRequest,
    limit: Duration,
) -> Result<Option<SharedHeldLock>, LockError> {
    let answer = timeout(limit, provider.try_lock(request))
        .await
        .unwrap_or_else(|_| {
            Err(LockError::Timeout {
                name: request.name().clone(),
                limit,
            })
        });
    match &answer {
        Ok(Some(_)) => events::acquired(request),
        Ok(None) => events::held_elsewhere(request),
        // The store may have granted it all the same.
        Err(_) => {
            let _ = timeout(limit, provider.abandon(request)).await;
        }
    }
    answer
}

async fn unlock(held: SharedHeldLock, request: &LockRequest, limit: Duration) {
    let timed_out = LockError::Timeout {
        name: request.name().clone(),
        limit,
    };
    let answer = match timeout(limit, held.unlock()).await {
        Ok(answer) => answer.map_err(|failed| failed.error),
        Err(_) => Err(timed_out),
    };
    match answer {
        Ok(()) => events::released(request),
        Err(LockError::Lost { .. }) => events::lost(request),
        Err(error) => events::not_released(request, &error),
    }
}
