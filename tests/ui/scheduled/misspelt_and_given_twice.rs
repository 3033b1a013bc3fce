use shedlock::scheduled;

#[scheduled(fixed_rate = "5s", initial_delay = "1s", intial_delay = "2s")]
async fn report() {}

fn main() {
    drop(report());
}
