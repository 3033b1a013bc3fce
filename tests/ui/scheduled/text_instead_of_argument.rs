use shedlock::scheduled;

#[scheduled("0 0 4 * * *")]
async fn report() {}

fn main() {
    drop(report());
}
