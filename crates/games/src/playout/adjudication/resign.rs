//! Resign adjudication: a player reports losing scores for some moves.
//!
//! One-sided: `movecount` consecutive own scores ≤ −`score`; being mated counts. The rule applies right after
//! the loser's move. Two-sided (`twosided=true`): in addition, the winner's last `movecount` own scores are ≥
//! `score`, and the move of either side can complete the condition. Signs are checked: if both engines report
//! winning scores, no engine resigns. A move without a score, or with `score mate 0`, which has no meaning
//! for a position with a move, resets its mover's counts.
//!
//! With `like=fastchess` or `like=cutechess` the rule counts as these programs do; see [`Like`].

use std::sync::Arc;

use shakmaty::{ByColor, Color};

use super::settings::{RuleSettings, SettingKey};
use super::{ObservedMove, Rule, RuleKind, RuleState};
use crate::playout::GameOutcome;
use threefold_chess::score::Score;
use threefold_named_enum::named_enum;

pub(super) const KIND: RuleKind = RuleKind {
    name: "resign",
    flag: "resign",
    value: "RULE",
    help: "Resign when the score stays below -SCORE centipawns for COUNT moves: `movecount=3,score=600[,twosided=true]`",
    end: "resigned",
    remark: "",
    read: |place, given| {
        let settings = RuleSettings::parse(place, given, KEYS, "movecount=3,score=600,twosided=true")?;
        let [moves, score, two_sided, like] = KEYS;
        Ok(Arc::new(ResignRule {
            moves: settings.number(moves)?,
            score: settings.number(score)?,
            two_sided: settings.boolean(two_sided)?.unwrap_or(false),
            like: settings.named(like, Like::ALL)?.unwrap_or(Like::Threefold),
        }))
    },
};

const KEYS: &[SettingKey; 4] = &[
    SettingKey { name: "movecount", alias: "moves" },
    SettingKey { name: "score", alias: "score" },
    SettingKey { name: "twosided", alias: "two-sided" },
    SettingKey { name: "like", alias: "like" },
];

named_enum! {
    /// The program whose rule is followed to the letter.
    pub enum Like {
        /// The rule of this program.
        Threefold = "threefold",
        /// fastchess 1.8.2. Two-sided: 2 · `movecount` consecutive moves of both sides with a score beyond ±
        /// `score`, whatever their signs; then the first mover with a negative score loses.
        Fastchess = "fastchess",
        /// cutechess-cli 1.5.1. Two-sided: the loser's move must complete the condition. `mate 0` is a score
        /// of zero.
        Cutechess = "cutechess",
    }
}

/// Resign adjudication by scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResignRule {
    /// Consecutive full moves.
    pub moves: u32,
    /// Centipawns.
    pub score: u32,
    /// Must the opponent's scores agree, with the opposite sign?
    pub two_sided: bool,
    /// The program whose rule it is.
    pub like: Like,
}

impl Rule for ResignRule {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn settings_text(&self) -> String {
        let Self { moves, score, two_sided, like } = self;
        let like = if *like == Like::Threefold { String::new() } else { format!(",like={like}") };
        format!("movecount={moves},score={score},twosided={two_sided}{like}")
    }

    fn start(&self) -> Box<dyn RuleState> {
        Box::new(Streaks { rule: *self, losing: ByColor::default(), winning: ByColor::default(), beyond: 0 })
    }
}

/// What a score says.
#[derive(Debug, Clone, Copy, Default)]
struct Claim {
    is_lost: bool,
    is_won: bool,
    /// -1, 0 or 1.
    sign: i32,
    /// A mate score of any distance, `mate 0` among them.
    is_mate: bool,
}

impl ResignRule {
    fn claim(&self, score: Option<Score>) -> Claim {
        let of_number = |number: i32| Claim {
            // Saturated: the setting is a `u32`, and a score an `i32`.
            is_lost: number <= 0_i32.saturating_sub_unsigned(self.score),
            is_won: number >= 0_i32.saturating_add_unsigned(self.score),
            sign: number.signum(),
            is_mate: false,
        };
        match score {
            Some(Score::Cp(cp)) => of_number(cp.0),
            Some(Score::Mate(mate)) if mate.is_none() => match self.like {
                Like::Cutechess => of_number(0),
                Like::Threefold | Like::Fastchess => Claim { is_mate: true, ..Claim::default() },
            },
            Some(Score::Mate(mate)) => {
                let is_lost = !mate.is_win();
                Claim { is_lost, is_won: !is_lost, sign: if is_lost { -1 } else { 1 }, is_mate: true }
            }
            None => Claim::default(),
        }
    }
}

#[derive(Debug)]
struct Streaks {
    rule: ResignRule,
    losing: ByColor<u64>,
    winning: ByColor<u64>,
    /// Consecutive moves of both sides with a score beyond the limit, with either sign.
    beyond: u64,
}

impl RuleState for Streaks {
    fn observe(&mut self, shown: ObservedMove<'_>) -> Option<GameOutcome> {
        let claim = self.rule.claim(shown.score);
        for (streak, goes_on) in [(&mut self.losing, claim.is_lost), (&mut self.winning, claim.is_won)] {
            let own = streak.get_mut(shown.mover);
            *own = if goes_on { *own + 1 } else { 0 };
        }
        self.beyond = if claim.is_lost || claim.is_won || claim.is_mate { self.beyond + 1 } else { 0 };
        self.loser(shown.mover, claim).map(|loser| GameOutcome::win(!loser))
    }
}

impl Streaks {
    fn loser(&self, mover: Color, claim: Claim) -> Option<Color> {
        let needed = u64::from(self.rule.moves.max(1));
        let is_lost = |loser: Color| {
            let agreed = !self.rule.two_sided || *self.winning.get(!loser) >= needed;
            *self.losing.get(loser) >= needed && agreed
        };
        match self.rule.like {
            // One-sided, only the loser's own move can complete the condition.
            Like::Threefold => [mover, !mover].into_iter().find(|&loser| is_lost(loser)),
            Like::Cutechess => is_lost(mover).then_some(mover),
            Like::Fastchess => {
                let is_due = if self.rule.two_sided {
                    self.beyond >= 2 * needed
                } else {
                    [mover, !mover].into_iter().any(|side| *self.losing.get(side) >= needed)
                };
                (is_due && claim.sign < 0).then_some(mover)
            }
        }
    }
}
