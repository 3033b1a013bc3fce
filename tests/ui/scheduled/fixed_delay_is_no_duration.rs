use shedlock::scheduled;

#[scheduled(fixed_delay = "soon")]
async fn report() {}

fn main() {
    drop(report());
}
