use shedlock::scheduled;

#[scheduled(fixed_rate = "5s", zone = "UTC")]
async fn report() {}

fn main() {
    drop(report());
}
