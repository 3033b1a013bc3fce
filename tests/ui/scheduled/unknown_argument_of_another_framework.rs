use shedlock::scheduled;

#[scheduled(cron = "0 0 4 * * *", every = "5s")]
async fn report() {}

fn main() {
    drop(report());
}
