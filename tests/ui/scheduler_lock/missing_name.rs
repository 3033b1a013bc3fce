use shedlock::scheduler_lock;

#[scheduler_lock()]
async fn report() {}

fn main() {
    drop(report());
}
