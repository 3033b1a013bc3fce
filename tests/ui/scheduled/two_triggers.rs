use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * *", fixed_rate = "5s")]
async fn report() {}

fn main() {
    drop(report());
}
