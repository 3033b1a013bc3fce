use shedlock::scheduler_lock;

#[scheduler_lock(name = "pay")]
#[tokio::test]
async fn pay() -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
