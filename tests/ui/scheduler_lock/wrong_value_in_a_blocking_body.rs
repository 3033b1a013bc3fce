use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
fn report() -> Option<&'static str> {
    5
}

fn main() {}
