use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt,
    future::Future,
    sync::{Arc, PoisonError, RwLock},
};

tokio::task_local! {
    static CURRENT: Arc<DataMap>;
}

static INSTALLED: RwLock<Option<Arc<DataMap>>> = RwLock::new(None);

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

    /// Makes these the values that functions use when they are called outside of a scheduler's
    /// runs. The last one installed counts.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use shedlock_core::DataMap;
    ///
    /// let mut data = DataMap::default();
    /// data.insert(String::from("hello"));
    /// Arc::new(data).install();
    /// assert_eq!(DataMap::current().unwrap().get::<String>().unwrap(), "hello");
    /// ```
    pub fn install(self: Arc<Self>) {
        *INSTALLED.write().unwrap_or_else(PoisonError::into_inner) = Some(self);
    }

    /// Those of the scheduler whose run the current task is, else the installed ones.
    #[must_use]
    pub fn current() -> Option<Arc<Self>> {
        CURRENT.try_with(Arc::clone).ok().or_else(|| {
            INSTALLED
                .read()
                .unwrap_or_else(PoisonError::into_inner)
                .clone()
        })
    }

    /// Makes these the current ones while `run` runs.
    pub fn scope<F: Future>(self: Arc<Self>, run: F) -> impl Future<Output = F::Output> {
        CURRENT.scope(self, run)
    }
}

impl fmt::Debug for DataMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataMap")
            .field("values", &self.0.len())
            .finish()
    }
}
