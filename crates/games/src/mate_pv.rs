//! Checks that the PV of a reported mate shows it, as matetrack's `pv_status` does.
//!
//! A PV is also wrong if the losing side could claim a draw on the way: after fifty moves, at the third
//! occurrence of a position, or with a move of its own that makes it so (FIDE 9.2 and 9.3, as python-chess's
//! `can_claim_draw`). The game begins with the suite's position.

use std::cmp::Ordering;

use shakmaty::Position;
use shakmaty::uci::UciMove;

use threefold_chess::score::MateDistance;
use threefold_oracle::referee::Referee;

threefold_named_enum::named_enum! {
    /// What is wrong with a PV.
    pub enum PvFault {
        /// Fewer moves than the mate takes, or no table position at the end.
        Short = "short",
        /// More moves than the mate takes.
        Long = "long",
        /// The right number of moves, without mate at the end; or a table position with the other result.
        Wrong = "wrong",
        /// The losing side can claim a draw by the fifty-move rule on the way.
        FiftyMoves = "draw: 50mr",
        /// The losing side can claim a draw by repetition on the way.
        Threefold = "draw: 3fold",
        /// A table position on the way is a draw, or a win that the fifty-move rule turns into one.
        TablebaseDraw = "draw: wdl",
        /// The tables are entered at another ply than the score says.
        TablebaseEntry = "wrong TB entry",
        /// A move is illegal.
        Error = "error",
    }
}

/// What is wrong with this PV for a mate of this distance; `None` if it shows the mate.
pub fn fault(mut referee: Referee, mate: MateDistance, pv: &[UciMove]) -> Option<PvFault> {
    // The distance is that of the side to move, which has the even plies.
    let loser_moves_at = usize::from(mate.is_win());
    for (ply, &mv) in pv.iter().enumerate() {
        if ply % 2 == loser_moves_at
            && let Some(claim) = claimable(&referee)
        {
            return Some(claim);
        }
        if referee.play(mv).is_err() {
            return Some(PvFault::Error);
        }
    }
    length_fault(mate, pv.len(), referee.position().is_checkmate())
}

/// What is wrong with a legal PV of this length for a mate of this distance, if its last position is
/// checkmate or not.
pub fn length_fault(mate: MateDistance, length: usize, mates: bool) -> Option<PvFault> {
    match length.cmp(&usize::from(mate.plies().0)) {
        Ordering::Less => Some(PvFault::Short),
        Ordering::Greater => Some(PvFault::Long),
        Ordering::Equal => (!mates).then_some(PvFault::Wrong),
    }
}

/// The draw that the side to move can claim.
fn claimable(referee: &Referee) -> Option<PvFault> {
    let fifty = can_claim_fifty_moves(referee).then_some(PvFault::FiftyMoves);
    fifty.or_else(|| can_claim_repetition(referee).then_some(PvFault::Threefold))
}

/// Can the side to move claim a draw by the fifty-move rule?
pub fn can_claim_fifty_moves(referee: &Referee) -> bool {
    let position = referee.position();
    let clock = position.halfmoves();
    let moves = position.legal_moves();
    let completes_fifty = |&mv: &shakmaty::Move| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        // As in python-chess, a side without a legal move afterwards is mated or stalemated, and no draw is
        // claimed.
        !mv.is_zeroing() && !next.legal_moves().is_empty()
    };
    (clock >= 100 && !moves.is_empty()) || (clock >= 99 && moves.iter().any(completes_fifty))
}

/// Can the side to move claim a draw by repetition?
pub fn can_claim_repetition(referee: &Referee) -> bool {
    let moves = referee.position().legal_moves();
    // With two earlier occurrences, the move makes the third.
    referee.occurrences() >= 3 || moves.iter().any(|&mv| referee.occurrences_after(mv) >= 2)
}
