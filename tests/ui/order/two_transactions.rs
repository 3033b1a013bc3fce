use shedlock::transactional;

#[transactional]
#[transactional]
async fn pay(_tx: &mut sqlx::PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
