//! The principal-variation search: the first move is searched for its value, the others for whether they are
//! better, and searched again where they are.

use cozy_chess::Move;

use super::ahead::Ahead;
use super::attempt::{Candidate, Stand};
use super::exit::Exit;
use super::learn::Tried;
use super::leave_out::Fate;
use super::node::{Node, Search, Window};
use super::order::{Hints, Killers, Picker, Stage, victim_of};
use super::outlook::Outlook;
use super::verdict::{Outcome, Verdict};
use crate::budget::Stopped;
use crate::lab::Feature;
use crate::mutants::Mutant;
use crate::range::Range;
use crate::table::{Entry, Guard};
use crate::value::Value;

/// From this many plies without progress on, values from elsewhere in the tree, where the fifty-move rule
/// was further off, no longer cut.
const CLOCK_NEARS_ITS_END: u8 = 90;
/// From this depth on, a node without a hash move is searched a ply less deep.
const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// What the moves are tried with.
#[derive(Clone, Copy)]
struct Lead<'a> {
    ahead: &'a Ahead,
    outlook: Outlook,
    /// A legal move.
    hash: Option<Move>,
    /// Plies by which the hash move is searched deeper.
    extension: i32,
}

impl<const SHIPPED: bool> Search<'_, SHIPPED> {
    /// The value of a node, asked from the node above it; what else there is to it is [`Self::told`] until the
    /// next node is visited.
    pub(super) fn visit(&mut self, node: &Node, window: Window) -> Result<Value, Stopped> {
        if node.depth <= 0 {
            return self.quiesce(node, window);
        }
        self.tell_upwards(node, window, Self::verdict_on)
    }

    /// Hands a verdict on a node, however it is found, to the node above.
    pub(super) fn tell_upwards(
        &mut self,
        node: &Node,
        mut window: Window,
        find: impl FnOnce(&mut Self, &Node, Window) -> Result<Verdict, Exit>,
    ) -> Result<Value, Stopped> {
        let stands = self.mode().scoring.delays_losses().then(|| self.evaluate(&node.board));
        if let Some(stands) = stands {
            (window.alpha, window.beta) =
                self.mode().scoring.before_delay((window.alpha, window.beta), stands);
        }
        let verdict = Exit::or_settled(find(self, node, window))?;
        if self.lab.counts() {
            self.census.anchored += u64::from(verdict.anchor.is_above(node.ply));
        }
        if !self.mode().shades && stands.is_none() {
            return Ok(verdict.value);
        }
        let verdict = verdict.asked_from(node.ply - 1, window);
        let verdict = stands.map_or(verdict, |stands| verdict.delayed(self.mode().scoring, stands));
        self.shade = (verdict.range, verdict.anchor);
        Ok(verdict.value)
    }

    /// The verdict on the node that was visited last, which had this value.
    pub(super) const fn told(&self, value: Value) -> Verdict {
        if self.mode().shades {
            Verdict { value, range: self.shade.0, anchor: self.shade.1 }
        } else {
            Verdict::free(value)
        }
    }

    /// The verdict that the moves of a node came to.
    pub(super) fn conclude(&self, node: &Node, asked: Window, outcome: &Outcome) -> Verdict {
        if self.mode().shades { outcome.verdict(node.ply, asked) } else { Verdict::free(outcome.best) }
    }

    /// The verdict on a node, found for the node itself: nobody above is told.
    pub(super) fn verdict_on(&mut self, node: &Node, asked: Window) -> Result<Verdict, Exit> {
        if self.seed.is(Mutant::TableBeforeHistory) {
            self.probe_table(node, asked)?;
        }
        self.enter(node)?;
        let mut ahead = Ahead::nothing(self.bound_by_mate_distance(node, asked)?);
        self.look_and_try(node, &mut ahead).map_err(|exit| ahead.lift(exit))
    }

    fn look_and_try(&mut self, node: &Node, ahead: &mut Ahead) -> Result<Verdict, Exit> {
        self.foresee(node, ahead)?;
        let known = self.probe_table(node, ahead.window)?;
        self.look_up(node)?;
        self.recognise(node, ahead)?;
        let window = ahead.window;
        let outlook = self.look_out(node, known);
        self.prune_node(node, window, outlook, known)?;
        let hash = hash_move(node, known);
        let unsure = hash.is_none()
            && node.depth >= INTERNAL_REDUCTION_DEPTH
            && (node.cut || window.is_wide())
            && node.excluded.is_none()
            && self.lab.has(Feature::InternalReduction);
        let extension = self.extension_of_hash(node, window, known, hash)?;
        let lead = Lead { ahead, outlook, hash, extension };
        if unsure {
            let shallower = node.again(node.depth - 1, node.cut, None);
            return Ok(self.settle(&shallower, lead)?);
        }
        Ok(self.settle(node, lead)?)
    }

    /// Tries the moves and keeps what came out.
    fn settle(&mut self, node: &Node, lead: Lead<'_>) -> Result<Verdict, Stopped> {
        let outcome = self.try_moves(node, lead)?;
        if node.excluded.is_none() {
            self.remember(node, lead.ahead.asked, lead.outlook, &outcome);
        }
        Ok(self.conclude(node, lead.ahead.asked, &outcome))
    }

    /// What the table knows, unless that settles the node. Where the line of play is asked for, it never does.
    pub(super) fn probe_table(&mut self, node: &Node, window: Window) -> Result<Option<Entry>, Exit> {
        let Some(entry) = self.table.probe(node.key) else { return Ok(None) };
        let clock = node.board.halfmove_clock();
        let Range { mut low, mut high } = entry.range.met_at(node.ply, self.mode().scoring);
        if self.seed.is(Mutant::TableBoundsSwapped) && low != high {
            (low, high) = (
                if high.is_infinite() { Value::MINUS_INFINITE } else { high },
                if low.is_infinite() { Value::INFINITE } else { low },
            );
        }
        let (deep, proves) = match self.guard(node) {
            Guard::None if self.seed.is(Mutant::TableDepthIgnored) => (true, true),
            Guard::None => (i32::from(entry.depth) >= node.depth, true),
            Guard::SameDepth => (i32::from(entry.depth) == node.depth.max(0), false),
            Guard::Closed => return Ok(Some(entry)),
        };
        let late = clock >= CLOCK_NEARS_ITS_END;
        let careless = late && self.seed.is(Mutant::TableCutsNearFifty);
        if ((window.is_wide() || late) && !careless)
            || node.excluded.is_some()
            || !self.lab.has(Feature::TableCut)
        {
            return Ok(Some(entry));
        }
        // A forced mate stays one however deep the search that found it; how fast it can be is another matter.
        let value = if (deep && low == high) || (low >= window.beta && (deep || proves && low.is_win())) {
            low
        } else if high <= window.alpha && (deep || proves && high.is_loss()) {
            high
        } else {
            return Ok(Some(entry));
        };
        // A mate beyond the fifty-move limit may be none.
        let beyond = self
            .mode()
            .scoring
            .plies_to_mate(value, node.ply)
            .is_some_and(|plies| plies + usize::from(clock) > 100)
            || self.is_overtaken(node, value);
        if beyond && !careless { Ok(Some(entry)) } else { Err(Exit::Settled(Verdict::free(value))) }
    }

    fn try_moves(&mut self, node: &Node, lead: Lead<'_>) -> Result<Outcome, Stopped> {
        let mut window = lead.ahead.window;
        self.frames[node.ply].occasion = self.occasion(node);
        self.frames[node.ply + 2].killers = Killers::default();
        self.frames[node.ply + 2].refuted = 0;
        let frame = &self.frames[node.ply];
        let hints = Hints { hash: lead.hash, killers: frame.killers, occasion: frame.occasion };
        let hash_takes = lead.hash.is_some_and(|mv| victim_of(&node.board, mv).is_some());
        let mut picker = Picker::all(&self.mind.made, hints, self.seed);
        let mut outcome = self.begin(lead.ahead);
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
            let verdict = self.play_out(node, candidate, stand)?;
            let value = verdict.value;
            if self.mode().shades {
                outcome.take(verdict);
            }
            tried.push(mv);
            if value > outcome.best {
                outcome.best = value;
                if value > window.alpha {
                    self.raise(node, &mut window, value, mv);
                    outcome.mv = Some(mv);
                }
            }
            if value >= window.beta {
                outcome.cut();
                self.frames[node.ply].refuted += 1;
                self.reward(node, mv, &tried);
                break;
            }
        }
        picker.end(&mut self.mind.made);
        self.finish(lead.ahead, &mut outcome);
        if number == 0 {
            outcome.settle(self.value_without_moves(node, window));
        }
        Ok(outcome)
    }

    /// Mate, stalemate, or nothing besides the move that was left out.
    fn value_without_moves(&self, node: &Node, window: Window) -> Value {
        if node.excluded.is_some() {
            window.alpha
        } else if node.in_check() || self.seed.is(Mutant::StalemateIsMate) {
            self.mode().scoring.mated_at(node.ply)
        } else {
            self.draw(node)
        }
    }

    fn play_out(&mut self, node: &Node, candidate: Candidate, stand: Stand) -> Result<Verdict, Stopped> {
        let after = self.play(node, candidate.mv);
        let value = self.try_move(node, after, candidate, stand);
        self.repetitions.pop();
        Ok(-self.told(-value?))
    }

    /// A move lifts the lower bound: where the line of play is asked for, it goes on with this move.
    pub(super) fn raise(&mut self, node: &Node, window: &mut Window, value: Value, mv: Move) {
        if window.beta.raw() - window.alpha.raw() > 1 {
            self.mind.lines.extend(node.ply, mv);
        }
        window.alpha = value;
    }

    /// No line from here can be worth less than being mated on the spot, nor more than mating with the next move.
    fn bound_by_mate_distance(&self, node: &Node, window: Window) -> Result<Window, Exit> {
        let alpha = window.alpha.max(self.mode().scoring.mated_at(node.ply));
        let soonest = if self.seed.is(Mutant::MateBoundTight) { 5 } else { 1 };
        let beta = window.beta.min(-self.mode().scoring.mated_at(node.ply + soonest));
        if alpha >= beta { Err(Exit::Settled(Verdict::free(alpha))) } else { Ok(Window { alpha, beta }) }
    }
}

/// The table's move. Another position's may have the same key, or another thread's may be under way.
pub(super) fn hash_move(node: &Node, known: Option<Entry>) -> Option<Move> {
    known.and_then(|entry| entry.best).filter(|&mv| node.board.is_legal(mv))
}
