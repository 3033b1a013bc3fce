use std::{
    cmp,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, Connection, Database, Pool};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};

type Options<DB> = <<DB as Database>::Connection as Connection>::Options;

/// How long a connection may take, also when the application would wait longer for one: shorter,
/// with the time to find out why there is none, than an executor waits for a store by default.
const MAX_CONNECT_TIME: Duration = Duration::from_secs(3);
/// How long finding that out may take, and the farewell of a connection that has grown old.
const SHORT_TIME: Duration = Duration::from_secs(1);

/// A few connections that only lock statements use, opened as the application's pool opens its
/// own.
///
/// A lock statement so never waits for a connection that jobs hold, and never joins a caller's
/// transaction. A pool would ping each connection when it comes back; here one is kept only after
/// a statement that ended as it should, so what waits in `idle` is known to be in order. A
/// statement that is dropped halfway takes its connection with it.
pub(super) struct Connections<DB: Database> {
    application: Pool<DB>,
    adapt: fn(Options<DB>) -> Options<DB>,
    idle: Mutex<Vec<Idle<DB::Connection>>>,
    permits: Semaphore,
}

struct Idle<C> {
    connection: C,
    opened_at: Instant,
    since: Instant,
}

impl<DB: Database> Connections<DB> {
    /// At most `limit` connections, opened when they are needed with the application's options as
    /// `adapt` changes them.
    pub(super) fn new(
        application: Pool<DB>,
        limit: u32,
        adapt: fn(Options<DB>) -> Options<DB>,
    ) -> Self {
        let limit = cmp::min(limit, application.options().get_max_connections());
        Self {
            application,
            adapt,
            idle: Mutex::default(),
            permits: Semaphore::new(limit.max(1) as usize),
        }
    }

    pub(super) async fn take(&self) -> Result<Taken<'_, DB>, sqlx::Error> {
        let permit = self
            .permits
            .acquire()
            .await
            .expect("the semaphore is never closed");
        while let Some(idle) = self.pop_idle() {
            if self.is_fresh(&idle) {
                return Ok(Taken {
                    connection: idle.connection,
                    opened_at: idle.opened_at,
                    home: self,
                    _permit: permit,
                });
            }
            let _ = timeout(SHORT_TIME, idle.connection.close()).await;
        }
        Ok(Taken {
            connection: self.connect().await?,
            opened_at: Instant::now(),
            home: self,
            _permit: permit,
        })
    }

    /// Forgets what waits idle: it was opened to a server that is gone.
    pub(super) fn forget_idle(&self) {
        self.idle().clear();
    }

    /// The options that a connection is opened with.
    pub(super) fn options(&self) -> Options<DB> {
        (self.adapt)((*self.application.connect_options()).clone())
    }

    /// Through a pool of one, because the application's hooks are known to its pool alone.
    async fn connect(&self) -> Result<DB::Connection, sqlx::Error> {
        let options = self.options();
        let pool = self.application.options().clone();
        let time = cmp::min(pool.get_acquire_timeout(), MAX_CONNECT_TIME);
        let pool = pool
            .min_connections(0)
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .acquire_timeout(time)
            .connect_lazy_with(options.clone());
        match pool.acquire().await {
            Ok(connection) => Ok(connection.detach()),
            // The pool has tried again until its time was over, and does not tell why.
            Err(sqlx::Error::PoolTimedOut) => Err(diagnose::<DB>(&options).await),
            Err(error) => Err(error),
        }
    }

    fn is_fresh(&self, idle: &Idle<DB::Connection>) -> bool {
        let limits = self.application.options();
        let within = |since: Instant, limit: Option<Duration>| {
            limit.is_none_or(|limit| since.elapsed() < limit)
        };
        within(idle.opened_at, limits.get_max_lifetime())
            && within(idle.since, limits.get_idle_timeout())
    }

    fn pop_idle(&self) -> Option<Idle<DB::Connection>> {
        self.idle().pop()
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Idle<DB::Connection>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn diagnose<DB: Database>(options: &Options<DB>) -> sqlx::Error {
    match timeout(SHORT_TIME, options.connect()).await {
        Ok(Err(error)) => error,
        Ok(Ok(_)) | Err(_) => sqlx::Error::PoolTimedOut,
    }
}

/// A connection in use. It is closed when it is dropped, unless it is [kept](Self::keep).
pub(in crate::store) struct Taken<'a, DB: Database> {
    pub(in crate::store) connection: DB::Connection,
    opened_at: Instant,
    home: &'a Connections<DB>,
    _permit: SemaphorePermit<'a>,
}

impl<DB: Database> Taken<'_, DB> {
    /// Gives the connection back, after a statement that has been answered to its end.
    pub(in crate::store) fn keep(self) {
        self.home.idle().push(Idle {
            connection: self.connection,
            opened_at: self.opened_at,
            since: Instant::now(),
        });
    }
}
