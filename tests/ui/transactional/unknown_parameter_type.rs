use shedlock::transactional;

#[transactional]
async fn pay(_tx: &mut Transaktion<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
