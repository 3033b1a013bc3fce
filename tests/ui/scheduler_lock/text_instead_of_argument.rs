use shedlock::scheduler_lock;

#[scheduler_lock("report")]
async fn report() {}

fn main() {
    drop(report());
}
