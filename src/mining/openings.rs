//! Openings by lot: short games of random moves that leave both sides with a game.
//!
//! Nothing is copied from a book. A line is kept if the men are balanced, nobody is in check, neither side
//! can win material at once, and the caller's judge, if it has an opinion, finds it balanced as well.

use std::time::Duration;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Epd;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Role};

use super::history::after;
use super::lean::{glance, worth};
use crate::clock::{Limits, Stop};
use crate::echo::{Echo, Request};
use crate::line::Line;
use crate::score::{Centipawns, Score};

/// How far from even a judge may find an opening, either way.
pub const BALANCED: Centipawns = Centipawns(60);

/// How many games are drawn for each opening asked for before the lot is given up.
const PATIENCE: usize = 2_000;

/// Somebody who judges a line, from the side to move's view; `None`: no opinion.
pub type Judge<'j> = dyn FnMut(&Line) -> Option<Centipawns> + 'j;

/// An opening: the moves from the start position, and where they lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// From the start position.
    pub line: Line,
    /// After the line.
    pub position: Chess,
}

/// Mines openings, no position twice. The same seed and the same judge find the same.
pub fn mine(seed: u64, count: usize, judge: &mut Judge<'_>) -> Vec<Opening> {
    let mut lot = ChaCha8Rng::seed_from_u64(seed);
    let mut openings: Vec<Opening> = Vec::new();
    for _ in 0..count.saturating_mul(PATIENCE) {
        if openings.len() == count {
            break;
        }
        let Some(opening) = draw(&mut lot) else { continue };
        if is_even(&opening.position)
            && openings.iter().all(|known| known.position != opening.position)
            && judge(&opening.line).is_none_or(|judged| judged.0.abs() <= BALANCED.0)
        {
            openings.push(opening);
        }
    }
    openings
}

/// One even opening by lot, by no judge's leave.
pub(super) fn one(lot: &mut ChaCha8Rng) -> Option<Opening> {
    (0..PATIENCE).find_map(|_| draw(lot).filter(|opening| is_even(&opening.position)))
}

fn draw(lot: &mut ChaCha8Rng) -> Option<Opening> {
    let mut position = Chess::default();
    let mut line = Line::start_position();
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

/// Echo as a judge, with so many nodes for each line. A mate is beyond any balance.
pub fn echo(nodes: u64) -> impl FnMut(&Line) -> Option<Centipawns> {
    let mut echo = Echo::new();
    move |line| {
        echo.new_game();
        let never = Stop::default();
        let limits = Limits::nodes(nodes);
        let request = Request {
            line,
            limits: &limits,
            only: &[],
            stop: &never,
            pondering: &never,
            now: &|| Duration::ZERO,
        };
        let mut judged = None;
        let found = echo.search(&request, &mut |report| judged = Some(report.score));
        match found.ok().and(judged)? {
            Score::Cp(centipawns) => Some(centipawns),
            Score::Mate(_) => Some(Centipawns(i32::MAX)),
        }
    }
}

/// The file that [`mine`] makes of a seed with Echo as the judge, to the byte. It is another one where Echo
/// judges otherwise.
pub fn file(seed: u64, count: usize, nodes: u64) -> String {
    let openings = mine(seed, count, &mut echo(nodes));
    let rows: String = openings.iter().zip(1..).map(|(opening, number)| row(number, opening)).collect();
    format!(
        "# Openings: short random games that leave both sides with a game.\n\
         # Judged by Echo: at most {} centipawns from even after {nodes} nodes.\n\
         # Made by: threefold positions openings --seed {seed} --count {count} --nodes {nodes}\n\
         # Checked again by: threefold positions check\n\
         {rows}",
        BALANCED.0
    )
}

fn row(number: usize, opening: &Opening) -> String {
    let epd = Epd::from_position(&opening.position, EnPassantMode::Legal);
    format!("{epd} id \"opening.{number:03}\"; c0 \"{}\";\n", opening.line.moves_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_openings_and_no_position_twice() {
        let once = mine(7, 20, &mut |_| None);
        assert_eq!(once.len(), 20);
        assert_eq!(once, mine(7, 20, &mut |_| None));
        for (index, opening) in once.iter().enumerate() {
            assert!(once[..index].iter().all(|other| other.position != opening.position));
        }
    }

    #[test]
    fn a_judge_is_obeyed() {
        assert!(mine(7, 1, &mut |_| Some(Centipawns(61))).is_empty());
        assert_eq!(mine(7, 1, &mut |_| Some(Centipawns(-60))).len(), 1);
    }
}
