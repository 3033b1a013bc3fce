use shedlock::transactional;

#[transactional]
async fn pay(limit: u32) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
