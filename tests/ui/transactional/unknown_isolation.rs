use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional(isolation = "serialisable")]
async fn pay(_tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
