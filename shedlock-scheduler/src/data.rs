use std::{
    any::{Any, TypeId, type_name},
    collections::HashMap,
    fmt,
    ops::Deref,
};

use crate::{FromRun, MissingData, RunContext};

/// A value that the application registered with `.data(..)`, cloned for each run.
///
/// Register what is cheap to clone: a pool, or an `Arc`.
///
/// ```
/// use shedlock_scheduler::Data;
///
/// async fn report(Data(greeting): Data<String>) {
///     println!("{greeting}");
/// }
/// # let _ = report;
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Data<T>(pub T);

impl<T> Deref for Data<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone + Send + Sync + 'static> FromRun for Data<T> {
    fn check(data: &DataMap) -> Result<(), MissingData> {
        data.get::<T>().map(drop).ok_or(MissingData {
            type_name: type_name::<T>(),
        })
    }

    fn from_run(cx: &RunContext) -> Self {
        Self(
            cx.data::<T>()
                .expect("`check` ran when the scheduler was built"),
        )
    }
}

impl<T: Clone + Send + Sync + 'static> FromRun for Option<Data<T>> {
    fn from_run(cx: &RunContext) -> Self {
        cx.data::<T>().map(Data)
    }
}

/// The values that the application registered, one of each type.
#[derive(Default)]
pub struct DataMap(HashMap<TypeId, Box<dyn Any + Send + Sync>>);

impl DataMap {
    /// Registers a value; it takes the place of an earlier one of its type.
    pub fn insert<T: Clone + Send + Sync + 'static>(&mut self, value: T) {
        self.0.insert(TypeId::of::<T>(), Box::new(value));
    }

    /// A clone of the value of this type.
    #[must_use]
    pub fn get<T: Clone + 'static>(&self) -> Option<T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref().cloned()
    }
}

impl fmt::Debug for DataMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataMap")
            .field("values", &self.0.len())
            .finish()
    }
}
