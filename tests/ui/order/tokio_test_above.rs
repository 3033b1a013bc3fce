use shedlock::scheduler_lock;

#[tokio::test]
#[scheduler_lock(name = "pay")]
async fn pay() -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
