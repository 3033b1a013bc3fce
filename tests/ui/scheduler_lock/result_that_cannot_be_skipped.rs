use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
async fn report() -> Vec<u32> {
    Vec::new()
}

fn main() {}
