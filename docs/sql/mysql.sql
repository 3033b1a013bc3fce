-- The lock table of `MySqlLockProvider` (MySQL and MariaDB), as its `migrate()` creates it. ShedLock
-- can share it. The times are in UTC: `TIMESTAMP` would follow each session's zone. The binary
-- collation tells `job` and `JOB` apart.
CREATE TABLE IF NOT EXISTS shedlock (
    name VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
    lock_until DATETIME(6) NOT NULL,
    locked_at DATETIME(6) NOT NULL,
    locked_by VARCHAR(255) NOT NULL
);
