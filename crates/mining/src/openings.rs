//! Openings by lot: short games of random moves that leave both sides with a game.
//!
//! Nothing is copied from a book. A line is kept if the men are balanced, nobody is in check, neither side
//! can win material at once, and the caller's judge, if it has an opinion, finds it balanced as well.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::{Epd, Fen};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Role};

use super::history::{after, alone};
use super::lean::{glance, worth};
use super::{asked, crew};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Score};
use threefold_echo::Echo;

/// How far from even the judge may find an opening, either way.
pub const BALANCED: Centipawns = Centipawns(60);

/// How far from even a short search may find one: the judge saw more.
pub const TOLERATED: Centipawns = Centipawns(150);

/// Nodes of the short search.
const GLIMPSE: u64 = 2_000;

/// How many games are drawn for each opening asked for before the lot is given up.
const PATIENCE: u64 = 2_000;

/// An opening: the moves from the start position, and where they lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// From the start position.
    pub line: GamePosition,
    /// After the line.
    pub position: Chess,
}

/// Somebody who judges an opening, from the side to move's view; `None`: no opinion.
pub trait Judge: FnMut(&Opening) -> Option<Centipawns> {}

impl<J: FnMut(&Opening) -> Option<Centipawns>> Judge for J {}

/// Mines openings, no position twice. The same seed and the same judges find the same on any number of
/// threads; each has a judge of its own. `found` hears of each.
pub fn mine<J: Judge>(
    seed: u64,
    count: usize,
    threads: NonZeroUsize,
    judge: impl Fn() -> J + Sync,
    found: &dyn Fn(),
) -> Vec<Opening> {
    let mut known: HashSet<Chess> = HashSet::new();
    let mut openings: Vec<Opening> = Vec::new();
    let numbers = 0..if count == 0 { 0 } else { PATIENCE.saturating_mul(count as u64) };
    let attempt = |judge: &mut J, number| {
        let opening = draw(&mut crew::lot(seed, number)).filter(|drawn| is_even(&drawn.position))?;
        judge(&opening).is_none_or(|judged| judged.0.abs() <= BALANCED.0).then_some(opening)
    };
    crew::in_turn(threads, numbers, judge, attempt, |opening| {
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

/// One even opening by lot, by no judge's leave.
pub fn one(lot: &mut ChaCha8Rng) -> Option<Opening> {
    (0..PATIENCE).find_map(|_| draw(lot).filter(|opening| is_even(&opening.position)))
}

fn draw(lot: &mut ChaCha8Rng) -> Option<Opening> {
    let mut position = Chess::default();
    let mut line = GamePosition::start_position();
    for _ in 0..lot.random_range(6..=8) {
        let moves: Vec<Move> = position.legal_moves().into_iter().filter(|mv| !is_odd(*mv)).collect();
        let mv = *moves.choose(lot)?;
        position.play_unchecked(mv);
        line.moves.push(mv.to_uci(CastlingMode::Standard));
    }
    Some(Opening { line, position })
}

/// Kings and rooks that walk in the first moves make no opening anybody would play.
fn is_odd(mv: Move) -> bool {
    matches!(mv, Move::Normal { role: Role::King | Role::Rook, .. })
}

/// Are the men balanced, nobody in check, and nothing to be won at once by either side?
pub fn is_even(position: &Chess) -> bool {
    let start = Chess::default();
    glance(position, position.turn()) == glance(&start, start.turn())
        && !position.is_check()
        && gain(position, 4) == 0
        && position.clone().swap_turn().is_ok_and(|passed| gain(&passed, 4) == 0)
}

/// What the side to move wins by captures alone, when either side may stop at any time.
fn gain(position: &Chess, depth: u8) -> i32 {
    if depth == 0 {
        return 0;
    }
    let captures = position.capture_moves().into_iter().map(|mv| {
        let taken = mv.capture().map_or(0, worth);
        taken - gain(&after(position, mv), depth - 1)
    });
    captures.max().unwrap_or(0).max(0)
}

/// Echo as a judge, with so many nodes for each opening. What a glimpse finds far from even it need not look
/// at for longer. A mate is beyond any balance.
pub fn echo(nodes: u64) -> impl Judge {
    let mut glimpse = Glimpse::new();
    let mut echo = Echo::new();
    move |opening: &Opening| {
        let first = glimpse.of(&opening.position)?;
        if first.0.abs() > TOLERATED.0 { Some(first) } else { judged(&mut echo, &opening.line, nodes) }
    }
}

/// A short search of a position alone, without its past: what the check of a file has time for.
pub struct Glimpse {
    echo: Echo,
}

impl Default for Glimpse {
    fn default() -> Self {
        Self::new()
    }
}

impl Glimpse {
    /// Echo with the smallest table.
    pub fn new() -> Self {
        let mut echo = Echo::new();
        echo.set("Hash", "1").expect("Echo has a hash table");
        Self { echo }
    }

    /// What it finds, from the side to move's view.
    pub fn of(&mut self, position: &Chess) -> Option<Centipawns> {
        let start = Fen::from_position(&alone(position)?, EnPassantMode::Legal);
        judged(&mut self.echo, &GamePosition { start, moves: Vec::new() }, GLIMPSE)
    }
}

fn judged(echo: &mut Echo, line: &GamePosition, nodes: u64) -> Option<Centipawns> {
    echo.new_game();
    let (_, score) = asked::judgement(echo, line, nodes)?;
    Some(match score {
        Score::Cp(centipawns) => centipawns,
        Score::Mate(_) => Centipawns(i32::MAX),
    })
}

/// The file that [`mine`] makes of a seed with Echo as the judge, to the byte. It is another one where Echo
/// judges otherwise.
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
        asked::by_whom()
    )
}

fn row(number: usize, opening: &Opening) -> String {
    let epd = Epd::from_position(&opening.position, EnPassantMode::Legal);
    format!("{epd} id \"opening.{number:04}\"; c0 \"{}\";\n", opening.line.moves_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_opinion() -> impl Judge {
        |_: &Opening| None
    }

    fn mined<J: Judge>(
        seed: u64,
        count: usize,
        threads: usize,
        judge: impl Fn() -> J + Sync,
    ) -> Vec<Opening> {
        mine(seed, count, NonZeroUsize::new(threads).expect("not zero"), judge, &|| {})
    }

    #[test]
    fn the_same_seed_makes_the_same_openings_and_no_position_twice_at_any_number_of_threads() {
        let once = mined(7, 20, 1, no_opinion);
        assert_eq!(once.len(), 20);
        assert_eq!(once, mined(7, 20, 3, no_opinion));
        for (index, opening) in once.iter().enumerate() {
            assert!(once[..index].iter().all(|other| other.position != opening.position));
        }
    }

    #[test]
    fn a_judge_is_obeyed() {
        assert!(mined(7, 1, 2, || |_: &Opening| Some(Centipawns(61))).is_empty());
        assert_eq!(mined(7, 1, 2, || |_: &Opening| Some(Centipawns(-60))).len(), 1);
    }
}
