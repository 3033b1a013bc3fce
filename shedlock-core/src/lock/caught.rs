use std::{
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
    thread,
};

/// The job's result, or its panic.
///
/// # Errors
/// With what was given to `panic!`.
pub async fn caught<F: Future>(job: F) -> thread::Result<F::Output> {
    let mut job = pin!(job);
    poll_fn(
        |cx| match catch_unwind(AssertUnwindSafe(|| job.as_mut().poll(cx))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(result)) => Poll::Ready(Ok(result)),
            Err(panic) => Poll::Ready(Err(panic)),
        },
    )
    .await
}
