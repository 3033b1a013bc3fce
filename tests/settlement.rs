//! The reference application keeps its promise: nothing comes in twice.

use std::{
    env,
    path::PathBuf,
    process::{Command, Output},
};

/// The example's program, which `cargo test` builds beside this test.
fn program() -> PathBuf {
    let test = env::current_exe().unwrap();
    let target = test.ancestors().nth(2).unwrap();
    let program = target
        .join("examples")
        .join("settlement")
        .with_extension(env::consts::EXE_EXTENSION);
    assert!(
        program.exists(),
        "build it first: cargo build --example settlement"
    );
    program
}

fn settlement(arguments: &[&str]) -> Output {
    Command::new(program())
        .args(["--for", "11s"])
        .args(arguments)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn assert_exactly_once(output: &Output) {
    let text = text(output);
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("duplicates: 0\nevery fact was delivered exactly once"),
        "{text}"
    );
}

/// How many duplicates the report counts.
fn duplicates(text: &str) -> u32 {
    let count = text
        .lines()
        .find_map(|line| line.strip_prefix("duplicates: "));
    count
        .unwrap_or_else(|| panic!("no count in: {text}"))
        .parse()
        .unwrap()
}

#[test]
fn three_replicas_deliver_everything_once() {
    assert_exactly_once(&settlement(&[]));
}

#[test]
fn without_locks_things_come_in_twice() {
    let output = settlement(&["--unlocked"]);
    let text = text(&output);
    assert!(output.status.success(), "{text}");
    assert!(duplicates(&text) > 0, "{text}");
    assert!(
        text.contains("this is what happens without locks"),
        "{text}"
    );
}

#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn three_replicas_on_postgres_deliver_everything_once() {
    let url = env::var("SHEDLOCK_TEST_POSTGRES_URL").unwrap();
    assert_exactly_once(&settlement(&["--store", &url]));
}

#[test]
#[ignore = "needs MariaDB: cargo xtask test"]
fn three_replicas_on_mariadb_deliver_everything_once() {
    let url = env::var("SHEDLOCK_TEST_MARIADB_URL").unwrap();
    assert_exactly_once(&settlement(&["--store", &url]));
}

#[test]
fn a_store_that_is_none_is_an_error_with_the_fix() {
    let output = settlement(&["--store", "oracle://elsewhere"]);
    assert!(!output.status.success());
    assert!(
        text(&output).contains("write `sqlite://file`"),
        "{}",
        text(&output)
    );
}
