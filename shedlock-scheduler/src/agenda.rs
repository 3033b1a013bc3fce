//! The groups of a plan in the order of their instants, and the timer that waits for the first: what
//! each engine drives.

use std::{io, sync::Arc};

use tokio::select;

use crate::{
    plan::{Ended, GroupId, Plan},
    queue::Queue,
    schedule::Now,
    timer::{Deadline, Timer, Wake},
};

#[derive(Debug)]
pub(crate) struct Agenda {
    plan: Arc<Plan>,
    ended: Ended,
    timer: Timer,
    queue: Queue<GroupId>,
}

impl Agenda {
    /// Starts the plan: its instants count from now.
    ///
    /// # Errors
    /// When the system has no timer left.
    pub(crate) fn start(plan: Arc<Plan>, ended: Ended) -> io::Result<Self> {
        let timer = Timer::new()?;
        let mut queue = Queue::new();
        for (group, due) in plan.start(Now::read()) {
            queue.push(group, due);
        }
        Ok(Self {
            plan,
            ended,
            timer,
            queue,
        })
    }

    /// When the first group is due.
    pub(crate) fn deadline(&self) -> Deadline {
        self.queue.deadline()
    }

    /// Starts the runs of the groups that are due, and gives these groups.
    pub(crate) async fn fire(&mut self, now: Now) -> Vec<GroupId> {
        let mut fired = Vec::new();
        while let Some((group, _)) = self.queue.pop_due(now.wall, now.monotonic) {
            self.plan.fire(group, now).await;
            fired.push(group);
        }
        // The runs come first: looking for the next instants takes time.
        for &group in &fired {
            if let Some(due) = self.plan.advance(group, now) {
                self.queue.push(group, due);
            }
        }
        fired
    }

    /// Waits for the instant, or until instants have moved, and gives the groups whose instants have.
    pub(crate) async fn wait(&mut self, until: Deadline) -> Vec<GroupId> {
        select! {
            wake = self.timer.wait(until) => match wake {
                Wake::Due => Vec::new(),
                Wake::ClockSet => self.clock_set(),
            },
            Some(group) = self.ended.recv() => self.run_ended(group),
        }
    }

    fn clock_set(&mut self) -> Vec<GroupId> {
        let now = Now::read();
        self.queue
            .recompute(|group, _| self.plan.clock_set(group, now));
        self.plan.groups().collect()
    }

    fn run_ended(&mut self, group: GroupId) -> Vec<GroupId> {
        let now = Now::read();
        let others = std::iter::from_fn(|| self.ended.try_recv().ok());
        let groups: Vec<_> = std::iter::once(group).chain(others).collect();
        for &group in &groups {
            if let Some(due) = self.plan.run_ended(group, now) {
                self.queue.push(group, due);
            }
        }
        groups
    }
}
