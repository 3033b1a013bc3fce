use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A valid text with one of its characters replaced by up to two others.
pub(super) fn mutated(valid: &'static [&'static str]) -> impl Strategy<Value = String> {
    (
        select(valid),
        any::<Index>(),
        "\\PC{0,2}|[-+0-9 ${}:@#/PTM]{0,2}",
    )
        .prop_map(|(text, index, replacement)| {
            let place = index.index(text.chars().count());
            let before = text.chars().take(place);
            let behind = text.chars().skip(place + 1);
            before.chain(replacement.chars()).chain(behind).collect()
        })
}
