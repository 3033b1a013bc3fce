use shedlock::{FireTime, scheduled};

#[scheduled(fixed_rate = "5s")]
async fn report(#[cfg(unix)] at: FireTime) {
    drop(at);
}

fn main() {}
