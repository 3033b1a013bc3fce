use shedlock::{scheduled, scheduler_lock, transactional};

#[scheduled(fixed_rate = "1h")]
#[transactional]
#[scheduler_lock(name = "pay")]
async fn pay(_tx: &mut sqlx::PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
