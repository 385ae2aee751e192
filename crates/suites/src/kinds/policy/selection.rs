//! Selects the probes from a file of traps.
//!
//! A move to a position that occurred before, in a position that is not a true draw, shows whether a first
//! repetition is scored as one. For a probe at the edge, the game before that position is cut off: the same
//! question, with the repeated position as the first of the game. Forced loops of checks show how a
//! repetition inside the search counts.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, Move, MoveList, Position};

use crate::signature::Topic;
use crate::trap::{TrapRow, TrueResult};
use threefold_chess::position::GamePosition;
use threefold_oracle::referee::Referee;

/// One question to an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Probe {
    /// What it asks.
    pub(super) topic: Topic,
    /// The trap it was made from.
    pub(super) trap: String,
    /// The position with its history.
    pub(super) position: GamePosition,
    /// The position without its history.
    pub(super) without_history: GamePosition,
    /// The move that repeats; in a perpetual check, the move that begins it.
    pub(super) asked: UciMove,
    /// Is the move good if its repetition does not count?
    pub(super) appeal: MoveAppeal,
    /// What the trap accepts.
    pub(super) best: Vec<UciMove>,
}

/// What an engine thinks of a move whose repetition does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveAppeal {
    /// It wants to play it, and avoids it if it scores the repetition as a draw.
    Attracts,
    /// It does not want to play it, and does if it scores the repetition as a draw.
    Repels,
}

/// Above this counter the fifty-move rule is within the horizon.
const MOST_HALFMOVES: u32 = 60;

/// The most ways out of a loop of checks: with few, any search finds the repetition.
const MOST_WAYS: usize = 2;

/// The probes of every topic, at most this number of each, evenly spread over the traps.
pub(super) fn probes(traps: &[TrapRow], per_topic: usize) -> Vec<Probe> {
    let all: Vec<Probe> = traps.iter().flat_map(of_trap).collect();
    let spread = |topic: &Topic| {
        let pool: Vec<&Probe> = all.iter().filter(|probe| probe.topic == *topic).collect();
        let taken = per_topic.min(pool.len());
        (0..taken).map(|index| pool[index * pool.len() / taken].clone()).collect::<Vec<_>>()
    };
    Topic::ALL.iter().flat_map(spread).collect()
}

impl Probe {
    /// The right score by the rules.
    pub(super) const fn expected(&self) -> &'static str {
        match self.topic {
            Topic::Inside | Topic::Edge => "no draw",
            Topic::Third => "draw",
            Topic::InTree => "either",
        }
    }

    /// The question as text.
    pub(super) fn question_text(&self) -> String {
        let Self { asked, trap, .. } = self;
        let what = match self.topic {
            Topic::Inside => "makes a position that stood once in the game",
            Topic::Edge => "makes the position that this game begins with",
            Topic::Third => "makes a position for the third time",
            Topic::InTree => "begins checks for ever: does the line of play end where a position comes back?",
        };
        format!("{asked} {what} (from {trap})")
    }
}

fn of_trap(trap: &TrapRow) -> Vec<Probe> {
    let Ok(referee) = Referee::new(&trap.position) else { return Vec::new() };
    if referee.position().halfmoves() > MOST_HALFMOVES || meets_en_passant(&trap.position) {
        return Vec::new();
    }
    let mut probes: Vec<Probe> = perpetual(trap, referee.position()).into_iter().collect();
    let repeats = |mv: &UciMove| referee.legal(*mv).map_or(0, |legal| referee.occurrences_after(legal));
    for &asked in trap.best.iter().chain(&trap.avoid) {
        match (repeats(&asked), is_right(trap, asked)) {
            (1, Some(is_right)) if is_draw_false(trap, asked) => {
                let lure = if is_right { MoveAppeal::Attracts } else { MoveAppeal::Repels };
                probes.extend(first(trap, &referee, asked, lure));
            }
            (2.., Some(is_right)) if !is_draw_false(trap, asked) => {
                // Moves that draw by the rules lose or win on the board, the other way round.
                let lure = if is_right { MoveAppeal::Repels } else { MoveAppeal::Attracts };
                probes.push(Probe { appeal: lure, ..probe(Topic::Third, trap, asked) });
            }
            _ => {}
        }
    }
    probes
}

/// Does a pawn move two squares anywhere? Engines differ on which en passant captures make a position
/// different, and that is another question.
fn meets_en_passant(history: &GamePosition) -> bool {
    positions(history).any(|position| position.ep_square(EnPassantMode::Always).is_some())
}

/// Every position of the line, including the first one.
fn positions(position: &GamePosition) -> impl Iterator<Item = Chess> {
    (0..=position.moves.len()).filter_map(|index| {
        let before = GamePosition { start: position.start.clone(), moves: position.moves[..index].to_vec() };
        Some(Referee::new(&before).ok()?.position().clone())
    })
}

/// Is a move accepted? `None` if the file does not say.
fn is_right(trap: &TrapRow, mv: UciMove) -> Option<bool> {
    if trap.best.contains(&mv) { Some(true) } else { trap.avoid.contains(&mv).then_some(false) }
}

/// Is the true value after the move, right or wrong, certainly not a draw? A winning move wins; where other
/// moves draw, a wrong one loses. In a won position a wrong move proves nothing, because it may lead to a
/// draw.
fn is_draw_false(trap: &TrapRow, mv: UciMove) -> bool {
    match trap.result {
        Some(TrueResult::Win) => trap.best.contains(&mv),
        Some(TrueResult::Draw) => trap.avoid.contains(&mv),
        Some(TrueResult::Loss) | None => false,
    }
}

fn probe(topic: Topic, trap: &TrapRow, asked: UciMove) -> Probe {
    let (position, bare, best) = (trap.position.clone(), trap.without_history.clone(), trap.best.clone());
    Probe {
        topic,
        trap: trap.id.clone(),
        position,
        without_history: bare,
        asked,
        appeal: MoveAppeal::Attracts,
        best,
    }
}

/// The probes of a move that makes a second occurrence: with the whole game, and from that position on.
fn first(trap: &TrapRow, referee: &Referee, asked: UciMove, lure: MoveAppeal) -> Vec<Probe> {
    let mut after = referee.clone();
    if after.play(asked).is_err() {
        return Vec::new();
    }
    let Some((index, earlier)) = earlier(&trap.position, after.position()) else { return Vec::new() };
    let cut = GamePosition {
        start: Fen::from_position(&earlier, EnPassantMode::Legal),
        moves: trap.position.moves[index..].to_vec(),
    };
    let edge = Probe { appeal: lure, position: cut, ..probe(Topic::Edge, trap, asked) };
    let inside = Probe { appeal: lure, ..probe(Topic::Inside, trap, asked) };
    // After a capture or a pawn move, this is the oldest position that can recur: no scan looks further back.
    let is_inside = index > 0 && earlier.halfmoves() > 0;
    // If the move loses, the opponent will not repeat the next position, which is within the scan's reach.
    let is_alone = lure == MoveAppeal::Repels;
    is_inside.then_some(inside).into_iter().chain(is_alone.then_some(edge)).collect()
}

/// When the position occurred before.
fn earlier(history: &GamePosition, sought: &Chess) -> Option<(usize, Chess)> {
    positions(history).enumerate().find(|(_, position)| is_same(position, sought))
}

fn is_same(a: &Chess, b: &Chess) -> bool {
    a.board() == b.board()
        && a.turn() == b.turn()
        && a.castles().castling_rights() == b.castles().castling_rights()
        && a.ep_square(EnPassantMode::Legal) == b.ep_square(EnPassantMode::Legal)
}

/// A drawn position whose only good move begins a loop of checks with few ways out.
fn perpetual(trap: &TrapRow, position: &Chess) -> Option<Probe> {
    let ([asked], Some(TrueResult::Draw)) = (&trap.best[..], trap.result) else { return None };
    let legal = asked.to_move(position).ok()?;
    is_loop(position, legal).then(|| {
        // Without the history every repetition of the line is inside the search.
        let bare = trap.without_history.clone();
        Probe { position: bare.clone(), without_history: bare, ..probe(Topic::InTree, trap, *asked) }
    })
}

/// Is there a check that restores the position after this one, with few replies to either?
fn is_loop(position: &Chess, check: Move) -> bool {
    let chased = after(position, check);
    if !chased.is_check() {
        return false;
    }
    let replies = chased.legal_moves();
    replies.iter().any(|&reply| {
        let turned = after(&chased, reply);
        turned.legal_moves().into_iter().any(|second| {
            let caught = after(&turned, second);
            let ways = |replies: &MoveList| replies.len();
            caught.is_check()
                && ways(&replies) * ways(&caught.legal_moves()) <= MOST_WAYS
                && caught.legal_moves().into_iter().any(|back| is_same(&after(&caught, back), position))
        })
    })
}

fn after(position: &Chess, mv: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}
