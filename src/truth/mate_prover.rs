//! Proves "mate in N and no sooner" by trying everything.
//!
//! For positions too full for tables. The side that mates tries checks first and, among them, those that
//! leave the fewest replies; the side that is mated tries first what saved it in a sister position. What was
//! proven of a position is kept under the position itself, not under a hash, so that no collision can make a
//! proof wrong. Repetitions need no care: the shortest mate never needs a position twice, and a longer way
//! round would not be a shorter mate. The fifty-move counter is not looked at; who asks about positions near
//! its end must do so himself.

use std::collections::HashMap;

use shakmaty::{Chess, Move, Position};

use crate::score::{MateDistance, Ply};

/// The budget ran out before a proof was found either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no proof within {nodes} positions; allow more, or ask for a shorter mate")]
pub struct OutOfNodes {
    /// The budget that was given.
    pub nodes: u64,
}

/// What is known of a position whose side to move wants to mate, in full moves.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// It mates within these.
    mates_within: Option<u16>,
    /// It does not mate within these.
    fails_within: u16,
}

/// A prover, and what it has proven so far.
#[derive(Debug, Clone)]
pub struct MateProver {
    known: HashMap<Chess, Known>,
    /// Positions that end the game in a draw.
    barred: Vec<Chess>,
    /// For each ply, the reply that last saved the defender.
    saviours: Vec<Option<Move>>,
    budget: u64,
    spent: u64,
}

impl MateProver {
    /// A prover that looks at this many positions for each question.
    pub fn new(budget: u64) -> Self {
        Self::barring(Vec::new(), budget)
    }

    /// The same where some positions end the game in a draw, having stood on the board twice before.
    pub fn barring(barred: Vec<Chess>, budget: u64) -> Self {
        Self { known: HashMap::new(), barred, saviours: Vec::new(), budget, spent: 0 }
    }

    /// The distance to mate, whoever mates, if it is at most `within` full moves; `None` is the proof that
    /// nobody forces mate so soon.
    pub fn distance(&mut self, position: &Chess, within: u16) -> Result<Option<MateDistance>, OutOfNodes> {
        self.spent = 0;
        self.exact(position, within)
    }

    /// A shortest mate of this distance, as [`MateProver::distance`] found it: the quickest attack against
    /// the longest defence.
    pub fn line(&mut self, position: &Chess, distance: MateDistance) -> Result<Vec<Move>, OutOfNodes> {
        self.spent = 0;
        let mut line = Vec::new();
        let mut here = position.clone();
        for plies in (0..distance.plies().0).rev() {
            let left = MateDistance::from_plies(Ply(plies));
            let within = plies.div_ceil(2);
            let mut next = None;
            for mv in here.legal_moves() {
                let mut after = here.clone();
                after.play_unchecked(mv);
                if self.exact(&after, within)? == Some(left) {
                    next = Some((mv, after));
                    break;
                }
            }
            let Some((mv, after)) = next else { break };
            line.push(mv);
            here = after;
        }
        Ok(line)
    }

    fn exact(&mut self, position: &Chess, within: u16) -> Result<Option<MateDistance>, OutOfNodes> {
        for moves in 0..=within {
            if moves > 0 && self.mates(position, moves, 0)? {
                return Ok(Some(MateDistance::from_plies(Ply(2 * moves - 1))));
            }
            if self.is_mated(position, moves, 0)? {
                return Ok(Some(MateDistance::from_plies(Ply(2 * moves))));
            }
        }
        Ok(None)
    }

    fn spend(&mut self) -> Result<(), OutOfNodes> {
        self.spent += 1;
        if self.spent > self.budget { Err(OutOfNodes { nodes: self.budget }) } else { Ok(()) }
    }

    /// Does the side to move mate within so many of its moves?
    fn mates(&mut self, position: &Chess, moves: u16, ply: usize) -> Result<bool, OutOfNodes> {
        self.spend()?;
        if self.barred.contains(position) {
            return Ok(false);
        }
        let known = self.known.get(position).copied().unwrap_or_default();
        if known.mates_within.is_some_and(|within| within <= moves) {
            return Ok(true);
        }
        if moves <= known.fails_within {
            return Ok(false);
        }
        let mut mates = false;
        for after in attacks(position, moves) {
            if self.is_mated(&after, moves - 1, ply + 1)? {
                mates = true;
                break;
            }
        }
        // One-move questions are asked as quickly as looked up, and there are too many of them to keep.
        if moves > 1 {
            let known = self.known.entry(position.clone()).or_default();
            if mates {
                known.mates_within = Some(known.mates_within.map_or(moves, |within| within.min(moves)));
            } else {
                known.fails_within = known.fails_within.max(moves);
            }
        }
        Ok(mates)
    }

    /// Is the side to move mated within so many moves of the other side?
    fn is_mated(&mut self, position: &Chess, moves: u16, ply: usize) -> Result<bool, OutOfNodes> {
        self.spend()?;
        if self.barred.contains(position) {
            return Ok(false);
        }
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        if moves == 0 {
            return Ok(false);
        }
        if self.saviours.len() <= ply {
            self.saviours.resize(ply + 1, None);
        }
        if let Some(at) = replies.iter().position(|&reply| Some(reply) == self.saviours[ply]) {
            replies.swap(0, at);
        }
        for reply in replies {
            let mut after = position.clone();
            after.play_unchecked(reply);
            if !self.mates(&after, moves, ply + 1)? {
                self.saviours[ply] = Some(reply);
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The positions after each try, the most forcing first. The last move of a mate is a check.
fn attacks(position: &Chess, moves: u16) -> Vec<Chess> {
    let after = position.legal_moves().into_iter().map(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        after
    });
    if moves == 1 {
        return after.filter(Position::is_check).collect();
    }
    let mut after: Vec<(bool, usize, Chess)> =
        after.map(|after| (!after.is_check(), after.legal_moves().len(), after)).collect();
    after.sort_by_key(|&(quiet, replies, _)| (quiet, replies));
    after.into_iter().map(|(_, _, after)| after).collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
    }

    #[test]
    fn distances_are_exact_for_both_sides() {
        let table = [
            // FEN, looked for within, UCI's distance
            ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 3, Some(1)),
            ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", 3, Some(0)),
            ("k7/8/1K6/8/8/8/8/1R6 w - - 0 1", 3, Some(2)),
            ("k7/8/1K6/8/8/8/8/1R6 w - - 0 1", 1, None),
            ("k7/8/1K6/8/8/8/8/7R b - - 0 1", 3, Some(-1)),
            // Smothered: the queen gives herself up.
            ("5r1k/6pp/7N/8/2Q5/8/8/K7 w - - 0 1", 3, Some(2)),
            // Stalemate is no mate.
            ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", 3, None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, None),
        ];
        for (fen, within, moves) in table {
            let found = MateProver::new(1_000_000).distance(&position(fen), within).expect("enough");
            assert_eq!(found.map(MateDistance::moves), moves, "{fen}");
        }
    }

    #[test]
    fn a_line_ends_in_mate_after_as_many_plies_as_were_proven() {
        let mut prover = MateProver::new(1_000_000);
        for fen in ["5r1k/6pp/7N/8/2Q5/8/8/K7 w - - 0 1", "k7/8/1K6/8/8/8/8/1R6 w - - 0 1"] {
            let mut here = position(fen);
            let distance = prover.distance(&here, 3).expect("enough").expect("a mate");
            let line = prover.line(&here, distance).expect("enough");
            assert_eq!(line.len(), usize::from(distance.plies().0), "{fen}");
            for mv in line {
                assert!(here.is_legal(mv), "{fen}: {mv}");
                here.play_unchecked(mv);
            }
            assert!(here.is_checkmate(), "{fen}");
        }
    }

    #[test]
    fn barred_positions_save_the_defender() {
        // The rook mates in the corner once the king has gone there; that position barred, it takes longer.
        let here = position("k7/8/1K6/8/8/8/8/7R b - - 0 1");
        let corner = position("1k6/8/1K6/8/8/8/8/7R w - - 0 1");
        let distance = |barred| {
            let found = MateProver::barring(barred, 1_000_000).distance(&here, 3).expect("enough");
            found.map(MateDistance::moves)
        };
        assert_eq!((distance(Vec::new()), distance(vec![corner])), (Some(-1), None));
    }

    #[test]
    fn an_empty_purse_is_no_proof() {
        let error = MateProver::new(10).distance(&Chess::default(), 3).expect_err("too few");
        assert_eq!(error, OutOfNodes { nodes: 10 });
    }
}
