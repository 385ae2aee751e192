//! The terms, one a file, each with its own numbers.
//!
//! The numbers are our own first guesses, in centipawns; where a table is needed it is computed from a formula
//! rather than written out.

pub mod endgame;
pub mod king;
pub mod major;
pub mod material;
pub mod mobility;
pub mod passed;
pub mod pawns;
pub mod piece_square;
