use shedlock::scheduled;

#[scheduled(fixed_rate = "5s", allow = short_period)]
async fn report() {}

fn main() {
    drop(report());
}
