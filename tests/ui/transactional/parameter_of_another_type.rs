use shedlock::transactional;

#[transactional]
async fn pay(_tx: &mut String) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
