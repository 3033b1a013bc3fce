//! The built-in engine: one ordered queue of due instants and one precise timer. Between two
//! instants nothing wakes.

use std::io;

use tokio::select;

use crate::{
    plan::{Ended, GroupId, Plan},
    queue::Queue,
    schedule::Now,
    timer::{Timer, Wake},
};

/// Fires the plan's groups at their instants until it is dropped.
///
/// # Errors
/// When the system has no timer left.
pub(crate) async fn run(plan: &Plan, mut ended: Ended) -> io::Result<()> {
    let mut timer = Timer::new()?;
    let mut queue: Queue<GroupId> = Queue::new();
    for (group, due) in plan.start(Now::read()) {
        queue.push(group, due);
    }
    let mut fired = Vec::new();
    loop {
        let now = Now::read();
        while let Some((group, _)) = queue.pop_due(now.wall, now.monotonic) {
            plan.fire(group, now);
            fired.push(group);
        }
        // The runs come first: looking for the next instants takes time.
        for group in fired.drain(..) {
            if let Some(due) = plan.advance(group, now) {
                queue.push(group, due);
            }
        }
        select! {
            wake = timer.wait(queue.deadline()) => if wake == Wake::ClockSet {
                let now = Now::read();
                queue.recompute(|group, _| plan.clock_set(group, now));
            },
            Some(group) = ended.recv() => {
                let now = Now::read();
                let others = std::iter::from_fn(|| ended.try_recv().ok());
                for group in std::iter::once(group).chain(others) {
                    if let Some(due) = plan.run_ended(group, now) {
                        queue.push(group, due);
                    }
                }
            },
        }
    }
}
