use shedlock::scheduled;

#[scheduled(fixed_rate = "5s")]
async fn report() {
    let pages = std::rc::Rc::new(1);
    std::future::ready(()).await;
    drop(pages);
}

fn main() {}
