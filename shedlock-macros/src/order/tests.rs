use insta::assert_snapshot;
use quote::quote;

use crate::{
    scheduled::scheduled, scheduler_lock::scheduler_lock, testing::pretty,
    transactional::transactional,
};

#[test]
fn the_outermost_attribute_speaks_for_all() {
    assert_snapshot!(pretty(transactional(
        quote!(),
        &quote! {
            #[scheduler_lock(nme = "pay")]
            #[shedlock::scheduled(fixed_rate = "5s")]
            async fn pay(tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {}
        },
    )));
}

#[test]
fn those_below_are_looked_at_too() {
    assert_snapshot!(pretty(scheduled(
        quote!(fixed_rate = "5s"),
        &quote! {
            #[transactional]
            #[scheduler_lock(name = "pay")]
            async fn pay(tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {}
        },
    )));
}

#[test]
fn an_attribute_of_others_between_ours_is_left_alone() {
    assert_snapshot!(pretty(scheduler_lock(
        quote!(name = "pay"),
        &quote! {
            #[tracing::instrument(skip_all)]
            #[locks::transactional(crate = locks)]
            #[must_use]
            async fn pay(tx: &mut PgTransaction<'_>) -> anyhow::Result<()> {
                Ok(())
            }
        },
    )));
}
