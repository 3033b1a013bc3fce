use shedlock::scheduler_lock;
use tokio::main as transactional;

#[scheduler_lock(name = "pay")]
#[transactional]
async fn pay() -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
