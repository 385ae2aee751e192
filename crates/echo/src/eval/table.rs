//! The evaluation as text, term by term, for people who ask `eval`.

use std::fmt::Write as _;

use cozy_chess::{Board, Color};

use super::ledger::Sum;
use super::phase::{Phase, Tapered};
use super::scene::Scene;
use super::{PAWN_TERMS, TERMS, complexity, evaluate, terms};

/// A line for each term: White's, Black's and the difference, in centipawns for middlegame and endgame.
pub fn print(board: &Board) -> String {
    let scene = Scene::of(board);
    let mut text = format!("{:<14}{:>16}{:>16}{:>16}\n", "term", "white", "black", "difference");
    let mut row = |name: &str, white: String, black: String, difference: Tapered| {
        writeln!(text, "{name:<14}{white:>16}{black:>16}{:>16}", ends(difference)).expect("memory takes all");
    };
    let mut total = Tapered::ZERO;
    for term in PAWN_TERMS.iter().chain(TERMS) {
        let [white, black] = [Color::White, Color::Black].map(|color| {
            let mut sum = Sum::default();
            (term.judge)(&scene, color, &mut sum);
            sum.total()
        });
        total += white - black;
        row(term.name, ends(white), ends(black), white - black);
    }
    let taken_in = terms::complexity::taken_in(total.end(), complexity(&scene));
    let hard = Tapered::new(0, taken_in - total.end());
    row("complexity", String::new(), String::new(), hard);
    row("total", String::new(), String::new(), total + hard);
    let Phase(phase) = Phase::of(board);
    let value = evaluate(board).raw();
    writeln!(text, "phase {phase} of {}; worth {value} to the side to move", super::phase::FULL)
        .expect("memory takes all");
    text
}

fn ends(tapered: Tapered) -> String {
    format!("{} {:>6}", tapered.middle(), tapered.end())
}
