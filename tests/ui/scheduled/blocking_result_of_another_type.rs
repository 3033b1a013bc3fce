use shedlock::scheduled;

#[scheduled(fixed_rate = "5s")]
fn report() -> u32 {
    1
}

fn main() {}
