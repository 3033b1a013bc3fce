use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional]
async fn pay(_tx: &mut PgTransaction<'_>, _other: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
