use shedlock::scheduled;

#[scheduled(fixed_rate = "1h", day_match = "any")]
async fn report() {}

fn main() {
    drop(report());
}
