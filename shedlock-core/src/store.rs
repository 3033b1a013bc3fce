mod memory;

pub use memory::MemoryLockProvider;
