use shedlock::scheduled;

#[scheduled(fixed_rate = "5s")]
async fn report(number: u32) {
    println!("{number}");
}

fn main() {}
