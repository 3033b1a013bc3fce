use shedlock::transactional;
use sqlx::PgTransaction;

#[transactional(isolation = "none", pol = pool)]
fn pay<'a>(#[cfg(test)] _tx: &'a mut PgTransaction<'_>) -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
