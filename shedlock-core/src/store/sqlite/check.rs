use std::{collections::HashMap, path::Path};

use sqlx::{SqlStr, SqliteConnection, error::DatabaseError};

use super::SqliteStatements;
use crate::{
    LockError, LockTable,
    store::sql::{Column, SqlStore, Taken, setup, store_error},
};

/// As in `docs/sql/sqlite.sql`.
const CREATE_TABLE: &str = "\
CREATE TABLE IF NOT EXISTS {table} (
    {name} TEXT NOT NULL PRIMARY KEY,
    {lock_until} INTEGER NOT NULL,
    {locked_at} INTEGER NOT NULL,
    {locked_by} TEXT NOT NULL
) STRICT, WITHOUT ROWID;";

fn create_table(table: &LockTable) -> SqlStr {
    table.statement(CREATE_TABLE, '"')
}

pub(super) async fn migrate(store: &SqlStore<SqliteStatements>) -> Result<(), LockError> {
    let mut taken = connect(store).await?;
    let created = create(&mut taken.connection, store.table()).await;
    created.map_err(|error| refused_access(store, error))?;
    taken.keep();
    Ok(())
}

async fn create(connection: &mut SqliteConnection, table: &LockTable) -> sqlx::Result<()> {
    // Readers then never block the locks, nor the locks them.
    sqlx::query("PRAGMA journal_mode = WAL")
        .execute(&mut *connection)
        .await?;
    sqlx::query(create_table(table)).execute(connection).await?;
    Ok(())
}

pub(super) async fn check(store: &SqlStore<SqliteStatements>) -> Result<(), LockError> {
    let mut taken = connect(store).await?;
    let connection = &mut taken.connection;
    let refused = |error| refused_access(store, error);
    let table = store.table();
    let layout = Layout::read(connection, table).await.map_err(refused)?;
    let problems = layout.problems(table);
    if layout.columns.is_empty() {
        return Err(setup::<SqliteStatements>(
            format!("there is no table `{table}`"),
            format!("call `migrate()`, or run: {}", create_table(table).as_str()),
        ));
    }
    if !problems.is_empty() {
        // SQLite can't change a column's type.
        let (quoted, create) = (table.quoted('"'), create_table(table));
        return Err(setup::<SqliteStatements>(
            format!("in table `{table}` {}", problems.join("; ")),
            format!(
                "while no job runs, run: DROP TABLE {quoted}; {}",
                create.as_str()
            ),
        ));
    }
    // Writes nothing, and fails where nothing may be written.
    let write = table.statement(
        "UPDATE {table} SET {lock_until} = {lock_until} WHERE false",
        '"',
    );
    let written = sqlx::query(write).execute(connection).await;
    written.map_err(refused)?;
    taken.keep();
    Ok(())
}

async fn connect(store: &SqlStore<SqliteStatements>) -> Result<Taken<'_, sqlx::Sqlite>, LockError> {
    if store.options().get_filename() == Path::new(":memory:") {
        return Err(setup::<SqliteStatements>(
            "the in-memory database belongs to one connection of the application".to_owned(),
            "use a file, or the URL `sqlite::memory:`, whose connections share one database",
        ));
    }
    store.connect().await
}

/// What the table is made of.
struct Layout {
    columns: HashMap<String, String>,
    name_is_unique: bool,
}

impl Layout {
    async fn read(connection: &mut SqliteConnection, table: &LockTable) -> sqlx::Result<Self> {
        let columns: Vec<(String, String)> =
            sqlx::query_as("SELECT name, type FROM pragma_table_info($1, $2)")
                .bind(table.table())
                .bind(table.schema())
                .fetch_all(&mut *connection)
                .await?;
        // An index on the name alone, over all rows, that tells `job` and `JOB` apart.
        let name_is_unique = sqlx::query_scalar(
            "SELECT EXISTS (\
                SELECT 1 FROM pragma_index_list($1, $2) AS list \
                WHERE \"unique\" AND NOT partial AND (\
                    SELECT group_concat(info.name || ' ' || coll) \
                    FROM pragma_index_xinfo(list.name, $2) AS info WHERE key\
                ) = $3 || ' BINARY')",
        )
        .bind(table.table())
        .bind(table.schema())
        .bind(table.column(Column::Name))
        .fetch_one(connection)
        .await?;
        Ok(Self {
            columns: columns.into_iter().collect(),
            name_is_unique,
        })
    }

    fn problems(&self, table: &LockTable) -> Vec<String> {
        let mut problems = Vec::new();
        for column in Column::ALL {
            let name = table.column(column);
            let (kind, wanted) = match column {
                Column::Name | Column::LockedBy => (["TEXT", "CHAR"], "a text"),
                Column::LockUntil | Column::LockedAt => (["INT", "INT"], "an integer"),
            };
            match self.columns.get(name).map(|r#type| r#type.to_uppercase()) {
                None => problems.push(format!("column `{name}` is missing")),
                Some(found) if !kind.iter().any(|kind| found.contains(kind)) => {
                    problems.push(format!(
                        "column `{name}` is `{found}`, which is not {wanted}"
                    ));
                }
                Some(_) => {}
            }
        }
        if !self.name_is_unique {
            let name = table.column(Column::Name);
            problems.push(format!(
                "column `{name}` has no primary key or unique constraint that tells letters of different case apart"
            ));
        }
        problems
    }
}

fn refused_access(store: &SqlStore<SqliteStatements>, error: sqlx::Error) -> LockError {
    const READONLY: u32 = 8;
    // The lowest byte is the kind of error.
    let code = error.as_database_error().and_then(DatabaseError::code);
    let code = code.and_then(|code| code.parse::<u32>().ok());
    if code.is_some_and(|code| code & 0xff == READONLY) {
        return setup::<SqliteStatements>(
            format!("{} takes no writes: {error}", store.server()),
            "let the process write to the file and its directory, and open it without `mode=ro`",
        );
    }
    store_error::<SqliteStatements>(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sql_for_hand_made_tables_is_the_one_of_migrate() {
        let documented = include_str!("../../../../docs/sql/sqlite.sql");
        let statement = documented.split_once("\nCREATE").unwrap().1.trim_end();
        let created = create_table(&LockTable::default());
        assert_eq!(
            format!("CREATE{statement}"),
            created.as_str().replace('"', "")
        );
    }
}
