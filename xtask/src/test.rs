//! `cargo xtask test`

use std::process::ExitCode;

use anyhow::{Error, Result, ensure};
use tokio::process::Command;

use crate::process;
use crate::servers::{Programs, Purpose, Servers};
use crate::summary::Summary;

/// Run every test: unit, integration and doc tests, and those that need database servers
///
/// The servers are private ones, started here and stopped at the end, or those that
/// `SHEDLOCK_TEST_POSTGRES_URL` and `SHEDLOCK_TEST_MARIADB_URL` name.
#[derive(clap::Args, Default)]
pub(crate) struct Options {
    /// Arguments for `cargo test`
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// The end of all runs, shown by [`finish`](Self::finish) as the last line.
pub(crate) struct Outcome {
    summary: Summary,
    complete: bool,
}

impl Outcome {
    pub(crate) fn finish(&self) -> ExitCode {
        println!("{}", self.summary);
        let must_be_complete = std::env::var_os("CI").is_some();
        if self.summary.failed > 0 || must_be_complete && !self.complete {
            return ExitCode::FAILURE;
        }
        ExitCode::SUCCESS
    }
}

pub(crate) async fn run(options: &Options) -> Result<Outcome> {
    let tests = Tests::parse(&options.arguments);
    // First, because a machine that lacks something should say so before it compiles.
    let servers = match Programs::find_or_install(Purpose::Test).await {
        Ok(programs) => Ok(Servers::start(programs).await?),
        Err(reason) => Err(reason),
    };

    let mut summary = summary_of(&mut tests.without_servers()).await?;
    match &servers {
        Ok(servers) => {
            let run = summary_of(tests.with_servers().envs(servers.variables())).await?;
            summary = summary.with_skipped_run(run);
        }
        Err(reason) => explain(&tests, reason).await?,
    }
    Ok(Outcome {
        summary,
        complete: servers.is_ok(),
    })
}

async fn summary_of(cargo_test: &mut Command) -> Result<Summary> {
    let (status, output) = process::tee(cargo_test).await?;
    let summary = Summary::of(&output);
    let text = process::text(cargo_test);
    ensure!(
        status.success() || summary.failed > 0,
        "`{text}` failed, but none of its tests did"
    );
    Ok(summary)
}

/// Says which tests did not run, why, and what to do.
async fn explain(tests: &Tests<'_>, reason: &Error) -> Result<()> {
    let list = process::output(tests.with_servers().args(["--list", "--format=terse"])).await?;
    eprintln!("\nthese tests need database servers and did not run:");
    for name in list.lines().filter_map(|line| line.strip_suffix(": test")) {
        eprintln!("    {name}");
    }
    eprintln!(
        "the servers can't be started: {reason:#}\n\
         or set SHEDLOCK_TEST_POSTGRES_URL and SHEDLOCK_TEST_MARIADB_URL to servers for tests, \
         for example those of tests/compose.yaml\n"
    );
    Ok(())
}

/// What to test: the arguments for cargo, and after a `--` those for the test programs.
#[derive(Debug, PartialEq, Eq)]
struct Tests<'a> {
    cargo: &'a [String],
    programs: &'a [String],
}

impl<'a> Tests<'a> {
    fn parse(arguments: &'a [String]) -> Self {
        match arguments.iter().position(|argument| argument == "--") {
            Some(dashes) => Self {
                cargo: &arguments[..dashes],
                programs: &arguments[dashes + 1..],
            },
            None => Self {
                cargo: arguments,
                programs: &[],
            },
        }
    }

    fn without_servers(&self) -> Command {
        let mut command = self.cargo_test();
        command.arg("--").args(self.programs);
        command
    }

    /// The tests marked `#[ignore = "needs …"]`. Examples in the docs may be marked `ignore` too,
    /// for other reasons, so those are not among them.
    fn with_servers(&self) -> Command {
        let mut command = self.cargo_test();
        if !self.names(&[
            "--lib",
            "--bin",
            "--example",
            "--test",
            "--bench",
            "--doc",
            "--all-t",
        ]) {
            command.arg("--tests");
        }
        command.args(["--", "--ignored"]).args(self.programs);
        command
    }

    fn cargo_test(&self) -> Command {
        let mut command = process::cargo(&["test", "--all-features", "--no-fail-fast"]);
        if !self.names(&["-p", "--package"]) {
            command.arg("--workspace");
        }
        command.args(self.cargo);
        command
    }

    fn names(&self, options: &[&str]) -> bool {
        let starts = |argument: &String| options.iter().any(|option| argument.starts_with(option));
        self.cargo.iter().any(starts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(arguments: &[&str]) -> [String; 2] {
        let arguments: Vec<_> = arguments.iter().map(ToString::to_string).collect();
        let tests = Tests::parse(&arguments);
        [tests.without_servers(), tests.with_servers()].map(|command| {
            let text = process::text(&command);
            text.split_once(" test ")
                .expect("it is `cargo test`")
                .1
                .to_owned()
        })
    }

    #[test]
    fn everything_is_tested_without_arguments() {
        assert_eq!(
            commands(&[]),
            [
                "--all-features --no-fail-fast --workspace --",
                "--all-features --no-fail-fast --workspace --tests -- --ignored",
            ]
        );
    }

    #[test]
    fn arguments_narrow_both_runs() {
        assert_eq!(
            commands(&["-p", "xtask", "--test", "cli", "--", "some::test"]),
            [
                "--all-features --no-fail-fast -p xtask --test cli -- some::test",
                "--all-features --no-fail-fast -p xtask --test cli -- --ignored some::test",
            ]
        );
    }
}
