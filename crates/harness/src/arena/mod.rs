//! Games between players: who meets whom from which opening, who has won, and why.

pub mod game;
pub mod opening;
pub mod pairing;
pub mod record;
pub mod results;
