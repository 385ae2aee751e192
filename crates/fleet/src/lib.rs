//! Runs the jobs of a run on many machines, through NATS JetStream.
//!
//! A coordinator has the scheduler and the journal of a run. It sends jobs to a queue of a NATS server;
//! workers take them, run them and send their results back. The server keeps jobs and results until they are
//! acknowledged, and gives the job of a worker that is gone to another one. So results arrive at least once,
//! and the coordinator counts each job once.
//!
//! [`protocol`] has all names and messages, [`broker`] the connection, [`coordinator`] the side of the run,
//! and [`worker`] the other side. [`status`] asks the server about all of them.

pub mod broker;
mod clock;
pub mod confinement;
pub mod coordinator;
pub mod engine_files;
pub mod package;
pub mod protocol;
mod quarantine;
pub mod sender;
pub mod status;
pub mod worker;
