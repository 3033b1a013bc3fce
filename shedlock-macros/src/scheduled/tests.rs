use insta::assert_snapshot;
use proc_macro2::TokenStream;
use quote::quote;

use super::scheduled;
use crate::testing::pretty;

fn expanded(arguments: TokenStream, function: TokenStream) -> String {
    pretty(scheduled(arguments, function))
}

#[test]
fn a_cron_task() {
    assert_snapshot!(expanded(
        quote!(cron = "0 0 4 * * *"),
        quote! {
            async fn report() {
                write().await;
            }
        },
    ));
}

#[test]
fn a_cron_task_in_a_zone() {
    assert_snapshot!(expanded(
        quote!(cron = "${REPORT_CRON:0 0 4 * * *}", zone = "Asia/Seoul"),
        quote!(
            async fn report() {}
        ),
    ));
}

#[test]
fn a_fixed_rate_task() {
    assert_snapshot!(expanded(
        quote!(fixed_rate = "5s", initial_delay = "1m"),
        quote!(
            async fn report() {}
        ),
    ));
}

#[test]
fn a_fixed_delay_task_with_a_name() {
    assert_snapshot!(expanded(
        quote!(fixed_delay = "PT2S", name = "daily report"),
        quote!(
            async fn report() {}
        ),
    ));
}

#[test]
fn an_async_function_with_parameters_and_a_result() {
    assert_snapshot!(expanded(
        quote!(fixed_rate = "5s"),
        quote! {
            async fn report(Data(pool): Data<PgPool>, _: FireTime) -> anyhow::Result<()> {
                write(&pool).await
            }
        },
    ));
}

#[test]
fn a_blocking_function_with_parameters_and_a_result() {
    assert_snapshot!(expanded(
        quote!(fixed_rate = "5s"),
        quote! {
            fn report(pool: Option<Data<Pool>>, cancelled: CancellationToken) -> Result<(), Error> {
                write(pool, cancelled)
            }
        },
    ));
}

#[test]
fn a_blocking_function_without_parameters() {
    assert_snapshot!(expanded(
        quote!(fixed_rate = "5s"),
        quote!(
            fn report() {}
        )
    ));
}

#[test]
fn the_lock_below_is_registered_and_left_to_its_own_attribute() {
    assert_snapshot!(expanded(
        quote!(cron = "0 0 4 * * *"),
        quote! {
            /// Writes the report.
            #[shedlock::scheduler_lock(name = "report", lock_at_most_for = "PT1H", crate = shedlock)]
            pub async fn report() {}
        },
    ));
}

#[test]
fn a_renamed_crate_and_a_raw_name() {
    assert_snapshot!(expanded(
        quote!(cron = "-", crate = jobs),
        quote!(
            async fn r#loop() {}
        ),
    ));
}

#[test]
fn all_mistakes_are_said_beside_the_function() {
    assert_snapshot!(expanded(
        quote!(
            cron = "0 0 25 * * *",
            fixed_rate = "0s",
            zone = "Asia/Soul",
            nme = "report",
            initial_delay = 5
        ),
        quote! {
            const unsafe extern "C" fn report<T>(pool: &T) {
                write(pool)
            }
        },
    ));
}
