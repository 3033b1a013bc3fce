use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional(isolation = "immediate")]
async fn pay(_tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
