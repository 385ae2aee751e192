//! The evaluation as text, term by term (command `eval`).

use std::fmt::Write as _;

use cozy_chess::{Board, Color};

use super::accumulator::ScoreSum;
use super::context::EvalContext;
use super::phase::{Phase, Tapered};
use super::{PAWN_TERMS, TERMS, complexity, evaluate, terms};

/// One line per term: White's, Black's and the difference, in centipawns for middlegame and endgame.
pub fn print(board: &Board) -> String {
    let context = EvalContext::new(board);
    let mut text = format!("{:<14}{:>16}{:>16}{:>16}\n", "term", "white", "black", "difference");
    let mut row = |name: &str, white: String, black: String, difference: Tapered| {
        writeln!(text, "{name:<14}{white:>16}{black:>16}{:>16}", ends(difference)).expect("memory takes all");
    };
    let mut total = Tapered::ZERO;
    for term in PAWN_TERMS.iter().chain(TERMS) {
        let [white, black] = [Color::White, Color::Black].map(|color| {
            let mut sum = ScoreSum::default();
            (term.add)(&context, color, &mut sum);
            sum.total()
        });
        total += white - black;
        row(term.name, ends(white), ends(black), white - black);
    }
    let scaled_by_complexity = terms::complexity::scaled_by_complexity(total.end(), complexity(&context));
    let hard = Tapered::new(0, scaled_by_complexity - total.end());
    row("complexity", String::new(), String::new(), hard);
    row("total", String::new(), String::new(), total + hard);
    let Phase(phase) = Phase::from_board(board);
    let value = evaluate(board).raw();
    writeln!(text, "phase {phase} of {}; worth {value} to the side to move", super::phase::FULL)
        .expect("memory takes all");
    text
}

fn ends(tapered: Tapered) -> String {
    format!("{} {:>6}", tapered.middle(), tapered.end())
}
