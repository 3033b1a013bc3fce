use shedlock::{scheduled, transactional};
use sqlx::PgTransaction;

#[scheduled(fixed_rate = "5s")]
#[transactional(isolation = "none")]
async fn pay(_tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
