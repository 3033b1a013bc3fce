use shedlock::scheduled;

#[scheduled(cron = "0 0 4 W * *")]
async fn report() {}

fn main() {
    drop(report());
}
