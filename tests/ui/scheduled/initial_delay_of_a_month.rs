use shedlock::scheduled;

#[scheduled(fixed_rate = "5s", initial_delay = "P1M")]
async fn report() {}

fn main() {
    drop(report());
}
