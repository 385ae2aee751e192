//! What the numbers of a search mean: how mates count their distance, what a draw is worth, and how fine and how
//! close to a draw a judgement may be.

use super::mutants::{Mutant, Seed};
use super::value::{MAX_PLY, Value};
use crate::closed_set;
use crate::score::{MateDistance, Score};

closed_set! {
    /// How a mate counts its distance.
    pub enum MateScore {
        /// In plies from the root; what the hash table keeps counts from the node.
        PlyAdjusted = "PlyAdjusted",
        /// Whatever is worse than standing still is a point better for every move that it is put off (micro-Max).
        DelayedLoss = "DelayedLoss",
    }
}

closed_set! {
    /// What a draw is worth.
    pub enum DrawScore {
        /// Nothing.
        Zero = "Zero",
        /// Less than nothing to the side that thinks, by the option `Contempt`.
        Contempt = "Contempt",
        /// The more the later it comes, and never as much as a judgement (Cray Blitz).
        CrayBlitz = "CrayBlitz",
    }
}

closed_set! {
    /// What the evaluation computes with.
    pub enum EvalArithmetic {
        /// Whole numbers.
        Fixed = "Fixed",
        /// 32-bit floating point.
        Float = "Float",
    }
}

closed_set! {
    /// How fine a judgement is.
    pub enum EvalGrain {
        /// To the centipawn.
        One = "1",
        /// To 2 centipawns.
        Two = "2",
        /// To 4 centipawns.
        Four = "4",
        /// To 8 centipawns.
        Eight = "8",
        /// To 16 centipawns.
        Sixteen = "16",
    }
}

impl EvalGrain {
    /// Centipawns between two judgements.
    pub const fn centipawns(self) -> i32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }

    /// The nearest judgement; halfway it is the one further from nothing, on both sides.
    pub const fn round(self, centipawns: i32) -> i32 {
        let grain = self.centipawns();
        if grain == 1 {
            return centipawns;
        }
        centipawns.signum() * ((centipawns.abs() + grain / 2) / grain) * grain
    }
}

/// What the numbers of a search mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scoring {
    /// How a mate counts its distance.
    pub mates: MateScore,
    /// What a draw is worth.
    pub draws: DrawScore,
    /// What the side that thinks would pay to avoid a draw, in centipawns; it counts under `Contempt` alone.
    pub contempt: i32,
    /// Is a draw worth one centipawn more or less at times, so that there is something to tell draws by?
    pub draw_jitter: bool,
    /// Is no judgement 0, so that 0 is a draw and nothing else?
    pub zero_excluded: bool,
    /// How fine a judgement is.
    pub grain: EvalGrain,
    /// The seeded bug, in a build with mutants.
    pub seed: Seed,
}

impl Scoring {
    /// As it is unless set.
    pub const DEFAULT: Self = Self {
        mates: MateScore::PlyAdjusted,
        draws: DrawScore::Zero,
        contempt: 0,
        draw_jitter: false,
        zero_excluded: false,
        grain: EvalGrain::One,
        seed: Seed::NONE,
    };

    /// Checkmate on the board, `ply` half-moves below the root.
    pub fn mated_at(self, ply: usize) -> Value {
        match self.mates {
            MateScore::DelayedLoss => Value::mated_at(0),
            MateScore::PlyAdjusted if self.seed.is(Mutant::DawdlingWins) => Value::mated_at(MAX_PLY - ply),
            MateScore::PlyAdjusted => Value::mated_at(ply),
        }
    }

    /// The side to move wins by the tables, which know the position `ply` half-moves below the root.
    pub const fn won_at(self, ply: usize) -> Value {
        match self.mates {
            MateScore::DelayedLoss => Value::won_at(0),
            MateScore::PlyAdjusted => Value::won_at(ply),
        }
    }

    /// Does whoever loses gain by putting it off?
    pub const fn delays_losses(self) -> bool {
        matches!(self.mates, MateScore::DelayedLoss)
    }

    /// A value of a node as the node above it has it, where losses are delayed: one that is worse than the node
    /// as it `stands` is a point better for having taken a move to come about.
    pub fn delayed(self, value: Value, stands: Value) -> Value {
        if value < stands && !value.is_infinite() { value.next_above() } else { value }
    }

    /// The window to ask with, so that values come out of [`Self::delayed`] on the same side of this one:
    /// `delayed(v) > alpha` exactly if `v` is above the new alpha, `delayed(v) >= beta` exactly if `v` is not
    /// below the new beta.
    pub fn before_delay(self, (alpha, beta): (Value, Value), stands: Value) -> (Value, Value) {
        let alpha = if alpha < stands { alpha.next_below() } else { alpha };
        (alpha, if beta <= stands { beta.next_below() } else { beta })
    }

    /// What a draw is worth to the side to move, so many plies below the root and after so many nodes.
    pub fn draw_at(self, ply: usize, nodes: u64) -> Value {
        // The side that thinks moves at even plies.
        let thinks = ply.is_multiple_of(2);
        let jitter = if self.draw_jitter { (nodes & 2) as i32 - 1 } else { 0 };
        match self.draws {
            DrawScore::Zero => Value::from_raw(jitter),
            DrawScore::Contempt if thinks => Value::from_raw(jitter - self.contempt),
            DrawScore::Contempt => Value::from_raw(jitter + self.contempt),
            DrawScore::CrayBlitz if thinks => Value::from_raw(points(ply)),
            DrawScore::CrayBlitz => Value::from_raw(-points(ply)),
        }
    }

    /// A judgement, to the side to move, as fine and as far from a draw as it may be.
    ///
    /// What is moved away from nothing is moved in the mover's view: a position has one side to move, so its
    /// value is one, and the same with colours exchanged.
    #[inline]
    pub fn judged(self, centipawns: i32) -> Value {
        if self.shapes_nothing() { Value::judged(centipawns) } else { self.shaped(centipawns) }
    }

    /// Are judgements taken as they come?
    const fn shapes_nothing(self) -> bool {
        matches!(self.grain, EvalGrain::One)
            && !matches!(self.draws, DrawScore::CrayBlitz)
            && !self.zero_excluded
    }

    fn shaped(self, centipawns: i32) -> Value {
        let centipawns = self.grain.round(centipawns);
        let away = match self.draws {
            DrawScore::CrayBlitz => points(MAX_PLY) + 1,
            DrawScore::Zero | DrawScore::Contempt => i32::from(self.zero_excluded),
        };
        Value::judged(if centipawns < 0 { centipawns - away } else { centipawns + away })
    }

    /// As the hash table keeps a value: what counts plies counts them from the node, whatever path led there.
    #[must_use]
    pub fn to_table(self, value: Value, ply: usize) -> Value {
        if self.is_of_draws(value) {
            let from_root = value.raw() * if ply.is_multiple_of(2) { 1 } else { -1 };
            return Value::from_raw((from_root - points(ply)).max(0));
        }
        value.shifted(match self.seed {
            seed if seed.is(Mutant::MateNotPlyAdjusted) => 0,
            seed if seed.is(Mutant::MateAdjustedTwice) => 2 * self.shift(ply),
            _ => self.shift(ply),
        })
    }

    /// The inverse of [`Self::to_table`] at a node `ply` half-moves below the root.
    #[must_use]
    pub fn from_table(self, value: Value, ply: usize) -> Value {
        if self.is_of_draws(value) {
            let from_root = value.raw() + points(ply);
            return Value::from_raw(if ply.is_multiple_of(2) { from_root } else { -from_root });
        }
        value.shifted(if self.seed.is(Mutant::MateNotPlyAdjusted) { 0 } else { -self.shift(ply) })
    }

    const fn shift(self, ply: usize) -> i16 {
        match self.mates {
            MateScore::DelayedLoss => 0,
            MateScore::PlyAdjusted => (ply as u16).cast_signed(),
        }
    }

    /// Is it in the band that draws by distance have for themselves?
    const fn is_of_draws(self, value: Value) -> bool {
        matches!(self.draws, DrawScore::CrayBlitz) && value.raw().unsigned_abs() as usize <= MAX_PLY
    }

    /// Plies from a node, `ply` half-moves below the root, to the mate that its value says, if one does.
    pub const fn plies_to_mate(self, value: Value, ply: usize) -> Option<usize> {
        let Some(left) = value.short_of_mate() else { return None };
        Some(match self.mates {
            MateScore::PlyAdjusted => left.saturating_sub(ply),
            // One point for each move of the side that is mated, the one with which the mate is there included.
            MateScore::DelayedLoss if value.is_win() => (2 * left).saturating_sub(1),
            MateScore::DelayedLoss => 2 * left,
        })
    }

    /// As the rest of the house speaks of a value of the root.
    pub fn score(self, value: Value) -> Score {
        let Some(plies) = self.plies_to_mate(value, 0) else { return value.centipawns() };
        let moves = i32::from(plies.div_ceil(2) as u16);
        let moves = if value.is_win() { moves } else { -moves };
        Score::Mate(MateDistance::from_moves(moves).expect("a search is a few hundred plies deep at most"))
    }
}

/// A point for each ply.
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
    fn a_mate_keeps_its_distance_through_the_table() {
        let scoring = Scoring::DEFAULT;
        for ply in 0..MAX_PLY {
            for value in [
                Value::mating_at(ply + 3),
                Value::mated_at(ply + 4),
                Value::won_at(ply + 2),
                -Value::won_at(ply),
                Value::judged(-777),
                Value::INFINITE,
                Value::MINUS_INFINITE,
            ] {
                for scoring in [scoring, DELAYED, CRAY_BLITZ] {
                    let kept = scoring.to_table(value, ply);
                    assert_eq!(scoring.from_table(kept, ply), value, "{value:?} at {ply}");
                }
            }
            // Stored three plies before the mate, met again deeper in the tree.
            let stored = scoring.to_table(Value::mating_at(ply + 3), ply);
            assert_eq!(scoring.from_table(stored, ply + 2), Value::mating_at(ply + 5));
        }
    }

    #[test]
    fn draws_by_distance_count_from_where_they_are_met() {
        let zero_to = |ply, drawn_at| value(if ply % 2 == 0 { drawn_at } else { -drawn_at });
        for ply in 0..60_usize {
            for later in 0..40 {
                let drawn_at = points(ply) + later;
                let kept = CRAY_BLITZ.to_table(zero_to(ply, drawn_at), ply);
                assert_eq!(CRAY_BLITZ.from_table(kept, ply), zero_to(ply, drawn_at));
                assert_eq!(CRAY_BLITZ.from_table(kept, ply + 2), zero_to(ply, drawn_at + 2));
            }
        }
        // The later the better for the side that thinks, the other way round for the other one.
        assert!(CRAY_BLITZ.draw_at(4, 0) < CRAY_BLITZ.draw_at(6, 0));
        assert!(CRAY_BLITZ.draw_at(5, 0) > CRAY_BLITZ.draw_at(7, 0));
        // No judgement is so near to nothing.
        let nearest = (-300..300).map(|cp| CRAY_BLITZ.judged(cp).raw().abs()).min();
        assert_eq!(nearest, Some(points(MAX_PLY) + 1));
    }

    #[test]
    fn judgements_are_odd_and_never_nothing_where_that_is_asked() {
        let excluded = Scoring { zero_excluded: true, ..Scoring::DEFAULT };
        for cp in 1..20_000 {
            for &grain in EvalGrain::ALL {
                assert_eq!(grain.round(-cp), -grain.round(cp));
                assert_eq!(grain.round(cp) % grain.centipawns(), 0);
                assert!(2 * (grain.round(cp) - cp).abs() <= grain.centipawns());
                for scoring in [Scoring { grain, ..excluded }, Scoring { grain, ..CRAY_BLITZ }] {
                    assert_ne!(scoring.judged(cp), Value::DRAW);
                    if grain.round(cp) != 0 {
                        assert_eq!(scoring.judged(-cp), -scoring.judged(cp));
                    }
                    assert!(scoring.judged(cp) >= scoring.judged(cp - 1));
                }
            }
        }
        assert_eq!(excluded.judged(0), value(1));
        assert_eq!(Scoring::DEFAULT.judged(i32::MAX / 2), -Scoring::DEFAULT.judged(i32::MIN / 2));
        // Nine queens saturate, and are no mate.
        assert!(!CRAY_BLITZ.judged(9 * 2_000).is_proven());
    }

    #[test]
    fn a_draw_costs_the_side_that_thinks_what_it_despises_it_for() {
        let proud = Scoring { draws: DrawScore::Contempt, contempt: 30, ..Scoring::DEFAULT };
        assert_eq!((proud.draw_at(0, 0), proud.draw_at(7, 0)), (value(-30), value(30)));
        let modest = Scoring { contempt: 30, ..Scoring::DEFAULT };
        assert_eq!(modest.draw_at(2, 0), Value::DRAW, "it counts under Contempt alone");
        let jittery = Scoring { draw_jitter: true, ..Scoring::DEFAULT };
        assert_eq!([0, 1, 2, 3].map(|nodes| jittery.draw_at(3, nodes).raw()), [-1, -1, 1, 1]);
    }

    #[test]
    fn a_delay_and_its_window_agree_for_every_number() {
        for stands in [-200, -1, 0, 1, 57] {
            for bound in -210..70 {
                for m in -210..70 {
                    let (stands, bound, m) = (value(stands), value(bound), value(m));
                    let (alpha, beta) = DELAYED.before_delay((bound, bound), stands);
                    let delayed = DELAYED.delayed(m, stands);
                    assert_eq!(delayed > bound, m > alpha, "{m:?} {bound:?} {stands:?}");
                    assert_eq!(delayed >= bound, m >= beta, "{m:?} {bound:?} {stands:?}");
                }
            }
        }
    }

    #[test]
    fn mates_leave_as_moves() {
        let mate = |moves| Score::Mate(MateDistance::from_moves(moves).expect("small"));
        // value, full moves as UCI counts them
        for (value, moves) in [
            (Value::mating_at(1), 1),
            (Value::mating_at(15), 8),
            (Value::mated_at(0), 0),
            (Value::mated_at(2), -1),
            (Value::mated_at(8), -4),
        ] {
            assert_eq!(Scoring::DEFAULT.score(value), mate(moves));
        }
        // Mated, the loser's last move put off by one point, and so on up.
        let mut value = DELAYED.mated_at(0);
        for moves in 1..20 {
            let winner = -DELAYED.delayed(value, Value::DRAW);
            assert_eq!(DELAYED.score(winner), mate(moves));
            value = -DELAYED.delayed(winner, Value::DRAW);
            assert_eq!(DELAYED.score(value), mate(-moves));
        }
        assert_eq!(Scoring::DEFAULT.score(Value::judged(31)), Value::judged(31).centipawns());
    }
}
