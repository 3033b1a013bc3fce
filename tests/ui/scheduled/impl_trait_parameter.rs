use shedlock::scheduled;

#[scheduled(fixed_rate = "5s")]
async fn report(pool: impl Send) {
    drop(pool);
}

fn main() {}
