-- The lock table of `PostgresLockProvider`, as its `migrate()` creates it and as ShedLock knows
-- it. The times are in UTC and have no zone: `timestamptz` would follow each session's zone.
CREATE TABLE IF NOT EXISTS shedlock (
    name varchar(64) NOT NULL PRIMARY KEY,
    lock_until timestamp NOT NULL,
    locked_at timestamp NOT NULL,
    locked_by varchar(255) NOT NULL
);
