//! The evaluation in floating point, to measure its cost.
//!
//! All weights are integers, and 32-bit floating point is exact for integers below 2^24, which no sum here
//! reaches. The result therefore equals the integer evaluation to the centipawn: every quotient is truncated
//! at the same place.

use cozy_chess::{Board, Color};

use super::accumulator::{DANGER_SCALE, MOST_DANGER, TermAccumulator};
use super::context::EvalContext;
use super::pawn_cache::PawnCache;
use super::phase::{FULL, Phase, Tapered};
use super::weights::{self, WEIGHTS, Weight};
use super::{TERMS, king_and_pawn, kpk_value, terms};
use crate::value::Value;

/// Middlegame and endgame, in centipawns.
type Ends = [f32; 2];

/// The sum of the added weights.
#[derive(Debug, Clone, Copy, Default)]
pub struct FloatSum {
    linear: Ends,
    danger: Ends,
}

impl TermAccumulator for FloatSum {
    fn add(&mut self, weight: Weight, times: i32) {
        add(&mut self.linear, weight, times);
    }

    fn add_danger(&mut self, weight: Weight, times: i32) {
        add(&mut self.danger, weight, times);
    }
}

fn add(sum: &mut Ends, weight: Weight, times: i32) {
    let [middle, end] = ends(WEIGHTS[weight.index()]);
    sum[0] += middle * times as f32;
    sum[1] += end * times as f32;
}

const fn ends(tapered: Tapered) -> Ends {
    [tapered.middle() as f32, tapered.end() as f32]
}

/// See [`super::accumulator::loss_by`].
fn loss_by(danger: f32) -> f32 {
    let counted = danger.clamp(0.0, MOST_DANGER as f32);
    (counted * counted / DANGER_SCALE as f32).trunc()
}

impl FloatSum {
    fn total(self) -> Ends {
        [0, 1].map(|end| self.linear[end] - loss_by(self.danger[end]))
    }
}

/// The evaluation for the side to move, with the pawn cache.
pub fn evaluate_with(board: &Board, cache: &mut PawnCache) -> Value {
    if let Some(outcome) = king_and_pawn::outcome(board) {
        return kpk_value(board, outcome);
    }
    let context = EvalContext::new(board);
    let mover = board.side_to_move();
    let mut balance = ends(cache.score(&context));
    for (color, sign) in [(Color::White, 1.0), (Color::Black, -1.0)] {
        let mut sum = FloatSum::default();
        for term in TERMS {
            (term.float)(&context, color, &mut sum);
        }
        let total = sum.total();
        balance = [0, 1].map(|end| balance[end] + sign * total[end]);
    }
    let tempo = ends(WEIGHTS[weights::TEMPO.one().index()]);
    let sign = if mover == Color::White { 1.0 } else { -1.0 };
    let [middle, end] = [0, 1].map(|end| tempo[end] + sign * balance[end]);
    let end = scaled_by_complexity(end, complexity(&context));
    let Phase(phase) = Phase::from_board(board);
    let raw = ((middle * phase as f32 + end * (FULL - phase) as f32) / FULL as f32).trunc();
    let stronger = if raw >= 0.0 { mover } else { !mover };
    let chances = terms::endgame::winning_chances(board, stronger);
    Value::evaluation((raw * chances as f32 / terms::endgame::FULL_CHANCES as f32) as i32)
}

fn complexity(context: &EvalContext<'_>) -> f32 {
    let mut sum = FloatSum::default();
    terms::complexity::add_term(context, &mut sum);
    sum.total()[1]
}

/// See [`terms::complexity::scaled_by_complexity`].
fn scaled_by_complexity(end: f32, complexity: f32) -> f32 {
    end + end.signum() * complexity.clamp(-end.abs(), end.abs())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::eval::evaluate;

    proptest! {
        #[test]
        fn float_and_integer_evaluation_agree(choices in prop::collection::vec(any::<u8>(), 0..240)) {
            let (mut board, mut cache) = (Board::startpos(), PawnCache::new());
            for choice in choices {
                let legal = crate::position::legal_moves(&board);
                let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
                board.play_unchecked(mv);
                prop_assert_eq!(evaluate_with(&board, &mut cache), evaluate(&board), "{}", board);
            }
        }
    }
}
