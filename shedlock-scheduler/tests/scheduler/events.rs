//! What a scheduler told, one line each, to wait for.

use shedlock_scheduler::{Event, SchedulerBuilder};
use tokio::{sync::mpsc, time::timeout};

use crate::engine::DEADLINE;

/// Lines such as `task started`, `task failed: text`, `the store failed`.
pub(crate) struct Events(mpsc::UnboundedReceiver<String>);

impl Events {
    pub(crate) fn of(builder: SchedulerBuilder) -> (SchedulerBuilder, Self) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let builder = builder.on_event(move |event| {
            let _ = sender.send(line(event));
        });
        (builder, Self(receiver))
    }

    pub(crate) async fn next(&mut self) -> String {
        timeout(DEADLINE, self.0.recv())
            .await
            .expect("something more happens")
            .expect("the scheduler has not ended")
    }

    /// Waits for a line; gives back what came before it.
    pub(crate) async fn until(&mut self, line: &str) -> Vec<String> {
        let mut before = Vec::new();
        loop {
            match self.next().await {
                next if next == line => return before,
                next => before.push(next),
            }
        }
    }

    /// What was told already.
    pub(crate) fn try_next(&mut self) -> Option<String> {
        self.0.try_recv().ok()
    }

    /// What was told and not yet waited for.
    pub(crate) fn rest(mut self) -> Vec<String> {
        std::iter::from_fn(|| self.try_next()).collect()
    }
}

pub(crate) fn count(lines: &[String], wanted: &str) -> usize {
    lines.iter().filter(|line| *line == wanted).count()
}

fn line(event: &Event) -> String {
    let task = event.task().unwrap_or("the store");
    match event {
        Event::Started { .. } => format!("{task} started"),
        Event::Finished { .. } => format!("{task} finished"),
        Event::Failed { error, .. } => format!("{task} failed: {error}"),
        Event::Panicked { message, .. } => format!("{task} panicked: {message}"),
        Event::Skipped { reason, .. } => format!("{task} skipped: {reason}"),
        Event::Cancelled { .. } => format!("{task} cancelled"),
        Event::StillRunning { .. } => format!("{task} still runs"),
        Event::StoreFailed { .. } => format!("{task} failed"),
        Event::StoreRecovered => format!("{task} recovered"),
        other => unreachable!("{other:?}"),
    }
}
