use std::collections::HashMap;

use sqlx::{AssertSqlSafe, Connection, PgConnection, SqlStr, postgres::types::PgInterval};

use super::PostgresStatements;
use crate::{
    LockError, LockTable,
    store::sql::{Column, Faults, SqlStore, setup, store_error},
};

/// As in `docs/sql/postgres.sql`.
const CREATE_TABLE: &str = "\
CREATE TABLE IF NOT EXISTS {table} (
    {name} varchar(64) NOT NULL PRIMARY KEY,
    {lock_until} timestamp NOT NULL,
    {locked_at} timestamp NOT NULL,
    {locked_by} varchar(255) NOT NULL
);";

fn create_table(table: &LockTable) -> SqlStr {
    table.statement(CREATE_TABLE, '"')
}

pub(super) async fn migrate(store: &SqlStore<PostgresStatements>) -> Result<(), LockError> {
    let mut taken = store.connect().await?;
    let table = store.table();
    create(&mut taken.connection, table)
        .await
        .map_err(|error| refused_migration(table, error))?;
    taken.keep();
    Ok(())
}

/// `CREATE TABLE IF NOT EXISTS` alone fails when two nodes create the table at once, and the
/// server logs that as an error.
async fn create(connection: &mut PgConnection, table: &LockTable) -> sqlx::Result<()> {
    if exists(connection, table).await? {
        return Ok(());
    }
    let mut transaction = connection.begin().await?;
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('shedlock ' || $1, 0))")
        .bind(table.to_string())
        .execute(&mut *transaction)
        .await?;
    if !exists(&mut transaction, table).await? {
        sqlx::query(create_table(table))
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await
}

async fn exists(connection: &mut PgConnection, table: &LockTable) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL")
        .bind(table.quoted('"'))
        .fetch_one(connection)
        .await
}

pub(super) async fn check(store: &SqlStore<PostgresStatements>) -> Result<(), LockError> {
    let mut taken = store.connect().await?;
    let (connection, table) = (&mut taken.connection, store.table());
    let refused = |error| refused_access(table, error);

    if !exists(connection, table).await.map_err(refused)? {
        return Err(setup::<PostgresStatements>(
            format!("there is no table `{table}` that the connection sees"),
            format!("call `migrate()`, or run: {}", create_table(table).as_str()),
        ));
    }
    let layout = Layout::read(connection, table).await.map_err(refused)?;
    layout
        .faults(table)
        .report::<PostgresStatements>(&table.quoted('"'), "")?;
    if read_only(connection).await.map_err(refused)? {
        return Err(setup::<PostgresStatements>(
            "the server takes no writes".to_owned(),
            "connect to the primary, or turn `default_transaction_read_only` off",
        ));
    }
    // The server checks the privileges of a statement that it only explains.
    let explain = format!("EXPLAIN {}", store.statements().acquire.as_str());
    sqlx::query(AssertSqlSafe(explain))
        .bind("")
        .bind("")
        .bind(PgInterval::default())
        .execute(&mut *connection)
        .await
        .map_err(refused)?;
    taken.keep();
    Ok(())
}

async fn read_only(connection: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT current_setting('transaction_read_only')::boolean")
        .fetch_one(connection)
        .await
}

/// What the table is made of.
struct Layout {
    columns: HashMap<String, String>,
    /// Columns besides the four that an INSERT would have to fill.
    obligatory: Vec<String>,
    name_is_unique: bool,
}

impl Layout {
    async fn read(connection: &mut PgConnection, table: &LockTable) -> sqlx::Result<Self> {
        let columns: Vec<(String, String, bool)> = sqlx::query_as(
            "SELECT attname::text, format_type(atttypid, atttypmod), \
                attnotnull AND NOT atthasdef AND attidentity = '' \
             FROM pg_attribute \
             WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped",
        )
        .bind(table.quoted('"'))
        .fetch_all(&mut *connection)
        .await?;
        // `ON CONFLICT` needs an index on the name alone, that is not partial and not deferrable.
        let name_is_unique = sqlx::query_scalar(
            "SELECT EXISTS (\
                SELECT 1 FROM pg_index \
                JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] \
                WHERE indrelid = to_regclass($1) AND attname = $2 AND indnkeyatts = 1 \
                    AND indisunique AND indisvalid AND indimmediate AND indpred IS NULL)",
        )
        .bind(table.quoted('"'))
        .bind(table.column(Column::Name))
        .fetch_one(connection)
        .await?;
        let ours = |column: &str| Column::ALL.iter().any(|our| table.column(*our) == column);
        Ok(Self {
            obligatory: columns
                .iter()
                .filter(|(column, _, obligatory)| *obligatory && !ours(column))
                .map(|(column, ..)| column.clone())
                .collect(),
            columns: columns
                .into_iter()
                .map(|(column, r#type, _)| (column, r#type))
                .collect(),
            name_is_unique,
        })
    }

    fn faults(&self, table: &LockTable) -> Faults {
        let mut faults = Faults::default();
        for column in Column::ALL {
            let name = table.column(column);
            let wanted = wanted(column);
            match self.columns.get(name) {
                None => faults.add(
                    format!("column `{name}` is missing"),
                    format!("ADD COLUMN \"{name}\" {wanted} NOT NULL"),
                ),
                Some(r#type) => {
                    if let Some(problem) = problem(column, r#type) {
                        faults.add(
                            format!("column `{name}` is `{type}`, {problem}"),
                            format!(
                                "ALTER COLUMN \"{name}\" TYPE {wanted}{}",
                                conversion(name, r#type, wanted)
                            ),
                        );
                    }
                }
            }
        }
        let name = table.column(Column::Name);
        if !self.name_is_unique {
            faults.add(
                format!("column `{name}` has no primary key or unique constraint"),
                format!("ADD UNIQUE (\"{name}\")"),
            );
        }
        for name in &self.obligatory {
            faults.add(
                format!("column `{name}` has no default"),
                format!("ALTER COLUMN \"{name}\" DROP NOT NULL"),
            );
        }
        faults
    }
}

fn wanted(column: Column) -> &'static str {
    match column {
        Column::Name => "varchar(64)",
        Column::LockUntil | Column::LockedAt => "timestamp",
        Column::LockedBy => "varchar(255)",
    }
}

/// Why a column of this type can't be used.
fn problem(column: Column, r#type: &str) -> Option<&'static str> {
    let (kind, length) = match r#type.split_once('(') {
        Some((kind, rest)) => {
            let (length, rest) = rest.split_once(')').unwrap_or((rest, ""));
            (format!("{kind}{rest}"), length.parse::<u32>().ok())
        }
        None => (r#type.to_owned(), None),
    };
    let shorter_than = |least| length.is_some_and(|length| length < least);
    match column {
        Column::LockUntil | Column::LockedAt => match kind.as_str() {
            "timestamp with time zone" => Some("which follows the time zone of each session"),
            "timestamp without time zone" if shorter_than(3) => {
                Some("which cuts a lock by more than a millisecond")
            }
            "timestamp without time zone" => None,
            _ => Some("which is not a `timestamp`"),
        },
        Column::Name | Column::LockedBy => match kind.as_str() {
            "character varying" if column == Column::Name && shorter_than(64) => {
                Some("which is shorter than a lock's name may be")
            }
            "character varying" if column == Column::LockedBy && shorter_than(255) => {
                Some("which is shorter than an owner may be")
            }
            "character varying" | "text" => None,
            _ => Some("which does not keep a text as it is"),
        },
    }
}

/// How the values come over into the new type, where PostgreSQL would not know or would use the
/// session's zone.
fn conversion(name: &str, r#type: &str, wanted: &str) -> String {
    if wanted != "timestamp" || r#type.ends_with("without time zone") {
        String::new()
    } else if r#type.ends_with("with time zone") && r#type.starts_with("timestamp") {
        format!(" USING \"{name}\" AT TIME ZONE 'UTC'")
    } else {
        " USING timezone('utc', clock_timestamp())".to_owned()
    }
}

fn refused_migration(table: &LockTable, error: sqlx::Error) -> LockError {
    let create = create_table(table);
    match code(&error).as_deref() {
        // invalid_schema_name
        Some("3F000") => setup::<PostgresStatements>(
            format!("there is no schema for the table `{table}`"),
            format!("create the schema, then: {}", create.as_str()),
        ),
        // insufficient_privilege
        Some("42501") => setup::<PostgresStatements>(
            format!("the table `{table}` can't be created: {error}"),
            format!("run as a user who may: {}", create.as_str()),
        ),
        _ => store_error::<PostgresStatements>(error),
    }
}

fn refused_access(table: &LockTable, error: sqlx::Error) -> LockError {
    if code(&error).as_deref() != Some("42501") {
        return store_error::<PostgresStatements>(error);
    }
    setup::<PostgresStatements>(
        format!("the table `{table}` can't be used: {error}"),
        format!(
            "grant the connection's user USAGE on the schema, and run: GRANT SELECT, INSERT, UPDATE ON {} TO ..;",
            table.quoted('"')
        ),
    )
}

fn code(error: &sqlx::Error) -> Option<String> {
    let code = error.as_database_error()?.code()?;
    Some(code.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sql_for_hand_made_tables_is_the_one_of_migrate() {
        let documented = include_str!("../../../../docs/sql/postgres.sql");
        let statement = documented.split_once("\nCREATE").unwrap().1.trim_end();
        let created = create_table(&LockTable::default());
        assert_eq!(
            format!("CREATE{statement}"),
            created.as_str().replace('"', "")
        );
    }
}
