//! Proves "mate in N and no sooner" for either side, for positions with too many pieces for tables.
//!
//! The search is df-pn (`search`), the fastest method tried: on mates in 5 and 6 from games it visits a third
//! of the positions of an exhaustive search with the same move generation. Its results are exact. A
//! [`Proof`](super::Proof) can be written and verified by a checker that shares nothing with the search.
//! Repetitions need no care: the shortest mate never repeats a position. The fifty-move counter is ignored;
//! callers near its end must handle it.

mod checks;
mod key;
mod proof_numbers;
mod search;

use shakmaty::{Chess, Move, Position};

use search::ProofNumberSearch;

use threefold_chess::score::{MateDistance, Ply};

/// The node budget was used up without a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no proof within {nodes} positions; allow more, or ask for a shorter mate")]
pub struct OutOfNodes {
    /// The maximum number of nodes of a proof.
    pub nodes: u64,
}

/// A mate prover with its cache of results.
///
/// ```
/// use threefold_chess::position::GamePosition;
/// use threefold_oracle::{MateProver, Referee};
///
/// let game = GamePosition::parse("6k1/5ppp/8/8/8/8/8/R3K3 w - -", "").expect("a position");
/// let referee = Referee::new(&game).expect("legal");
/// let mut prover = MateProver::new(10_000);
/// let mate = prover.distance(referee.position(), 3).expect("enough nodes").expect("a mate");
/// assert_eq!(mate.moves(), 1);
/// assert_eq!(prover.line(referee.position(), mate).expect("enough nodes").len(), 1);
/// ```
#[derive(Debug, Clone)]
pub struct MateProver {
    search: ProofNumberSearch,
}

impl MateProver {
    /// A prover with a budget of positions per question.
    pub fn new(budget: u64) -> Self {
        Self::with_drawn_positions(Vec::new(), budget)
    }

    /// A prover in which some positions end the game in a draw, because they have occurred twice before.
    pub fn with_drawn_positions(drawn: Vec<Chess>, budget: u64) -> Self {
        Self { search: ProofNumberSearch::new(drawn, budget) }
    }

    /// The positions visited for the last question.
    pub const fn spent(&self) -> u64 {
        self.search.spent
    }

    /// The distance to mate of either side, if it is at most `within` full moves; `None` proves that neither
    /// side can force mate so soon.
    pub fn distance(&mut self, position: &Chess, within: u16) -> Result<Option<MateDistance>, OutOfNodes> {
        self.search.spent = 0;
        // Iterative deepening finds a short mate fastest, and proves along the way that there is no shorter
        // one.
        for moves in 0..=within {
            if self.search.mates(position, moves)? {
                return Ok(Some(MateDistance::from_plies(Ply(2 * moves - 1))));
            }
            if self.search.is_mated(position, moves)? {
                return Ok(Some(MateDistance::from_plies(Ply(2 * moves))));
            }
        }
        Ok(None)
    }

    /// Whether this is the distance to mate. Faster than [`Self::distance`], since only one side is examined.
    pub fn confirms(&mut self, position: &Chess, distance: MateDistance) -> Result<bool, OutOfNodes> {
        self.search.spent = 0;
        let moves = distance.plies().0.div_ceil(2);
        if distance.is_win() {
            Ok(self.search.mates(position, moves)? && !self.search.mates(position, moves - 1)?)
        } else {
            let sooner = moves.checked_sub(1);
            Ok(self.search.is_mated(position, moves)?
                && !sooner.map_or(Ok(false), |moves| self.search.is_mated(position, moves))?)
        }
    }

    /// A move after which the other side is mated within `moves - 1` more moves, if there is one.
    pub fn attack(&mut self, position: &Chess, moves: u16) -> Result<Option<Move>, OutOfNodes> {
        self.search.spent = 0;
        if moves == 0 || !self.search.mates(position, moves)? {
            return Ok(None);
        }
        let legal = position.legal_moves();
        // The proof of the position has usually kept the result of its move, which saves a search.
        let known = legal.iter().find(|&&mv| self.search.knows_mated(&after(position, mv), moves - 1));
        if let Some(&mv) = known {
            return Ok(Some(mv));
        }
        for mv in legal {
            if self.search.is_mated(&after(position, mv), moves - 1)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// A move after which the other side does not mate within `moves`, if there is one.
    pub fn defence(&mut self, position: &Chess, moves: u16) -> Result<Option<Move>, OutOfNodes> {
        self.search.spent = 0;
        if self.search.is_mated(position, moves)? {
            return Ok(None);
        }
        let legal = position.legal_moves();
        let known = legal.iter().find(|&&mv| self.search.known(&after(position, mv), moves) == Some(false));
        if let Some(&mv) = known {
            return Ok(Some(mv));
        }
        for mv in legal {
            if !self.search.mates(&after(position, mv), moves)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// A shortest mate of this distance, as found by [`MateProver::distance`]: fastest attack against longest
    /// defence.
    pub fn line(&mut self, position: &Chess, distance: MateDistance) -> Result<Vec<Move>, OutOfNodes> {
        let mut line = Vec::new();
        let mut here = position.clone();
        for plies in (0..distance.plies().0).rev() {
            // With an odd number of plies left the defender has moved, and the attacker must not mate sooner.
            let next = if plies % 2 == 0 {
                self.attack(&here, plies / 2 + 1)?
            } else {
                self.defence(&here, plies / 2)?
            };
            let Some(mv) = next else { break };
            line.push(mv);
            here.play_unchecked(mv);
        }
        Ok(line)
    }
}

fn after(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
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
    fn mate_distances_are_exact_for_both_sides() {
        let table = [
            // FEN, looked for within, UCI's distance
            ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 3, Some(1)),
            ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", 3, Some(0)),
            ("k7/8/1K6/8/8/8/8/1R6 w - - 0 1", 3, Some(2)),
            ("k7/8/1K6/8/8/8/8/1R6 w - - 0 1", 1, None),
            ("k7/8/1K6/8/8/8/8/7R b - - 0 1", 3, Some(-1)),
            // Smothered mate with a queen sacrifice.
            ("5r1k/6pp/7N/8/2Q5/8/8/K7 w - - 0 1", 3, Some(2)),
            // Stalemate is not mate.
            ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", 3, None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2, None),
        ];
        for (fen, within, moves) in table {
            let found = MateProver::new(1_000_000).distance(&position(fen), within).expect("enough");
            assert_eq!(found.map(MateDistance::moves), moves, "{fen}");
        }
    }

    #[test]
    fn mate_line_has_the_proven_length() {
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
    fn drawn_positions_save_the_defender() {
        // The rook mates in the corner once the king is there; if that position is a draw, it takes longer.
        let here = position("k7/8/1K6/8/8/8/8/7R b - - 0 1");
        let corner = position("1k6/8/1K6/8/8/8/8/7R w - - 0 1");
        let distance = |drawn| {
            let found =
                MateProver::with_drawn_positions(drawn, 1_000_000).distance(&here, 3).expect("enough");
            found.map(MateDistance::moves)
        };
        assert_eq!((distance(Vec::new()), distance(vec![corner])), (Some(-1), None));
    }

    #[test]
    fn exhausted_budget_is_no_proof() {
        let error = MateProver::new(10).distance(&Chess::default(), 3).expect_err("too few");
        assert_eq!(error, OutOfNodes { nodes: 10 });
    }
}
