use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional(pool = pool)]
async fn pay(pool: sqlx::SqlitePool, _tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
