use shedlock::transactional;
use sqlx::PgTransaction;

#[derive(Debug)]
struct PayoutError;

#[transactional]
async fn pay(_tx: &mut PgTransaction<'_>) -> Result<(), PayoutError> {
    Err(PayoutError)
}

fn main() {}
