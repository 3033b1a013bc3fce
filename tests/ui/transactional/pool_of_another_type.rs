use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional(pool = name)]
async fn pay(name: String, _tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
