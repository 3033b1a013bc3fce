use shedlock::scheduled;

#[scheduled(fixed_rate = "5s")]
async fn report(pool: &String) {
    drop(pool.clone());
}

fn main() {}
