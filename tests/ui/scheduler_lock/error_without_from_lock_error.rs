use shedlock::scheduler_lock;

#[scheduler_lock(name = "report", lock_at_most_for = "1m")]
async fn report() -> Result<(), std::num::ParseIntError> {
    "1".parse::<u32>().map(drop)
}

fn main() {}
