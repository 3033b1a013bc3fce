//! A transactional function that finds no pool says what to do, and so does one that is compiled
//! without a database.

#![cfg(feature = "macros")]

use std::{env, fs, path::Path, process::Command};

use shedlock::transactional;
use sqlx::SqliteTransaction;

#[transactional]
async fn pay(_: &mut SqliteTransaction<'_>) -> sqlx::Result<()> {
    Ok(())
}

#[tokio::test]
async fn a_call_without_a_pool_is_an_error_with_the_fix() {
    let error = pay().await.unwrap_err().to_string();
    assert!(
        error.contains("no pool of SQLite connections is registered: call `.data(pool)`"),
        "{error}"
    );
}

#[test]
fn without_a_feature_of_a_database_each_function_has_one_error() {
    let shedlock = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(directory.path().join(name), text).unwrap();
    write(
        "Cargo.toml",
        format!(
            "[package]\nname = \"without-database\"\nedition = \"2024\"\n\
             [lib]\npath = \"lib.rs\"\n\
             [dependencies]\nshedlock = {{ path = {shedlock:?} }}\n\
             [workspace]\n"
        ),
    );
    write(
        "lib.rs",
        "use shedlock::{scheduled, scheduler_lock, transactional};\n\
         #[scheduled(fixed_rate = \"1h\")]\n\
         #[scheduler_lock(name = \"pay\")]\n\
         #[transactional]\n\
         async fn pay(tx: &mut String) -> Result<(), shedlock::LockError> { tx.clear(); Ok(()) }\n\
         #[transactional]\n\
         pub async fn directly(tx: &mut String) -> Result<(), ()> { tx.clear(); Ok(()) }\n"
            .to_owned(),
    );
    fs::copy(
        shedlock.join("Cargo.lock"),
        directory.path().join("Cargo.lock"),
    )
    .unwrap();
    let cargo = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--message-format=short"])
        .current_dir(&directory)
        .env("CARGO_TARGET_DIR", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&cargo.stderr);
    let errors: Vec<_> = output
        .lines()
        .filter_map(|line| line.split_once(": error: "))
        .map(|(_, error)| error)
        .collect();
    let needs = "`#[transactional]` needs a database: enable the feature `postgres`, `mysql` or `sqlite` of `shedlock`";
    assert_eq!(errors, [needs, needs], "{output}");
}
