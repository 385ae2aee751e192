//! The terms, one a file. What counts and how often is said here; what it is worth stands in `weights.csv`.

pub mod closedness;
pub mod complexity;
pub mod endgame;
pub mod imbalance;
pub mod king;
pub mod major;
pub mod material;
pub mod minor;
pub mod mobility;
pub mod passage;
pub mod passed;
pub mod pawns;
pub mod piece_square;
pub mod shelter;
pub mod space;
pub mod threats;
