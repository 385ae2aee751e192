//! Experiments on pairs of real programs: an engine at two commits that other people made.
//!
//! Seeded bugs show that the suites can fail. These experiments show what the plan of `init` does with the
//! history of other engines: does it find a bug that was fixed later, and does it let an ordinary patch
//! through? Both do the same: a repository is set up with the first program, `regress` runs with that program
//! again, and then with the second one. The shipped program does all of it, so the result is what an engine
//! author would see.

mod experiment;
mod list;
mod measurement;
mod outcome;
mod pair_folder;
mod peer_record;
mod peers;
mod record;
pub(crate) mod repository;
mod rule;
mod rule_table;
mod table;
pub(crate) mod timed_command;

pub use experiment::Experiment;
pub use list::{CommitPair, Judgement, Judgements, ListError, PairList, Shows, judgements};
pub use measurement::{Interrupted, Measurement};
pub use outcome::{Outcome, PairRow};
pub use pair_folder::PairFolder;
pub use peer_record::PeerRecord;
pub use peers::{PeerGames, Peers};
pub use record::{LostCase, PairRecord, RedReason, StepRecord};
pub use rule::{Evidence, LostCaseRule, LostSearchCase};
pub use rule_table::{RulePair, RulePairs, rule_pairs};
pub use table::{csv, markdown, rates};
