use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional(isolaton = "serializable")]
async fn pay(_tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
