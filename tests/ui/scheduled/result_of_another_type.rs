use shedlock::scheduled;

#[scheduled(fixed_rate = "5s")]
async fn report() -> Option<u32> {
    None
}

fn main() {}
