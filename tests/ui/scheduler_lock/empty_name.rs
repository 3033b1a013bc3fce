use shedlock::scheduler_lock;

#[scheduler_lock(name = "")]
async fn report() {}

fn main() {
    drop(report());
}
