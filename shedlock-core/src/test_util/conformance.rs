/// Expands to the tests of a lock provider, one named test per promise.
///
/// The argument is a type that implements [`Harness`](crate::test_util::Harness); the groups
/// `records`, `sql`, `log` and `clock` after it add the tests of what the store has besides, see
/// [`test_util`](crate::test_util). An attribute before it is put on every test. Invoke it in a
/// module of its own.
///
/// ```no_run
/// # use shedlock_core::{LockName, MemoryLockProvider, test_util::Harness};
/// struct Memory(MemoryLockProvider);
///
/// impl Harness for Memory {
///     type Provider = MemoryLockProvider;
///     async fn start() -> Self {
///         Self(MemoryLockProvider::new())
///     }
///     async fn provider(&self) -> MemoryLockProvider {
///         self.0.clone()
///     }
///     async fn is_locked(&self, name: &LockName) -> bool {
///         self.0.is_locked(name)
///     }
/// }
///
/// mod memory {
///     shedlock_core::lock_provider_conformance!(super::Memory);
/// }
///
/// mod memory_on_demand {
///     shedlock_core::lock_provider_conformance!(#[ignore = "takes four seconds"] super::Memory);
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! lock_provider_conformance {
    ($(#[$attribute:meta])* $harness:ty $(, $group:ident)* $(,)?) => {
        $crate::__lock_provider_conformance!(
            @groups [$(#[$attribute])*] $harness; base $($group)*
        );
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __lock_provider_conformance {
    (@groups $attributes:tt $harness:ty; $($group:ident)*) => {
        $($crate::__lock_provider_conformance!(@group $attributes $harness; $group);)*
    };
    (@group $attributes:tt $harness:ty; base) => {
        $crate::__lock_provider_conformance!(@tests $attributes $harness;
            holding:
                check_accepts_a_store_that_is_set_up
                a_lock_is_held_until_it_is_unlocked
                a_second_holder_is_refused
                another_node_is_refused
                a_refused_attempt_does_not_disturb_the_holder
                an_attempt_never_waits_for_the_holder
                locks_of_different_names_are_independent
                an_unlocked_lock_can_be_taken_again_at_once
                a_held_lock_outlives_its_provider
                an_unlocked_lock_can_be_taken_by_another_node
                a_lock_ends_by_itself_after_lock_at_most_for
                a_lock_that_ended_can_be_taken_over
                unlock_keeps_the_lock_until_at_least
                a_lock_kept_for_at_least_refuses_others
                a_lock_held_longer_than_at_least_is_free_at_once
                the_longest_lock_is_held
            ;
            naming:
                a_name_of_64_characters_beyond_ascii_is_locked_and_unlocked
                long_names_differ_in_their_last_character
                names_that_differ_in_case_are_different_locks
                names_that_differ_in_accents_are_different_locks
                a_name_is_text_whatever_its_characters_mean_elsewhere
            ;
            owning:
                unlock_after_the_end_is_lost
                extend_after_the_end_is_lost_though_nobody_took_the_lock
                a_late_unlock_leaves_the_next_holder_alone
                a_late_extend_leaves_the_next_holder_alone
                a_lock_of_the_same_provider_is_another_owners_too
                asking_again_with_the_same_request_is_the_same_acquisition
                asking_again_after_the_end_is_refused_though_nobody_took_the_lock
                asking_again_does_not_free_the_lock_for_others
            ;
            extending:
                an_extended_lock_outlives_its_first_end
                an_extended_lock_ends_lock_at_most_for_after_the_extension
                an_extended_lock_is_free_after_its_unlock
                a_lock_can_be_extended_three_times
                an_extension_may_ask_for_at_least
                at_least_counts_from_the_first_acquisition_also_after_an_extension
                a_refused_extension_hands_the_lock_back
                a_refused_extension_does_not_move_the_end
                an_extension_of_a_lost_lock_hands_it_back
            ;
            abandoning:
                an_attempt_dropped_at_any_await_and_abandoned_leaves_a_new_name_free
                an_attempt_dropped_at_any_await_and_abandoned_leaves_a_known_name_free
                an_attempt_that_arrives_after_it_was_abandoned_is_refused
                an_abandoned_lock_is_free_at_once_in_spite_of_at_least
                abandoning_a_refused_attempt_leaves_the_holder_alone
                abandoning_what_was_never_asked_for_is_no_error
                an_execution_dropped_at_any_await_releases_its_lock
            ;
            executing:
                a_job_runs_under_its_lock
                another_node_skips_while_a_job_runs
                a_job_keeps_its_lock_for_at_least
                a_job_that_panics_releases_its_lock
                a_blocking_job_runs_under_its_lock
            ;
            contending:
                eight_tasks_on_two_locks_count_exactly
                twelve_clients_racing_for_400_new_names_win_each_once
                twelve_clients_racing_for_100_released_locks_win_each_once
            ;
        );
    };
    (@group $attributes:tt $harness:ty; records) => {
        $crate::__lock_provider_conformance!(@tests $attributes $harness;
            records:
                the_record_names_the_acquisition
                the_last_holder_is_who_holds_the_lock_or_held_it
                the_longest_owner_is_stored_whole
                locked_at_is_the_stores_now
                lock_until_is_lock_at_most_for_after_locked_at
                lock_at_most_for_is_never_shorter_in_the_store
                lock_at_least_for_is_never_shorter_in_the_store
                unlock_ends_the_record_at_the_stores_now
                an_extension_counts_from_the_stores_now
                an_extension_keeps_locked_at_and_locked_by
                a_refused_attempt_changes_nothing
                a_late_unlock_and_a_late_extend_change_nothing
                taking_and_releasing_one_lock_leaves_others_untouched
                taking_a_lock_over_leaves_others_untouched
                an_ended_record_made_by_hand_is_taken_over
                a_lock_taken_over_is_recorded_like_a_new_one
                a_lock_held_by_hand_is_respected
                a_record_deleted_by_hand_is_written_again
                a_lock_whose_record_was_deleted_is_lost
            ;
        );
    };
    (@group $attributes:tt $harness:ty; sql) => {
        $crate::__lock_provider_conformance!(@tests $attributes $harness;
            transactions:
                a_lock_survives_the_rollback_of_the_transaction_around_it
                a_lock_is_seen_before_the_transaction_around_it_commits
                an_unlock_is_seen_before_the_transaction_around_it_commits
                a_lock_taken_in_an_old_transaction_counts_from_now
                a_lock_is_taken_though_the_application_holds_every_connection
                a_job_that_holds_every_connection_can_release_its_lock
                a_held_lock_holds_no_connection
                eight_tasks_in_transactions_of_their_own_count_exactly
            ;
        );
    };
    (@group $attributes:tt $harness:ty; log) => {
        $crate::__lock_provider_conformance!(@tests $attributes $harness;
            log:
                contention_writes_nothing_to_the_servers_log
            ;
        );
    };
    (@group $attributes:tt $harness:ty; clock) => {
        $crate::__lock_provider_conformance!(@tests $attributes $harness;
            clock:
                a_lock_counts_from_a_store_clock_that_is_an_hour_ahead
                an_extension_counts_from_a_store_clock_that_is_an_hour_ahead
                an_unlock_ends_at_a_store_clock_that_is_an_hour_ahead
                a_lock_ends_by_a_store_clock_that_is_an_hour_ahead
            ;
        );
    };
    (@group $attributes:tt $harness:ty; $unknown:ident) => {
        ::core::compile_error!(::core::concat!(
            "there is no group `",
            ::core::stringify!($unknown),
            "`: the groups are `records`, `sql`, `log` and `clock`"
        ));
    };
    (@tests $attributes:tt $harness:ty; $($subject:ident: $($promise:ident)*;)*) => {
        $($($crate::__lock_provider_conformance!(
            @test $attributes $harness; $subject $promise
        );)*)*
    };
    (@test [$($attribute:tt)*] $harness:ty; $subject:ident $promise:ident) => {
        $($attribute)*
        #[test]
        fn $promise() {
            $crate::test_util::run::<$harness>($crate::test_util::promises::$subject::$promise);
        }
    };
}

#[cfg(test)]
mod tests {
    /// The promises of a file, without those that the macro doesn't list.
    fn unlisted(promises: &str) -> Vec<&str> {
        let listed: Vec<_> = include_str!("conformance.rs").split_whitespace().collect();
        promises
            .lines()
            .filter_map(|line| line.strip_prefix("pub async fn ")?.split('<').next())
            .filter(|promise| !listed.contains(promise))
            .collect()
    }

    #[test]
    fn every_promise_becomes_a_test() {
        let subjects = concat!(
            include_str!("promises/holding.rs"),
            include_str!("promises/naming.rs"),
            include_str!("promises/owning.rs"),
            include_str!("promises/extending.rs"),
            include_str!("promises/abandoning.rs"),
            include_str!("promises/executing.rs"),
            include_str!("promises/contending.rs"),
            include_str!("promises/records.rs"),
            include_str!("promises/transactions.rs"),
            include_str!("promises/log.rs"),
            include_str!("promises/clock.rs"),
        );
        assert!(subjects.contains("pub async fn a_second_holder_is_refused"));
        assert_eq!(unlisted(subjects), Vec::<&str>::new());
    }
}
