use shedlock::{scheduled, scheduler_lock};

#[scheduled(fixed_rate = "1h")]
#[scheduler_lock(name = "pay")]
#[tokio::main]
async fn pay() -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
