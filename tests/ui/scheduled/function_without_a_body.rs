use shedlock::scheduled;

trait Report {
    #[scheduled(fixed_rate = "5s")]
    fn write();
}

fn main() {}
