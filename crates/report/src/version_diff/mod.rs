//! Where two versions of an engine differ: their moves, scores and depths in many positions at a fixed number of
//! nodes.

mod json;
mod page;
mod text;

use crate::model::position_fen::fen;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Ply, Score};
use threefold_stats::interval::Rate;

use shakmaty::uci::UciMove;

/// What an engine answers in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchAnswer {
    /// Its move; `None` if it gave none.
    pub best: Option<UciMove>,
    /// The score of its last report, from the side to move's view; `None` without a report.
    pub score: Option<Score>,
    /// The depth of that report, in plies.
    pub depth: Ply,
    /// The nodes that it searched, by its own count.
    pub nodes: u64,
    /// Its principal variation.
    pub pv: Vec<UciMove>,
}

/// A position with the answers of the new version and of the old one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedPosition {
    /// The position with its history.
    pub position: GamePosition,
    /// The answers: new, old.
    pub answers: [SearchAnswer; 2],
}

/// How two answers relate to one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// Same move, score and depth.
    Same,
    /// The same move with another score or depth.
    SameMove,
    /// Different moves.
    OtherMove,
}

/// The answers of two versions in many positions.
///
/// ```
/// use threefold_report::version_diff::VersionDiff;
///
/// let diff = VersionDiff { names: ["New", "Old"].map(str::to_owned), nodes: 20_000, source: "openings.epd".to_owned(), asked: Vec::new() };
/// assert!(diff.to_text().starts_with("New – Old: 0 positions of openings.epd"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionDiff {
    /// The names: new, old.
    pub names: [String; 2],
    /// The node limit of each search.
    pub nodes: u64,
    /// Where the positions are from, in words.
    pub source: String,
    /// The positions in the order in which they were asked.
    pub asked: Vec<AskedPosition>,
}

impl AskedPosition {
    /// How the answers relate to one another.
    pub fn agreement(&self) -> Agreement {
        let [new, old] = &self.answers;
        if new.best != old.best {
            Agreement::OtherMove
        } else if (new.score, new.depth) == (old.score, old.depth) {
            Agreement::Same
        } else {
            Agreement::SameMove
        }
    }

    /// The difference of the scores in centipawns. A mate counts as ten thousand less a hundred for each move, so that it is
    /// further from any evaluation than they are from one another. Zero if a score is missing.
    fn score_difference(&self) -> i64 {
        let [new, old] = self.answers.each_ref().map(|answer| answer.score.map(centipawns));
        new.zip(old).map_or(0, |(new, old)| new - old)
    }
}

fn centipawns(score: Score) -> i64 {
    const MATE: i64 = 10_000;
    match score {
        Score::Cp(value) => i64::from(value.0).clamp(-MATE / 2, MATE / 2),
        Score::Mate(mate) => {
            let moves = i64::from(mate.moves());
            let distance = (100 * moves.abs()).min(MATE / 2);
            if moves > 0 { MATE - distance } else { distance - MATE }
        }
    }
}

impl VersionDiff {
    /// The number of positions with this agreement, of all.
    fn share(&self, agreement: Agreement) -> Rate {
        let successes = self.asked.iter().filter(|it| it.agreement() == agreement).count() as u64;
        Rate { successes, failures: self.asked.len() as u64 - successes }
    }

    /// The positions with different moves, those with the largest difference of the scores first.
    pub fn other_moves(&self) -> Vec<&AskedPosition> {
        let mut found: Vec<&AskedPosition> =
            self.asked.iter().filter(|it| it.agreement() == Agreement::OtherMove).collect();
        found.sort_by_key(|it| std::cmp::Reverse(it.score_difference().unsigned_abs()));
        found
    }

    /// The positions with different moves as lines of a book of openings, in the order of [`Self::other_moves`].
    pub fn to_epd(&self) -> String {
        let lines: Vec<String> = self.other_moves().iter().map(|asked| fen(&asked.position)).collect();
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }

    /// The mean difference of the depths, in plies; `None` without positions.
    fn mean_depth_difference(&self) -> Option<f64> {
        let depth = |answer: &SearchAnswer| f64::from(answer.depth.0);
        let sum: f64 = self.asked.iter().map(|it| depth(&it.answers[0]) - depth(&it.answers[1])).sum();
        (!self.asked.is_empty()).then(|| sum / self.asked.len() as f64)
    }
}

#[cfg(test)]
pub(crate) mod fixture {
    use super::*;
    use threefold_chess::score::{Centipawns, MateDistance};

    fn answer(line: &str, score: Score, depth: u16) -> SearchAnswer {
        let pv: Vec<UciMove> = line.split(' ').map(|mv| mv.parse().expect("a move")).collect();
        SearchAnswer { best: pv.first().copied(), score: Some(score), depth: Ply(depth), nodes: 5000, pv }
    }

    /// Three positions: the same answer, the same move with another score, and two different moves.
    pub(crate) fn diff() -> VersionDiff {
        let cp = |value| Score::Cp(Centipawns(value));
        let asked = |moves: &str, new, old| AskedPosition {
            position: GamePosition {
                moves: moves.split_whitespace().map(|mv| mv.parse().expect("a move")).collect(),
                ..GamePosition::start_position()
            },
            answers: [new, old],
        };
        VersionDiff {
            names: ["New", "Old <b>"].map(str::to_owned),
            nodes: 5000,
            source: "book.epd".to_owned(),
            asked: vec![
                asked("", answer("e2e4 e7e5", cp(20), 9), answer("e2e4 c7c5", cp(20), 9)),
                asked("e2e4", answer("e7e5", cp(-20), 9), answer("e7e5", cp(-12), 8)),
                asked("d2d4", answer("g8f6 c2c4", cp(5), 9), answer("d7d5", cp(-15), 8)),
                asked(
                    "f2f3",
                    answer("e7e5", Score::Mate(MateDistance::from_moves(9).expect("in range")), 9),
                    answer("d7d5", cp(90), 8),
                ),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted_and_the_largest_difference_comes_first() {
        let diff = fixture::diff();
        let counts =
            [Agreement::Same, Agreement::SameMove, Agreement::OtherMove].map(|it| diff.share(it).successes);
        assert_eq!(counts, [1, 1, 2]);
        let differences: Vec<i64> = diff.other_moves().iter().map(|it| it.score_difference()).collect();
        assert_eq!(differences, [10_000 - 900 - 90, 20]);
        assert_eq!(diff.mean_depth_difference(), Some(0.75));
    }
}
