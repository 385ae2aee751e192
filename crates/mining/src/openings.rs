//! Random openings: short games of random moves after which the position is balanced.
//!
//! Nothing is copied from a book. A line is kept if material is balanced, neither side is in check, neither
//! side can win material at once, and the judge (if it has a score) finds it balanced.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::{Epd, Fen};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Role};

use super::history::{after, alone};
use super::static_eval::{material_eval, piece_value};
use super::{engine_query, ordered_parallel};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Score};
use threefold_echo::Echo;

/// The largest score of an opening by the judge, either way.
pub const BALANCED: Centipawns = Centipawns(60);

/// The largest score by a short search; larger, because the judge searched deeper.
pub const TOLERATED: Centipawns = Centipawns(150);

/// Nodes of the short search.
const QUICK_NODES: u64 = 2_000;

/// The usual nodes of the judge's search.
pub const JUDGE_NODES: u64 = 20_000;

/// The number of games per requested opening before the search is given up.
const MOST_ATTEMPTS: u64 = 2_000;

/// An opening: the moves from the start position, and the final position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinedOpening {
    /// From the start position.
    pub history: GamePosition,
    /// After the line.
    pub position: Chess,
}

/// Scores an opening from the side to move's view; `None` without a score.
pub trait OpeningJudge: FnMut(&MinedOpening) -> Option<Centipawns> {}

impl<J: FnMut(&MinedOpening) -> Option<Centipawns>> OpeningJudge for J {}

/// Mines openings without duplicate positions. The same seed and the same judges give the same result with
/// any number of threads; each thread has its own judge. `found` is called for each.
pub fn mine<J: OpeningJudge>(
    seed: u64,
    count: usize,
    threads: NonZeroUsize,
    judge: impl Fn() -> J + Sync,
    found: &dyn Fn(),
) -> Vec<MinedOpening> {
    let mut known: HashSet<Chess> = HashSet::new();
    let mut openings: Vec<MinedOpening> = Vec::new();
    // The number of openings is compared after one is taken, so for a count of 0 none is tried.
    let numbers = 0..if count == 0 { 0 } else { MOST_ATTEMPTS.saturating_mul(count as u64) };
    let attempt = |judge: &mut J, number| {
        let opening =
            draw(&mut ordered_parallel::rng_for(seed, number)).filter(|drawn| is_even(&drawn.position))?;
        judge(&opening).is_none_or(|judged| judged.0.abs() <= BALANCED.0).then_some(opening)
    };
    ordered_parallel::run_in_order(threads, numbers, judge, attempt, |opening| {
        if let Some(opening) = opening
            && known.insert(opening.position.clone())
        {
            openings.push(opening);
            found();
        }
        if openings.len() < count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    openings
}

/// One random balanced opening, without a judge.
pub fn one(rng: &mut ChaCha8Rng) -> Option<MinedOpening> {
    (0..MOST_ATTEMPTS).find_map(|_| draw(rng).filter(|opening| is_even(&opening.position)))
}

fn draw(rng: &mut ChaCha8Rng) -> Option<MinedOpening> {
    let mut position = Chess::default();
    let mut history = GamePosition::start_position();
    for _ in 0..rng.random_range(6..=8) {
        let moves: Vec<Move> = position.legal_moves().into_iter().filter(|mv| !is_odd(*mv)).collect();
        let mv = *moves.choose(rng)?;
        position.play_unchecked(mv);
        history.moves.push(mv.to_uci(CastlingMode::Standard));
    }
    Some(MinedOpening { history, position })
}

/// King and rook moves this early make unnatural openings.
fn is_odd(mv: Move) -> bool {
    matches!(mv, Move::Normal { role: Role::King | Role::Rook, .. })
}

/// Is material balanced, neither side in check, and nothing to win at once for either side?
pub fn is_even(position: &Chess) -> bool {
    let start = Chess::default();
    material_eval(position, position.turn()) == material_eval(&start, start.turn())
        && !position.is_check()
        && gain(position, 4) == 0
        && position.clone().swap_turn().is_ok_and(|passed| gain(&passed, 4) == 0)
}

/// What the side to move wins by captures alone, where either side may stop at any time.
fn gain(position: &Chess, depth: u8) -> i32 {
    if depth == 0 {
        return 0;
    }
    let captures = position.capture_moves().into_iter().map(|mv| {
        let taken = mv.capture().map_or(0, piece_value);
        taken - gain(&after(position, mv), depth - 1)
    });
    captures.max().unwrap_or(0).max(0)
}

/// Echo as a judge, with this number of nodes per opening. Positions that a short search finds unbalanced are
/// not searched longer. A mate is never balanced.
pub fn echo(nodes: u64) -> impl OpeningJudge {
    let mut quick_search = QuickSearch::new();
    let mut echo = Echo::new();
    move |opening: &MinedOpening| {
        let first = quick_search.score(&opening.position)?;
        if first.0.abs() > TOLERATED.0 { Some(first) } else { judged(&mut echo, &opening.history, nodes) }
    }
}

/// Searches of a position without its history: a short one, quick enough for the check of a file, and a longer one.
pub struct QuickSearch {
    echo: Echo,
}

impl Default for QuickSearch {
    fn default() -> Self {
        Self::new()
    }
}

impl QuickSearch {
    /// Echo with the smallest hash table.
    pub fn new() -> Self {
        let mut echo = Echo::new();
        echo.set("Hash", "1").expect("Echo has a hash table");
        Self { echo }
    }

    /// Its score, from the side to move's view.
    pub fn score(&mut self, position: &Chess) -> Option<Centipawns> {
        self.score_after(position, QUICK_NODES)
    }

    /// The score of a longer search, [`JUDGE_NODES`].
    pub fn longer_score(&mut self, position: &Chess) -> Option<Centipawns> {
        self.score_after(position, JUDGE_NODES)
    }

    fn score_after(&mut self, position: &Chess, nodes: u64) -> Option<Centipawns> {
        let start = Fen::from_position(&alone(position)?, EnPassantMode::Legal);
        judged(&mut self.echo, &GamePosition { start, moves: Vec::new() }, nodes)
    }
}

fn judged(echo: &mut Echo, position: &GamePosition, nodes: u64) -> Option<Centipawns> {
    echo.new_game();
    let (_, score) = engine_query::best_move_and_score(echo, position, nodes, &[])?;
    Some(match score {
        Score::Cp(centipawns) => centipawns,
        Score::Mate(_) => Centipawns(i32::MAX),
    })
}

/// The file that [`mine`] makes of a seed with Echo as the judge; the same seed and the same Echo give the
/// same bytes.
pub fn file(seed: u64, count: usize, nodes: u64, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    let openings = mine(seed, count, threads, || echo(nodes), found);
    let rows: String = openings.iter().zip(1..).map(|(opening, number)| row(number, opening)).collect();
    format!(
        "# Openings: short random games that leave both sides with a game.\n\
         # Judged by Echo: at most {} centipawns from even after {nodes} nodes.\n\
         # Made by: threefold positions openings --seed {seed} --count {count} --nodes {nodes}\n\
         {}\
         # Checked again by: threefold positions check\n\
         {rows}",
        BALANCED.0,
        engine_query::engine_header()
    )
}

fn row(number: usize, opening: &MinedOpening) -> String {
    let epd = Epd::from_position(&opening.position, EnPassantMode::Legal);
    format!("{epd} id \"opening.{number:04}\"; c0 \"{}\";\n", opening.history.moves_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_opinion() -> impl OpeningJudge {
        |_: &MinedOpening| None
    }

    fn mined<J: OpeningJudge>(
        seed: u64,
        count: usize,
        threads: usize,
        judge: impl Fn() -> J + Sync,
    ) -> Vec<MinedOpening> {
        mine(seed, count, NonZeroUsize::new(threads).expect("not zero"), judge, &|| {})
    }

    #[test]
    fn openings_depend_on_the_seed_only_and_are_unique() {
        let once = mined(7, 20, 1, no_opinion);
        assert_eq!(once.len(), 20);
        assert_eq!(once, mined(7, 20, 3, no_opinion));
        for (index, opening) in once.iter().enumerate() {
            assert!(once[..index].iter().all(|other| other.position != opening.position));
        }
    }

    #[test]
    fn openings_with_a_large_evaluation_are_rejected() {
        assert!(mined(7, 1, 2, || |_: &MinedOpening| Some(Centipawns(61))).is_empty());
        assert_eq!(mined(7, 1, 2, || |_: &MinedOpening| Some(Centipawns(-60))).len(), 1);
    }
}
