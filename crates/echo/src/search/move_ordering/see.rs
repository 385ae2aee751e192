//! Static exchange evaluation: the result of captures on one square, least valuable attacker first.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use crate::move_conversion::is_castling;

/// The value of a piece in an exchange. The king cannot be traded.
pub(in crate::search) const fn piece_value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight | Piece::Bishop => 330,
        Piece::Rook => 500,
        Piece::Queen => 980,
        Piece::King => 20_000,
    }
}

/// Whether this legal move wins at least `threshold` centipawns if both sides capture on its square as long
/// as it pays.
///
/// Pins are ignored.
pub(in crate::search) fn wins_at_least(board: &Board, mv: Move, threshold: i32) -> bool {
    // Castling is written as a move onto the own rook: no piece is captured.
    if is_castling(board, mv) {
        return threshold <= 0;
    }
    let side = board.side_to_move();
    let moved = board.piece_on(mv.from).expect("a legal move moves a piece");
    let stays = mv.promotion.unwrap_or(moved);
    let en_passant = moved == Piece::Pawn && mv.from.file() != mv.to.file() && !board.occupied().has(mv.to);
    let victim = if en_passant { Some(Piece::Pawn) } else { board.piece_on(mv.to) };
    let gained = victim.map_or(0, piece_value) + piece_value(stays) - piece_value(moved);
    // The gain without a recapture, then with the loss of the piece.
    let mut balance = gained - threshold;
    if balance < 0 {
        return false;
    }
    balance -= piece_value(stays);
    if balance >= 0 {
        return true;
    }
    let mut occupied = (board.occupied() & !mv.from.bitboard()) | mv.to.bitboard();
    if en_passant {
        occupied &= !Square::new(mv.to.file(), mv.from.rank()).bitboard();
    }
    exchange(board, mv.to, occupied, !side, balance) == side
}

/// Plays the exchange; the side that cannot continue profitably loses. Returns the winner.
fn exchange(board: &Board, on: Square, mut occupied: BitBoard, mut turn: Color, mut balance: i32) -> Color {
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut attackers = attackers_of(board, on, occupied);
    loop {
        attackers &= occupied;
        let ours = attackers & board.colors(turn);
        let Some((piece, from)) = cheapest(board, ours) else { return !turn };
        if piece == Piece::King && !(attackers & board.colors(!turn)).is_empty() {
            return !turn; // The king cannot capture a guarded piece.
        }
        occupied &= !from.bitboard();
        // From the other side's view. One less, because it must win more than the balance, not as much.
        balance = -balance - 1 - piece_value(piece);
        turn = !turn;
        if balance >= 0 {
            return !turn;
        }
        // X-ray attackers behind the piece.
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(on, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(on, occupied) & straight;
        }
    }
}

fn cheapest(board: &Board, among: BitBoard) -> Option<(Piece, Square)> {
    Piece::ALL
        .into_iter()
        .find_map(|piece| (among & board.pieces(piece)).next_square().map(|square| (piece, square)))
}

fn attackers_of(board: &Board, on: Square, occupied: BitBoard) -> BitBoard {
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    (get_pawn_attacks(on, Color::Black) & board.colored_pieces(Color::White, Piece::Pawn))
        | (get_pawn_attacks(on, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn))
        | (get_knight_moves(on) & board.pieces(Piece::Knight))
        | (get_king_moves(on) & board.pieces(Piece::King))
        | (get_bishop_moves(on, occupied) & diagonal)
        | (get_rook_moves(on, occupied) & straight)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn see_values_by_hand() {
        let table = [
            // FEN, move, value
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
            ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
            ("4k3/8/4p3/3p4/4P3/8/8/3RK3 w - - 0 1", "e4d5", 100),
            ("4k3/8/2n5/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", 100 - 330),
            ("4k3/8/2n5/4p3/8/5N2/1B6/4K3 w - - 0 1", "f3e5", 100),
            ("4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 1", "c5d6", 100),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 880),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 1380),
            ("4k3/8/8/8/8/2p5/8/R3K3 w Q - 0 1", "e1a1", 0),
            ("8/8/3k4/4p3/8/8/8/K3R3 w - - 0 1", "e1e5", 100 - 500),
            ("8/8/3k4/4p3/8/8/1B6/K3R3 w - - 0 1", "e1e5", 100),
        ];
        for (fen, mv, worth) in table {
            let board: Board = fen.parse().expect("a position");
            let mv = mv.parse().expect("a move");
            assert!(wins_at_least(&board, mv, worth), "{fen} {mv}: less than {worth}");
            assert!(!wins_at_least(&board, mv, worth + 1), "{fen} {mv}: more than {worth}");
        }
    }
}
