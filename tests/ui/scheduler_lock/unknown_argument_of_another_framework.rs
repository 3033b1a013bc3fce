use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", timeout = "1m")]
async fn report() {}

fn main() {
    drop(report());
}
