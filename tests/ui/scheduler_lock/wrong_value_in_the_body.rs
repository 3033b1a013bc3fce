use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
async fn report() {
    5
}

fn main() {}
