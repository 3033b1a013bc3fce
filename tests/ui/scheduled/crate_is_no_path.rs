use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * *", crate = "shedlock")]
async fn report() {}

fn main() {
    drop(report());
}
