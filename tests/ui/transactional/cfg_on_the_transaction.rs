use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional]
async fn pay(#[cfg(test)] _tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
