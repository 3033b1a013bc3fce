use shedlock::scheduled;

struct Report;

impl Report {
    #[scheduled(fixed_rate = "5s")]
    fn publish() {}
}

fn main() {
    Report::publish();
}
