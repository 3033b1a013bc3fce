use shedlock::scheduler_lock;

#[scheduler_lock(name = "settlement-payout-execute", lock_at_most_for = "1h")]
async fn execute_payouts() {}

mod jobs {
    use super::scheduler_lock;

    #[scheduler_lock(name = "settlement-payout-execute", lock_at_most_for = "1h")]
    pub(crate) async fn repeat_payouts() {}
}

fn main() {}
