use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional(isolation = "READ_COMMITTED")]
async fn pay(_tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
