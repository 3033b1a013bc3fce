use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", crate = "shedlock")]
async fn report() {}

fn main() {
    drop(report());
}
