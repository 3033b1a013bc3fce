use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
fn report() -> u32 {
    1
}

fn main() {}
