mod payout {
    #[shedlock::scheduled(cron = "0 4 * * *")]
    fn execute() {}
}

mod refund {
    #[shedlock::scheduled(cron = "0 5 * * *")]
    fn execute() {}
}

#[shedlock::scheduled(cron = "0 6 * * *", name = "execute")]
fn others() {}

fn main() {}
