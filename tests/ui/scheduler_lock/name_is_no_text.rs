use shedlock::scheduler_lock;

#[scheduler_lock(name = REPORT)]
async fn report() {}

fn main() {
    drop(report());
}
