//! Finding programs, and installing Debian's packages where we may.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tokio::process::Command;

use crate::process;

/// Installs the packages that follow as arguments. Debian starts the service of a package that it
/// installs, unless `policy-rc.d` says no.
const SCRIPT: &str = r#"
set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
    trap 'rm -f $policy' EXIT
    trap 'exit 1' HUP INT TERM
    printf '#!/bin/sh\nexit 101\n' >$policy
    chmod 755 $policy
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "$@"
"#;

/// Installs Debian packages. An error says why we can't, in words for the person who then has to.
pub(crate) async fn packages(packages: &[&str]) -> Result<()> {
    let wanted = packages.join(" ");
    ensure!(
        find("apt-get", []).is_some(),
        "{wanted}: not installed, and without `apt-get` they can't be installed from here"
    );
    let mut shell = as_root().await.with_context(|| {
        format!("not installed, run `apt-get install --no-install-recommends {wanted}` as root")
    })?;
    eprintln!("installing {wanted}");
    // The tests' own output owns stdout.
    let shell = shell
        .args(["sh", "-c", SCRIPT, "sh"])
        .args(packages)
        .stdout(std::io::stderr());
    process::run(shell)
        .await
        .with_context(|| format!("{wanted}: can't be installed"))
}

async fn as_root() -> Result<Command> {
    if is_root() {
        return Ok(Command::new("env"));
    }
    let allowed = find("sudo", []).is_some()
        && process::succeeds(Command::new("sudo").args(["--non-interactive", "true"])).await?;
    ensure!(
        allowed,
        "neither root nor allowed to use `sudo` without a password"
    );
    let mut sudo = Command::new("sudo");
    sudo.args(["--non-interactive", "env"]);
    Ok(sudo)
}

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The program of this name in `PATH`, or else in one of the other directories.
pub(crate) fn find<const N: usize>(program: &str, elsewhere: [&str; N]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(elsewhere.map(PathBuf::from))
        .map(|directory| directory.join(program))
        .find(|program| is_program(program))
}

pub(crate) fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}
