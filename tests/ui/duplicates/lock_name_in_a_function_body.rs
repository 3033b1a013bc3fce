use shedlock::scheduler_lock;

#[scheduler_lock(name = "settlement-payout-execute", lock_at_most_for = "1h")]
async fn execute_payouts() {}

fn main() {
    #[scheduler_lock(name = "settlement-payout-execute", lock_at_most_for = "1h")]
    fn repeat_payouts() {}
}
