//! Resign adjudication: a player reports losing scores for some moves.
//!
//! One-sided: `movecount` consecutive own scores ≤ −`score`; being mated counts. The rule applies right after
//! the loser's move. Two-sided (`twosided=true`): in addition, the winner's last `movecount` own scores are ≥
//! `score` (as in cutechess). Signs are checked: if both engines report winning scores, no engine resigns. A
//! move without a score resets its mover's counts.

use std::sync::Arc;

use shakmaty::ByColor;

use super::settings::{RuleSettings, SettingKey};
use super::{ObservedMove, Rule, RuleKind, RuleState};
use crate::playout::GameOutcome;
use threefold_chess::score::Score;

/// The table's row.
pub(super) const KIND: RuleKind = RuleKind {
    name: "resign",
    flag: "resign",
    value: "RULE",
    help: "Resign when the score stays below -SCORE centipawns for COUNT moves: `movecount=3,score=600[,twosided=true]`",
    end: "resigned",
    remark: "",
    read: |place, given| {
        let settings = RuleSettings::read(place, given, KEYS, "movecount=3,score=600,twosided=true")?;
        let [moves, score, two_sided] = KEYS;
        let two_sided = settings.boolean(two_sided)?.unwrap_or(false);
        Ok(Arc::new(ResignRule { moves: settings.number(moves)?, score: settings.number(score)?, two_sided }))
    },
};

const KEYS: &[SettingKey; 3] = &[
    SettingKey { name: "movecount", alias: "moves" },
    SettingKey { name: "score", alias: "score" },
    SettingKey { name: "twosided", alias: "two-sided" },
];

/// Resign adjudication by scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResignRule {
    /// Consecutive full moves.
    pub moves: u32,
    /// Centipawns.
    pub score: u32,
    /// Must the opponent's scores agree, with the opposite sign?
    pub two_sided: bool,
}

impl Rule for ResignRule {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn text(&self) -> String {
        let Self { moves, score, two_sided } = self;
        format!("movecount={moves},score={score},twosided={two_sided}")
    }

    fn start(&self) -> Box<dyn RuleState> {
        Box::new(Streaks { rule: *self, losing: ByColor::default(), winning: ByColor::default() })
    }
}

#[derive(Debug)]
struct Streaks {
    rule: ResignRule,
    losing: ByColor<u64>,
    winning: ByColor<u64>,
}

impl RuleState for Streaks {
    fn observe(&mut self, shown: ObservedMove<'_>) -> Option<GameOutcome> {
        let (lost, won) = match shown.score {
            Some(Score::Cp(cp)) => (
                cp.0 <= 0_i32.saturating_sub_unsigned(self.rule.score),
                cp.0 >= 0_i32.saturating_add_unsigned(self.rule.score),
            ),
            Some(Score::Mate(mate)) => (!mate.is_win(), mate.is_win()),
            None => (false, false),
        };
        for (streak, goes_on) in [(&mut self.losing, lost), (&mut self.winning, won)] {
            let own = streak.get_mut(shown.mover);
            *own = if goes_on { *own + 1 } else { 0 };
        }
        // With a two-sided rule either side's move can complete the condition, with a one-sided rule only the
        // loser's.
        let needed = u64::from(self.rule.moves.max(1));
        let loser = [shown.mover, !shown.mover].into_iter().find(|&loser| {
            let agreed = !self.rule.two_sided || *self.winning.get(!loser) >= needed;
            *self.losing.get(loser) >= needed && agreed
        })?;
        Some(GameOutcome::win(!loser))
    }
}
