use shedlock::{scheduler_lock, transactional};
use sqlx::PgTransaction;

#[scheduler_lock(name = "pay")]
#[transactional(isolation = "none")]
async fn pay(_tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
