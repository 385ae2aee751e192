//! Dialogues with an engine in plain UCI lines: what is sent, at which moment, and what must come back.
//!
//! A dialogue is text, one step a line, so that a new one needs no code. The child process of an engine
//! takes the steps. The output of its searches is judged here, by [`OutputRule`]s, from the lines alone.

mod check;
mod counters;
mod info_line;
#[cfg(test)]
mod option_tests;
mod rule;
#[cfg(test)]
mod rule_tests;
mod search_options;
mod search_output;
mod searched_depth;
mod step;
mod text;

use std::num::NonZeroU32;

pub use check::{Check, Consequence};
pub use rule::OutputRule;
pub(crate) use search_options::SearchOptions;
pub(crate) use search_output::{SearchOutput, SearchRequest};
pub use step::{Expected, Step};
pub use text::DialogueError;

/// A dialogue with an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialogue {
    /// UCI options that are set before the first step. A name may be several names separated by `|`: the
    /// first one that the engine has is set. An engine without an option is not tested.
    pub options: Vec<(String, String)>,
    /// Files in a folder of their own, for which `{folder}` stands in options and in what is sent.
    pub files: Vec<DialogueFile>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The number of processes that are started for it, one after the other.
    pub starts: NonZeroU32,
    /// What is judged of the output of its searches.
    pub judged: JudgedRules,
}

/// A file of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialogueFile {
    /// Its name, without a folder.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// What is judged of the output of a dialogue's searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgedRules {
    /// The rules of every dialogue, [`OutputRule::BASIC`]; one violation fails it.
    Basic,
    /// One rule. If few of several searches break it, the result may be flaky: [`OutputRule::most_flaky`].
    One(OutputRule),
}

impl JudgedRules {
    /// Is this rule judged?
    pub(crate) fn includes(self, rule: OutputRule) -> bool {
        match self {
            Self::Basic => OutputRule::BASIC.contains(&rule),
            Self::One(one) => one == rule,
        }
    }
}

/// The text of the violation if a move does not come in time.
pub const NO_MOVE: &str = "it sends no `bestmove`";

/// The result of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialogueResult {
    /// Everything came back as it must.
    Met,
    /// What the engine did instead in one attempt, and not in another.
    Flaky(String),
    /// What the engine did instead, twice.
    Violated(String),
    /// Which answer did not come in time. Another dialogue judges that; in this one nothing is left to judge.
    Unanswered(String),
}
