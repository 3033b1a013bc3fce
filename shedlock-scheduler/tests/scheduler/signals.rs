//! Real signals to a process of its own: this test program, started again.

#![cfg(unix)]

use std::{
    env,
    io::{BufRead, BufReader},
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use shedlock_scheduler::{Event, Scheduler, Task, Trigger};
use tokio::time::sleep;

/// What the child is told: how many milliseconds its run takes.
const RUN: &str = "SHEDLOCK_TEST_RUN";
const ONCE: Trigger = Trigger::FixedRate(Duration::from_hours(1));

/// Runs in the child.
#[tokio::test]
#[ignore = "the other tests start it in a process of its own"]
async fn child() {
    let Ok(run) = env::var(RUN) else { return };
    let run = Duration::from_millis(run.parse().unwrap());
    let scheduler = Scheduler::builder()
        .task(Task::new("report", ONCE, move || sleep(run)))
        .on_event(|event| match event {
            Event::Started { .. } => println!("\nstarted"),
            Event::Finished { .. } => println!("\nfinished"),
            Event::Cancelled { .. } => println!("\ncancelled"),
            other => println!("\n{other:?}"),
        })
        .build()
        .unwrap();
    scheduler.run_until_shutdown().await.unwrap();
    println!("\nended");
}

struct Process {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// A process whose run has started.
    fn whose_run_takes(run: Duration) -> Self {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "signals::child", "--ignored", "--nocapture"])
            .env(RUN, run.as_millis().to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut process = Self { child, output };
        assert_eq!(process.next(), "started");
        process
    }

    /// The next word that the child says of its run.
    fn next(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "it ended");
            let word = line.trim();
            if ["started", "finished", "cancelled", "ended"].contains(&word) {
                return word.to_owned();
            }
        }
    }

    fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn a_signal_lets_the_run_end(signal: Signal) {
    let mut process = Process::whose_run_takes(Duration::from_millis(300));
    process.send(signal);
    assert_eq!(process.next(), "finished");
    assert_eq!(process.next(), "ended");
    assert!(process.child.wait().unwrap().success());
}

#[test]
fn sigterm_lets_the_run_end() {
    a_signal_lets_the_run_end(Signal::TERM);
}

#[test]
fn ctrl_c_lets_the_run_end() {
    a_signal_lets_the_run_end(Signal::INT);
}

#[test]
fn a_second_signal_cancels_at_once() {
    let mut process = Process::whose_run_takes(Duration::from_hours(1));
    process.send(Signal::TERM);
    // Two of one kind may arrive as one.
    process.send(Signal::INT);
    assert_eq!(process.next(), "cancelled");
    assert_eq!(process.next(), "ended");
    assert!(process.child.wait().unwrap().success());
}
