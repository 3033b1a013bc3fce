use shedlock::{scheduled, scheduler_lock, transactional};

#[scheduled(fixed_rate = "5s")]
#[scheduler_lock(name = "pay")]
#[transactional]
async fn pay() -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
