//! What is to run and when, apart from who wakes up for it: the seam between a scheduler and its
//! engine.
//!
//! An engine asks for the first instant of each group, waits for it, calls [`Plan::fire`], then
//! asks [`Plan::advance`] for the next one. When a run has ended whose delay counts from there,
//! [`Ended`] says so, and [`Plan::run_ended`] has the next instant. After the wall clock was set,
//! [`Plan::clock_set`] has it. Whichever engine waits, all instants are computed here.

use std::{
    collections::HashMap,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chrono::{DateTime, Utc};
use tokio::{
    runtime::Handle,
    sync::mpsc,
    task::{coop::consume_budget, yield_now},
};

use crate::{
    FireTime, TaskInfo, Trigger,
    queue::Due,
    runner::{Job, Runner},
    schedule::{Now, Schedule},
};

/// How many runs are started before the first of them begin: few enough to find their memory in the
/// processor's cache again.
const SHARE: usize = 32;

/// Where a group stands in its [`Plan`].
pub(crate) type GroupId = usize;

/// The groups whose run has ended and whose delay counts from there.
pub(crate) type Ended = mpsc::UnboundedReceiver<GroupId>;

/// Everything that one scheduler runs.
#[derive(Debug)]
pub(crate) struct Plan {
    groups: Vec<Group>,
    runner: Arc<Runner>,
    ended: mpsc::UnboundedSender<GroupId>,
}

/// Jobs that are always due together.
#[derive(Debug)]
struct Group {
    trigger: Trigger,
    schedule: Mutex<Schedule>,
    jobs: Vec<Arc<Job>>,
}

/// A job, its trigger and its initial delay.
pub(crate) type Planned = (Job, Trigger, Duration);

impl Plan {
    pub(crate) fn new(
        runner: Arc<Runner>,
        planned: impl IntoIterator<Item = Planned>,
    ) -> (Self, Ended) {
        let mut groups: Vec<Group> = Vec::new();
        let mut known = HashMap::new();
        for (job, trigger, initial_delay) in planned {
            let mut new = || {
                groups.push(Group {
                    trigger: trigger.clone(),
                    schedule: Mutex::new(Schedule::new(trigger.clone(), initial_delay)),
                    jobs: Vec::new(),
                });
                groups.len() - 1
            };
            let group = match trigger {
                // The ends of its own runs decide, so no other job is always due with it.
                Trigger::FixedDelay(_) => new(),
                _ => *known
                    .entry((trigger.clone(), initial_delay))
                    .or_insert_with(new),
            };
            groups[group].jobs.push(Arc::new(job));
        }
        let (ended, receiver) = mpsc::unbounded_channel();
        let plan = Self {
            groups,
            runner,
            ended,
        };
        (plan, receiver)
    }

    /// The first instant of each group, counted from now.
    pub(crate) fn start(&self, now: Now) -> impl Iterator<Item = (GroupId, Due)> {
        self.groups
            .iter()
            .enumerate()
            .filter_map(move |(id, group)| Some((id, group.schedule().start(now)?)))
    }

    /// Starts the runs of a group whose instant has come.
    ///
    /// Many are shared out among the workers of the runtime.
    pub(crate) async fn fire(self: &Arc<Self>, id: GroupId, now: Now) {
        let group = &self.groups[id];
        let Some(fire_time) = group.schedule().fire(now) else {
            return;
        };
        let jobs = group.jobs.len();
        if jobs <= SHARE {
            return self.start_runs(id, 0..jobs, fire_time).await;
        }
        let shares = Arc::new(Mutex::new((0..jobs).step_by(SHARE)));
        for _ in 0..Handle::current().metrics().num_workers() {
            let (plan, shares) = (Arc::clone(self), Arc::clone(&shares));
            self.runner.runs.spawn(async move {
                let next = || shares.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some(first) = next() {
                    let share = first..jobs.min(first + SHARE);
                    plan.start_runs(id, share, fire_time).await;
                    yield_now().await;
                }
            });
        }
    }

    async fn start_runs(&self, id: GroupId, jobs: Range<usize>, fire_time: FireTime) {
        let group = &self.groups[id];
        for job in group.jobs[jobs].iter().filter(|job| job.is_scheduled()) {
            let at_end = group.counts_from_the_end().then(|| {
                let ended = self.ended.clone();
                move || {
                    // Without a receiver the scheduler has stopped.
                    let _ = ended.send(id);
                }
            });
            self.runner.start(job, fire_time, at_end);
            consume_budget().await;
        }
    }

    /// The instant of a group after the one that was just fired.
    pub(crate) fn advance(&self, id: GroupId, now: Now) -> Option<Due> {
        let group = &self.groups[id];
        group.jobs().next()?;
        group.schedule().advance(now)
    }

    /// The next instant of a group whose run has just ended.
    pub(crate) fn run_ended(&self, id: GroupId, now: Now) -> Option<Due> {
        self.groups[id].schedule().run_ended(now)
    }

    /// The next instant of a group after the wall clock was set.
    pub(crate) fn clock_set(&self, id: GroupId, now: Now) -> Option<DateTime<Utc>> {
        self.groups[id].schedule().clock_set(now)
    }

    pub(crate) fn runner(&self) -> &Arc<Runner> {
        &self.runner
    }

    pub(crate) fn groups(&self) -> Range<GroupId> {
        0..self.groups.len()
    }

    /// The jobs of a group that have not been removed.
    #[cfg(feature = "tokio-cron-scheduler")]
    pub(crate) fn jobs_of(&self, id: GroupId) -> impl Iterator<Item = &Arc<Job>> {
        self.groups[id].jobs()
    }

    /// The next instant of a group as the wall clock will show it, unless it is not known yet.
    #[cfg(feature = "tokio-cron-scheduler")]
    pub(crate) fn next(&self, id: GroupId, now: Now) -> Option<DateTime<Utc>> {
        self.groups[id].schedule().next(now)
    }

    #[cfg(feature = "tokio-cron-scheduler")]
    pub(crate) fn trigger(&self, id: GroupId) -> &Trigger {
        &self.groups[id].trigger
    }

    pub(crate) fn jobs(&self) -> impl Iterator<Item = &Arc<Job>> {
        self.groups.iter().flat_map(|group| &group.jobs)
    }

    pub(crate) fn tasks(&self, now: Now) -> impl Iterator<Item = TaskInfo> {
        self.groups.iter().flat_map(move |group| {
            let next = group.schedule().next(now);
            group.jobs().map(move |job| TaskInfo {
                name: Arc::clone(&job.name),
                trigger: group.trigger.clone(),
                next,
            })
        })
    }
}

impl Group {
    fn schedule(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those that have not been removed.
    fn jobs(&self) -> impl Iterator<Item = &Arc<Job>> {
        self.jobs.iter().filter(|job| job.is_scheduled())
    }

    fn counts_from_the_end(&self) -> bool {
        matches!(self.trigger, Trigger::FixedDelay(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scheduler, Task};

    const HOUR: Duration = Duration::from_hours(1);

    fn cron(zone: &str) -> Trigger {
        Trigger::Cron("0 0 4 * * *".parse().unwrap(), zone.parse().unwrap())
    }

    /// How many groups the tasks of these triggers and initial delays make.
    fn groups<const N: usize>(tasks: [(Trigger, Duration); N]) -> usize {
        let mut builder = Scheduler::builder();
        for (number, (trigger, initial_delay)) in tasks.into_iter().enumerate() {
            let task = Task::new(number.to_string(), trigger, || async {});
            builder = builder.task(task.initial_delay(initial_delay));
        }
        let scheduler = builder.build().unwrap();
        scheduler.lifecycle.plan.start(Now::read()).count()
    }

    #[test]
    fn tasks_of_one_pattern_and_zone_are_one_group() {
        let (seoul, utc) = (cron("Asia/Seoul"), cron("UTC"));
        let tasks = [&seoul, &seoul, &utc].map(|trigger| (trigger.clone(), Duration::ZERO));
        assert_eq!(groups(tasks), 2);
    }

    #[test]
    fn tasks_of_one_rate_and_phase_are_one_group() {
        let tasks = [Duration::ZERO, Duration::ZERO, HOUR];
        assert_eq!(
            groups(tasks.map(|delay| (Trigger::FixedRate(HOUR), delay))),
            2
        );
    }

    #[test]
    fn each_task_of_a_fixed_delay_is_a_group() {
        let task = || (Trigger::FixedDelay(HOUR), Duration::ZERO);
        assert_eq!(groups([task(), task()]), 2);
    }
}
