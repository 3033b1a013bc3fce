use shedlock::scheduler_lock;

#[scheduler_lock(nme = "", lock_at_most_for = "soon", lock_at_least_for = "-5s", lock_at_most_for = "1m")]
async fn report() {}

fn main() {
    drop(report());
}
