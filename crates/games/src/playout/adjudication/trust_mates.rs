//! Adjudication by mate claims: an engine reports a mate, and it is trusted or its opponent agrees.
//!
//! A claim is the score of a move that is a mate; `mate 0` claims nothing. With `both` the game ends when the
//! mover's score and the opponent's score of the move before are mates with opposite signs. A claim by an
//! engine with `trust=on` ends the game alone, with either setting.

use std::sync::Arc;

use super::settings::RuleError;
use super::{ObservedMove, Rule, RuleKind, RuleState};
use crate::playout::GameOutcome;
use threefold_chess::score::Score;
use threefold_named_enum::named_enum;

pub(super) const KIND: RuleKind = RuleKind {
    name: "trust-mates",
    flag: "trust-mates",
    value: "WHO",
    help: "End games by mate scores: `both` engines must agree, or `trusted` engines only (SPEC key `trust=on`)",
    end: "mate-claimed",
    remark: ": mate score",
    read: |place, given| {
        let example = "`both` or `trusted`";
        let unreadable =
            |_| RuleError::Unreadable { place: place.to_owned(), given: given.to_owned(), example };
        Ok(Arc::new(TrustMates(given.parse().map_err(unreadable)?)))
    },
};

named_enum! {
    /// Whose mate scores end a game.
    pub enum MateClaims {
        /// Those of both engines, if they agree.
        Both = "both",
        /// Those of trusted engines only.
        Trusted = "trusted",
    }
}

/// Adjudication by mate claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustMates(pub MateClaims);

impl Rule for TrustMates {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn settings_text(&self) -> String {
        self.0.to_string()
    }

    fn start(&self) -> Box<dyn RuleState> {
        Box::new(LastClaim { rule: *self, previous: None })
    }
}

#[derive(Debug)]
struct LastClaim {
    rule: TrustMates,
    /// The result that the other side's last score claims, if it was a mate.
    previous: Option<GameOutcome>,
}

impl RuleState for LastClaim {
    fn observe(&mut self, shown: ObservedMove<'_>) -> Option<GameOutcome> {
        let claim = match shown.score {
            Some(Score::Mate(mate)) if !mate.is_none() => {
                Some(GameOutcome::win(if mate.is_win() { shown.mover } else { !shown.mover }))
            }
            Some(Score::Cp(_) | Score::Mate(_)) | None => None,
        };
        // Both are results of the game: equal ones are mate scores with opposite signs.
        let agreed = self.rule.0 == MateClaims::Both && self.previous == claim;
        self.previous = claim;
        claim.filter(|_| agreed || shown.is_trusted)
    }
}
