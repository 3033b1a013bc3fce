use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional]
async fn pay(tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    let paid = tx.
}

fn main() {}
