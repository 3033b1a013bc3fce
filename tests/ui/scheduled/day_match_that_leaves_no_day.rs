use shedlock::scheduled;

#[scheduled(cron = "0 0 30 2 MON", day_match = "all")]
async fn report() {}

fn main() {
    drop(report());
}
