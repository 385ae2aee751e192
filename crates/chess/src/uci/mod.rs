//! The Universal Chess Interface as values: both halves of the protocol over one grammar.
//!
//! Nothing here reads, writes or waits. Lines come in, values and lines go out, so that one grammar serves
//! Echo's own front, the players that are child processes, the tests and the fuzzers.
//! What is printed parses back; what is foreign is read with patience and never with a panic.

pub mod command;
pub mod conversation;
pub mod info;
pub mod option;
pub mod reply;
pub mod session;
mod tokens;

pub use command::{Command, Go, NoCommand};
pub use conversation::{Breach, Conversation, Fact, Unset};
pub use info::Info;
pub use option::{Misfit, Offer, OfferKind};
pub use reply::{BestMove, Reply};
pub use session::{Order, Session};
