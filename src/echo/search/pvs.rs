//! The principal-variation search: the first move is searched for its value, the others for whether they are
//! better, and searched again where they are.

use cozy_chess::Move;

use super::attempt::{Candidate, Stand};
use super::learn::Tried;
use super::leave_out::Fate;
use super::node::{Exit, Node, Search, Window};
use super::order::{Hints, Killers, Picker, Stage, victim_of};
use super::outlook::Outlook;
use crate::echo::budget::Stopped;
use crate::echo::lab::Feature;
use crate::echo::mutants::Mutant;
use crate::echo::request::Bound;
use crate::echo::table::Entry;
use crate::echo::value::Value;

/// From this many plies without progress on, values from elsewhere in the tree, where the fifty-move rule
/// was further off, no longer cut.
const CLOCK_NEARS_ITS_END: u8 = 90;
/// From this depth on, a node without a hash move is searched a ply less deep.
const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// What trying the moves of a node came to.
pub(super) struct Outcome {
    pub best: Value,
    pub mv: Option<Move>,
}

/// What is known before the moves are tried.
#[derive(Clone, Copy)]
struct Lead {
    outlook: Outlook,
    /// A legal move.
    hash: Option<Move>,
    /// Plies by which the hash move is searched deeper.
    extension: i32,
}

impl Search<'_> {
    /// The value of a node, exact inside the window and a bound outside.
    pub(super) fn visit(&mut self, node: &Node, window: Window) -> Result<Value, Stopped> {
        if node.depth <= 0 {
            return self.quiesce(node, window);
        }
        match self.value_of(node, window) {
            Ok(value) | Err(Exit::Settled(value)) => Ok(value),
            Err(Exit::Stopped) => Err(Stopped),
        }
    }

    fn value_of(&mut self, node: &Node, window: Window) -> Result<Value, Exit> {
        if self.seed.is(Mutant::TableBeforeHistory) {
            self.probe_table(node, window)?;
        }
        self.enter(node)?;
        let window = bound_by_mate_distance(node, window)?;
        let known = self.probe_table(node, window)?;
        self.look_up(node)?;
        let outlook = self.look_out(node, known);
        self.prune_node(node, window, outlook, known)?;
        let hash = hash_move(node, known);
        let unsure = hash.is_none()
            && node.depth >= INTERNAL_REDUCTION_DEPTH
            && (node.cut || window.is_wide())
            && node.excluded.is_none()
            && self.lab.has(Feature::InternalReduction);
        let extension = self.extension_of_hash(node, window, known, hash)?;
        let lead = Lead { outlook, hash, extension };
        if unsure {
            let shallower = node.again(node.depth - 1, node.cut, None);
            return Ok(self.settle(&shallower, window, lead)?);
        }
        Ok(self.settle(node, window, lead)?)
    }

    /// Tries the moves and keeps what came out.
    fn settle(&mut self, node: &Node, window: Window, lead: Lead) -> Result<Value, Stopped> {
        let outcome = self.try_moves(node, window, lead)?;
        if node.excluded.is_none() {
            self.remember(node, window, lead.outlook, &outcome);
        }
        Ok(outcome.best)
    }

    /// What the table knows, unless that settles the node. Where the line of play is asked for, it never does.
    pub(super) fn probe_table(&mut self, node: &Node, window: Window) -> Result<Option<Entry>, Exit> {
        let Some(entry) = self.table.probe(node.key) else { return Ok(None) };
        let clock = node.board.halfmove_clock();
        let value = entry.value.from_table(node.ply, self.seed);
        let deep = i32::from(entry.depth) >= node.depth;
        if window.is_wide() || clock >= CLOCK_NEARS_ITS_END || node.excluded.is_some() {
            return Ok(Some(entry));
        }
        // A mate beyond the fifty-move limit may be none.
        let beyond = value.plies_to_mate().is_some_and(|plies| plies + usize::from(clock) > node.ply + 100);
        // A forced mate stays one however deep the search that found it; how fast it can be is another matter.
        let cuts = match entry.bound {
            Bound::Exact if deep => true,
            Bound::Exact => {
                (value.is_win() && value >= window.beta) || (value.is_loss() && value <= window.alpha)
            }
            Bound::Lower => (deep || value.is_win()) && value >= window.beta,
            Bound::Upper => (deep || value.is_loss()) && value <= window.alpha,
        };
        if cuts && !beyond { Err(Exit::Settled(value)) } else { Ok(Some(entry)) }
    }

    fn try_moves(&mut self, node: &Node, mut window: Window, lead: Lead) -> Result<Outcome, Stopped> {
        self.frames[node.ply].occasion = self.occasion(node);
        self.frames[node.ply + 2].killers = Killers::default();
        self.frames[node.ply + 2].refuted = 0;
        let frame = &self.frames[node.ply];
        let hints = Hints { hash: lead.hash, killers: frame.killers, occasion: frame.occasion };
        let hash_takes = lead.hash.is_some_and(|mv| victim_of(&node.board, mv).is_some());
        let mut picker = Picker::all(&self.mind.made, hints, self.seed);
        let mut outcome = Outcome { best: Value::MINUS_INFINITE, mv: None };
        let mut tried = Tried::new();
        let mut number: u16 = 0;
        while let Some((mv, stage)) = picker.next(&mut self.mind.made, &node.board, &self.mind.histories) {
            if node.excluded == Some(mv) {
                continue;
            }
            number += 1;
            let mut candidate = self.candidate(node, mv, stage, number);
            match self.fate(node, window, lead.outlook, candidate, outcome.best) {
                Fate::Try => {}
                Fate::LeaveOut => continue,
                Fate::LeaveOutQuiets => {
                    picker.skip_quiets();
                    continue;
                }
            }
            if stage == Stage::Hash {
                candidate.extension = lead.extension;
            }
            let stand = Stand { window, outlook: lead.outlook, best: outcome.best, hash_takes };
            let value = self.play_out(node, candidate, stand)?;
            tried.push(mv);
            if value > outcome.best {
                outcome.best = value;
                if value > window.alpha {
                    self.raise(node, &mut window, value, mv);
                    outcome.mv = Some(mv);
                }
            }
            if value >= window.beta {
                self.frames[node.ply].refuted += 1;
                self.reward(node, mv, &tried);
                break;
            }
        }
        picker.end(&mut self.mind.made);
        if number == 0 {
            outcome.best = match node.excluded {
                Some(_) => window.alpha,
                None if node.in_check() => self.mated(node),
                None => self.draw(node),
            };
        }
        Ok(outcome)
    }

    fn play_out(&mut self, node: &Node, candidate: Candidate, stand: Stand) -> Result<Value, Stopped> {
        let after = self.play(node, candidate.mv);
        let value = self.try_move(node, after, candidate, stand);
        self.keys.pop();
        value
    }

    /// A move lifts the lower bound: where the line of play is asked for, it goes on with this move.
    pub(super) fn raise(&mut self, node: &Node, window: &mut Window, value: Value, mv: Move) {
        if window.beta.raw() - window.alpha.raw() > 1 {
            self.mind.lines.extend(node.ply, mv);
        }
        window.alpha = value;
    }
}

/// The table's move. Another position's may have the same key, or another thread's may be under way.
pub(super) fn hash_move(node: &Node, known: Option<Entry>) -> Option<Move> {
    known.and_then(|entry| entry.best).filter(|&mv| node.board.is_legal(mv))
}

/// No line from here can be worth less than being mated on the spot, nor more than mating with the next move.
fn bound_by_mate_distance(node: &Node, window: Window) -> Result<Window, Exit> {
    let alpha = window.alpha.max(Value::mated_at(node.ply));
    let beta = window.beta.min(Value::mating_at(node.ply + 1));
    if alpha >= beta { Err(Exit::Settled(alpha)) } else { Ok(Window { alpha, beta }) }
}
