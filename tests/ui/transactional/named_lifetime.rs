use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional]
async fn pay<'a>(_tx: &mut PgTransaction<'a>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
