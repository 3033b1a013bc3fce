use super::{Statements, setup};
use crate::LockError;

/// What is wrong with a lock table, each with the part of an `ALTER TABLE` that corrects it.
#[derive(Debug, Default)]
pub(in crate::store) struct Faults {
    problems: Vec<String>,
    changes: Vec<String>,
}

impl Faults {
    pub(in crate::store) fn add(&mut self, problem: String, change: String) {
        self.problems.push(problem);
        self.changes.push(change);
    }

    /// Reports all of them at once, with the one statement that corrects them after `before`.
    pub(in crate::store) fn report<S: Statements>(
        self,
        table: &str,
        before: &str,
    ) -> Result<(), LockError> {
        if self.problems.is_empty() {
            return Ok(());
        }
        let changes = self.changes.join(", ");
        Err(setup::<S>(
            format!("in table {table} {}", self.problems.join("; ")),
            format!("while no job runs, run: {before}ALTER TABLE {table} {changes};"),
        ))
    }
}
