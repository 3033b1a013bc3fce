use shedlock::transactional;

#[transactional(isolation = "serializable")]
async fn pay(_tx: &mut sqlx::SqliteTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
