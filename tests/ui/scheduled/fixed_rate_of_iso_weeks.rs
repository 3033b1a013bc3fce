use shedlock::scheduled;

#[scheduled(fixed_rate = "P1W")]
async fn report() {}

fn main() {
    drop(report());
}
