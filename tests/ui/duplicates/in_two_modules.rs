mod payout {
    #[shedlock::scheduler_lock(name = "settlement-${REGION:asia}", lock_at_most_for = "1h")]
    fn execute() {}
}

mod refund {
    #[shedlock::scheduler_lock(name = "settlement-${REGION:asia}", lock_at_most_for = "1h")]
    fn execute() {}
}

fn main() {}
