use syn::{
    FnArg, Lifetime, PatType, Signature, Type,
    visit_mut::{self, VisitMut},
};

use crate::errors::Errors;

/// Takes the transaction out of the parameters: the one that is taken by `&mut`. What type it is
/// of is left to the compiler, which knows every alias.
pub(super) fn take(signature: &mut Signature, errors: &mut Errors) -> Option<PatType> {
    let mut positions = (0..signature.inputs.len())
        .filter(|&position| is_by_mutable_reference(&signature.inputs[position]));
    let Some(position) = positions.next() else {
        errors.at(
            &signature.ident,
            "a transactional function takes its transaction: add a parameter like \
             `tx: &mut PgTransaction<'_>`",
        );
        return None;
    };
    if let Some(second) = positions.next() {
        errors.at(
            &signature.inputs[second],
            "a transactional function takes one `&mut` parameter, its transaction; \
             take this one by value",
        );
        return None;
    }
    let inputs = std::mem::take(&mut signature.inputs);
    let mut parameter = None;
    for (place, input) in inputs.into_iter().enumerate() {
        match input {
            FnArg::Typed(typed) if place == position => parameter = Some(typed),
            other => signature.inputs.push(other),
        }
    }
    let mut parameter = parameter?;
    check(&mut parameter, errors);
    Some(parameter)
}

fn is_by_mutable_reference(input: &FnArg) -> bool {
    let FnArg::Typed(typed) = input else {
        return false;
    };
    matches!(&*typed.ty, Type::Reference(reference) if reference.mutability.is_some())
}

fn check(parameter: &mut PatType, errors: &mut Errors) {
    for attribute in &parameter.attrs {
        if attribute.path().is_ident("cfg") {
            errors.at(
                attribute,
                "`#[cfg]` cannot stand on the transaction; put it on the function",
            );
        }
    }
    RefuseNames(errors).visit_type_mut(&mut parameter.ty);
}

/// The transaction is made in the function, so no lifetime of the signature fits it.
struct RefuseNames<'a>(&'a mut Errors);

impl VisitMut for RefuseNames<'_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident != "_" {
            self.0.at(
                &*lifetime,
                format!("the transaction lives in the function alone: write `'_` for `{lifetime}`"),
            );
        }
        visit_mut::visit_lifetime_mut(self, lifetime);
    }
}
