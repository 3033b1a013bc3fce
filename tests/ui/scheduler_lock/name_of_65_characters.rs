use shedlock::scheduler_lock;

#[scheduler_lock(name = "settlement-payout-execute-settlement-payout-execute-settlement-pa")]
async fn report() {}

fn main() {
    drop(report());
}
