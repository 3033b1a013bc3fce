use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
fn report(pool: String) {
    let pages = pool.
}

fn main() {
    report(String::new());
}
