//! Draw adjudication: both players report scores near zero for some moves.
//!
//! Counts consecutive plies with a centipawn score within ± `score`. A mate score, another score or a move
//! without one resets the count. A capture or pawn move resets it before its own ply is counted. The rule
//! ends the game at 2 · `movecount` plies, after `movenumber` full moves **by the position's own move
//! number** (as fastchess does; a book's EPD and PGN forms behave alike).

use std::sync::Arc;

use super::settings::{RuleSettings, SettingKey};
use super::{ObservedMove, Rule, RuleKind, RuleState};
use crate::playout::GameOutcome;
use threefold_chess::score::Score;

pub(super) const KIND: RuleKind = RuleKind {
    name: "draw",
    flag: "draw",
    value: "RULE",
    help: "Draw when both scores stay within SCORE centipawns for COUNT moves: `movenumber=34,movecount=8,score=20`",
    end: "draw-adjudicated",
    remark: "",
    read: |place, given| {
        let settings = RuleSettings::parse(place, given, KEYS, "movenumber=34,movecount=8,score=20")?;
        let [from_move, moves, score] = KEYS;
        let (from_move, moves, score) =
            (settings.number(from_move)?, settings.number(moves)?, settings.number(score)?);
        Ok(Arc::new(DrawRule { from_move, moves, score }))
    },
};

const KEYS: &[SettingKey; 3] = &[
    SettingKey { name: "movenumber", alias: "from-move" },
    SettingKey { name: "movecount", alias: "moves" },
    SettingKey { name: "score", alias: "score" },
];

/// Draw adjudication by scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawRule {
    /// The earliest full move, by the position's own move number.
    pub from_move: u32,
    /// Consecutive full moves of both sides within `score`.
    pub moves: u32,
    /// Centipawns.
    pub score: u32,
}

impl Rule for DrawRule {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn settings_text(&self) -> String {
        let Self { from_move, moves, score } = self;
        format!("movenumber={from_move},movecount={moves},score={score}")
    }

    fn start(&self) -> Box<dyn RuleState> {
        Box::new(DrawCounter { rule: *self, level: 0 })
    }
}

#[derive(Debug)]
struct DrawCounter {
    rule: DrawRule,
    /// Consecutive plies within the score.
    level: u64,
}

impl RuleState for DrawCounter {
    fn observe(&mut self, shown: ObservedMove<'_>) -> Option<GameOutcome> {
        if shown.irreversible {
            self.level = 0;
        }
        self.level = match shown.score {
            Some(Score::Cp(cp)) if cp.0.unsigned_abs() <= self.rule.score => self.level + 1,
            Some(Score::Cp(_) | Score::Mate(_)) | None => 0,
        };
        // A `movecount` of 0 counts as 1: otherwise every move would fulfil the condition, whatever its
        // score.
        let fires =
            self.level >= 2 * u64::from(self.rule.moves.max(1)) && shown.completed >= self.rule.from_move;
        fires.then_some(GameOutcome::Draw)
    }
}
