use shedlock::scheduled;

#[scheduled(fixed_rate = "5s")]
async fn report(pool: Data<Pool>) {
    drop(pool);
}

fn main() {}
