use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional(isolation = Serializable)]
async fn pay(_tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
