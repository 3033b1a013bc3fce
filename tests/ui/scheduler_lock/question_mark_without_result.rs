use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
async fn report() {
    "1".parse::<u32>()?;
}

fn main() {}
