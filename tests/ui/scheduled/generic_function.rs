use shedlock::scheduled;

#[scheduled(fixed_rate = "5s")]
async fn report<T: Send>() {}

fn main() {}
