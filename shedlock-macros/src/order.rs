//! Which attribute stands above which, for all three.

mod foreign;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Attribute;

use crate::{
    attribute::{arguments, settle},
    errors::Errors,
    function::Function,
    scheduled, scheduler_lock, transactional,
};

/// The attributes, outermost first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Scheduled,
    SchedulerLock,
    Transactional,
}

/// What is left of the item if there is a mistake: the item, but that attributes below have nothing
/// to do that are dealt with.
pub(crate) enum Order {
    Right { left: TokenStream },
    Wrong { left: TokenStream },
}

/// Checks what stands on the function with and below the attribute of this kind.
///
/// The outermost attribute speaks for all of them, once.
pub(crate) fn check(kind: Kind, item: &TokenStream, errors: &mut Errors) -> Order {
    let right = Order::Right { left: item.clone() };
    let Ok(mut function) = syn::parse2::<Function>(item.clone()) else {
        return right;
    };
    let is_right = check_order(kind, &function, errors) && foreign::check(kind, &function, errors);
    if !is_right {
        for attribute in &mut function.attributes {
            if let Some(kind) = Kind::of(attribute) {
                kind.check_arguments(arguments(attribute), errors);
                settle(attribute);
            }
        }
        let left = function.to_token_stream();
        return Order::Wrong { left };
    }
    if kind == Kind::SchedulerLock
        && let Some(transactional) = function.attribute_mut(Kind::Transactional)
    {
        settle(transactional);
        let left = function.to_token_stream();
        return Order::Right { left };
    }
    right
}

impl Kind {
    const ALL: [Self; 3] = [Self::Scheduled, Self::SchedulerLock, Self::Transactional];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scheduled => "scheduled",
            Self::SchedulerLock => "scheduler_lock",
            Self::Transactional => "transactional",
        }
    }

    /// The kind of one of our attributes: by name, as one of `shedlock`, or with the `crate = path`
    /// that a renamed `shedlock` needs.
    pub(crate) fn of(attribute: &Attribute) -> Option<Self> {
        let path = attribute.path();
        let name = &path.segments.last()?.ident;
        let is_ours = path.segments.len() == 1
            || path.segments[0].ident == "shedlock"
            || arguments(attribute)
                .into_iter()
                .any(|token| token.to_string() == "crate");
        Self::ALL
            .into_iter()
            .find(|kind| is_ours && name == kind.name())
    }

    /// As it is written on a function.
    fn written(self) -> &'static str {
        match self {
            Self::Scheduled => "#[scheduled(..)]",
            Self::SchedulerLock => "#[scheduler_lock(..)]",
            Self::Transactional => "#[transactional]",
        }
    }

    fn check_arguments(self, arguments: TokenStream, errors: &mut Errors) {
        match self {
            Self::Scheduled => scheduled::check_arguments(arguments, errors),
            Self::SchedulerLock => scheduler_lock::check_arguments(arguments, errors),
            Self::Transactional => transactional::check_arguments(arguments, errors),
        }
    }
}

/// Whether each attribute stands below those that must be above it, and once.
fn check_order(kind: Kind, function: &Function, errors: &mut Errors) -> bool {
    let mut above = kind;
    let mut all = vec![kind];
    let mut wrong = None;
    for attribute in &function.attributes {
        let Some(kind) = Kind::of(attribute) else {
            continue;
        };
        if all.contains(&kind) {
            let name = kind.name();
            errors.at(
                attribute,
                format!("`#[{name}]` is written twice; remove one"),
            );
            return false;
        }
        if kind < above {
            wrong.get_or_insert((attribute, kind, above));
        }
        above = kind;
        all.push(kind);
    }
    let Some((attribute, kind, above)) = wrong else {
        return true;
    };
    all.sort_unstable();
    let right: Vec<_> = all.into_iter().map(Kind::written).collect();
    let right = right.join("\n  ");
    let (name, above) = (kind.name(), above.name());
    let message = format!("`#[{name}]` goes above `#[{above}]`; the right order is\n  {right}");
    errors.at(attribute, message);
    false
}
