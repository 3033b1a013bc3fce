use shedlock::scheduled;

#[scheduled()]
async fn report() {}

fn main() {
    drop(report());
}
