mod payouts {
    #[shedlock::scheduled(fixed_rate = "1h")]
    async fn run() {}
}

mod reports {
    #[shedlock::scheduled(fixed_rate = "1h")]
    async fn run() {}
}

fn main() {}
