use syn::{FnArg, Safety, Signature, Type};

use crate::errors::Errors;

/// Refuses what the scheduler, which knows nothing but the function, could not call.
pub(super) fn check(signature: &Signature, errors: &mut Errors) {
    if let Some(token) = signature.constness {
        errors.at(token, "a scheduled function cannot be `const`; remove it");
    }
    if let Safety::Unsafe(token) = &signature.safety {
        errors.at(
            token,
            "a scheduled function cannot be `unsafe`: the scheduler cannot keep its conditions",
        );
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, "a scheduled function cannot be `extern`; remove it");
    }
    if !signature.generics.params.is_empty() {
        errors.at(
            &signature.generics,
            "a scheduled function cannot be generic: the scheduler names no types for it",
        );
    }
    for parameter in &signature.inputs {
        check_parameter(parameter, errors);
    }
}

fn check_parameter(parameter: &FnArg, errors: &mut Errors) {
    let parameter = match parameter {
        FnArg::Receiver(receiver) => {
            return errors.at(
                receiver,
                "a scheduled function cannot take `self`; inject shared state as `Data<T>`",
            );
        }
        FnArg::Typed(parameter) => parameter,
    };
    for attribute in &parameter.attrs {
        if attribute.path().is_ident("cfg") {
            errors.at(
                attribute,
                "`#[cfg]` cannot stand on a parameter of a scheduled function; put it on the function",
            );
        }
    }
    match &*parameter.ty {
        Type::Reference(reference) => errors.at(
            reference,
            "a scheduled function cannot take a reference; take `Data<T>`, and borrow from it",
        ),
        Type::ImplTrait(impl_trait) => errors.at(
            impl_trait,
            "a scheduled function cannot take `impl Trait`: the scheduler names no type for it",
        ),
        _ => {}
    }
}

/// The types of the parameters.
pub(super) fn parameter_types(signature: &Signature) -> impl Iterator<Item = &Type> {
    signature
        .inputs
        .iter()
        .filter_map(|parameter| match parameter {
            FnArg::Typed(parameter) => Some(&*parameter.ty),
            FnArg::Receiver(_) => None,
        })
}
