use shedlock::scheduler_lock;

#[tokio::main]
#[scheduler_lock(name = "pay")]
async fn main() -> anyhow::Result<()> {
    Ok(())
}
