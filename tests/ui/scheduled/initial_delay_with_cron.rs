use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * *", initial_delay = "5s")]
async fn report() {}

fn main() {
    drop(report());
}
