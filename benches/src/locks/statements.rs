//! What a provider sends to its store, as sqlx logs it: so the same statements can be run bare.

use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use shedlock::{LockConfiguration, LockProvider, LockRequest};
use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

use super::contest::unlock;

static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The statements of one provider. Each operation is one of them.
#[derive(Debug, Clone)]
pub(crate) struct Statements {
    pub(crate) acquire: SqlStr,
    pub(crate) release: SqlStr,
}

impl Statements {
    /// Takes a lock, fails to take it again, releases it, and looks at the log.
    ///
    /// `provider` must log its statements, and its table must exist.
    pub(crate) async fn of(provider: &impl LockProvider) -> Result<Self> {
        let configuration = LockConfiguration::new("bench-statements", Duration::from_mins(1))?;
        let request = || LockRequest::new(&configuration);
        // The first acquisition of a name may differ, and a connection has its own greetings.
        let held = provider.try_lock(&request()).await?.context("not locked")?;
        unlock(held).await?;

        logged().clear();
        let held = provider.try_lock(&request()).await?.context("not locked")?;
        let acquire = the_statement("an acquisition")?;
        ensure!(
            provider.try_lock(&request()).await?.is_none(),
            "locked twice"
        );
        let refused = the_statement("a refused attempt")?;
        ensure!(
            refused == acquire,
            "a refused attempt is another statement: {refused}"
        );
        unlock(held).await?;
        let release = the_statement("a release")?;
        let text = |text| AssertSqlSafe(text).into_sql_str();
        Ok(Self {
            acquire: text(acquire),
            release: text(release),
        })
    }
}

fn the_statement(operation: &str) -> Result<String> {
    let mut statements = std::mem::take(&mut *logged());
    ensure!(
        statements.len() == 1,
        "{operation} is not one statement but {statements:#?}"
    );
    Ok(statements.remove(0))
}

fn logged() -> MutexGuard<'static, Vec<String>> {
    LOGGED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens to the statements that sqlx logs. Connections that are measured log none.
pub(crate) struct StatementLog;

impl StatementLog {
    pub(crate) fn install() -> Result<()> {
        Ok(tracing::subscriber::set_global_default(Self)?)
    }
}

impl Subscriber for StatementLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn event(&self, event: &Event<'_>) {
        let mut statement = Statement::default();
        event.record(&mut statement);
        logged().push(statement.0);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[derive(Default)]
struct Statement(String);

impl Visit for Statement {
    fn record_str(&mut self, field: &Field, value: &str) {
        // A statement of up to four words stands in the summary alone.
        if field.name() == "db.statement" && !value.is_empty()
            || field.name() == "summary" && self.0.is_empty()
        {
            value.trim().clone_into(&mut self.0);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}
