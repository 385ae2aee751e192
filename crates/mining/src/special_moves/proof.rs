//! Derives whether a position is of a class, by the rules alone or by an exhaustive search of a few plies.
//!
//! The legal moves of the position and of all positions after one move are counted by two move generators.

use shakmaty::{Bitboard, FromSetup, Setup, attacks};
use shakmaty::{
    Board, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, Move, Position, Role, Square,
};

use super::class::{Decision, SpecialMove};
use crate::history::after;
use crate::mates::BUDGET;
use crate::values::KnownValue;
use threefold_chess::clock::Stop;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{MateDistance, Ply};
use threefold_oracle::Referee;
use threefold_oracle::mate_prover::MateProver;
use threefold_suites::trap::{AnswerSource, TrueResult};

/// The longest mate where there is none in one, in moves.
const LONGEST: u16 = 3;

/// Derives what is known of a position; `None` if it is not of the class.
pub fn derive(class: SpecialMove, history: &GamePosition) -> Option<KnownValue> {
    let referee = Referee::new(history).ok().filter(|referee| referee.ending().is_none())?;
    let start = Referee::new(&GamePosition { start: history.start.clone(), moves: Vec::new() }).ok()?;
    if CastlingMode::detect(history.start.as_setup()) != class.castling() {
        return None;
    }
    let judged = Judged { history, start: start.position(), here: referee.position() };
    let known = judged.known(class, &referee)?;
    generators_agree(history, judged.here).then_some(known)
}

/// Do both move generators find the same number of moves, and of replies?
fn generators_agree(history: &GamePosition, here: &Chess) -> bool {
    let count = |depth| threefold_echo::perft(history, depth, &Stop::default()).ok();
    (1..=2).all(|depth| count(depth) == Some(shakmaty::perft(here, depth)))
}

/// A position with the game before it.
struct Judged<'j> {
    history: &'j GamePosition,
    start: &'j Chess,
    here: &'j Chess,
}

impl Judged<'_> {
    fn known(&self, class: SpecialMove, referee: &Referee) -> Option<KnownValue> {
        let legal = self.here.legal_moves();
        let all = || legal.iter().map(|&mv| referee.uci(mv)).collect();
        let mates = |mv: &Move| after(self.here, *mv).is_checkmate();
        match class.decision() {
            Decision::OnlyMate => {
                let &special = legal.iter().find(|mv| self.is_special(class, **mv) && mates(mv))?;
                let only = legal.iter().filter(|mv| mates(mv)).count() == 1;
                only.then(|| KnownValue {
                    result: Some(TrueResult::Win),
                    distance: Some(MateDistance::from_plies(Ply(1))),
                    best: vec![referee.uci(special)],
                    origin: AnswerSource::Rules,
                })
            }
            Decision::OnlyMove => {
                let is_of_class = legal.len() == 1 && self.is_special(class, legal[0]);
                is_of_class.then(|| KnownValue {
                    result: None,
                    distance: None,
                    best: all(),
                    origin: AnswerSource::Rules,
                })
            }
            Decision::NoMate => {
                if !self.seems_to_mate(class) || legal.iter().any(mates) {
                    return None;
                }
                let mate = MateProver::new(BUDGET).distance(self.here, LONGEST).ok()??;
                let origin = AnswerSource::Search;
                mate.is_win().then(|| KnownValue { result: None, distance: Some(mate), best: all(), origin })
            }
        }
    }

    /// Is this legal move the special one of the class?
    fn is_special(&self, class: SpecialMove, mv: Move) -> bool {
        let (alone, capture) = (self.history.moves.is_empty(), mv.is_capture());
        match class {
            SpecialMove::Castling | SpecialMove::Castling960 => mv.is_castle() && alone,
            SpecialMove::CastlingOneRight => {
                let rights =
                    |of: &Chess| (of.castles().castling_rights() & of.board().by_color(self.us())).count();
                mv.is_castle() && rights(self.start) == 2 && rights(self.here) == 1
            }
            SpecialMove::EnPassant | SpecialMove::EnPassantEvasion => mv.is_en_passant(),
            SpecialMove::EnPassantOfTwo => {
                let captures = self.here.legal_moves().into_iter().filter(|mv| mv.is_en_passant());
                mv.is_en_passant() && captures.count() == 2
            }
            SpecialMove::EnPassantPinned => self.is_capturable_by_pinned(mv),
            SpecialMove::QueenPromotion => mv.promotion() == Some(Role::Queen),
            SpecialMove::KnightPromotion => mv.promotion() == Some(Role::Knight) && !capture,
            SpecialMove::KnightPromotionByCapture => mv.promotion() == Some(Role::Knight) && capture,
            SpecialMove::PromotionEvasion => mv.is_promotion() && self.here.is_check(),
            SpecialMove::PromotedPiece => self.is_by_promoted(mv),
            SpecialMove::CastledRook => self.is_by_castled_rook(mv),
            SpecialMove::SteppedKing => self.is_by_rook_of_stepped_king(mv),
            SpecialMove::DoubleCheck => mv.role() == Role::King && self.is_checker_attacked(),
            _ => alone && CastlingWay::of(mv, self.us()).is_some_and(|way| way.is_of(class, self.here)),
        }
    }

    /// Would there be a mate in one if a rule were forgotten?
    fn seems_to_mate(&self, class: SpecialMove) -> bool {
        let alone = self.history.moves.is_empty();
        match class {
            SpecialMove::ShieldingRook => alone && self.shield_would_mate(),
            SpecialMove::CastlingAttacked | SpecialMove::Attacked960 => {
                alone && self.castling_would_mate(self.here)
            }
            SpecialMove::CastlingLost => {
                !alone && self.castling_would_mate(self.start) && self.here.castles().is_empty()
            }
            SpecialMove::EnPassantAnswer => self.is_answered_only_by(Move::is_en_passant),
            SpecialMove::PromotionAnswer => self.is_answered_only_by(Move::is_promotion),
            SpecialMove::EnPassantExpired => self.late_capture_would_mate(),
            _ => false,
        }
    }

    fn us(&self) -> Color {
        self.here.turn()
    }

    /// Would a castling move that is illegal now mate, by a right in this position?
    fn castling_would_mate(&self, rights: &Chess) -> bool {
        self.after_illegal_castling(rights).any(|(_, board)| is_mate(board, !self.us()))
    }

    /// The castling moves that are illegal now, by the rights in this position, and the boards after them.
    fn after_illegal_castling<'r>(&'r self, rights: &'r Chess) -> impl Iterator<Item = (Move, Board)> + 'r {
        let board = self.here.board();
        let king = board.king_of(self.us()).filter(|king| rights.board().king_of(self.us()) == Some(*king));
        let rooks = rights.castles().castling_rights() & rights.board().by_color(self.us());
        king.into_iter().flat_map(move |king| {
            rooks.into_iter().filter_map(move |rook| {
                let is_there = board.piece_at(rook) == Some(self.us().rook());
                let mv = Move::Castle { king, rook };
                let is_illegal = is_there && !self.here.is_legal(mv);
                is_illegal.then(|| castled(board, self.us(), king, rook)).flatten().map(|after| (mv, after))
            })
        })
    }

    /// Would castling mate if it did not uncover an attack on the king's new square?
    fn shield_would_mate(&self) -> bool {
        self.after_illegal_castling(self.here).any(|(mv, board)| {
            let Some(way) = CastlingWay::of(mv, self.us()) else { return false };
            let path = attacks::between(way.king, way.king_to).with(way.king).with(way.king_to);
            let now = self.here.board();
            // The king moves along its way, so it shields no square of it.
            let occupied = now.occupied().without(way.king);
            let is_safe_now = |square| now.attacks_to(square, !self.us(), occupied).is_empty();
            let uncovered = attackers_of_king(&board, self.us());
            path.into_iter().all(is_safe_now)
                && uncovered.any()
                && is_mate_but_for(board, !self.us(), uncovered)
        })
    }

    /// Is this a move of the rook that has castled a move ago?
    fn is_by_castled_rook(&self, mv: Move) -> bool {
        let [castling, _] = self.history.moves[..] else { return false };
        let castling = castling.to_move(self.start).ok();
        let way = castling.and_then(|castling| CastlingWay::of(castling, self.us()));
        way.is_some_and(|way| mv.from() == Some(way.rook_to) && way.rook_to != way.rook)
    }

    /// Is this a move of a rook with which the king could castle a move ago, but stepped to the same square?
    fn is_by_rook_of_stepped_king(&self, mv: Move) -> bool {
        let [step, _] = self.history.moves[..] else { return false };
        let Ok(step) = step.to_move(self.start) else { return false };
        let castling = self.start.legal_moves().into_iter().filter(|castling| castling.is_castle());
        !step.is_castle()
            && castling.filter_map(|castling| CastlingWay::of(castling, self.us())).any(|way| {
                step.from() == Some(way.king) && step.to() == way.king_to && mv.from() == Some(way.rook)
            })
    }

    /// Is this a double step whose en passant capture would end the check, but uncovers another?
    fn is_capturable_by_pinned(&self, mv: Move) -> bool {
        let (Some(from), to) = (mv.from(), mv.to()) else { return false };
        if mv.role() != Role::Pawn || from.distance(to) != 2 || mv.is_capture() {
            return false;
        }
        let next = after(self.here, mv);
        let Some(passed) = from.offset(self.us().fold_wb(8, -8)) else { return false };
        let pawns = attacks::pawn_attacks(self.us(), passed) & next.board().by_piece((!self.us()).pawn());
        pawns.into_iter().any(|pawn| {
            let board = captured_en_passant(next.board(), pawn, passed, to);
            let attackers = attackers_of_king(&board, !self.us());
            attackers.any() && (attackers & next.checkers()).is_empty()
        })
    }

    /// Is this a move of the piece, no queen, that a pawn became a move ago?
    fn is_by_promoted(&self, mv: Move) -> bool {
        let Some(own) = self.history.moves.iter().nth_back(1) else { return false };
        let role = own.promotion().filter(|&role| role != Role::Queen);
        role == Some(mv.role()) && own.to() == mv.from()
    }

    /// Is the king in double check, with a checking piece under attack by another piece?
    fn is_checker_attacked(&self) -> bool {
        let (board, checkers) = (self.here.board(), self.here.checkers());
        let attackers = |square| board.attacks_to(square, self.us(), board.occupied());
        checkers.count() == 2 && checkers.into_iter().any(|it| (attackers(it) & !board.kings()).any())
    }

    /// Does a move check in such a way that all replies are of this kind?
    fn is_answered_only_by(&self, fits: fn(Move) -> bool) -> bool {
        self.here.legal_moves().into_iter().any(|mv| {
            let next = after(self.here, mv);
            let replies = next.legal_moves();
            next.is_check() && !replies.is_empty() && replies.into_iter().all(fits)
        })
    }

    /// Would an en passant capture mate that was legal a move ago?
    fn late_capture_would_mate(&self) -> bool {
        let [.., _, _, _] = self.history.moves[..] else { return false };
        let Some((to, from)) = self.history.moves[0].to().zip(self.history.moves[0].from()) else {
            return false;
        };
        let Some(passed) = to.offset(self.us().fold_wb(8, -8)) else { return false };
        let board = self.here.board();
        let is_double_step = from.distance(to) == 2 && board.piece_at(to) == Some((!self.us()).pawn());
        let pawns = attacks::pawn_attacks(!self.us(), passed) & self.here.our(Role::Pawn);
        let is_late = is_double_step && self.here.ep_square(EnPassantMode::Always).is_none();
        is_late
            && board.piece_at(passed).is_none()
            && pawns.into_iter().any(|pawn| is_mate(captured_en_passant(board, pawn, passed, to), !self.us()))
    }
}

fn side_of(king: Square, rook: Square) -> CastlingSide {
    CastlingSide::from_king_side(king < rook)
}

/// The squares of a castling move.
struct CastlingWay {
    color: Color,
    king: Square,
    king_to: Square,
    rook: Square,
    rook_to: Square,
}

impl CastlingWay {
    fn of(mv: Move, color: Color) -> Option<Self> {
        let Move::Castle { king, rook } = mv else { return None };
        let side = side_of(king, rook);
        Some(Self { color, king, king_to: side.king_to(color), rook, rook_to: side.rook_to(color) })
    }

    /// Is it of this class of Chess960?
    fn is_of(&self, class: SpecialMove, here: &Chess) -> bool {
        match class {
            SpecialMove::KingAway => {
                self.king != self.king_to && (self.king < self.king_to) != (self.king < self.rook)
            }
            SpecialMove::KingStays => self.king == self.king_to,
            SpecialMove::RookStays => self.rook == self.rook_to,
            SpecialMove::Neighbours => self.king.distance(self.rook) == 1,
            SpecialMove::InnerRook => self.has_rook_outside(here, self.color),
            SpecialMove::OpponentsRook => self.has_rook_outside(here, !self.color),
            SpecialMove::HomeSquares => {
                self.king.file() == File::E && matches!(self.rook.file(), File::A | File::H)
            }
            _ => false,
        }
    }

    /// Does a rook of this colour stand between the castling rook and the corner, or in it?
    fn has_rook_outside(&self, here: &Chess, color: Color) -> bool {
        let rooks = here.board().by_piece(color.rook()) & Bitboard::from_rank(self.color.backrank());
        rooks.into_iter().any(|it| if self.king < self.rook { it > self.rook } else { it < self.rook })
    }
}

/// The board after castling, if nothing stands in the way.
pub(super) fn castled(board: &Board, color: Color, king: Square, rook: Square) -> Option<Board> {
    let side = side_of(king, rook);
    let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
    let way =
        attacks::between(king, rook) | attacks::between(king, king_to) | attacks::between(rook, rook_to);
    let mut castled = board.clone();
    // Both leave before the squares are checked: in Chess960 each may go to the other's square.
    castled.discard_piece_at(king);
    castled.discard_piece_at(rook);
    let needed = way | Bitboard::from(king_to) | Bitboard::from(rook_to);
    if (needed & castled.occupied()).any() {
        return None;
    }
    castled.set_piece_at(king_to, color.king());
    castled.set_piece_at(rook_to, color.rook());
    Some(castled)
}

fn captured_en_passant(board: &Board, pawn: Square, passed: Square, captured: Square) -> Board {
    let mut board = board.clone();
    let Some(piece) = board.remove_piece_at(pawn) else { return board };
    board.discard_piece_at(captured);
    board.set_piece_at(passed, piece);
    board
}

fn attackers_of_king(board: &Board, color: Color) -> Bitboard {
    let attackers = |king| board.attacks_to(king, !color, board.occupied());
    board.king_of(color).map_or(Bitboard::EMPTY, attackers)
}

/// Is this side mated?
pub(super) fn is_mate(board: Board, turn: Color) -> bool {
    let setup = Setup { board, turn, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Standard).is_ok_and(|position| position.is_checkmate())
}

/// Is this side mated, if these attackers of the other king are left out? They can neither block nor capture.
fn is_mate_but_for(mut board: Board, turn: Color, attackers: Bitboard) -> bool {
    let Some(king) = board.king_of(turn) else { return false };
    let checkers = attackers_of_king(&board, turn);
    let ends_check = checkers.into_iter().fold(checkers, |squares, it| squares | attacks::between(king, it));
    let is_idle = attackers.into_iter().all(|it| (board.attacks_from(it) & ends_check).is_empty());
    attackers.into_iter().for_each(|it| board.discard_piece_at(it));
    is_idle && is_mate(board, turn)
}
