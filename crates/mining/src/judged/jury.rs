//! Echo twice: once for each word on positions that stood on the board once.
//!
//! A juror answers from a clean table, so that what it says depends on the question alone.

use shakmaty::uci::UciMove;

use crate::asked;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Score};
use threefold_echo::repetition::RepetitionPolicy;
use threefold_echo::{Bound, Echo};

/// Beyond this a score says no more than that the game is decided.
const DECIDED: i32 = 2_000;

/// A megabyte holds what a glance needs, and is quickly wiped.
const SMALL: &str = "1";

/// Deep searches fill more.
const LARGE: &str = "32";

/// One policy's word.
pub(super) struct Juror {
    /// For short searches.
    quick: Echo,
    /// For long ones.
    thorough: Echo,
}

/// A move and what it is worth to the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Opinion {
    pub(super) mv: UciMove,
    pub(super) worth: Centipawns,
}

impl Juror {
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
        Self { quick: echo(SMALL, 1), thorough: echo(LARGE, super::LINES) }
    }

    /// The move it plays after so many nodes; `None` where there is none.
    pub(super) fn choice(&mut self, line: &GamePosition, nodes: u64) -> Option<UciMove> {
        self.quick.new_game();
        ask(&mut self.quick, line, nodes, &[]).1
    }

    /// Its favourites after so many nodes, the best first; of these moves alone where there are any.
    pub(super) fn opinions(&mut self, line: &GamePosition, nodes: u64, only: &[UciMove]) -> Vec<Opinion> {
        self.thorough.new_game();
        ask(&mut self.thorough, line, nodes, only).0
    }
}

/// The favourites of the last iteration that compared as many moves as any before it, and the move played.
fn ask(
    echo: &mut Echo,
    line: &GamePosition,
    nodes: u64,
    only: &[UciMove],
) -> (Vec<Opinion>, Option<UciMove>) {
    let (mut whole, mut begun) = (Vec::new(), Vec::new());
    let best = asked::ask(echo, line, nodes, only, &mut |report| {
        if report.bound != Bound::Exact {
            return;
        }
        if report.line_of_play == 1 {
            begun.clear();
        }
        begun.extend(report.pv.first().map(|&mv| Opinion { mv, worth: worth(report.score) }));
        if begun.len() >= whole.len() {
            whole.clone_from(&begun);
        }
    });
    (whole, best)
}

fn worth(score: Score) -> Centipawns {
    match score {
        Score::Cp(Centipawns(judged)) => Centipawns(judged.clamp(-DECIDED, DECIDED)),
        Score::Mate(mate) => Centipawns(if mate.is_win() { DECIDED } else { -DECIDED }),
    }
}
