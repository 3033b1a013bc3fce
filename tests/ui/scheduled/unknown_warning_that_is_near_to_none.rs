use shedlock::scheduled;

#[scheduled(fixed_rate = "5s", allow = "everything")]
async fn report() {}

fn main() {
    drop(report());
}
