//! Two crates of one program with one lock name do not link, unless link-time optimization merges them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const SHEDLOCK: &str = env!("CARGO_MANIFEST_DIR");

/// A program of two crates, `payouts` and `reports`, each with a locked function.
struct Program {
    directory: PathBuf,
}

impl Program {
    fn new(name: &str, payouts: &str, reports: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        package(
            &directory.join("payouts"),
            "payouts",
            "",
            &locked(payouts),
            "lib.rs",
        );
        package(
            &directory.join("reports"),
            "reports",
            "",
            &locked(reports),
            "lib.rs",
        );
        let crates = r#"
            payouts = { path = "payouts" }
            reports = { path = "reports" }

            [workspace]
            members = ["payouts", "reports"]
        "#;
        let main = "use payouts as _;\nuse reports as _;\n\nfn main() {}\n";
        package(&directory, name, crates, main, "main.rs");
        fs::copy(
            format!("{SHEDLOCK}/Cargo.lock"),
            directory.join("Cargo.lock"),
        )
        .unwrap();
        Self { directory }
    }

    /// Builds it: what the linker says, and whether all is well.
    fn build(&self, profile: &str, incremental: bool) -> (bool, String) {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("duplicates-target");
        let output = Command::new(env!("CARGO"))
            .args([
                "build",
                "--offline",
                "--quiet",
                "--color=never",
                "--profile",
                profile,
            ])
            .current_dir(&self.directory)
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_INCREMENTAL", if incremental { "1" } else { "0" })
            .env_remove("RUSTFLAGS")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), said)
    }

    #[track_caller]
    fn says(&self, profile: &str, incremental: bool, expected: &[&str]) {
        let (links, said) = self.build(profile, incremental);
        assert!(!links, "it links as {profile}, incremental: {incremental}");
        for expected in expected {
            assert!(
                said.contains(expected),
                "`{expected}` is missing in:\n{said}"
            );
        }
    }
}

fn package(directory: &Path, name: &str, dependencies: &str, source: &str, file: &str) {
    let manifest = format!(
        r#"
            [package]
            name = "{name}"
            edition = "2024"

            [dependencies]
            shedlock = {{ path = "{SHEDLOCK}", default-features = false, features = ["macros"] }}
            {dependencies}
        "#
    );
    fs::create_dir_all(directory.join("src")).unwrap();
    fs::write(directory.join("Cargo.toml"), manifest).unwrap();
    fs::write(directory.join("src").join(file), source).unwrap();
}

fn locked(arguments: &str) -> String {
    format!(
        "#![forbid(unsafe_code)]\n\n#[shedlock::scheduler_lock({arguments})]\npub fn locked() {{}}\n"
    )
}

const PAYOUT: &str = r#"name = "settlement-payout", lock_at_most_for = "1h""#;
const SYMBOL: &str = "lock_name_settlement_payout_is_used_twice";

#[test]
fn one_lock_name_in_two_crates_does_not_link() {
    let program = Program::new("one-lock-name", PAYOUT, PAYOUT);
    for incremental in [false, true] {
        program.says(
            "dev",
            incremental,
            &[SYMBOL, "payouts/src/lib.rs:3", "reports/src/lib.rs:3"],
        );
        program.says("release", incremental, &[SYMBOL, "payouts", "reports"]);
    }
}

#[test]
fn different_lock_names_link() {
    let reports = r#"name = "settlement-report", lock_at_most_for = "1h""#;
    let program = Program::new("different-lock-names", PAYOUT, reports);
    for profile in ["dev", "release"] {
        let (links, said) = program.build(profile, false);
        assert!(links, "{profile}: {said}");
    }
}

#[test]
fn a_name_that_may_stand_twice_links() {
    let allowed = format!(r#"{PAYOUT}, duplicate = "allow""#);
    let program = Program::new("allowed-lock-names", &allowed, &allowed);
    let (links, said) = program.build("release", false);
    assert!(links, "{said}");
}
