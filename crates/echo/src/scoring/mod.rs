//! Scoring schemes: mate distances, draw values, and the granularity of evaluations.

mod scheme;

pub use scheme::{DrawScore, EvalArithmetic, EvalGrain, MateScore};

use super::mutants::{Mutant, SeededBug};
use super::value::{MAX_PLY, Value};
use threefold_chess::score::{MateDistance, Score};

/// The scoring scheme of a search.
///
/// ```
/// use threefold_echo::scoring::{DrawScore, Scoring};
/// use threefold_echo::value::Value;
///
/// let proud = Scoring { draws: DrawScore::Contempt, contempt: 30, ..Scoring::DEFAULT };
/// // The searching side moves at even plies.
/// assert_eq!(proud.draw_at(0, 0), Value::evaluation(-30));
/// assert_eq!(proud.draw_at(1, 0), Value::evaluation(30));
/// // The table counts mates from the node: one ply to mate, found at ply 4, is a mate at ply 5.
/// assert_eq!(Scoring::DEFAULT.from_table(Value::mating_at(1), 4), Value::mating_at(5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scoring {
    /// The scheme of mate distances.
    pub mates: MateScore,
    /// The value of draws.
    pub draws: DrawScore,
    /// Contempt of the side that searches, in centipawns; used with `Contempt` only.
    pub contempt: i32,
    /// The bonus of a draw by perpetual check for the side that gives it, in centipawns.
    pub perpetual_bonus: i32,
    /// Whether draws vary by one centipawn.
    pub draw_jitter: bool,
    /// Whether no evaluation is 0, so that 0 means a draw.
    pub zero_excluded: bool,
    /// The granularity of evaluations.
    pub grain: EvalGrain,
    /// Where evaluations saturate, in centipawns.
    pub limit: i32,
    /// The seeded bug, in a build with mutants.
    pub bug: SeededBug,
}

impl Scoring {
    /// The scores without any `setoption`.
    pub const DEFAULT: Self = Self {
        mates: MateScore::PlyAdjusted,
        draws: DrawScore::Zero,
        contempt: 0,
        perpetual_bonus: 0,
        draw_jitter: false,
        zero_excluded: false,
        grain: EvalGrain::One,
        limit: Value::EVALUATION_LIMIT,
        bug: SeededBug::NONE,
    };

    /// The value of checkmate at `ply`.
    pub fn mated_at(self, ply: usize) -> Value {
        match self.mates {
            MateScore::DelayedLoss => Value::mated_at(0),
            MateScore::PlyAdjusted if self.bug.is(Mutant::DawdlingWins) => Value::mated_at(MAX_PLY - ply),
            MateScore::PlyAdjusted => Value::mated_at(ply),
        }
    }

    /// The value of a win by the tables, probed at `ply`.
    pub const fn won_at(self, ply: usize) -> Value {
        match self.mates {
            MateScore::DelayedLoss => Value::won_at(0),
            MateScore::PlyAdjusted => Value::won_at(ply),
        }
    }

    /// Whether the losing side gains by delay.
    pub const fn delays_losses(self) -> bool {
        matches!(self.mates, MateScore::DelayedLoss)
    }

    /// A node's value as its parent uses it if losses are delayed: a value worse than the node's static value
    /// `static_eval` is a point better per move.
    pub fn delayed(self, value: Value, static_eval: Value) -> Value {
        if value < static_eval && !value.is_infinite() { value.next_above() } else { value }
    }

    /// The window for the child such that results of [`Self::delayed`] fall on the same side of this one:
    /// `delayed(v) > alpha` if and only if `v` is above the new alpha, and `delayed(v) >= beta` if and only
    /// if `v` is at least the new beta.
    pub fn before_delay(self, (alpha, beta): (Value, Value), static_eval: Value) -> (Value, Value) {
        let alpha = if alpha < static_eval { alpha.next_below() } else { alpha };
        (alpha, if beta <= static_eval { beta.next_below() } else { beta })
    }

    /// The value of a draw for the side to move, at this ply and after this number of nodes.
    pub fn draw_at(self, ply: usize, nodes: u64) -> Value {
        // The searching side moves at even plies.
        let thinks = ply.is_multiple_of(2);
        if self.bug.is(Mutant::ContemptReversed) {
            return Value::from_raw(if thinks { 50 } else { -50 });
        }
        // -1 or 1 by a bit of the node count, as in Stockfish.
        let jitter = if self.draw_jitter { (nodes & 2) as i32 - 1 } else { 0 };
        match self.draws {
            DrawScore::Zero => Value::from_raw(jitter),
            DrawScore::Contempt if thinks => Value::from_raw(jitter - self.contempt),
            DrawScore::Contempt => Value::from_raw(jitter + self.contempt),
            DrawScore::CrayBlitz if thinks => Value::from_raw(points(ply)),
            DrawScore::CrayBlitz => Value::from_raw(-points(ply)),
        }
    }

    /// An evaluation for the side to move, rounded to the granularity and moved away from draws.
    ///
    /// The shift away from 0 is from the mover's side, so that a position has one value, and the same with
    /// colours swapped.
    #[inline]
    pub fn evaluation(self, centipawns: i32) -> Value {
        if self.shapes_nothing() { Value::evaluation(centipawns) } else { self.shaped(centipawns) }
    }

    /// Whether evaluations are unchanged.
    const fn shapes_nothing(self) -> bool {
        matches!(self.grain, EvalGrain::One)
            && !matches!(self.draws, DrawScore::CrayBlitz)
            && !self.zero_excluded
            && self.limit == Value::EVALUATION_LIMIT
    }

    /// The shift of evaluations away from 0, in centipawns.
    fn away(self) -> i32 {
        match self.draws {
            DrawScore::CrayBlitz => BESIDE_DRAWS,
            DrawScore::Zero | DrawScore::Contempt => i32::from(self.zero_excluded),
        }
    }

    fn shaped(self, centipawns: i32) -> Value {
        let centipawns = self.grain.round(centipawns.clamp(-self.limit, self.limit));
        let away = self.away();
        Value::evaluation(if centipawns < 0 { centipawns - away } else { centipawns + away })
    }

    /// The stored form of a lower bound.
    pub(super) fn least_in_table(self, value: Value, ply: usize) -> Value {
        // A lower bound that is smaller holds as well.
        self.to_table(value, ply).unwrap_or(Value::from_raw(-BESIDE_DRAWS))
    }

    /// The stored form of an upper bound.
    pub(super) fn most_in_table(self, value: Value, ply: usize) -> Value {
        // An upper bound that is larger holds as well.
        self.to_table(value, ply).unwrap_or(Value::from_raw(BESIDE_DRAWS))
    }

    /// Converts a value for the hash table: distances count from the node. `None` for a value in the band of
    /// draws by distance, which margins can produce.
    fn to_table(self, value: Value, ply: usize) -> Option<Value> {
        if self.is_of_draws(value) {
            let from_root = if ply.is_multiple_of(2) { value.raw() } else { -value.raw() };
            let later = from_root - points(ply);
            return (later >= 0).then(|| Value::from_raw(later));
        }
        Some(value.shifted(match self.bug {
            bug if bug.is(Mutant::MateNotPlyAdjusted) => 0,
            bug if bug.is(Mutant::MateAdjustedTwice) => 2 * self.shift(ply),
            _ => self.shift(ply),
        }))
    }

    /// Converts a value from the hash table at a node of this ply.
    #[must_use]
    pub fn from_table(self, value: Value, ply: usize) -> Value {
        if self.is_of_draws(value) {
            // A node deeper than the one that stored the value must not take it out of the band of draws.
            let from_root = (value.raw() + points(ply)).min(points(MAX_PLY));
            return Value::from_raw(if ply.is_multiple_of(2) { from_root } else { -from_root });
        }
        value.shifted(if self.bug.is(Mutant::MateNotPlyAdjusted) { 0 } else { -self.shift(ply) })
    }

    const fn shift(self, ply: usize) -> i16 {
        match self.mates {
            MateScore::DelayedLoss => 0,
            MateScore::PlyAdjusted => (ply as u16).cast_signed(),
        }
    }

    /// Whether a draw has different values for the two sides.
    pub(super) const fn takes_sides(self) -> bool {
        !matches!(self.draws, DrawScore::Zero)
    }

    /// Whether it is in the band of draws by distance.
    const fn is_of_draws(self, value: Value) -> bool {
        matches!(self.draws, DrawScore::CrayBlitz) && value.raw().unsigned_abs() as usize <= MAX_PLY
    }

    /// Plies from a node at this ply to the mate of its value, if it is a mate.
    pub const fn plies_to_mate(self, value: Value, ply: usize) -> Option<usize> {
        let Some(left) = value.short_of_mate() else { return None };
        Some(match self.mates {
            MateScore::PlyAdjusted => left.saturating_sub(ply),
            // One point per move of the mated side, including the last.
            MateScore::DelayedLoss if value.is_win() => (2 * left).saturating_sub(1),
            MateScore::DelayedLoss => 2 * left,
        })
    }

    /// Converts a root value to a public score.
    pub fn score(self, value: Value) -> Score {
        let Some(plies) = self.plies_to_mate(value, 0) else { return self.unshaped(value).centipawns() };
        let moves = i32::from(plies.div_ceil(2) as u16);
        let moves = if value.is_win() { moves } else { -moves };
        Score::Mate(MateDistance::from_moves(moves).expect("a search is a few hundred plies deep at most"))
    }

    /// An evaluation without its shift away from draws; values within the shift are draws.
    fn unshaped(self, value: Value) -> Value {
        if !value.is_evaluation() {
            return value;
        }
        let raw = value.raw();
        Value::from_raw(raw.signum() * (raw.abs() - self.away()).max(0))
    }
}

/// The smallest evaluation next to draws by distance, in centipawns.
const BESIDE_DRAWS: i32 = MAX_PLY as u16 as i32 + 1;

/// One point per ply.
fn points(plies: usize) -> i32 {
    i32::from(plies as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRAY_BLITZ: Scoring = Scoring { draws: DrawScore::CrayBlitz, ..Scoring::DEFAULT };
    const DELAYED: Scoring = Scoring { mates: MateScore::DelayedLoss, ..Scoring::DEFAULT };

    fn value(raw: i32) -> Value {
        Value::from_raw(raw)
    }

    #[test]
    fn mate_distance_survives_the_table() {
        let scoring = Scoring::DEFAULT;
        for ply in 0..MAX_PLY {
            for value in [
                Value::mating_at(ply + 3),
                Value::mated_at(ply + 4),
                Value::won_at(ply + 2),
                -Value::won_at(ply),
                Value::evaluation(-777),
                Value::INFINITE,
                Value::MINUS_INFINITE,
            ] {
                for scoring in [scoring, DELAYED, CRAY_BLITZ] {
                    for kept in [scoring.least_in_table(value, ply), scoring.most_in_table(value, ply)] {
                        assert_eq!(scoring.from_table(kept, ply), value, "{value:?} at {ply}");
                    }
                }
            }
            // Stored three plies before the mate, found again deeper in the tree.
            let stored = scoring.least_in_table(Value::mating_at(ply + 3), ply);
            assert_eq!(scoring.from_table(stored, ply + 2), Value::mating_at(ply + 5));
        }
    }

    #[test]
    fn draws_by_distance_count_from_the_node() {
        let zero_to = |ply, drawn_at| value(if ply % 2 == 0 { drawn_at } else { -drawn_at });
        for ply in 0..60_usize {
            for later in 0..40 {
                let drawn_at = points(ply) + later;
                let draw = zero_to(ply, drawn_at);
                for kept in [CRAY_BLITZ.least_in_table(draw, ply), CRAY_BLITZ.most_in_table(draw, ply)] {
                    assert_eq!(CRAY_BLITZ.from_table(kept, ply), draw);
                    assert_eq!(CRAY_BLITZ.from_table(kept, ply + 2), zero_to(ply, drawn_at + 2));
                }
            }
            // A bound within the band of draws is weakened, never strengthened.
            for bound in (-400..400).map(value) {
                let least = CRAY_BLITZ.from_table(CRAY_BLITZ.least_in_table(bound, ply), ply);
                let most = CRAY_BLITZ.from_table(CRAY_BLITZ.most_in_table(bound, ply), ply);
                assert!(least <= bound && bound <= most, "{bound:?} at {ply}: {least:?} to {most:?}");
            }
        }
        // Later is better for the searching side, and worse for the other.
        assert!(CRAY_BLITZ.draw_at(4, 0) < CRAY_BLITZ.draw_at(6, 0));
        assert!(CRAY_BLITZ.draw_at(5, 0) > CRAY_BLITZ.draw_at(7, 0));
        // No evaluation is that close to 0.
        let nearest = (-300..300).map(|cp| CRAY_BLITZ.evaluation(cp).raw().abs()).min();
        assert_eq!(nearest, Some(BESIDE_DRAWS));
        assert!(BESIDE_DRAWS > CRAY_BLITZ.draw_at(MAX_PLY, 0).raw());
    }

    #[test]
    fn evaluations_are_antisymmetric_and_nonzero_if_required() {
        let excluded = Scoring { zero_excluded: true, ..Scoring::DEFAULT };
        for cp in 1..20_000 {
            for &grain in EvalGrain::ALL {
                assert_eq!(grain.round(-cp), -grain.round(cp));
                assert_eq!(grain.round(cp) % grain.centipawns(), 0);
                assert!(2 * (grain.round(cp) - cp).abs() <= grain.centipawns());
                for scoring in [Scoring { grain, ..excluded }, Scoring { grain, ..CRAY_BLITZ }] {
                    assert_ne!(scoring.evaluation(cp), Value::DRAW);
                    if grain.round(cp) != 0 {
                        assert_eq!(scoring.evaluation(-cp), -scoring.evaluation(cp));
                    }
                    assert!(scoring.evaluation(cp) >= scoring.evaluation(cp - 1));
                }
            }
        }
        assert_eq!(excluded.evaluation(0), value(1));
        assert_eq!(Scoring::DEFAULT.evaluation(i32::MAX / 2), -Scoring::DEFAULT.evaluation(i32::MIN / 2));
        // Nine queens saturate the evaluation without being a mate.
        assert!(!CRAY_BLITZ.evaluation(9 * 2_000).is_proven());
    }

    #[test]
    fn evaluations_saturate_at_the_limit() {
        for limit in [3000, 5000] {
            let saturated = Scoring { limit, ..Scoring::DEFAULT };
            for cp in [-limit, -17, 0, 1, limit] {
                assert_eq!(saturated.evaluation(cp), value(cp));
            }
            assert_eq!(saturated.evaluation(limit + 1), value(limit));
            assert_eq!(saturated.evaluation(i32::MIN), -saturated.evaluation(i32::MAX));
        }
    }

    #[test]
    fn contempt_lowers_draws_of_the_searching_side() {
        let proud = Scoring { draws: DrawScore::Contempt, contempt: 30, ..Scoring::DEFAULT };
        assert_eq!((proud.draw_at(0, 0), proud.draw_at(7, 0)), (value(-30), value(30)));
        let modest = Scoring { contempt: 30, ..Scoring::DEFAULT };
        assert_eq!(modest.draw_at(2, 0), Value::DRAW, "it counts under Contempt alone");
        let jittery = Scoring { draw_jitter: true, ..Scoring::DEFAULT };
        assert_eq!([0, 1, 2, 3].map(|nodes| jittery.draw_at(3, nodes).raw()), [-1, -1, 1, 1]);
    }

    #[test]
    fn delayed_values_agree_with_their_window() {
        for static_eval in [-200, -1, 0, 1, 57] {
            for bound in -210..70 {
                for m in -210..70 {
                    let (static_eval, bound, m) = (value(static_eval), value(bound), value(m));
                    let (alpha, beta) = DELAYED.before_delay((bound, bound), static_eval);
                    let delayed = DELAYED.delayed(m, static_eval);
                    assert_eq!(delayed > bound, m > alpha, "{m:?} {bound:?} {static_eval:?}");
                    assert_eq!(delayed >= bound, m >= beta, "{m:?} {bound:?} {static_eval:?}");
                }
            }
        }
    }

    #[test]
    fn mate_scores_convert_to_moves() {
        let mate = |moves| Score::Mate(MateDistance::from_moves(moves).expect("small"));
        // value, full moves in UCI's count
        for (value, moves) in [
            (Value::mating_at(1), 1),
            (Value::mating_at(15), 8),
            (Value::mated_at(0), 0),
            (Value::mated_at(2), -1),
            (Value::mated_at(8), -4),
        ] {
            assert_eq!(Scoring::DEFAULT.score(value), mate(moves));
        }
        // Mated, one point per delayed move, and so on.
        let mut value = DELAYED.mated_at(0);
        for moves in 1..20 {
            let winner = -DELAYED.delayed(value, Value::DRAW);
            assert_eq!(DELAYED.score(winner), mate(moves));
            value = -DELAYED.delayed(winner, Value::DRAW);
            assert_eq!(DELAYED.score(value), mate(-moves));
        }
        // Evaluations are reported unshifted, draws as 0.
        let excluded = Scoring { zero_excluded: true, ..Scoring::DEFAULT };
        for scoring in [Scoring::DEFAULT, DELAYED, CRAY_BLITZ, excluded] {
            for centipawns in [-900, -1, 0, 1, 31] {
                assert_eq!(
                    scoring.score(scoring.evaluation(centipawns)),
                    Value::evaluation(centipawns).centipawns()
                );
            }
            assert_eq!(scoring.score(scoring.draw_at(12, 0)), Value::DRAW.centipawns());
        }
    }
}
