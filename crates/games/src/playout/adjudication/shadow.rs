//! Adjudication in shadow mode: games are played to their end, and the record has what each rule would have
//! done.

use threefold_named_enum::named_enum;

use super::RuleKind;
use crate::playout::GameOutcome;

named_enum! {
    /// What adjudication does.
    pub enum AdjudicationMode {
        /// It ends games.
        Apply = "apply",
        /// It ends no game; the report has what it would have changed.
        Shadow = "shadow",
    }
}

#[expect(clippy::derivable_impls, reason = "`named_enum!` takes no attribute on a variant")]
impl Default for AdjudicationMode {
    fn default() -> Self {
        Self::Apply
    }
}

/// Where a rule would have ended a game for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShadowEnd {
    /// The rule that would have ended the game.
    pub rule: &'static RuleKind,
    /// The result that it would have given.
    pub outcome: GameOutcome,
    /// The number of moves played after the opening.
    pub ply: usize,
}
