//! What a scheduler promises, on each engine.

#[macro_use]
mod engine;
mod build;
mod events;
mod locks;
mod log;
mod runs;
mod shutdown;
mod signals;
mod triggers;
