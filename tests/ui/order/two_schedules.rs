use shedlock::scheduled;

#[scheduled(fixed_rate = "1h")]
#[scheduled(cron = "-")]
async fn pay() -> anyhow::Result<()> {
    Ok(())
}

fn main() {}
