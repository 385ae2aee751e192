//! The kinds of suites, one file each, and their table.

pub mod bench;
pub mod best_move;
pub mod calibration;
pub mod compliance;
pub mod conversion;
pub mod defence;
pub mod depth_limit;
pub mod detector;
pub mod determinism;
pub mod dialogue;
pub mod hash_pollution;
pub mod mate;
pub mod mate_game;
pub mod perft;
pub mod policy;
pub mod ponder_move;
pub mod repetition;
pub mod root_return;
pub mod rule;
pub mod search_cost;
pub mod signature;
pub mod smoke;
pub mod symmetry;
pub mod time_control;
pub mod value;

use super::Kind;

/// All kinds. A new one needs a file, two lines here, and a row of `suite::cause` for each new cause.
pub const KINDS: &[Kind] = &[
    repetition::KIND,
    rule::KIND,
    value::KIND,
    policy::KIND,
    mate::KIND,
    mate_game::KIND,
    time_control::KIND,
    smoke::KIND,
    compliance::KIND,
    dialogue::KIND,
    conversion::KIND,
    defence::KIND,
    hash_pollution::KIND,
    best_move::KIND,
    perft::KIND,
    bench::KIND,
    signature::KIND,
    determinism::KIND,
    symmetry::KIND,
    root_return::KIND,
    ponder_move::KIND,
    depth_limit::KIND,
    detector::KIND,
    search_cost::KIND,
    calibration::KIND,
];
