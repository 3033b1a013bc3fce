use shedlock::scheduler_lock;

struct Payouts;

impl Payouts {
    #[scheduler_lock(name = "settlement-payout-execute", lock_at_most_for = "1h")]
    fn execute(&self) {}
}

fn main() {
    #[scheduler_lock(name = "settlement-payout-execute", lock_at_most_for = "1h")]
    async fn execute() {}
}
