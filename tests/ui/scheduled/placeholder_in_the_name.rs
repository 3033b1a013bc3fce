use shedlock::scheduled;

#[scheduled(fixed_rate = "5s", name = "${REPORT:report}")]
async fn report() {}

fn main() {
    drop(report());
}
