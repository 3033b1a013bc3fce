use shedlock::{scheduled, scheduler_lock};

#[scheduled(fixed_rate = "1h")]
#[scheduler_lock(name = "pay")]
#[scheduler_lock(name = "other")]
async fn pay() -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
