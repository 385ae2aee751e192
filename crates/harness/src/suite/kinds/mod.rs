//! The kinds of case, one file each, and the table of them.

pub mod best_move;
pub mod calibration;
pub mod conversion;
pub mod defence;
pub mod depth_limit;
pub mod detector;
pub mod determinism;
pub mod effort;
pub mod hash_pollution;
pub mod mate;
pub mod perft;
pub mod policy;
pub mod repetition;
pub mod rule;
pub mod signature;
pub mod time_control;

use super::Kind;

/// Every kind there is. A new one is one file, two lines here, and a row of `suite::cause` for each cause that it needs
/// and no other kind has.
pub const KINDS: &[Kind] = &[
    repetition::KIND,
    rule::KIND,
    policy::KIND,
    mate::KIND,
    time_control::KIND,
    conversion::KIND,
    defence::KIND,
    hash_pollution::KIND,
    best_move::KIND,
    perft::KIND,
    signature::KIND,
    determinism::KIND,
    depth_limit::KIND,
    detector::KIND,
    effort::KIND,
    calibration::KIND,
];
