use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional]
async fn pay(_tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(5)
}

fn main() {}
