use shedlock::scheduled;

#[scheduled(fixed_rate = "5s")]
extern "C" fn report() {}

fn main() {}
