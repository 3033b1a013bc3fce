use shedlock::{scheduled, scheduler_lock, transactional};

#[transactional]
#[scheduler_lock(name = "pay")]
#[scheduled(fixed_rate = "1h")]
async fn pay(_tx: &mut sqlx::PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
