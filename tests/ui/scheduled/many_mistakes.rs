use shedlock::scheduled;

#[scheduled(cron = "0 0 25 * * *", fixed_rate = "5s", zone = "Asia/Soul", initial_delay = 5, nme = "")]
async fn report<T>(&self, pool: &T) {}

fn main() {}
