use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional(pool = )]
async fn pay(_tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
