//! Two Echos with different repetition policies.
//!
//! Each search begins with an empty hash table, so the result depends on the question only.

use shakmaty::uci::UciMove;

use crate::engine_query;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Score};
use threefold_echo::repetition::RepetitionPolicy;
use threefold_echo::{Bound, Echo};

/// Scores are clamped to this, in centipawns: beyond it a game is decided.
const DECIDED: i32 = 2_000;

/// The hash size of short searches in MB: small, so that it is cleared quickly.
const SMALL: &str = "1";

/// The hash size of deep searches in MB.
const LARGE: &str = "32";

/// Echo with one repetition policy.
pub(super) struct PolicyEngine {
    /// For short searches.
    quick: Echo,
    /// For long ones.
    thorough: Echo,
}

/// A move and its score for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MoveScore {
    pub(super) mv: UciMove,
    pub(super) worth: Centipawns,
}

impl PolicyEngine {
    pub(super) fn new(policy: RepetitionPolicy) -> Self {
        let echo = |hash: &str, lines: usize| {
            let mut echo = Echo::new();
            let settings = [
                ("RepetitionPolicy", policy.to_string()),
                ("Hash", hash.to_owned()),
                ("MultiPV", lines.to_string()),
            ];
            for (name, value) in settings {
                echo.set(name, &value).expect("Echo has these options, with these values");
            }
            echo
        };
        Self { quick: echo(SMALL, 1), thorough: echo(LARGE, super::MULTIPV) }
    }

    /// The move played after this number of nodes; `None` if there is none.
    pub(super) fn choice(&mut self, position: &GamePosition, nodes: u64) -> Option<UciMove> {
        self.quick.new_game();
        ask(&mut self.quick, position, nodes, &[]).1
    }

    /// The best moves after this number of nodes, best first; of these moves only, if any are given.
    pub(super) fn ranked_moves(
        &mut self,
        position: &GamePosition,
        nodes: u64,
        only: &[UciMove],
    ) -> Vec<MoveScore> {
        self.thorough.new_game();
        ask(&mut self.thorough, position, nodes, only).0
    }
}

/// The best moves of the last iteration that compared the most moves, and the move played.
fn ask(
    echo: &mut Echo,
    position: &GamePosition,
    nodes: u64,
    only: &[UciMove],
) -> (Vec<MoveScore>, Option<UciMove>) {
    let (mut whole, mut begun) = (Vec::new(), Vec::new());
    let best = engine_query::search(echo, position, nodes, only, &mut |report| {
        // A score outside of the aspiration window is only a bound.
        if report.bound != Bound::Exact {
            return;
        }
        if report.line_of_play == 1 {
            begun.clear();
        }
        begun.extend(report.pv.first().map(|&mv| MoveScore { mv, worth: clamped_score(report.score) }));
        // An iteration that the node limit interrupts has fewer lines: it does not replace a whole one.
        if begun.len() >= whole.len() {
            whole.clone_from(&begun);
        }
    });
    (whole, best)
}

fn clamped_score(score: Score) -> Centipawns {
    match score {
        Score::Cp(Centipawns(judged)) => Centipawns(judged.clamp(-DECIDED, DECIDED)),
        Score::Mate(mate) => Centipawns(if mate.is_win() { DECIDED } else { -DECIDED }),
    }
}
