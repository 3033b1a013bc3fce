use shedlock::scheduled;

struct Report;

impl Report {
    #[scheduled(fixed_rate = "5s")]
    async fn write(&self) {}
}

fn main() {
    drop(Report.write());
}
