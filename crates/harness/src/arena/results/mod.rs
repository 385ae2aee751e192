//! Who played whom and what came of it, read from PGN without its moves.
//!
//! A rating list needs four tags and the last token of each game, a hundredth of what such a file holds. A
//! reader of moves spends nearly all its time on the rest, so these files have one of their own: [`blocks`]
//! cuts a stream where games begin, [`scan()`] makes a [`Page`] of each block, and [`ledger`] counts the pages
//! in order. A block knows nothing of the others, so that they can be scanned at once; what comes out does
//! not depend on how many were.
//!
//! Nothing is dropped in silence: whatever is no counted game is a [`Complaint`] with its line.

pub mod blocks;
pub mod complaint;
mod label;
pub mod ledger;
mod movetext;
mod names;
mod page;
mod partners;
pub mod scan;
mod tags;

pub use blocks::{Block, Blocks};
pub use complaint::{Consequence, IssueKind, PgnIssue};
pub use label::{GameNumbering, PairLabel};
pub use ledger::{GameCounts, PlayerFilter, ResultCounter, Results};
pub use page::{BlockResults, CountedGame};
pub use scan::scan;
pub use tags::FirstTag;
