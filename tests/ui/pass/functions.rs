#![deny(warnings)]

use shedlock::{CancellationToken, Data, Execution, FireTime, LockError, RunContext, scheduled, scheduler_lock};

#[scheduled(cron = "@daily")]
fn blocking(_: CancellationToken) -> std::io::Result<()> {
    Ok(())
}

#[scheduled(cron = "@daily",)]
pub(crate) async fn parameters(Data(_pool): Data<String>, _: Option<Data<u8>>, FireTime(_): FireTime, _: RunContext) {}

#[scheduled(cron = "@daily", name = "a name with blanks")]
async fn r#loop() {}

struct Reports;

impl Reports {
    #[scheduler_lock(name = "method")]
    async fn method(&self) -> Option<u8> {
        Some(1)
    }

    #[scheduler_lock(name = "associated")]
    fn associated<T: Default>() -> Execution<T> {
        Execution::Ran(T::default())
    }
}

#[scheduler_lock(name = "result")]
async fn result<'a>(text: &'a str) -> Result<&'a str, LockError> {
    Ok(text)
}

fn main() {
    mod inner {
        use shedlock::{scheduled, scheduler_lock};

        #[scheduled(cron = "@daily")]
        #[scheduler_lock(name = "inner")]
        async fn inner() {}
    }

    drop(Reports.method());
    drop(result(""));
    let _ = Reports::associated::<u8>;
}
