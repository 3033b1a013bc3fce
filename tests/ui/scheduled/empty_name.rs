use shedlock::scheduled;

#[scheduled(fixed_rate = "5s", name = "")]
async fn report() {}

fn main() {
    drop(report());
}
