use shedlock::scheduled;

#[scheduled(fixed_rate = "5s", allow = "shrt_period")]
async fn report() {}

fn main() {
    drop(report());
}
