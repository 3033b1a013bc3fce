use std::collections::HashMap;

use sqlx::{Executor, MySqlConnection, SqlStr, mysql::MySqlDatabaseError};

use super::MySqlStatements;
use crate::{
    LockError, LockTable,
    store::sql::{Column, Faults, SqlStore, setup, store_error},
};

/// As in `docs/sql/mysql.sql`.
const CREATE_TABLE: &str = "\
CREATE TABLE IF NOT EXISTS {table} (
    {name} VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
    {lock_until} DATETIME(6) NOT NULL,
    {locked_at} DATETIME(6) NOT NULL,
    {locked_by} VARCHAR(255) NOT NULL
);";

fn create_table(table: &LockTable) -> SqlStr {
    table.statement(CREATE_TABLE, '`')
}

pub(super) async fn migrate(store: &SqlStore<MySqlStatements>) -> Result<(), LockError> {
    let mut taken = store.connect().await?;
    let table = store.table();
    create(&mut taken.connection, table)
        .await
        .map_err(|error| refused_migration(table, error))?;
    taken.keep();
    Ok(())
}

async fn create(connection: &mut MySqlConnection, table: &LockTable) -> sqlx::Result<()> {
    // Who may not create tables may still use one.
    if Layout::read(connection, table).await?.columns.is_empty() {
        sqlx::query(create_table(table)).execute(connection).await?;
    }
    Ok(())
}

pub(super) async fn check(store: &SqlStore<MySqlStatements>) -> Result<(), LockError> {
    let mut taken = store.connect().await?;
    let (connection, table) = (&mut taken.connection, store.table());
    let refused = |error| refused_access(table, error);

    let layout = Layout::read(connection, table).await.map_err(refused)?;
    if layout.columns.is_empty() {
        return Err(setup::<MySqlStatements>(
            format!("there is no table `{table}` that the connection sees"),
            format!("call `migrate()`, or run: {}", create_table(table).as_str()),
        ));
    }
    if let Some(collation) = layout.folding_collation(table) {
        warn_of_folded_names(table, collation);
    }
    layout
        .faults(table)
        .report::<MySqlStatements>(&table.quoted('`'), "SET time_zone = '+00:00'; ")?;
    probe(connection, store).await.map_err(refused)?;
    taken.keep();
    Ok(())
}

/// The server checks the privileges of what it prepares, and fails what changes no row where
/// nothing may be written.
async fn probe(
    connection: &mut MySqlConnection,
    store: &SqlStore<MySqlStatements>,
) -> sqlx::Result<()> {
    let statements = store.statements();
    for statement in [&statements.acquire, &statements.insert] {
        (&mut *connection).prepare(statement.clone()).await?;
    }
    let nothing = "UPDATE {table} SET {lock_until} = {lock_until} WHERE {name} IS NULL";
    sqlx::query(store.table().statement(nothing, '`'))
        .execute(connection)
        .await?;
    Ok(())
}

/// What the table is made of.
struct Layout {
    columns: HashMap<String, ColumnType>,
    name_is_unique: bool,
    server_zone: String,
}

struct ColumnType {
    /// As it is written: `varchar(64)`.
    written: String,
    kind: String,
    /// Characters of a text, digits after the second of a time.
    size: Option<u64>,
    collation: Option<String>,
    /// That an INSERT has to fill it.
    obligatory: bool,
}

impl Layout {
    async fn read(connection: &mut MySqlConnection, table: &LockTable) -> sqlx::Result<Self> {
        type Row = (String, String, String, Option<u64>, Option<String>, bool);
        let columns: Vec<Row> = sqlx::query_as(
            "SELECT CAST(column_name AS CHAR), CAST(column_type AS CHAR), \
                CAST(data_type AS CHAR), \
                CAST(COALESCE(character_maximum_length, datetime_precision) AS UNSIGNED), \
                CAST(collation_name AS CHAR), \
                is_nullable = 'NO' AND column_default IS NULL AND extra NOT LIKE '%auto_increment%' \
                    AND extra NOT LIKE '%generated%' \
             FROM information_schema.columns \
             WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ?",
        )
        .bind(table.schema())
        .bind(table.table())
        .fetch_all(&mut *connection)
        .await?;
        // An index on the whole name alone.
        let name_is_unique = sqlx::query_scalar(
            "SELECT EXISTS (\
                SELECT index_name FROM information_schema.statistics \
                WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ? AND non_unique = 0 \
                GROUP BY index_name \
                HAVING COUNT(*) = 1 AND MAX(column_name) = ? AND MAX(sub_part) IS NULL)",
        )
        .bind(table.schema())
        .bind(table.table())
        .bind(table.column(Column::Name))
        .fetch_one(&mut *connection)
        .await?;
        let server_zone = sqlx::query_scalar(
            "SELECT CAST(\
                IF(@@global.time_zone = 'SYSTEM', @@system_time_zone, @@global.time_zone) AS CHAR)",
        )
        .fetch_one(connection)
        .await?;
        let columns =
            columns
                .into_iter()
                .map(|(name, written, kind, size, collation, obligatory)| {
                    let r#type = ColumnType {
                        written,
                        kind,
                        size,
                        collation,
                        obligatory,
                    };
                    (name, r#type)
                });
        Ok(Self {
            columns: columns.collect(),
            name_is_unique,
            server_zone,
        })
    }

    fn faults(&self, table: &LockTable) -> Faults {
        let mut faults = Faults::default();
        for column in Column::ALL {
            let (name, wanted) = (table.column(column), wanted(column));
            match self.columns.get(name) {
                None => faults.add(
                    format!("column `{name}` is missing"),
                    format!("ADD COLUMN `{name}` {wanted}"),
                ),
                Some(found) => {
                    if let Some(problem) = self.problem(column, found) {
                        faults.add(
                            format!("column `{name}` is `{}`, {problem}", found.written),
                            format!("MODIFY COLUMN `{name}` {wanted}"),
                        );
                    }
                }
            }
        }
        let name = table.column(Column::Name);
        if !self.name_is_unique {
            faults.add(
                format!("column `{name}` has no primary key or unique constraint"),
                format!("ADD UNIQUE (`{name}`)"),
            );
        }
        let ours = |name: &str| Column::ALL.iter().any(|our| table.column(*our) == name);
        for (name, found) in &self.columns {
            if found.obligatory && !ours(name) {
                faults.add(
                    format!("column `{name}` has no default"),
                    format!("MODIFY COLUMN `{name}` {} NULL", found.written),
                );
            }
        }
        faults
    }

    /// Why a column of this type can't be used.
    fn problem(&self, column: Column, found: &ColumnType) -> Option<String> {
        let shorter_than = |least| found.size.is_none_or(|size| size < least);
        let problem = match (column, found.kind.as_str()) {
            (Column::LockUntil | Column::LockedAt, "datetime" | "timestamp") if shorter_than(3) => {
                "which cuts a lock by more than a millisecond"
            }
            (Column::LockUntil | Column::LockedAt, "timestamp") => {
                let zone = &self.server_zone;
                if ["UTC", "Etc/UTC", "+00:00"].contains(&zone.as_str()) {
                    return None;
                }
                return Some(format!(
                    "which follows the time zone of each session, and the server's is {zone}"
                ));
            }
            (Column::LockUntil | Column::LockedAt, "datetime") => return None,
            (Column::LockUntil | Column::LockedAt, _) => "which is not a `DATETIME`",
            (Column::Name, "varchar") if shorter_than(64) => {
                "which is shorter than a lock's name may be"
            }
            (Column::LockedBy, "varchar") if shorter_than(255) => {
                "which is shorter than an owner may be"
            }
            (Column::Name | Column::LockedBy, "varchar") => return None,
            (Column::Name | Column::LockedBy, _) => "which is not a `VARCHAR`",
        };
        Some(problem.to_owned())
    }

    /// The collation of the name, if different names can be equal in it.
    fn folding_collation(&self, table: &LockTable) -> Option<&str> {
        let name = self.columns.get(table.column(Column::Name))?;
        let collation = name.collation.as_deref()?;
        let exact = ["_bin", "_as_cs"];
        (!exact.iter().any(|end| collation.ends_with(end))).then_some(collation)
    }
}

/// ShedLock's own table has the default collation of its database, so it is no reason to refuse
/// one.
#[cfg_attr(
    not(feature = "tracing"),
    expect(unused_variables, reason = "nobody listens")
)]
fn warn_of_folded_names(table: &LockTable, collation: &str) {
    #[cfg(feature = "tracing")]
    tracing::warn!(
        %table,
        collation,
        "lock names that differ in case or accents only are one lock; \
        make the column of the names {}",
        wanted(Column::Name)
    );
}

fn wanted(column: Column) -> &'static str {
    match column {
        Column::Name => "VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL",
        Column::LockUntil | Column::LockedAt => "DATETIME(6) NOT NULL",
        Column::LockedBy => "VARCHAR(255) NOT NULL",
    }
}

fn refused_migration(table: &LockTable, error: sqlx::Error) -> LockError {
    let create = create_table(table);
    match number(&error) {
        // Unknown database, no database selected
        Some(1049 | 1046) => setup::<MySqlStatements>(
            format!("there is no database for the table `{table}`: {error}"),
            format!("create the database, then: {}", create.as_str()),
        ),
        // Access denied to the database or the table
        Some(1044 | 1142) => setup::<MySqlStatements>(
            format!("the table `{table}` can't be created: {error}"),
            format!("run as a user who may: {}", create.as_str()),
        ),
        _ => store_error::<MySqlStatements>(error),
    }
}

fn refused_access(table: &LockTable, error: sqlx::Error) -> LockError {
    match number(&error) {
        // Access denied to the database, the table or a column
        Some(1044 | 1142 | 1143) => setup::<MySqlStatements>(
            format!("the table `{table}` can't be used: {error}"),
            format!(
                "let the connection's user write: GRANT SELECT, INSERT, UPDATE ON {} TO ..;",
                table.quoted('`')
            ),
        ),
        // The server runs with an option, `--read-only` or its like
        Some(1290 | 1836) => setup::<MySqlStatements>(
            format!("the server takes no writes: {error}"),
            "connect to the primary",
        ),
        _ => store_error::<MySqlStatements>(error),
    }
}

fn number(error: &sqlx::Error) -> Option<u16> {
    let error = error.as_database_error()?;
    Some(error.try_downcast_ref::<MySqlDatabaseError>()?.number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sql_for_hand_made_tables_is_the_one_of_migrate() {
        let documented = include_str!("../../../../docs/sql/mysql.sql");
        let statement = documented.split_once("\nCREATE").unwrap().1.trim_end();
        let created = create_table(&LockTable::default());
        assert_eq!(
            format!("CREATE{statement}"),
            created.as_str().replace('`', "")
        );
    }
}
