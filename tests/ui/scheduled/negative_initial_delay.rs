use shedlock::scheduled;

#[scheduled(fixed_rate = "5s", initial_delay = "-5s")]
async fn report() {}

fn main() {
    drop(report());
}
