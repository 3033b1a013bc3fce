use shedlock::scheduled;

#[scheduled(fixed_rate = "5s")]
unsafe fn report() {}

fn main() {}
