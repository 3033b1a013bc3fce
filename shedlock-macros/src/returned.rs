use syn::{
    ReturnType, Type, parse_quote,
    visit_mut::{self, VisitMut},
};

/// The return type, with `_` where it has an `impl Trait`, which only a signature can have.
pub(crate) fn returned(output: &ReturnType) -> Type {
    let ReturnType::Type(_, returned) = output else {
        return parse_quote!(());
    };
    let mut returned = Type::clone(returned);
    InferImplTrait.visit_type_mut(&mut returned);
    returned
}

struct InferImplTrait;

impl VisitMut for InferImplTrait {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::ImplTrait(_) = ty {
            *ty = parse_quote!(_);
        }
        visit_mut::visit_type_mut(self, ty);
    }
}
