use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", name = "report")]
async fn report() {}

fn main() {
    drop(report());
}
