use shedlock::scheduled;

#[scheduled(fixed_rate = 5)]
async fn report() {}

fn main() {
    drop(report());
}
