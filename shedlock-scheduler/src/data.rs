use std::{any::type_name, ops::Deref};

use shedlock_core::DataMap;

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
