use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional]
async fn pay(_tx: &mut PgTransaction<'_>) {}

fn main() {}
