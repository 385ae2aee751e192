//! Depth-first proof-number search (A. Nagai's df-pn, 2002) over positions *with the moves that are left*.
//!
//! In searches with repetitions, a result on one path may be false on another. Here each question is "within
//! n moves" and depends on questions with fewer moves, so no question depends on itself. "Mates within n" is
//! a property of the position and n, whatever the path, so results can be reused. A mate within n is one
//! within more, and no mate within n means none within fewer; one record per position stores this for every
//! n. Counting a position twice where paths join only affects the order of work.
//!
//! The last two moves are searched without proof numbers: checks first, then other moves, and for the
//! defender the reply that refuted the sibling position.

use shakmaty::{Chess, Move, Position};

use super::OutOfNodes;
use super::checks::{Checks, after_checks};
use super::key::{MateQuestion, QuestionKey, QuestionKeyMap};
use super::proof_numbers::{ProofNumbers, choose};

/// With this number of moves left, or fewer, moves are tried in sequence.
const LAST: u16 = 2;

/// Known bounds of a position whose side to move attacks, in moves.
#[derive(Debug, Clone, Copy)]
struct MateBounds {
    /// It mates within this number; `u16::MAX`: unknown.
    mates: u16,
    /// It does not mate within this number.
    fails: u16,
}

impl Default for MateBounds {
    fn default() -> Self {
        Self { mates: u16::MAX, fails: 0 }
    }
}

/// A search with its cache of results.
#[derive(Debug, Clone)]
pub(super) struct ProofNumberSearch {
    settled: QuestionKeyMap<MateBounds>,
    /// Proof numbers of open questions, and of the defender's solved ones.
    efforts: QuestionKeyMap<ProofNumbers>,
    /// Positions that are drawn.
    drawn: Vec<Chess>,
    /// For each number of moves left, the last reply that refuted an attack.
    last_refutations: [Option<Move>; LAST as usize + 1],
    pub(super) budget: u64,
    pub(super) spent: u64,
}

impl ProofNumberSearch {
    pub(super) fn new(drawn: Vec<Chess>, budget: u64) -> Self {
        Self {
            settled: QuestionKeyMap::default(),
            efforts: QuestionKeyMap::default(),
            drawn,
            last_refutations: [None; LAST as usize + 1],
            budget,
            spent: 0,
        }
    }

    /// Whether the side to move mates within this number of its moves.
    pub(super) fn mates(&mut self, position: &Chess, moves: u16) -> Result<bool, OutOfNodes> {
        if let Some(known) = self.known(position, moves) {
            return Ok(known);
        }
        if moves <= LAST {
            return self.mates_at_last(position, moves);
        }
        Ok(self.attack(position, moves, ProofNumbers::ENDLESS)? == ProofNumbers::PROVEN)
    }

    /// Whether the side to move is mated within this number of the other side's moves.
    pub(super) fn is_mated(&mut self, position: &Chess, moves: u16) -> Result<bool, OutOfNodes> {
        if moves < LAST {
            return self.is_mated_at_last(position, moves);
        }
        if let Some(known) = self.efforts.get(&QuestionKey::new(position, MateQuestion::Defence(moves)))
            && let Some(answer) = known.answer()
        {
            return Ok(answer);
        }
        Ok(self.defend(position, moves, ProofNumbers::ENDLESS)? == ProofNumbers::PROVEN)
    }

    /// Whether it is known that the side to move is mated within this number of moves.
    pub(super) fn knows_mated(&self, position: &Chess, moves: u16) -> bool {
        self.efforts.get(&QuestionKey::new(position, MateQuestion::Defence(moves)))
            == Some(&ProofNumbers::PROVEN)
    }

    /// Whether the side to move mates within this number of moves, if known.
    pub(super) fn known(&self, position: &Chess, moves: u16) -> Option<bool> {
        let settled = self.settled.get(&QuestionKey::new(position, MateQuestion::Anything))?;
        match moves {
            moves if settled.mates <= moves => Some(true),
            moves if moves <= settled.fails => Some(false),
            _ => None,
        }
    }

    fn settle(&mut self, position: &Chess, moves: u16, mates: bool) {
        let settled = self.settled.entry(QuestionKey::new(position, MateQuestion::Anything)).or_default();
        if mates {
            settled.mates = settled.mates.min(moves);
        } else {
            settled.fails = settled.fails.max(moves);
        }
    }

    fn spend(&mut self) -> Result<(), OutOfNodes> {
        self.spent += 1;
        if self.spent > self.budget { Err(OutOfNodes { nodes: self.budget }) } else { Ok(()) }
    }

    fn is_barred(&self, position: &Chess) -> bool {
        !self.drawn.is_empty() && self.drawn.contains(position)
    }

    /// Searches an attacker's question until it is solved or exceeds `limit`.
    fn attack(
        &mut self,
        position: &Chess,
        moves: u16,
        limit: ProofNumbers,
    ) -> Result<ProofNumbers, OutOfNodes> {
        self.spend()?;
        if let Some(known) = self.known(position, moves) {
            return Ok(ProofNumbers::settled(known));
        }
        if self.is_barred(position) {
            return Ok(ProofNumbers::REFUTED);
        }
        if moves <= LAST {
            return self.mates_at_last(position, moves).map(ProofNumbers::settled);
        }
        let (after, mut efforts): (Vec<Chess>, Vec<ProofNumbers>) = afters(position)
            .map(|after| {
                let effort = self.first_defence(&after, moves - 1);
                (after, effort)
            })
            .unzip();
        loop {
            let (here, best, onward) = choose(&efforts, limit);
            if let Some(mates) = here.answer() {
                self.settle(position, moves, mates);
                return Ok(here);
            }
            if here.reaches(limit) {
                self.efforts.insert(QuestionKey::new(position, MateQuestion::Attack(moves)), here);
                return Ok(here);
            }
            efforts[best] = self.defend(&after[best], moves - 1, onward)?;
        }
    }

    /// Searches a defender's question until it is solved or exceeds `limit`.
    fn defend(
        &mut self,
        position: &Chess,
        moves: u16,
        limit: ProofNumbers,
    ) -> Result<ProofNumbers, OutOfNodes> {
        self.spend()?;
        let key = QuestionKey::new(position, MateQuestion::Defence(moves));
        if self.is_barred(position) {
            return Ok(ProofNumbers::REFUTED);
        }
        let after: Vec<Chess> = afters(position).collect();
        if after.is_empty() {
            return Ok(ProofNumbers::settled(position.is_check()));
        }
        // The defender needs one refuting reply: the same selection with the numbers swapped.
        let mut efforts: Vec<ProofNumbers> =
            after.iter().map(|after| self.first_attack(after, moves).turned()).collect();
        loop {
            let (here, best, onward) = choose(&efforts, limit.turned());
            if here.reaches(limit.turned()) {
                self.efforts.insert(key, here.turned());
                return Ok(here.turned());
            }
            efforts[best] = self.attack(&after[best], moves, onward.turned())?.turned();
        }
    }

    /// Initial numbers of a defender's question: each reply must be answered.
    fn first_defence(&self, position: &Chess, moves: u16) -> ProofNumbers {
        self.efforts.get(&QuestionKey::new(position, MateQuestion::Defence(moves))).copied().unwrap_or_else(
            || match position.legal_moves().len() {
                0 => ProofNumbers::settled(position.is_check() && !self.is_barred(position)),
                replies => ProofNumbers { proof: replies as u32, refutation: 1 },
            },
        )
    }

    /// Initial numbers of an attacker's question: each move must be refuted.
    fn first_attack(&self, position: &Chess, moves: u16) -> ProofNumbers {
        if let Some(known) = self.known(position, moves) {
            return ProofNumbers::settled(known);
        }
        self.efforts.get(&QuestionKey::new(position, MateQuestion::Attack(moves))).copied().unwrap_or_else(
            || ProofNumbers { proof: 1, refutation: (position.legal_moves().len() as u32).max(1) },
        )
    }

    /// [`ProofNumberSearch::mates`] with few moves left.
    fn mates_at_last(&mut self, position: &Chess, moves: u16) -> Result<bool, OutOfNodes> {
        self.spend()?;
        if moves == 0 || self.is_barred(position) {
            return Ok(false);
        }
        if moves == 1 {
            // Not cached: computing is as fast as looking up, and there are too many.
            for after in after_checks(position) {
                self.spend()?;
                if after.legal_moves().is_empty() && !self.is_barred(&after) {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        if let Some(known) = self.known(position, moves) {
            return Ok(known);
        }
        let checks = Checks::new(position);
        let (checks, quiet): (Vec<Move>, Vec<Move>) =
            position.legal_moves().into_iter().partition(|&mv| checks.include(position, mv));
        let mut mates = false;
        for mv in checks.into_iter().chain(quiet) {
            let mut after = position.clone();
            after.play_unchecked(mv);
            mates = self.is_mated_at_last(&after, moves - 1)?;
            if mates {
                break;
            }
        }
        self.settle(position, moves, mates);
        Ok(mates)
    }

    /// [`ProofNumberSearch::is_mated`] with few moves left.
    fn is_mated_at_last(&mut self, position: &Chess, moves: u16) -> Result<bool, OutOfNodes> {
        self.spend()?;
        if self.is_barred(position) {
            return Ok(false);
        }
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        if moves == 0 {
            return Ok(false);
        }
        let saviour = self.last_refutations[usize::from(moves)];
        if let Some(at) = replies.iter().position(|&reply| Some(reply) == saviour) {
            replies.swap(0, at);
        }
        for reply in replies {
            let mut after = position.clone();
            after.play_unchecked(reply);
            if !self.mates_at_last(&after, moves)? {
                self.last_refutations[usize::from(moves)] = Some(reply);
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The positions after each legal move.
fn afters(position: &Chess) -> impl Iterator<Item = Chess> {
    position.legal_moves().into_iter().map(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        after
    })
}
