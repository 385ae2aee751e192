//! The laboratory: Echo's games against itself, the weights of its evaluation fitted to how they ended, and the reports of
//! studies.

pub mod fit;
pub mod games;
pub mod lessons;
pub mod mutants;
pub mod studies;
