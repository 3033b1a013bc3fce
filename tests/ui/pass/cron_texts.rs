#![deny(warnings)]

use shedlock::scheduled;

macro_rules! each_compiles {
    ($($name:ident $cron:literal)*) => { $(
        #[scheduled(cron = $cron)]
        async fn $name() {}
    )* };
}

each_compiles! {
    five_fields "0 4 * * *"
    six_fields "0 0 4 * * *"
    macro_text "@daily"
    start_and_step "0 0/10 * * * *"
    last_day "0 0 4 L * *"
    last_weekday "0 0 4 LW * *"
    before_the_last_day "0 0 4 L-3 * *"
    nearest_weekday "0 0 4 15W * *"
    second_friday "0 0 4 * * FRI#2"
    last_friday "0 0 4 ? * 5L"
    leap_day "0 0 4 29 2 ?"
    disabled "-"
    placeholder "${REPORT_CRON}"
    placeholder_with_default "${REPORT_CRON:0 0 4 * * MON-FRI}"
}

#[scheduled(cron = "0 0 13 * FRI", day_match = "all")]
async fn friday_the_13th() {}

#[scheduled(cron = "0 0 13 * FRI", day_match = "any")]
async fn each_friday_and_each_13th() {}

#[scheduled(cron = "${REPORT_CRON:0 0 * * *}", day_match = "any")]
async fn days_that_the_environment_restricts() {}

fn main() {}
