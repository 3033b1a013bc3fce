//! `cargo xtask ci`

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::Value;
use tokio::process::Command;

use crate::process::{self, cargo};
use crate::test;

pub(crate) async fn run() -> Result<ExitCode> {
    step(
        "format",
        process::run(&mut cargo(&["fmt", "--all", "--check"])),
    )
    .await?;

    let clippy = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
    ];
    step(
        "lints",
        process::run(cargo(&clippy).args(["-D", "warnings"])),
    )
    .await?;

    let doc = ["doc", "--workspace", "--all-features", "--no-deps"];
    step(
        "docs",
        process::run(cargo(&doc).env("RUSTDOCFLAGS", "-D warnings")),
    )
    .await?;

    let metadata =
        process::output(&mut cargo(&["metadata", "--no-deps", "--format-version=1"])).await?;
    for build in builds(&metadata)? {
        let name = format!("{} with {}", build.package, build.feature_text());
        step(&name, process::run(&mut build.command())).await?;
    }

    let outcome = step("tests", test::run(&test::Options::default())).await?;
    Ok(outcome.finish())
}

async fn step<T>(name: &str, work: impl Future<Output = Result<T>>) -> Result<T> {
    eprintln!("== {name}");
    let start = Instant::now();
    let done = work
        .await
        .with_context(|| format!("step `{name}` failed"))?;
    eprintln!("== {name}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(done)
}

/// One package with one of its features, or with none.
#[derive(Debug, PartialEq, Eq)]
struct Build {
    package: String,
    feature: Option<String>,
}

/// Every package of the workspace that has features, with none of them and with each alone.
fn builds(metadata: &str) -> Result<Vec<Build>> {
    let metadata: Value = serde_json::from_str(metadata)?;
    let packages = metadata["packages"]
        .as_array()
        .context("`cargo metadata` has no packages")?;
    let mut builds = Vec::new();
    for package in packages {
        let name = package["name"].as_str().context("a package has no name")?;
        let features = package["features"]
            .as_object()
            .context("a package has no features")?;
        let mut alone: Vec<_> = features
            .keys()
            .filter(|feature| *feature != "default")
            .collect();
        alone.sort();
        if alone.is_empty() {
            continue;
        }
        let features = std::iter::once(None).chain(alone.into_iter().cloned().map(Some));
        builds.extend(features.map(|feature| Build {
            package: name.to_owned(),
            feature,
        }));
    }
    Ok(builds)
}

impl Build {
    fn feature_text(&self) -> String {
        self.feature
            .as_ref()
            .map_or("no feature".into(), |feature| format!("only `{feature}`"))
    }

    /// Clippy checks what `cargo check` checks, and can refuse warnings without building the
    /// dependencies once more.
    fn command(&self) -> Command {
        let mut command = cargo(&[
            "clippy",
            "--no-default-features",
            "--package",
            &self.package,
        ]);
        if let Some(feature) = &self.feature {
            command.args(["--features", feature]);
        }
        command.args(["--", "-D", "warnings"]);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_feature_is_built_alone_and_none_too() {
        let metadata = r#"{"packages": [
            {"name": "core", "features": {"sqlite": [], "lock": [], "default": ["lock"]}},
            {"name": "tool", "features": {}}
        ]}"#;
        let builds = builds(metadata).expect("the metadata is complete");
        let commands: Vec<_> = builds
            .iter()
            .map(|build| {
                assert_eq!(build.package, "core");
                build.feature_text()
            })
            .collect();
        assert_eq!(commands, ["no feature", "only `lock`", "only `sqlite`"]);
    }
}
