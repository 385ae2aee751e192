//! threefold: a chess-engine testing and regression harness with an engine of its own, Echo.
//!
//! The modules stand in reading order, floor by floor: a module imports from floors below its own,
//! never from its own floor or above. `ARCHITECTURE.md` explains the floors, `tests/tidy.rs` checks them.

// Floor 0: words.
pub mod bounded;
pub mod closed_set;
pub mod line;
pub mod output_file;
pub mod score;
pub mod visible;

// Floor 1: pure rules and numbers.
pub mod clock;
pub mod stats;

// Floor 2: thinkers.
pub mod echo;
pub mod truth;
pub mod uci;

// Floor 3: whoever answers.
pub mod player;
pub mod playout;
pub mod serve;

// Floor 4: tasks.
pub mod arena;
pub mod suite;

// Floor 5: running.
pub mod work;

// Floor 6: uses of the machinery.
pub mod calibration;
pub mod mining;

// Floor 7: the main job.
pub mod regress;
pub mod tuning;

// Floor 8: what people and CI read.
pub mod report;

// Floor 9: people.
pub mod cli;
