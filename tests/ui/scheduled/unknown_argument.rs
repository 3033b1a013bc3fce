use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * *", zonee = "UTC")]
async fn report() {}

fn main() {
    drop(report());
}
