use shedlock::{scheduled, scheduler_lock};

#[scheduler_lock(name = "pay")]
#[scheduled(fixed_rate = "1h")]
async fn pay() -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
