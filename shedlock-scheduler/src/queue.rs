//! The due instants of everything that is scheduled, in order.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use chrono::{DateTime, Utc};

use crate::timer::{Deadline, Monotonic};

/// When something is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// When the wall clock shows this: cron and one-shot triggers.
    Wall(DateTime<Utc>),
    /// When this has passed, wherever the wall clock is set: rates and delays.
    Monotonic(Monotonic),
}

/// At most one due instant per key, ordered on each of the two clocks. A key stands for all jobs that are always due
/// together. Every operation on one key takes O(log n).
#[derive(Debug)]
pub(crate) struct Queue<K> {
    due: HashMap<K, Due>,
    wall: BTreeSet<(DateTime<Utc>, K)>,
    monotonic: BTreeSet<(Monotonic, K)>,
}

impl<K: Copy + Ord + Hash> Queue<K> {
    pub(crate) fn new() -> Self {
        Self {
            due: HashMap::new(),
            wall: BTreeSet::new(),
            monotonic: BTreeSet::new(),
        }
    }

    /// Makes the key due then, and not when it was due before.
    pub(crate) fn push(&mut self, key: K, due: Due) {
        self.remove(key);
        self.due.insert(key, due);
        match due {
            Due::Wall(at) => self.wall.insert((at, key)),
            Due::Monotonic(at) => self.monotonic.insert((at, key)),
        };
    }

    /// Forgets the key; tells when it would have been due.
    pub(crate) fn remove(&mut self, key: K) -> Option<Due> {
        let due = self.due.remove(&key)?;
        match due {
            Due::Wall(at) => self.wall.remove(&(at, key)),
            Due::Monotonic(at) => self.monotonic.remove(&(at, key)),
        };
        Some(due)
    }

    /// When to look again.
    pub(crate) fn deadline(&self) -> Deadline {
        Deadline {
            wall: self.wall.first().map(|&(at, _)| at),
            monotonic: self.monotonic.first().map(|&(at, _)| at),
        }
    }

    /// Takes out one key that is due, the earliest of its clock first. Call it until there is none left; keys may be
    /// pushed in between.
    pub(crate) fn pop_due(
        &mut self,
        wall: DateTime<Utc>,
        monotonic: Monotonic,
    ) -> Option<(K, Due)> {
        let first_wall = self
            .wall
            .first()
            .filter(|(at, _)| *at <= wall)
            .map(|&(_, key)| key);
        let first_monotonic = || {
            self.monotonic
                .first()
                .filter(|(at, _)| *at <= monotonic)
                .map(|&(_, key)| key)
        };
        let key = first_wall.or_else(first_monotonic)?;
        self.remove(key).map(|due| (key, due))
    }

    /// After the wall clock was set: asks for the new instant of each key that depends on it, given its old one. `None`
    /// drops the key.
    pub(crate) fn recompute(
        &mut self,
        mut next: impl FnMut(K, DateTime<Utc>) -> Option<DateTime<Utc>>,
    ) {
        for (at, key) in std::mem::take(&mut self.wall) {
            self.due.remove(&key);
            if let Some(at) = next(key, at) {
                self.push(key, Due::Wall(at));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn wall(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    fn monotonic(seconds: u64) -> Monotonic {
        Monotonic::ZERO + Duration::from_secs(seconds)
    }

    fn pop_all(queue: &mut Queue<u8>, wall: DateTime<Utc>, monotonic: Monotonic) -> Vec<u8> {
        std::iter::from_fn(|| queue.pop_due(wall, monotonic))
            .map(|(key, _)| key)
            .collect()
    }

    #[test]
    fn keys_leave_in_the_order_of_their_instants() {
        let mut queue = Queue::new();
        queue.push(1, Due::Wall(wall(30)));
        queue.push(2, Due::Wall(wall(10)));
        queue.push(3, Due::Wall(wall(20)));
        assert_eq!(pop_all(&mut queue, wall(30), monotonic(0)), [2, 3, 1]);
    }

    #[test]
    fn nothing_leaves_before_its_instant_on_its_own_clock() {
        let mut queue = Queue::new();
        queue.push(1, Due::Wall(wall(10)));
        queue.push(2, Due::Monotonic(monotonic(10)));
        assert_eq!(queue.pop_due(wall(9), monotonic(9)), None);
        assert_eq!(
            queue.pop_due(wall(9), monotonic(10)),
            Some((2, Due::Monotonic(monotonic(10))))
        );
        assert_eq!(
            queue.pop_due(wall(10), monotonic(9)),
            Some((1, Due::Wall(wall(10))))
        );
    }

    #[test]
    fn keys_that_share_an_instant_all_leave() {
        let mut queue = Queue::new();
        for key in 0..100 {
            queue.push(key, Due::Monotonic(monotonic(1)));
        }
        assert_eq!(pop_all(&mut queue, wall(0), monotonic(1)).len(), 100);
    }

    #[test]
    fn the_deadline_is_the_first_instant_of_each_clock() {
        let mut queue = Queue::new();
        assert_eq!(queue.deadline(), Deadline::default());
        queue.push(1, Due::Wall(wall(20)));
        queue.push(2, Due::Wall(wall(10)));
        queue.push(3, Due::Monotonic(monotonic(5)));
        assert_eq!(
            queue.deadline(),
            Deadline {
                wall: Some(wall(10)),
                monotonic: Some(monotonic(5))
            }
        );
    }

    #[test]
    fn a_key_pushed_again_moves_also_to_the_other_clock() {
        let mut queue = Queue::new();
        queue.push(1, Due::Wall(wall(10)));
        queue.push(1, Due::Wall(wall(20)));
        assert_eq!(queue.deadline().wall, Some(wall(20)));
        queue.push(1, Due::Monotonic(monotonic(5)));
        assert_eq!(
            queue.deadline(),
            Deadline {
                wall: None,
                monotonic: Some(monotonic(5))
            }
        );
    }

    #[test]
    fn a_removed_key_is_never_due() {
        let mut queue = Queue::new();
        queue.push(1, Due::Wall(wall(10)));
        assert_eq!(queue.remove(1), Some(Due::Wall(wall(10))));
        assert_eq!(queue.remove(1), None);
        assert_eq!(queue.deadline(), Deadline::default());
    }

    #[test]
    fn a_key_may_be_pushed_while_others_are_taken_out() {
        let mut queue = Queue::new();
        queue.push(1, Due::Wall(wall(10)));
        queue.push(2, Due::Wall(wall(10)));
        while let Some((key, _)) = queue.pop_due(wall(10), monotonic(0)) {
            queue.push(key, Due::Wall(wall(11)));
        }
        assert_eq!(pop_all(&mut queue, wall(11), monotonic(0)), [1, 2]);
    }

    #[test]
    fn a_clock_that_is_set_moves_wall_instants_only() {
        let mut queue = Queue::new();
        queue.push(1, Due::Wall(wall(10)));
        queue.push(2, Due::Wall(wall(20)));
        queue.push(3, Due::Monotonic(monotonic(5)));
        queue.recompute(|key, at| (key != 2).then_some(at - Duration::from_secs(3)));
        assert_eq!(
            queue.deadline(),
            Deadline {
                wall: Some(wall(7)),
                monotonic: Some(monotonic(5))
            }
        );
        assert_eq!(pop_all(&mut queue, wall(100), monotonic(5)), [1, 3]);
    }
}
