//! Games between players: schedule, openings, the game itself, and its PGN.

pub mod game;
pub mod opening;
pub mod pairing;
pub mod pgn;
pub mod pgn_results;
pub mod warning;
