//! The Universal Chess Interface as values: both halves of the protocol over one grammar.
//!
//! Nothing here reads, writes or waits. Lines come in, values and lines go out, so that one grammar serves
//! Echo's own front, the players that are child processes, the tests and the fuzzers.
//! What is printed parses back; what is foreign is read with patience and never with a panic.

pub mod client;
pub mod command;
pub mod info;
pub mod option;
pub mod reply;
pub mod server;
mod tokens;

pub use client::{EngineEvent, ProtocolError, SetOptionError, UciClient};
pub use command::{Command, CommandError, Go};
pub use info::Info;
pub use option::{InvalidValue, UciOption, UciOptionKind};
pub use reply::{BestMove, Reply};
pub use server::{EngineAction, UciServer};
