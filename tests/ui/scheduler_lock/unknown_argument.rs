use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lockAtMostFor = "1m")]
async fn report() {}

fn main() {
    drop(report());
}
