use shedlock::transactional;

#[transactional]
struct Payout;

fn main() {}
