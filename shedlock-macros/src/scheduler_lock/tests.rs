use insta::assert_snapshot;
use proc_macro2::TokenStream;
use quote::quote;

use super::scheduler_lock;
use crate::testing::pretty;

fn expanded(arguments: TokenStream, function: TokenStream) -> String {
    pretty(scheduler_lock(arguments, function))
}

#[test]
fn an_async_function() {
    assert_snapshot!(expanded(
        quote!(
            name = "report",
            lock_at_most_for = "PT1M",
            lock_at_least_for = "5s"
        ),
        quote! {
            async fn report(Data(pool): Data<PgPool>) -> Result<(), sqlx::Error> {
                let orders = load(&pool).await?;
                write(orders).await
            }
        },
    ));
}

#[test]
fn an_async_function_without_result() {
    assert_snapshot!(expanded(
        quote!(name = "report", lock_at_most_for = "${REPORT_LOCK:10m}"),
        quote!(
            async fn report() {
                write().await;
            }
        ),
    ));
}

#[test]
fn a_blocking_function() {
    assert_snapshot!(expanded(
        quote!(name = "report"),
        quote!(
            fn report(pages: usize) -> Option<usize> {
                Some(pages + 1)
            }
        ),
    ));
}

#[test]
fn a_blocking_function_without_result() {
    assert_snapshot!(expanded(
        quote!(name = "report"),
        quote!(
            fn report() {
                write();
            }
        ),
    ));
}

#[test]
fn a_method() {
    assert_snapshot!(expanded(
        quote!(name = "report"),
        quote! {
            pub(crate) async fn report<'a, T: Page>(&'a mut self, page: &T) -> Option<&'a str> {
                self.render(page).await
            }
        },
    ));
}

#[test]
fn an_impl_trait_in_the_result_is_inferred() {
    assert_snapshot!(expanded(
        quote!(name = "report"),
        quote! {
            async fn report() -> Result<impl Iterator<Item = u8>, Error> {
                Ok(pages().await?.into_iter())
            }
        },
    ));
}

#[test]
fn attributes_keep_their_order_and_those_inside_move_out() {
    assert_snapshot!(expanded(
        quote!(name = "report"),
        quote! {
            /// Writes the report.
            #[tracing::instrument]
            #[must_use]
            pub fn report() -> Option<u8> {
                #![expect(clippy::unnecessary_wraps)]
                Some(1)
            }
        },
    ));
}

#[test]
fn a_renamed_crate() {
    assert_snapshot!(expanded(
        quote!(name = "report", crate = crate::reexports::locks),
        quote!(
            async fn report() {}
        ),
    ));
}

#[test]
fn a_mistake_leaves_the_function_as_it_was() {
    assert_snapshot!(expanded(
        quote!(nme = "report"),
        quote!(
            async fn report() {
                write().await;
            }
        ),
    ));
}
