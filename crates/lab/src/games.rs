//! Echo's games against itself, as positions with the result of the game they come from.
//!
//! A game depends only on the seed and its number, so a file is identical for any number of threads and can
//! be continued. Only quiet positions are saved: a pending capture says more about the next move than about
//! the position. The positions of a game are a random sample of fixed size, so that long games do not count
//! more than short ones.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::time::Duration;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Epd;
use shakmaty::uci::UciMove;
use shakmaty::{EnPassantMode, Position};

use threefold_chess::clock::{Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Score;
use threefold_echo::{Echo, SearchRequest};
use threefold_games::playout::{GameConditions, GameOutcome, GameState, Playout, TurnReply};
use threefold_mining::{openings, ordered_parallel};
use threefold_oracle::Referee;

/// Options of the games.
#[derive(Debug, Clone, Copy)]
pub struct Play {
    /// Random seed.
    pub seed: u64,
    /// Node limit of each move.
    pub nodes: u64,
    /// Maximum number of positions from one game.
    pub samples: usize,
}

/// Longest game, in plies; a longer one is drawn.
const LONGEST: usize = 300;
/// Openings with a larger score than this, in centipawns, are rejected.
const DECIDED_OPENING: i32 = 180;
/// Win adjudication: number of plies, and score in centipawns.
const WON: (usize, i32) = (5, 900);
/// Draw adjudication: number of plies, and score in centipawns.
const DRAWN: (usize, i32) = (12, 6);
const NO_DRAW_BEFORE: usize = 90;
/// Positions with a larger score than this, in centipawns, are not saved.
const TEACHES: i32 = 1200;

/// Plays games by number and passes on the lines of each in order, until `take` breaks or the numbers end; a game may
/// have no lines.
pub fn play(
    play: Play,
    threads: NonZeroUsize,
    numbers: Range<u64>,
    take: impl FnMut(String) -> ControlFlow<()>,
) {
    let game = |echo: &mut Echo, number| lines(play, echo, number);
    ordered_parallel::run_in_order(threads, numbers, player, game, take);
}

/// The number of the next game of a file, and the length of its complete lines.
pub fn resume(text: &str) -> (u64, usize) {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let last = text[..whole].lines().filter_map(|line| {
        let id = line.split("id \"").nth(1)?.split('"').next()?;
        id.parse::<u64>().ok()
    });
    (last.max().map_or(0, |number| number + 1), whole)
}

fn player() -> Echo {
    let mut echo = Echo::new();
    echo.set("Hash", "1").expect("Echo has this option");
    echo
}

/// A position that may be kept.
struct Moment {
    epd: Epd,
    /// Centipawns for White.
    value: i32,
}

/// One game as lines of EPD: `c9` the result, `ce` Echo's value for White, `id` the game's number.
fn lines(play: Play, echo: &mut Echo, number: u64) -> String {
    let mut lot = ordered_parallel::rng_for(play.seed, number);
    let Some((mut moments, result)) = game(play, echo, &mut lot) else { return String::new() };
    while moments.len() > play.samples {
        // Removing keeps the order of the others, unlike drawing a sample.
        moments.remove(lot.random_range(0..moments.len()));
    }
    let result = result.pgn();
    let row =
        |Moment { epd, value }: Moment| format!("{epd} c9 \"{result}\"; ce {value}; id \"{number}\";\n");
    moments.into_iter().map(row).collect()
}

fn game(play: Play, echo: &mut Echo, lot: &mut ChaCha8Rng) -> Option<(Vec<Moment>, GameOutcome)> {
    let mut line = openings::one(lot)?.history;
    // One ply more or less at random, so that neither side is always to move.
    let mut referee = Referee::new(&line).ok()?;
    if lot.random() {
        let mv = *referee.position().legal_moves().as_slice().choose(lot)?;
        let mv = referee.uci(mv);
        referee.play(mv).ok()?;
        line.moves.push(mv);
    }
    let terms = GameConditions::of_plies(LONGEST.saturating_sub(line.moves.len()));
    let mut game = Playout::new(&line, &terms).ok()?;
    echo.new_game();
    let mut moments = Vec::new();
    let mut values: Vec<i32> = Vec::new();
    loop {
        let turn = match game.state() {
            GameState::ToMove(turn) => turn.mover,
            GameState::Over(ending) => return Some((moments, ending.outcome)),
        };
        let (best, score) = think(echo, game.line(), play.nodes)?;
        let value = match score {
            Score::Cp(centipawns) => centipawns.0,
            Score::Mate(mate) => 30_000 * mate.moves().signum(),
        };
        if values.is_empty() && value.abs() > DECIDED_OPENING {
            return None;
        }
        let for_white = if turn.is_white() { value } else { -value };
        values.push(for_white);
        if let Some(outcome) = agreed(&values, game.line().moves.len()) {
            return Some((moments, outcome));
        }
        let referee = game.referee();
        let position = referee.position();
        let quiet = referee.legal(best).is_ok_and(|mv| !mv.is_capture() && !mv.is_promotion());
        if quiet && !position.is_check() && value.abs() <= TEACHES {
            moments
                .push(Moment { epd: Epd::from_position(position, EnPassantMode::Legal), value: for_white });
        }
        game.answer(&TurnReply::from_move(best))?;
    }
}

/// What both sides take the game for.
fn agreed(values: &[i32], plies: usize) -> Option<GameOutcome> {
    let last = |count: usize| values.len().checked_sub(count).map(|from| &values[from..]);
    let won = |sign: i32| last(WON.0).is_some_and(|last| last.iter().all(|&value| value * sign >= WON.1));
    let even = || last(DRAWN.0).is_some_and(|last| last.iter().all(|value| value.abs() <= DRAWN.1));
    if won(1) {
        Some(GameOutcome::White)
    } else if won(-1) {
        Some(GameOutcome::Black)
    } else if plies >= NO_DRAW_BEFORE && even() {
        Some(GameOutcome::Draw)
    } else {
        None
    }
}

fn think(echo: &mut Echo, position: &GamePosition, nodes: u64) -> Option<(UciMove, Score)> {
    let never = Stop::default();
    let limits = Limits::nodes(nodes);
    let request = SearchRequest {
        position,
        limits: &limits,
        only: &[],
        stop: &never,
        pondering: &never,
        now: &|| Duration::ZERO,
    };
    let mut score = None;
    let found = echo.search(&request, &mut |report| score = Some(report.score)).ok()?;
    Some((found.best?, score?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: Play = Play { seed: 3, nodes: 60, samples: 4 };

    fn text(threads: usize, numbers: Range<u64>) -> String {
        let mut text = String::new();
        play(FEW, NonZeroUsize::new(threads).expect("not zero"), numbers, |game| {
            text.push_str(&game);
            ControlFlow::Continue(())
        });
        text
    }

    #[test]
    fn games_end_when_their_lines_cannot_be_taken() {
        let mut taken = 0;
        play(FEW, NonZeroUsize::MIN, 0..u64::MAX, |_| {
            taken += 1;
            if taken == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(taken, 2);
    }

    #[test]
    fn games_do_not_depend_on_threads_or_parts() {
        let once = text(1, 0..6);
        assert_eq!(once, text(3, 0..6));
        assert_eq!(once, text(1, 0..2) + &text(2, 2..6));
        assert!(once.lines().count() > 5);
        assert_eq!(resume(&once).1, once.len());
    }

    #[test]
    fn truncated_file_continues_after_its_last_complete_line() {
        let table = [
            ("", (0, 0)),
            ("x c9 \"1-0\"; ce 3; id \"4\";\n", (5, 26)),
            ("x id \"7\";\ny id \"8\"", (8, 10)),
        ];
        for (text, expected) in table {
            assert_eq!(resume(text), expected, "{text}");
        }
    }
}
