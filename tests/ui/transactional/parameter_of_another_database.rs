use shedlock::transactional;

#[transactional]
async fn pay(_tx: &mut sqlx::Transaction<'_, sqlx::Any>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
