#[shedlock::scheduler_lock(name = "report", duplicate = "yes")]
fn report() {}

fn main() {}
