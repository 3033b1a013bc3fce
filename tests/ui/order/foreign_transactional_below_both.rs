use shedlock::{scheduled, scheduler_lock};

mod other {
    pub(crate) use tokio::main as transactional;
}

#[scheduled(fixed_rate = "1h")]
#[scheduler_lock(name = "pay")]
#[other::transactional]
async fn pay() -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
