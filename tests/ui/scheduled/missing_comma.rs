use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * *" zone = "UTC")]
async fn report() {}

fn main() {
    drop(report());
}
