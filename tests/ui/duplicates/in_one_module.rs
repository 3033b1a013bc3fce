use shedlock::scheduler_lock;

#[scheduler_lock(name = "settlement-payout-execute", lock_at_most_for = "1h")]
fn execute_payouts() {}

#[scheduler_lock(name = "settlement-payout-execute", lock_at_most_for = "1h")]
fn retry_payouts() {}

fn main() {}
