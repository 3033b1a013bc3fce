use shedlock::scheduler_lock;

mod other {
    pub(crate) use tokio::main as transactional;
}

#[scheduler_lock(name = "pay")]
#[other::transactional]
async fn pay() -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
