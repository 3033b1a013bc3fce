use insta::assert_snapshot;
use proc_macro2::TokenStream;
use quote::quote;

use super::transactional;
use crate::{scheduled::scheduled, scheduler_lock::scheduler_lock, testing::pretty};

fn expanded(arguments: TokenStream, function: &TokenStream) -> String {
    pretty(transactional(arguments, function))
}

#[test]
fn a_function() {
    assert_snapshot!(expanded(
        quote!(),
        &quote! {
            /// Pays.
            pub(crate) async fn pay(limit: u32, tx: &mut PgTransaction<'_>) -> Result<u64, sqlx::Error> {
                let paid = pay_due(tx, limit).await?;
                Ok(paid)
            }
        },
    ));
}

#[test]
fn a_method_with_isolation_and_pool() {
    assert_snapshot!(expanded(
        quote!(isolation = "serializable", pool = self.pool, crate = locks),
        &quote! {
            async fn pay(&self, #[expect(unused)] mut tx: &mut sqlx::Transaction<'_, Db>) -> Result<impl Sized, E> {
                Ok(())
            }
        },
    ));
}

#[test]
fn the_lock_above_is_around_the_transaction() {
    assert_snapshot!(pretty(scheduler_lock(
        quote!(name = "pay"),
        &quote! {
            #[shedlock::transactional(isolation = "read committed")]
            async fn pay(tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
                pay_due(tx).await
            }
        },
    )));
}

#[test]
fn the_pool_is_checked_for_a_scheduled_function() {
    assert_snapshot!(pretty(scheduled(
        quote!(fixed_rate = "5s"),
        &quote! {
            #[transactional]
            async fn pay(FireTime(at): FireTime, tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
                pay_due(tx, at).await
            }
        },
    )));
}

#[test]
fn a_pool_of_its_own_is_not_checked() {
    assert_snapshot!(pretty(scheduled(
        quote!(fixed_rate = "5s"),
        &quote! {
            #[transactional(pool = *POOL)]
            async fn pay(tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
                pay_due(tx).await
            }
        },
    )));
}

#[test]
fn a_settled_attribute_leaves_the_function() {
    let function = quote!(
        async fn pay() {}
    );
    assert_eq!(
        transactional(quote!(__settled), &function).to_string(),
        function.to_string()
    );
}

#[test]
fn all_mistakes_are_said_beside_the_function() {
    assert_snapshot!(expanded(
        quote!(isolation = "serialisable", pol = pool),
        &quote! {
            fn pay<'a>(#[cfg(test)] tx: &'a mut PgTransaction<'a>) {}
        },
    ));
}
