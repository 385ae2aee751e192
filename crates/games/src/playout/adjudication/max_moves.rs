//! Adjudicates a draw after a number of full moves beyond the opening.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::settings::RuleError;
use super::{ObservedMove, Rule, RuleKind, RuleState};
use crate::playout::GameOutcome;

pub(super) const KIND: RuleKind = RuleKind {
    name: "max-moves",
    flag: "maxmoves",
    value: "N",
    help: "Draw after N full moves after the opening",
    end: "too-long",
    remark: ": maximal game length",
    read: |place, given| match given.trim().parse() {
        Ok(moves) => Ok(Arc::new(MaxMoves(moves))),
        Err(_) => Err(RuleError::Range { place: place.to_owned(), given: given.to_owned() }),
    },
};

/// A draw after this many full moves beyond the opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaxMoves(pub NonZeroU32);

impl MaxMoves {
    /// The kind of this rule, which a game's ply limit shares in reports and journals.
    pub const KIND: &'static RuleKind = &KIND;
}

impl Rule for MaxMoves {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn settings_text(&self) -> String {
        self.0.to_string()
    }

    fn start(&self) -> Box<dyn RuleState> {
        Box::new(PlyCounter { left: 2 * u64::from(self.0.get()) })
    }
}

#[derive(Debug)]
struct PlyCounter {
    /// Plies until the draw.
    left: u64,
}

impl RuleState for PlyCounter {
    fn observe(&mut self, _: ObservedMove<'_>) -> Option<GameOutcome> {
        self.left = self.left.saturating_sub(1);
        (self.left == 0).then_some(GameOutcome::Draw)
    }
}
