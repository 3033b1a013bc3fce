use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * *", zone = "Seoul")]
async fn report() {}

fn main() {
    drop(report());
}
