use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional(isolation = "serializable", isolation = "serializable")]
async fn pay(_tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
