-- The lock table of `SqliteLockProvider`, as its `migrate()` creates it. The times are
-- milliseconds since 1970-01-01 UTC. Let the database be in WAL mode: PRAGMA journal_mode = WAL.
CREATE TABLE IF NOT EXISTS shedlock (
    name TEXT NOT NULL PRIMARY KEY,
    lock_until INTEGER NOT NULL,
    locked_at INTEGER NOT NULL,
    locked_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
