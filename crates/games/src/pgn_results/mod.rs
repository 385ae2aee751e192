//! Reads players and results from PGN, without parsing the moves.
//!
//! A rating list needs four tags and the last token of each game, about 1 % of such a file. A full PGN parser
//! spends nearly all its time on the rest, so these files have their own reader. [`blocks`] cuts a stream
//! into whole games, [`scan()`] reads one block into a [`BlockResults`], and [`counter`] counts them in
//! order. Blocks are independent and can be scanned in parallel; the result does not depend on the number of
//! threads.
//!
//! [`scan_scores`] reads the moves and their scores, too, with this reader's judgement of which games count.
//!
//! Nothing is dropped silently: every game that does not count is a [`PgnIssue`] with its line.

mod block_results;
pub mod blocks;
pub mod counter;
mod game_start;
pub mod issue;
mod moves;
mod movetext;
mod names;
mod pair_label;
mod pair_matcher;
mod repeated_games;
pub mod scan;
mod scored_block;
mod tags;
mod validity;

pub use block_results::{BlockResults, CountedGame};
pub use blocks::{Block, Blocks};
pub use counter::{Draws, GameCounts, PlayerFilter, ResultCounter, Results};
pub use issue::{Consequence, IssueKind, PgnIssue};
pub use pair_label::{GameNumbering, PairLabel};
pub use repeated_games::RepeatedGames;
pub use scan::scan;
pub use scored_block::{ScoredBlock, scan_scores};
pub use tags::FirstTag;
pub use validity::BrokenOffGames;
