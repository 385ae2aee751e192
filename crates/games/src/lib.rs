//! Games between players: the schedule, openings, the rules that end a game, the game itself, and its PGN.

pub mod bounded;
pub mod calendar;
pub mod cutechess_order;
pub mod final_position;
pub mod foreign_text;
pub mod game;
pub mod game_identity;
pub mod game_summary;
pub mod knockout;
pub mod mate_pv;
pub mod move_details;
pub mod move_reader;
pub mod opening;
pub mod packed;
pub mod pair_difference;
pub mod pairing;
pub mod pgn;
pub mod pgn_results;
pub mod pgn_tokens;
pub mod pgn_variant;
pub mod playout;
mod pondering;
pub mod position_line;
pub mod scored_game;
pub mod swiss;
mod tournament;
pub mod warning;

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
