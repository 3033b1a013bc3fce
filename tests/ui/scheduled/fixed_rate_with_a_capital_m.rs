use shedlock::scheduled;

#[scheduled(fixed_rate = "1h 30M")]
async fn report() {}

fn main() {
    drop(report());
}
