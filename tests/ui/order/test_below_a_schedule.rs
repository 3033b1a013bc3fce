use shedlock::scheduled;

#[scheduled(fixed_rate = "1h")]
#[test]
async fn pay() -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
