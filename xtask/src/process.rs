//! Child processes that do not outlive us.

use std::io::Write;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};

/// How long a process may take to end before it is killed.
const GRACE: Duration = Duration::from_secs(20);

/// A running program and what it starts, in a process group of its own: a ctrl-c in the terminal
/// reaches only us, and the group ends when it is dropped, or with the program.
pub(crate) struct Group {
    child: Child,
    id: Option<Pid>,
    stop: Signal,
}

impl Group {
    pub(crate) fn spawn(command: &mut Command, stop: Signal) -> Result<Self> {
        let child = command
            .stdin(Stdio::null())
            .process_group(0)
            .spawn()
            .with_context(|| format!("`{}` does not start", text(command)))?;
        let id = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        Ok(Self { child, id, stop })
    }

    pub(crate) fn has_exited(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    async fn wait(&mut self) -> Result<ExitStatus> {
        let status = self.child.wait().await?;
        self.kill();
        Ok(status)
    }

    /// Kills what is left of the group, once: later its number may be somebody else's.
    fn kill(&mut self) {
        if let Some(id) = self.id.take() {
            let _ = kill_process_group(id, Signal::KILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(id) = self.id else { return };
        let _ = kill_process_group(id, self.stop);
        let deadline = Instant::now() + GRACE;
        while let Ok(None) = self.child.try_wait()
            && Instant::now() < deadline
        {
            std::thread::sleep(Duration::from_millis(10));
        }
        self.kill();
    }
}

/// Runs `command` to its end and says how it ended.
pub(crate) async fn status(command: &mut Command) -> Result<ExitStatus> {
    Group::spawn(command, Signal::TERM)?.wait().await
}

/// Runs `command`, which must succeed.
pub(crate) async fn run(command: &mut Command) -> Result<()> {
    let status = status(command).await?;
    ensure!(status.success(), "`{}` failed: {status}", text(command));
    Ok(())
}

/// Runs `command` without a word and says whether it succeeded.
pub(crate) async fn succeeds(command: &mut Command) -> Result<bool> {
    let silent = command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok(status(silent).await?.success())
}

/// What `command`, which must succeed, writes to its standard output.
pub(crate) async fn output(command: &mut Command) -> Result<String> {
    let (status, output) = copy_output(command, &mut std::io::sink()).await?;
    ensure!(status.success(), "`{}` failed: {status}", text(command));
    Ok(output)
}

/// Runs `command` with its standard output shown as it comes, and returned.
pub(crate) async fn tee(command: &mut Command) -> Result<(ExitStatus, String)> {
    copy_output(command, &mut std::io::stdout()).await
}

async fn copy_output(command: &mut Command, copy: &mut impl Write) -> Result<(ExitStatus, String)> {
    let mut group = Group::spawn(command.stdout(Stdio::piped()), Signal::TERM)?;
    let mut stdout = group.child.stdout.take().expect("stdout is piped");
    let read = async {
        let mut output = Vec::new();
        let mut shown = 0;
        while stdout.read_buf(&mut output).await? > 0 {
            copy.write_all(&output[shown..])?;
            copy.flush()?;
            shown = output.len();
        }
        Ok(String::from_utf8_lossy(&output).into_owned())
    };
    // Both at once: a process that the program left behind would keep its output open.
    tokio::try_join!(group.wait(), read)
}

/// The command as one would type it.
pub(crate) fn text(command: &Command) -> String {
    let command = command.as_std();
    let program = Path::new(command.get_program()).file_name();
    let words = program.into_iter().chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

/// `cargo`, the one that runs us.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(arguments);
    cargo
}
