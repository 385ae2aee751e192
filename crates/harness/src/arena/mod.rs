//! Games between players: schedule, openings, the game itself, and its PGN.

pub mod cutechess_order;
pub mod final_position;
pub mod game;
pub mod game_identity;
pub mod game_summary;
pub mod knockout;
pub mod mate_pv;
pub mod move_details;
pub mod opening;
pub mod pairing;
pub mod pgn;
pub mod pgn_results;
mod pondering;
mod tournament;
pub mod warning;
