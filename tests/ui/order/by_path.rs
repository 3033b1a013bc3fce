#[shedlock::transactional]
#[shedlock::scheduler_lock(name = "pay")]
async fn pay(_tx: &mut sqlx::PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
