//! What only a package of its own shows: the service that its manifest declares, and features that
//! it has not enabled.

use std::{fs, path::PathBuf, process::Command};

/// A package that depends on `shedlock`.
struct Package {
    directory: PathBuf,
}

impl Package {
    fn new(name: &str, features: &str, source: &str) -> Self {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let workspace = env!("CARGO_MANIFEST_DIR");
        let manifest = format!(
            r#"
                [package]
                name = "{name}"
                edition = "2024"

                [workspace]

                [dependencies]
                shedlock = {{ path = "{workspace}", default-features = false, features = [{features}] }}
                tokio = {{ version = "1", features = ["macros", "rt"] }}
            "#
        );
        fs::create_dir_all(directory.join("src")).unwrap();
        fs::write(directory.join("Cargo.toml"), manifest).unwrap();
        fs::write(directory.join("src/main.rs"), source).unwrap();
        fs::copy(
            format!("{workspace}/Cargo.lock"),
            directory.join("Cargo.lock"),
        )
        .unwrap();
        Self { directory }
    }

    /// Appends to the manifest and touches nothing else.
    fn declare(&self, metadata: &str) {
        let manifest = self.directory.join("Cargo.toml");
        let declared = fs::read_to_string(&manifest).unwrap() + metadata;
        fs::write(manifest, declared).unwrap();
    }

    /// What the compiler or the program says, and whether all is well.
    fn cargo(&self, command: &str) -> (bool, String) {
        let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("consumers-target");
        let output = Command::new(env!("CARGO"))
            .args([command, "--offline", "--quiet", "--color=never"])
            .current_dir(&self.directory)
            .env("CARGO_TARGET_DIR", target)
            .env_remove("RUSTFLAGS")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), said)
    }

    #[track_caller]
    fn compiles(&self) {
        let (compiles, said) = self.cargo("check");
        assert!(compiles, "{said}");
    }

    #[track_caller]
    fn does_not_compile(&self, expected: &[&str]) {
        let (compiles, said) = self.cargo("check");
        assert!(!compiles);
        for expected in expected {
            assert!(said.contains(expected), "{said}");
        }
        let errors = said.matches("\nerror").count() + usize::from(said.starts_with("error"));
        // The last one says how many there were.
        assert_eq!(errors, expected.len() + 1, "{said}");
    }
}

const SETTLEMENT: &str = "[package.metadata.shedlock]\nservice = \"settlement\"\n";

#[test]
fn a_lock_name_without_the_prefix_of_the_declared_service_does_not_compile() {
    let package = Package::new(
        "foreign-locks",
        r#""macros", "scheduler""#,
        r#"
            use shedlock::{scheduled, scheduler_lock};

            #[scheduled(cron = "@daily")]
            #[scheduler_lock(name = "payout-execute")]
            async fn execute_payouts() {}

            #[scheduler_lock(name = "${REPORT_LOCK:settlement_report}")]
            fn report() {}

            #[scheduled(cron = "@daily")]
            #[scheduler_lock(name = "settlement-confirm")]
            async fn confirm() {}

            fn main() {
                report();
            }
        "#,
    );
    package.compiles();
    // Nothing but the manifest changes.
    package.declare(SETTLEMENT);
    package.does_not_compile(&[
        "lock name `payout-execute` lacks the prefix of the service `settlement`; write `settlement-payout-execute`\n --> src/main.rs:5:37",
        "lock name `settlement_report` lacks the prefix of the service `settlement`; write `settlement-report`\n       (with defaults the text is `settlement_report`)\n --> src/main.rs:8:37",
    ]);
}

#[test]
fn what_is_declared_and_no_service_does_not_compile() {
    let package = Package::new(
        "no-service",
        r#""macros""#,
        r#"
            #[shedlock::scheduler_lock(name = "report")]
            fn report() {}

            fn main() {
                report();
            }
        "#,
    );
    package.declare("[package.metadata.shedlock]\nservice = true\n");
    package.does_not_compile(&[
        "`[package.metadata.shedlock]` in Cargo.toml: `service` takes a text: `service = \"settlement\"`",
    ]);
}

#[test]
fn the_declared_service_stands_in_locked_by() {
    let package = Package::new(
        "declared-service",
        r#""macros", "scheduler""#,
        r#"
            use shedlock::{ActiveLock, MemoryLockProvider, Scheduler, scheduled, scheduler_lock};

            #[scheduled(cron = "@daily")]
            #[scheduler_lock(name = "settlement-report", lock_at_most_for = "1m")]
            async fn report() {
                let lock = ActiveLock::current().unwrap();
                assert!(lock.owner().as_str().starts_with("settlement@"), "{}", lock.owner());
                eprintln!("checked");
            }

            #[tokio::main(flavor = "current_thread")]
            async fn main() {
                let locks = MemoryLockProvider::new();
                let _scheduler = Scheduler::builder().lock_provider(locks).discover().build().unwrap();
                report().await;
            }
        "#,
    );
    package.declare(SETTLEMENT);
    assert_eq!(package.cargo("run"), (true, "checked\n".to_owned()));
}

#[test]
fn an_attribute_without_its_feature_says_so() {
    let package = Package::new(
        "no-scheduler",
        r#""macros""#,
        r#"
            #[shedlock::scheduled(fixed_rate = "1h")]
            async fn report() {}

            fn main() {
                drop(report());
            }
        "#,
    );
    package.does_not_compile(&[
        "the `scheduler` feature of `shedlock` is not enabled: add it in Cargo.toml\n --> src/main.rs:2:13",
    ]);
}

#[test]
fn a_type_without_its_feature_is_answered_with_the_feature() {
    let package = Package::new(
        "no-store",
        r#""macros""#,
        r"
            use shedlock::{MySqlLockProvider, PostgresLockProvider, Scheduler, SqliteLockProvider};

            fn main() {}
        ",
    );
    let (_, said) = package.cargo("check");
    for feature in ["mysql", "postgres", "scheduler", "sqlite"] {
        assert!(
            said.contains(&format!("the item is gated behind the `{feature}` feature")),
            "{said}"
        );
    }
}
