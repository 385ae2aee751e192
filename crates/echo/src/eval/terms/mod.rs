//! The evaluation terms, one per file. The values of their weights are in `weights.csv`.

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
