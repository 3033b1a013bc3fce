use std::{fmt, sync::Arc};

use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};

/// The longest name that every database takes: PostgreSQL cuts after 63 bytes.
const MAX_IDENTIFIER_CHARACTERS: usize = 63;

/// The table that holds the locks, and what its four columns are called.
///
/// The default is ShedLock's: the table `shedlock` with the columns `name`, `lock_until`,
/// `locked_at` and `locked_by`. Names are quoted in each statement, so write them as the database
/// keeps them: PostgreSQL folds what was created without quotes to lower case.
///
/// ```
/// use shedlock_core::LockTable;
///
/// let table = LockTable::new("infra.shedlock")?.with_locked_by_column("holder")?;
/// assert_eq!(table.to_string(), "infra.shedlock");
/// assert!(LockTable::new("shedlock; DROP TABLE users").is_err());
/// # Ok::<(), shedlock_core::LockTableError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LockTable {
    schema: Option<Identifier>,
    table: Identifier,
    columns: [Identifier; 4],
}

impl LockTable {
    /// A table with ShedLock's columns; `schema.table` names one outside of the connection's own
    /// schema (in MySQL: database).
    ///
    /// # Errors
    /// When a name is empty, longer than 63 characters, or has other characters than ASCII
    /// letters, digits and `_`.
    pub fn new(table: &str) -> Result<Self, LockTableError> {
        let (schema, table) = match table.split_once('.') {
            Some((schema, table)) => (Some(Identifier::new(schema)?), table),
            None => (None, table),
        };
        Ok(Self {
            schema,
            table: Identifier::new(table)?,
            ..Self::default()
        })
    }

    /// Another name for the column `name`.
    ///
    /// # Errors
    /// As [`new`](Self::new), and when another column is called so.
    pub fn with_name_column(self, column: &str) -> Result<Self, LockTableError> {
        self.with_column(Column::Name, column)
    }

    /// Another name for the column `lock_until`.
    ///
    /// # Errors
    /// As [`new`](Self::new), and when another column is called so.
    pub fn with_lock_until_column(self, column: &str) -> Result<Self, LockTableError> {
        self.with_column(Column::LockUntil, column)
    }

    /// Another name for the column `locked_at`.
    ///
    /// # Errors
    /// As [`new`](Self::new), and when another column is called so.
    pub fn with_locked_at_column(self, column: &str) -> Result<Self, LockTableError> {
        self.with_column(Column::LockedAt, column)
    }

    /// Another name for the column `locked_by`.
    ///
    /// # Errors
    /// As [`new`](Self::new), and when another column is called so.
    pub fn with_locked_by_column(self, column: &str) -> Result<Self, LockTableError> {
        self.with_column(Column::LockedBy, column)
    }

    fn with_column(mut self, column: Column, name: &str) -> Result<Self, LockTableError> {
        let name = Identifier::new(name)?;
        let taken = |other: &Column| *other != column && self.column(*other) == name.0;
        if Column::ALL.iter().any(taken) {
            return Err(LockTableError::SameColumn { name: name.0 });
        }
        self.columns[column as usize] = name;
        Ok(self)
    }

    pub(in crate::store) fn column(&self, column: Column) -> &str {
        &self.columns[column as usize].0
    }

    #[cfg(any(feature = "mysql", feature = "sqlite"))]
    pub(in crate::store) fn schema(&self) -> Option<&str> {
        self.schema.as_ref().map(|schema| schema.0.as_str())
    }

    #[cfg(any(feature = "mysql", feature = "sqlite"))]
    pub(in crate::store) fn table(&self) -> &str {
        &self.table.0
    }

    /// The table's name as it stands in a statement.
    pub(in crate::store) fn quoted(&self, quote: char) -> String {
        let table = &self.table.0;
        match &self.schema {
            Some(Identifier(schema)) => format!("{quote}{schema}{quote}.{quote}{table}{quote}"),
            None => format!("{quote}{table}{quote}"),
        }
    }

    /// A statement: `{table}` and each `{column}` of the template replaced by their quoted names.
    pub(in crate::store) fn statement(&self, template: &str, quote: char) -> SqlStr {
        let statement = template.replace("{table}", &self.quoted(quote));
        let statement = Column::ALL
            .into_iter()
            .fold(statement, |statement, column| {
                let quoted = format!("{quote}{}{quote}", self.column(column));
                statement.replace(&format!("{{{}}}", column.default_name()), &quoted)
            });
        // The only parts that are not ours have the alphabet of an `Identifier`.
        AssertSqlSafe(Arc::<str>::from(statement)).into_sql_str()
    }
}

impl Default for LockTable {
    fn default() -> Self {
        Self {
            schema: None,
            table: Identifier("shedlock".to_owned()),
            columns: Column::ALL.map(|column| Identifier(column.default_name().to_owned())),
        }
    }
}

impl fmt::Display for LockTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Identifier(schema)) = &self.schema {
            write!(f, "{schema}.")?;
        }
        f.write_str(&self.table.0)
    }
}

/// One of the four columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Column {
    Name,
    LockUntil,
    LockedAt,
    LockedBy,
}

impl Column {
    pub(in crate::store) const ALL: [Self; 4] =
        [Self::Name, Self::LockUntil, Self::LockedAt, Self::LockedBy];

    fn default_name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::LockUntil => "lock_until",
            Self::LockedAt => "locked_at",
            Self::LockedBy => "locked_by",
        }
    }
}

/// A name that is safe between quotes in every database.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Identifier(String);

impl Identifier {
    fn new(name: &str) -> Result<Self, LockTableError> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let problem = if name.is_empty() {
            "is empty"
        } else if name.len() > MAX_IDENTIFIER_CHARACTERS {
            "is longer than 63 characters, the most that every database takes"
        } else if !name.chars().all(allowed) {
            "has other characters than ASCII letters, digits and `_`"
        } else {
            return Ok(Self(name.to_owned()));
        };
        Err(LockTableError::Name {
            name: name.to_owned(),
            problem,
        })
    }
}

/// Why a [`LockTable`] was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LockTableError {
    /// A name can't be used in every database.
    #[error(
        "the table or column name `{name}` {problem}; write it as `shedlock` or `infra.shedlock`"
    )]
    Name {
        /// The name, as written.
        name: String,
        /// The rule that it breaks.
        problem: &'static str,
    },
    /// Two columns have one name.
    #[error("two columns of the lock table are called `{name}`; give each its own name")]
    SameColumn {
        /// The name that two columns have.
        name: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_has_the_tables_own_names_in_quotes() {
        let table = LockTable::new("infra.locks")
            .unwrap()
            .with_name_column("lock_name")
            .unwrap();
        assert_eq!(
            table
                .statement("SELECT {name}, {locked_by} FROM {table}", '"')
                .as_str(),
            r#"SELECT "lock_name", "locked_by" FROM "infra"."locks""#
        );
    }

    #[test]
    fn a_name_that_could_leave_its_quotes_is_refused() {
        let refused = LockTable::new("lock\"s").unwrap_err();
        assert!(refused.to_string().contains("ASCII letters"), "{refused}");
    }

    #[test]
    fn a_second_dot_is_refused() {
        assert!(LockTable::new("database.schema.table").is_err());
    }

    #[test]
    fn a_name_that_a_database_would_cut_is_refused() {
        assert!(LockTable::new(&"t".repeat(63)).is_ok());
        let refused = LockTable::new(&"t".repeat(64)).unwrap_err();
        assert!(refused.to_string().contains("63"), "{refused}");
    }

    #[test]
    fn two_columns_of_one_name_are_refused() {
        let refused = LockTable::default().with_name_column("locked_by");
        assert_eq!(
            refused,
            Err(LockTableError::SameColumn {
                name: "locked_by".to_owned()
            })
        );
    }
}
