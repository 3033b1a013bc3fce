use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional(propagation = "REQUIRES_NEW")]
async fn pay(_tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
