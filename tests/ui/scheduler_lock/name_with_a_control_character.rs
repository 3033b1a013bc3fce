use shedlock::scheduler_lock;

#[scheduler_lock(name = "daily\treport")]
async fn report() {}

fn main() {
    drop(report());
}
