//! Tuning: Echo's games against itself, and the weights of its evaluation fitted to how they ended.

pub mod fit;
pub mod games;
pub mod lessons;
