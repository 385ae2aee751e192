//! A handicap in the lines that MadChess prints after `debug on`, so that both can be compared.
//!
//! Twenty lines: speed, errors and blunders; the assumed piece values, in centipawns of Echo's own weights,
//! not MadChess's; and the known parts of the evaluation, of 128.

use super::Handicap;
use crate::eval::area::EvalArea;
use crate::eval::knowledge::VALUED;
use crate::eval::phase::Tapered;

/// The piece values in MadChess's lines, in the order of [`VALUED`].
const PIECES: [&str; VALUED.len()] = ["Pawn", "Knight", "Bishop", "Rook", "Queen"];

/// The name of an area in MadChess's lines.
const fn name(area: EvalArea) -> &'static str {
    match area {
        EvalArea::PassedPawns => "PassedPawns",
        EvalArea::KingSafety => "KingSafety",
        EvalArea::Location => "PieceLocation",
        EvalArea::Mobility => "PieceMobility",
        EvalArea::PawnStructure => "PawnStructure",
        EvalArea::Threats => "Threats",
        EvalArea::MinorPieces => "MinorPieces",
        EvalArea::MajorPieces => "MajorPieces",
        EvalArea::Endgames => "EndgameScale",
    }
}

impl Handicap {
    /// The twenty lines.
    pub fn debug_lines(&self) -> Vec<String> {
        self.lines(&self.piece_values())
    }

    fn lines(&self, values: &[Tapered; VALUED.len()]) -> Vec<String> {
        let Self { nodes_per_second, move_error, blunder_error, blunders, knowledge, .. } = self;
        let mut lines = vec![format!(
            "NPS = {nodes_per_second}, MoveError = {move_error}, BlunderError = {blunder_error}, BlunderPer128 = \
             {blunders}."
        )];
        for (piece, value) in PIECES.into_iter().zip(values) {
            lines.push(format!("Mg{piece}Material = {}", value.middle()));
            lines.push(format!("Eg{piece}Material = {}", value.end()));
        }
        lines.extend(
            EvalArea::ALL.iter().map(|&area| format!("Ls{}Per128 = {}", name(area), knowledge.part_of(area))),
        );
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::weights::{self, WEIGHTS};
    use crate::strength::handicap::assumed_values;

    /// MadChess's piece values, by the page's two examples.
    const THEIRS: [[i32; 5]; 2] = [[100, 300, 330, 500, 975], [127, 519, 545, 858, 1671]];

    /// The numbers of the lines, with MadChess's piece values.
    fn numbers(rating: u32) -> Vec<i32> {
        let [middle, end] = THEIRS.map(|values| assumed_values(values, rating));
        let values = std::array::from_fn(|at| Tapered::new(middle[at], end[at]));
        let lines = Handicap::from_rating(rating).lines(&values);
        let text = lines.join("\n");
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter_map(|word| word.parse().ok()).collect()
    }

    #[test]
    fn debug_lines_are_those_of_the_examples_of_the_page() {
        let errors = [500, 50, 603, 16];
        let pieces = [0, 0, 300, 519, 300, 519, 335, 574, 1296, 2222];
        assert_eq!(numbers(600), [&errors[..], &pieces, &[0; 9]].concat());
        let errors = [6863, 31, 330, 13];
        let pieces = [100, 127, 300, 519, 330, 545, 500, 858, 975, 1671];
        let known = [101, 76, 60, 50, 43, 38, 35, 35, 33];
        assert_eq!(numbers(1075), [&errors[..], &pieces, &known].concat());
    }

    #[test]
    fn debug_lines_have_the_names_and_values_in_effect() {
        let lines = Handicap::from_rating(600).debug_lines();
        assert_eq!(lines.len(), 20);
        assert_eq!(lines[0], "NPS = 500, MoveError = 50, BlunderError = 603, BlunderPer128 = 16.");
        assert_eq!(lines[1], "MgPawnMaterial = 0");
        let queen = WEIGHTS[weights::MATERIAL.nth(4).index()];
        assert_eq!(lines[9], format!("MgQueenMaterial = {}", queen.middle() * 133 / 100));
        assert_eq!(lines[10], format!("EgQueenMaterial = {}", queen.end() * 133 / 100));
        assert_eq!(lines[11], "LsPassedPawnsPer128 = 0");
        assert_eq!(lines[19], "LsEndgameScalePer128 = 0");
    }
}
