use shedlock::{scheduler_lock, transactional};

#[transactional]
#[scheduler_lock(nam = "pay", lock_at_most_for = "1x")]
async fn pay(_tx: &mut sqlx::PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
