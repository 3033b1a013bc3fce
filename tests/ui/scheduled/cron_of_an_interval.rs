use shedlock::scheduled;

#[scheduled(cron = "@every 5m")]
async fn report() {}

fn main() {
    drop(report());
}
