use shedlock::scheduled;

#[scheduled(fixed_rate = "5s")]
struct Report;

fn main() {}
