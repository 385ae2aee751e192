//! One command a file: from its arguments to an order, from what came of it to an exit code.

pub mod calibrate;
pub mod conclusion;
pub mod documents;
pub mod echo;
pub mod games;
pub mod plan;
pub mod positions;
pub mod proof;
pub mod rate;
pub mod regress;
pub mod report;
pub mod resume;
pub mod shipped;
pub mod suite;
pub mod tablebase;
pub mod verification;
