//! The built-in engine: between two instants nothing wakes.

use std::convert::Infallible;

use crate::{agenda::Agenda, schedule::Now};

/// Fires each group at its instants until it is dropped.
pub(crate) async fn run(mut agenda: Agenda) -> Infallible {
    loop {
        agenda.fire(Now::read()).await;
        agenda.wait(agenda.deadline()).await;
    }
}
