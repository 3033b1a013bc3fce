//! The tables of both services, on any of the three databases.

use anyhow::Context as _;
use sqlx::{
    Any, AnyConnection, AnyPool, AssertSqlSafe, Executor, FromRow, Transaction, any::AnyRow,
    any::install_default_drivers,
};

/// A pool and what its database's SQL wants.
#[derive(Debug, Clone)]
pub(crate) struct Database {
    pool: AnyPool,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
    MySql,
}

impl Kind {
    pub(crate) fn of(url: &str) -> anyhow::Result<Self> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => Ok(Self::Sqlite),
            Some("postgres" | "postgresql") => Ok(Self::Postgres),
            Some("mysql" | "mariadb") => Ok(Self::MySql),
            _ => anyhow::bail!(
                "`{url}` is no store: write `sqlite://file`, `postgres://..` or `mysql://..`"
            ),
        }
    }
}

/// One value of a statement.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Number(i64),
    Text(String),
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// An event that waits to be published.
#[derive(Debug, FromRow)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) natural_key: String,
}

const TABLES: [&str; 7] = [
    "create table outbox (id varchar(64) primary key, service varchar(16) not null, natural_key varchar(64) not null, published bigint not null)",
    "create table orders (id varchar(64) primary key, merchant bigint not null, day bigint not null, amount bigint not null)",
    "create table settlements (id varchar(64) primary key, merchant bigint not null, day bigint not null, amount bigint not null, status varchar(16) not null)",
    "create table holdbacks (id varchar(64) primary key, merchant bigint not null, due bigint not null, amount bigint not null, released bigint not null)",
    "create table payouts (id varchar(64) primary key, settlement varchar(64) not null, amount bigint not null)",
    "create table metrics (id varchar(64) primary key, day bigint not null, orders bigint not null, amount bigint not null)",
    "create index outbox_pending on outbox (service, published)",
];

const DROPPED: [&str; 6] = [
    "outbox",
    "orders",
    "settlements",
    "holdbacks",
    "payouts",
    "metrics",
];

impl Database {
    pub(crate) async fn connect(url: &str) -> anyhow::Result<Self> {
        install_default_drivers();
        let kind = Kind::of(url)?;
        let pool = AnyPool::connect(url)
            .await
            .context("the store cannot be reached")?;
        Ok(Self { pool, kind })
    }

    /// Makes all tables anew.
    pub(crate) async fn create_tables(&self) -> anyhow::Result<()> {
        for table in DROPPED {
            self.execute(&format!("drop table if exists {table}"), &[])
                .await?;
        }
        for table in TABLES {
            self.execute(table, &[]).await?;
        }
        Ok(())
    }

    /// One statement by itself; `$1`, `$2`, .. stand for the values, in this order.
    pub(crate) async fn execute(&self, sql: &str, values: &[Value]) -> anyhow::Result<u64> {
        self.run(&self.pool, sql, values).await
    }

    /// One statement of a transaction.
    pub(crate) async fn execute_in(
        &self,
        transaction: &mut Transaction<'_, Any>,
        sql: &str,
        values: &[Value],
    ) -> anyhow::Result<u64> {
        let connection: &mut AnyConnection = transaction;
        self.run(connection, sql, values).await
    }

    pub(crate) async fn fetch<T>(&self, sql: &str, values: &[Value]) -> anyhow::Result<Vec<T>>
    where
        T: for<'r> FromRow<'r, AnyRow> + Send + Unpin,
    {
        let mut query = sqlx::query_as(AssertSqlSafe(self.placeholders(sql)));
        for value in values {
            query = match value {
                Value::Number(number) => query.bind(*number),
                Value::Text(text) => query.bind(text.clone()),
            };
        }
        Ok(query.fetch_all(&self.pool).await?)
    }

    pub(crate) async fn begin(&self) -> anyhow::Result<Transaction<'_, Any>> {
        Ok(self.pool.begin().await?)
    }

    /// Puts an event into a service's outbox, in the transaction of the fact that it states.
    pub(crate) async fn add_event(
        &self,
        transaction: &mut Transaction<'_, Any>,
        service: &str,
        id: &str,
        natural_key: &str,
    ) -> anyhow::Result<()> {
        let sql = "insert into outbox (id, service, natural_key, published) values ($1, $2, $3, 0)";
        let values = [id.into(), service.into(), natural_key.into()];
        self.execute_in(transaction, sql, &values).await.map(drop)
    }

    pub(crate) async fn pending_events(&self, service: &str) -> anyhow::Result<Vec<Event>> {
        let sql = "select id, natural_key from outbox where service = $1 and published = 0 order by id limit 50";
        self.fetch(sql, &[service.into()]).await
    }

    pub(crate) async fn mark_published(&self, event: &Event) -> anyhow::Result<()> {
        let sql = "update outbox set published = 1 where id = $1";
        self.execute(sql, &[event.id.as_str().into()])
            .await
            .map(drop)
    }

    pub(crate) async fn count(&self, sql: &str) -> anyhow::Result<i64> {
        Ok(self.fetch::<(i64,)>(sql, &[]).await?[0].0)
    }

    async fn run<'e>(
        &self,
        executor: impl Executor<'e, Database = Any>,
        sql: &str,
        values: &[Value],
    ) -> anyhow::Result<u64> {
        let mut query = sqlx::query(AssertSqlSafe(self.placeholders(sql)));
        for value in values {
            query = match value {
                Value::Number(number) => query.bind(*number),
                Value::Text(text) => query.bind(text.clone()),
            };
        }
        Ok(query.execute(executor).await?.rows_affected())
    }

    /// `$1` as this database writes it.
    fn placeholders(&self, sql: &str) -> String {
        if self.kind != Kind::MySql {
            return sql.to_owned();
        }
        let mut parts = sql.split('$');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| {
            text + "?" + part.trim_start_matches(|c: char| c.is_ascii_digit())
        })
    }
}
