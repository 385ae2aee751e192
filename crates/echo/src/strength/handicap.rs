//! The handicap of a rating: MadChess's formulas at commit `1d7e535` (2022-10-01), documented on its page on
//! `UCI_LimitStrength`.
//!
//! Values are truncated, not rounded, before a constant is added; comments in its source round, its code and
//! the tables on its page do not.

use std::fmt;

use crate::eval::area::EvalArea;
use crate::eval::knowledge::{ALL_OF_IT, EvalKnowledge, VALUED};
use crate::eval::phase::Tapered;
use crate::eval::weights::{self, WEIGHTS};

/// The lowest rating.
pub const WEAKEST: u32 = 600;
/// The highest rating of MadChess's page. Above it our extension applies: the higher the rating, the more
/// searches are without error.
pub const PAGE_ENDS: u32 = 2600;
/// The highest rating: full strength.
pub const STRONGEST: u32 = 3200;

/// Nodes per second at the page's highest rating, about Echo's full speed. A node limit is reduced in
/// proportion to the speed.
pub const FULL_SPEED: u64 = 2_000_500;

/// The ratings from which on pawns, and pieces, have their full value.
const PAWNS_COUNT: i64 = 800;
const PIECES_COUNT: i64 = 1000;

/// The handicap of a rating.
///
/// ```
/// use threefold_echo::strength::Handicap;
///
/// let handicap = Handicap::from_rating(1075);
/// assert_eq!((handicap.nodes_per_second, handicap.move_error, handicap.blunder_error), (6_863, 31, 330));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handicap {
    /// The MadChess rating, from [`WEAKEST`] to [`STRONGEST`]; not Elo.
    pub rating: u32,
    /// The speed limit in nodes per second.
    pub nodes_per_second: u64,
    /// The error margin in centipawns: moves within it of the best are equally likely.
    pub move_error: i32,
    /// The error margin of a search that blunders.
    pub blunder_error: i32,
    /// The number of searches of 128 that blunder.
    pub blunders: u32,
    /// The number of searches of 128 without error.
    pub error_free: u32,
    /// The parts of the evaluation that it knows.
    pub knowledge: EvalKnowledge,
}

impl Handicap {
    /// The handicap of a rating, clamped to the range.
    pub fn from_rating(rating: u32) -> Self {
        let rating = rating.clamp(WEAKEST, STRONGEST);
        let above = f64::from(rating - WEAKEST) / 200.0;
        let below = f64::from(PAGE_ENDS.saturating_sub(rating)) / 200.0;
        Self {
            rating,
            nodes_per_second: (200.0 * above.powi(4)) as u64 + 500,
            move_error: (0.45 * below.powi(2)) as i32 + 5,
            // `sqrt` is exact on every machine, `powf` is not.
            blunder_error: (1.75 * below.powi(2) * below.sqrt()) as i32 + 50,
            blunders: below as u32 + 6,
            error_free: 128 * rating.saturating_sub(PAGE_ENDS) / (STRONGEST - PAGE_ENDS),
            knowledge: EvalKnowledge {
                parts: std::array::from_fn(|at| part_known(EvalArea::ALL[at], rating)),
                piece_errors: piece_errors(rating),
            },
        }
    }

    /// The assumed value of each piece of [`VALUED`].
    pub(super) fn piece_values(&self) -> [Tapered; VALUED.len()] {
        let weights = piece_weights();
        std::array::from_fn(|at| weights[at] + self.knowledge.piece_errors[at])
    }
}

/// The weights of the pieces of [`VALUED`].
fn piece_weights() -> [Tapered; VALUED.len()] {
    std::array::from_fn(|at| WEIGHTS[weights::MATERIAL.nth(at).index()])
}

/// The rating from which on an area is known completely.
const fn known_from(area: EvalArea) -> u32 {
    match area {
        EvalArea::PassedPawns => 1200,
        EvalArea::KingSafety => 1400,
        EvalArea::Location => 1600,
        EvalArea::Mobility => 1800,
        EvalArea::PawnStructure => 2000,
        EvalArea::Threats => 2200,
        EvalArea::MinorPieces | EvalArea::MajorPieces => 2300,
        EvalArea::Endgames => 2400,
    }
}

/// The known part of an area, in units of [`ALL_OF_IT`]: none at the lowest rating, all from the area's own
/// rating on.
fn part_known(area: EvalArea, rating: u32) -> i32 {
    // MadChess's code divides by one less than the span, so the rating one below is complete, too.
    let last = known_from(area) - 1;
    let parts = ALL_OF_IT.unsigned_abs() * (rating - WEAKEST) / (last - WEAKEST);
    parts.cast_signed().min(ALL_OF_IT)
}

/// The errors of the piece values, relative to the weights.
fn piece_errors(rating: u32) -> [Tapered; VALUED.len()] {
    let worth = piece_weights();
    let [middle, end] = [Tapered::middle, Tapered::end].map(|of| assumed_values(worth.map(of), rating));
    std::array::from_fn(|at| Tapered::new(middle[at], end[at]) - worth[at])
}

/// The assumed piece values (pawn, knight, bishop, rook, queen). At low ratings pawns have no value, rooks
/// too little, queens too much, and both minor pieces are equal.
pub(super) fn assumed_values(
    [pawn, knight, bishop, rook, queen]: [i32; VALUED.len()],
    rating: u32,
) -> [i32; VALUED.len()] {
    let minor = knight.min(bishop);
    let percent = |worth: i32, percent: i32| worth * percent / 100;
    let pieces = |from, to| come(from, to, rating, PIECES_COUNT);
    [
        come(0, pawn, rating, PAWNS_COUNT),
        pieces(minor, knight),
        pieces(minor, bishop),
        pieces(percent(rook, 67), rook),
        pieces(percent(queen, 133), queen),
    ]
}

/// Interpolates a value between the lowest rating and the one from which on it is correct.
const fn come(from: i32, to: i32, rating: u32, full: i64) -> i32 {
    let (risen, whole) = (rating as i64 - WEAKEST as i64, full - 1 - WEAKEST as i64);
    if risen >= whole { to } else { from + ((to - from) as i64 * risen / whole) as i32 }
}

impl fmt::Display for Handicap {
    /// One line, as Echo reports it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rating, nodes_per_second, move_error, blunder_error, blunders, error_free, knowledge } =
            self;
        write!(f, "rating {rating} nps {nodes_per_second} move error {move_error}")?;
        let blunders = blunders.cast_signed();
        write!(f, " blunder error {blunder_error} in {blunders} of 128 ({} %)", percent(blunders))?;
        if *error_free > 0 {
            write!(f, ", no error in {error_free} of 128 searches")?;
        }
        write!(f, ", knows of 128:")?;
        for (at, &area) in EvalArea::ALL.iter().enumerate() {
            let (comma, parts) = (if at > 0 { "," } else { "" }, knowledge.part_of(area));
            write!(f, "{comma} {area} {parts} ({} %)", percent(parts))?;
        }
        let piece_errors =
            VALUED.into_iter().zip(knowledge.piece_errors).filter(|(_, by)| *by != Tapered::ZERO);
        for (at, (piece, by)) in piece_errors.enumerate() {
            let separator = if at > 0 { "," } else { ", misjudges" };
            write!(f, "{separator} {piece} by {:+}/{:+}", by.middle(), by.end())?;
        }
        Ok(())
    }
}

/// 128ths as a percentage, halves rounded up.
const fn percent(parts: i32) -> i32 {
    (200 * parts + ALL_OF_IT) / (2 * ALL_OF_IT)
}

#[cfg(test)]
mod tests {
    use cozy_chess::Board;

    use super::*;
    use crate::eval::evaluate;
    use crate::eval::phase::Phase;

    #[test]
    fn handicaps_match_the_documentation() {
        let table = [
            // rating, nodes per second, move error, blunder error, blunders of 128 and in percent
            (600, 500, 50, 603, 16, 13),
            (800, 700, 41, 475, 15, 12),
            (1000, 3_700, 33, 366, 14, 11),
            (1200, 16_700, 27, 276, 13, 10),
            (1400, 51_700, 21, 204, 12, 9),
            (1600, 125_500, 16, 147, 11, 9),
            (1800, 259_700, 12, 106, 10, 8),
            (2000, 480_700, 9, 77, 9, 7),
            (2200, 819_700, 6, 59, 8, 6),
            (2300, 1_044_512, 6, 54, 7, 5),
            (2400, 1_312_700, 5, 51, 7, 5),
            (2500, 1_629_512, 5, 50, 6, 5),
            (2600, FULL_SPEED, 5, 50, 6, 5),
            (1075, 6_863, 31, 330, 13, 10),
        ];
        for (rating, speed, error, blunder, blunders, chance) in table {
            let handicap = Handicap::from_rating(rating);
            assert_eq!(
                (
                    handicap.nodes_per_second,
                    handicap.move_error,
                    handicap.blunder_error,
                    handicap.blunders,
                    percent(handicap.blunders.cast_signed())
                ),
                (speed, error, blunder, blunders, chance),
                "{rating}"
            );
        }
        assert_eq!(
            (Handicap::from_rating(0), Handicap::from_rating(9999)),
            (Handicap::from_rating(WEAKEST), Handicap::from_rating(STRONGEST))
        );
        for (rating, error_free) in
            [(WEAKEST, 0), (PAGE_ENDS, 0), (2900, 64), (STRONGEST - 1, 127), (STRONGEST, 128)]
        {
            assert_eq!(Handicap::from_rating(rating).error_free, error_free, "{rating}");
        }
        let (ends, above) = (Handicap::from_rating(PAGE_ENDS), Handicap::from_rating(3000));
        assert_eq!(
            (above.move_error, above.blunders),
            (ends.move_error, ends.blunders),
            "where it errs, as much"
        );
    }

    #[test]
    fn areas_are_learnt_as_documented() {
        let table = [
            (600, [0; 9]),
            (800, [33, 25, 20, 16, 14, 13, 12, 12, 11]),
            (1000, [66, 50, 40, 33, 28, 25, 23, 23, 22]),
            (1200, [100, 75, 59, 50, 42, 38, 35, 35, 33]),
            (1400, [100, 100, 80, 66, 57, 50, 47, 47, 44]),
            (1600, [100, 100, 100, 83, 71, 63, 59, 59, 55]),
            (1800, [100, 100, 100, 100, 85, 75, 70, 70, 66]),
            (2000, [100, 100, 100, 100, 100, 88, 82, 82, 77]),
            (2200, [100, 100, 100, 100, 100, 100, 94, 94, 88]),
            (2300, [100, 100, 100, 100, 100, 100, 100, 100, 94]),
            (2400, [100; 9]),
            (2600, [100; 9]),
        ];
        for (rating, percents) in table {
            let parts = Handicap::from_rating(rating).knowledge.parts;
            assert_eq!(parts.map(percent), percents, "{rating}");
        }
        assert_eq!(Handicap::from_rating(1075).knowledge.parts, [101, 76, 60, 50, 43, 38, 35, 35, 33]);
        assert!(
            Handicap::from_rating(2399).knowledge.is_complete()
                && !Handicap::from_rating(2397).knowledge.is_complete()
        );
    }

    #[test]
    fn piece_errors_match_the_documentation() {
        // The values of the page's two examples, for middlegame and endgame.
        for (worth, lowest) in [
            ([100, 300, 330, 500, 975], [0, 300, 300, 335, 1296]),
            ([127, 519, 545, 858, 1671], [0, 519, 519, 574, 2222]),
        ] {
            assert_eq!(assumed_values(worth, 600), lowest);
            assert_eq!(assumed_values(worth, 799)[0], worth[0]);
            assert_ne!(assumed_values(worth, 798)[0], worth[0]);
            assert_eq!(assumed_values(worth, 999), worth);
            assert_ne!(assumed_values(worth, 997), worth);
        }
        assert_eq!(Handicap::from_rating(1000).knowledge.piece_errors, [Tapered::ZERO; VALUED.len()]);
        let [pawn, .., queen] = Handicap::from_rating(600).knowledge.piece_errors;
        let [worth_of_pawn, worth_of_queen] = [0, 4].map(|at| WEIGHTS[weights::MATERIAL.nth(at).index()]);
        assert_eq!(pawn, -worth_of_pawn);
        assert_eq!(queen.middle(), 133 * worth_of_queen.middle() / 100 - worth_of_queen.middle());
    }

    #[test]
    fn weakest_player_evaluates_wrong_piece_values_only() {
        let table = [
            // No bonus for two bishops, for the side to move, or for a pawn.
            ("2n1k1n1/8/8/8/8/8/8/2B1KB2 w - - 0 1", 0),
            ("2n1k1n1/8/8/8/8/8/8/2B1KB2 b - - 0 1", 0),
            ("2n1k1n1/8/8/8/8/8/8/2B1KN2 w - - 0 1", 0),
            ("4k3/7p/8/8/8/8/PP6/4K3 w - - 0 1", 0),
            ("4k3/7p/8/8/8/8/PP6/4K3 b - - 0 1", 0),
        ];
        let weakest = Handicap::from_rating(WEAKEST).knowledge;
        for (fen, value) in table {
            let board: Board = fen.parse().expect(fen);
            assert_eq!(weakest.evaluate(&board).raw(), value, "{fen}");
            assert_ne!(evaluate(&board).raw(), value, "{fen}");
        }
        // A queen more counts for its owner, at the assumed value.
        let queen: Board = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1".parse().expect("a position");
        let worth = WEIGHTS[weights::MATERIAL.nth(4).index()];
        let assumed = Tapered::new(worth.middle() * 133 / 100, worth.end() * 133 / 100)
            .interpolate(Phase::from_board(&queen));
        let black_to_move = queen.null_move().expect("neither side is in check");
        let values = [&queen, &black_to_move].map(|board| weakest.evaluate(board).raw());
        assert_eq!(values, [assumed, -assumed]);
        // The right to move is learnt with mobility.
        let equal: Board = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("a position");
        let learnt = [WEAKEST, 1000, 1800]
            .map(|rating| Handicap::from_rating(rating).knowledge.evaluate(&equal).raw());
        assert!(learnt[0] == 0 && 0 < learnt[1] && learnt[1] < learnt[2], "{learnt:?}");
    }

    #[test]
    fn handicaps_decrease_with_the_rating() {
        for rating in WEAKEST..STRONGEST {
            let (one, next) = (Handicap::from_rating(rating), Handicap::from_rating(rating + 1));
            assert!(one.nodes_per_second <= next.nodes_per_second && one.move_error >= next.move_error);
            assert!(one.blunder_error >= next.blunder_error && one.blunders >= next.blunders);
            assert!(one.error_free <= next.error_free);
            assert!(one.knowledge.parts.iter().zip(next.knowledge.parts).all(|(&one, next)| one <= next));
        }
    }

    #[test]
    fn handicap_is_printed_on_one_line() {
        assert_eq!(
            Handicap::from_rating(1075).to_string(),
            "rating 1075 nps 6863 move error 31 blunder error 330 in 13 of 128 (10 %), knows of 128: \
             passed pawns 101 (79 %), king safety 76 (59 %), piece location 60 (47 %), mobility 50 (39 %), \
             pawn structure 43 (34 %), threats 38 (30 %), minor pieces 35 (27 %), major pieces 35 (27 %), \
             endgames 33 (26 %)"
        );
        let text = Handicap::from_rating(900).to_string();
        assert!(text.contains("endgames 21 (16 %), misjudges ") && text.contains(", q by +"), "{text}");
        let text = Handicap::from_rating(2900).to_string();
        assert!(text.contains("in 6 of 128 (5 %), no error in 64 of 128 searches, knows"), "{text}");
    }
}
