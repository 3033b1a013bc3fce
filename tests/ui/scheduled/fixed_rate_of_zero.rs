use shedlock::scheduled;

#[scheduled(fixed_rate = "0s")]
async fn report() {}

fn main() {
    drop(report());
}
