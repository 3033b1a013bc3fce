use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional]
async fn pay(_tx: &mut PgTransaction<'_>) -> Option<u32> {
    None
}

fn main() {}
