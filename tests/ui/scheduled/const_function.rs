use shedlock::scheduled;

#[scheduled(fixed_rate = "5s")]
const fn report() {}

fn main() {}
