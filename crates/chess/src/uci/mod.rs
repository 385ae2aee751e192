//! The Universal Chess Interface as values: one grammar for both sides of the protocol.
//!
//! Nothing here reads, writes or waits: lines in, values and lines out. The same grammar serves Echo's front
//! end, players that are child processes, tests and fuzzers. Printed text parses back to the same value;
//! foreign text is parsed leniently and never causes a panic.

pub mod client;
pub mod command;
pub mod info;
pub mod option;
mod option_line;
pub mod position_text;
pub mod reply;
pub mod server;
mod tokens;
mod wdl;

pub use client::{EngineEvent, ProtocolError, SetOptionError, UciClient};
pub use command::{Command, CommandError, Go};
pub use info::Info;
pub use option::{Decimal, InvalidValue, UciOption, UciOptionKind};
pub use option_line::option_line_error;
pub use position_text::PositionText;
pub use reply::{BestMove, NO_MOVE, Reply, means_no_move};
pub use server::{EngineAction, UciServer};
pub use wdl::{NoWdlClaim, WdlClaim, wdl_fault};
