//! Scheduled jobs that run on time, on one node at a time.
