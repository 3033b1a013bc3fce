use shedlock::{Data, scheduled};

struct Pool;

#[scheduled(fixed_rate = "5s")]
async fn report(Data(pool): Data<Pool>) {
    drop(pool);
}

fn main() {}
