//! Derives the value of a position from the game before it, and whether it is of a class.

use shakmaty::uci::UciMove;
use shakmaty::{Board, Chess, Color, File, Move, Position, Rank, Role, Square};

use super::ValueClass;
use super::proof::{ExactValue, LIMIT, exact_value, is_drawn_within, is_over_before};
use crate::history::after;
use threefold_chess::position::GamePosition;
use threefold_chess::score::MateDistance;
use threefold_oracle::referee::RuleEnd::{FiftyMoves, Threefold};
use threefold_oracle::{ProvenValue, Referee, Tables, Wdl};
use threefold_suites::trap::{AnswerSource, TrueResult};

/// The plies within which a draw by stalemate or the loss of the pawn is forced.
const DRAW_PLIES: u32 = 4;
/// The longest win without a fifty-move counter, in plies.
const LONGEST_WIN: u16 = 30;
/// The plies of wins of class `rook-pawns-win`: shorter ones show after a promotion that every search sees.
const SHORTEST_PAWN_RACE: u16 = 16;
/// The king moves from the corner within which a bare king holds a draw of class `rook-pawns-draw` or `wrong-bishop`.
const FORTRESS: u32 = 2;
/// The longest win by a move that resets the counter, in plies.
const LONGEST_FIFTY_WIN: u16 = 32;
/// The fewest plies between the first and the third occurrence of class `third-long`.
const LONG: usize = 20;
/// What is known of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownValue {
    /// The result for the side to move; `None` if the game is over and only mates can be false.
    pub result: Option<TrueResult>,
    /// The distance to mate; no mate can be nearer.
    pub distance: Option<MateDistance>,
    /// Every move that keeps the result.
    pub best: Vec<UciMove>,
    /// How that is known.
    pub origin: AnswerSource,
}

/// Derives the value of a position from the game before it; `None` if it is not of the class.
pub fn derive(tables: &Tables, class: ValueClass, history: &GamePosition) -> Option<KnownValue> {
    let referee = Referee::new(history).ok()?;
    if is_over_before(history) {
        return None;
    }
    if class == ValueClass::DrawnAlready {
        return drawn_already(tables, &referee);
    }
    if referee.ending().is_some() {
        return None;
    }
    let exact = exact_value(tables, history)?;
    let position = Judged { tables, history, referee: &referee, exact: &exact };
    position.is_of(class).then(|| KnownValue {
        result: Some(exact.result()),
        distance: exact.value.mate(),
        origin: origin_of(class),
        best: exact.best.clone(),
    })
}

/// A game that a draw has ended already. No mate is nearer than that of the tables.
fn drawn_already(tables: &Tables, referee: &Referee) -> Option<KnownValue> {
    let here = referee.position();
    let distance = tables.probe(here)?.mate()?;
    matches!(referee.ending()?, Threefold | FiftyMoves).then(|| KnownValue {
        result: None,
        distance: Some(distance),
        best: here.legal_moves().into_iter().map(|mv| referee.uci(mv)).collect(),
        origin: AnswerSource::Tablebase,
    })
}

/// How the value of a position of this class is known.
fn origin_of(class: ValueClass) -> AnswerSource {
    let by_rules = matches!(
        class,
        ValueClass::FiftyDrawn
            | ValueClass::FiftyCastling
            | ValueClass::FiftyMate
            | ValueClass::FiftyMated
            | ValueClass::LastPiece
            | ValueClass::PawnDraw
    );
    if by_rules { AnswerSource::Rules } else { AnswerSource::Tablebase }
}

/// A position with its value, before its class is known.
struct Judged<'j> {
    tables: &'j Tables,
    history: &'j GamePosition,
    referee: &'j Referee,
    exact: &'j ExactValue,
}

impl Judged<'_> {
    fn is_of(&self, class: ValueClass) -> bool {
        let (wdl, here) = (self.exact.value.wdl(), self.referee.position());
        let counter = here.halfmoves();
        let is_alone = self.history.moves.is_empty();
        let last_ply = is_alone && counter == LIMIT - 1;
        let plies = self.exact.value.plies();
        let wins_late = last_ply && wdl == Wdl::Win && plies.is_some_and(|plies| plies <= LONGEST_FIFTY_WIN);
        let all_draw = wdl == Wdl::Draw && self.keeps_all();
        let wins_soon = is_alone
            && counter == 0
            && !self.mover_is_bare()
            && wdl == Wdl::Win
            && plies.is_some_and(|plies| plies <= LONGEST_WIN);
        match class {
            ValueClass::FiftyDrawn => last_ply && all_draw && here.castles().is_empty() && !self.has_pawn(),
            ValueClass::FiftyRefuge => {
                last_ply && wdl == Wdl::Draw && self.mover_is_bare() && self.loses_at_98()
            }
            ValueClass::FiftyNotYet => {
                is_alone
                    && counter == LIMIT - 2
                    && wdl == Wdl::Loss
                    && self.mover_is_bare()
                    && self.has_pawn()
            }
            ValueClass::FiftyPromotion => wins_late && self.best_are(|mv| mv.promotion().is_some()),
            ValueClass::FiftyPawnMove => {
                wins_late && self.best_are(|mv| mv.role() == Role::Pawn && mv.promotion().is_none())
            }
            ValueClass::FiftyCapture => wins_late && self.best_are(|mv| mv.is_capture()),
            ValueClass::FiftyCastling => {
                last_ply && all_draw && here.legal_moves().iter().any(|mv| mv.is_castle())
            }
            ValueClass::FiftyMate => last_ply && plies == Some(1),
            ValueClass::FiftyMated => {
                is_alone && counter == LIMIT - 2 && plies == Some(2) && !self.has_pawn()
            }
            ValueClass::Third | ValueClass::ThirdLong | ValueClass::ThirdAfterCapture => {
                self.draws_by_repetition() && self.first_occurrence_fits(class)
            }
            ValueClass::LookAlike => wdl == Wdl::Loss && self.mover_is_bare() && self.looks_repeated(),
            ValueClass::LastPiece => {
                is_alone && wdl == Wdl::Draw && self.mover_is_bare() && self.best_are(|mv| mv.is_capture())
            }
            ValueClass::PawnDraw => {
                is_alone && counter == 0 && !self.mover_is_bare() && is_drawn_within(self.history, DRAW_PLIES)
            }
            ValueClass::PawnWin => wins_soon && self.keeps_all() && self.on_one_file(),
            ValueClass::StalemateNear => wins_soon && self.may_stalemate(),
            ValueClass::RookPawnsWin => {
                let is_race = plies.is_some_and(|plies| plies > SHORTEST_PAWN_RACE);
                wins_soon && is_race && self.keeps_all() && self.on_one_file() && self.corner().is_some()
            }
            ValueClass::RookPawnsDraw => self.is_fortress() && self.on_one_file(),
            ValueClass::RightBishop => {
                wins_soon && self.keeps_all() && self.bishop_guards_corner() == Some(true)
            }
            ValueClass::WrongBishop => self.is_fortress() && self.bishop_guards_corner() == Some(false),
            ValueClass::DrawnAlready => false,
        }
    }

    fn mover_is_bare(&self) -> bool {
        let board = self.referee.position().board();
        board.by_color(self.referee.position().turn()).count() == 1
    }

    fn has_pawn(&self) -> bool {
        self.referee.position().board().pawns().any()
    }

    fn on_one_file(&self) -> bool {
        let pawns: Vec<_> = self.referee.position().board().pawns().into_iter().collect();
        pawns.windows(2).all(|pair| pair[0].file() == pair[1].file())
    }

    /// The square on which a pawn of a rook's file promotes, if there is one.
    fn corner(&self) -> Option<Square> {
        let board = self.referee.position().board();
        let pawn = board.pawns().first()?;
        let rank = board.color_at(pawn)?.fold_wb(Rank::Eighth, Rank::First);
        matches!(pawn.file(), File::A | File::H).then(|| Square::from_coords(pawn.file(), rank))
    }

    /// Whether the bishop guards the square on which a pawn of a rook's file promotes; `None` without such a pawn.
    fn bishop_guards_corner(&self) -> Option<bool> {
        let bishop = self.referee.position().board().bishops().single_square()?;
        Some(self.corner()?.is_light() == bishop.is_light())
    }

    /// Is it drawn since the bare king reaches the corner, though no pawn can promote, nothing is taken and no stalemate
    /// comes within a few plies? A search alone does not see that.
    fn is_fortress(&self) -> bool {
        let here = self.referee.position();
        let king = here.board().king_of(here.turn().other());
        let holds = |corner: Square| {
            let is_near = king.is_some_and(|king| king.distance(corner) <= FORTRESS);
            is_near && here.board().pawns().into_iter().all(|pawn| pawn.distance(corner) > 1)
        };
        let is_quiet = self.history.moves.is_empty() && here.halfmoves() == 0 && !self.mover_is_bare();
        let is_drawn = self.exact.value.wdl() == Wdl::Draw && !is_drawn_within(self.history, DRAW_PLIES);
        is_quiet && is_drawn && self.corner().is_some_and(holds)
    }

    fn best_are(&self, fits: impl Fn(&Move) -> bool) -> bool {
        let mut moves = self.exact.best.iter().map(|&mv| self.referee.legal(mv));
        moves.all(|mv| mv.is_ok_and(|mv| fits(&mv)))
    }

    /// Does every move keep the result? Then no engine is too weak to choose one.
    fn keeps_all(&self) -> bool {
        self.exact.best.len() == self.referee.position().legal_moves().len()
    }

    /// Does one of the moves stalemate?
    fn may_stalemate(&self) -> bool {
        let here = self.referee.position();
        here.legal_moves().into_iter().any(|mv| after(here, mv).is_stalemate())
    }

    /// Would the bare king lose with one ply more?
    fn loses_at_98(&self) -> bool {
        let mut setup = self.history.start.as_setup().clone();
        setup.halfmoves = LIMIT - 2;
        let Ok(start) = shakmaty::fen::Fen::try_from_setup(setup) else { return false };
        let earlier = GamePosition { start, moves: Vec::new() };
        exact_value(self.tables, &earlier).is_some_and(|it| it.value.wdl() == Wdl::Loss)
    }

    /// Does the bare king save itself only by third occurrences?
    fn draws_by_repetition(&self) -> bool {
        let is_third = |mv: &Move| self.referee.occurrences_after(*mv) == 2;
        let is_lost = self.tables.probe(self.referee.position()).map(ProvenValue::wdl) == Some(Wdl::Loss);
        self.exact.value == ProvenValue::Draw && self.mover_is_bare() && is_lost && self.best_are(is_third)
    }

    fn first_occurrence_fits(&self, class: ValueClass) -> bool {
        let boards = self.boards();
        let Some(&mv) = self.exact.best.first() else { return false };
        let mut next = self.referee.clone();
        if next.play(mv).is_err() {
            return false;
        }
        let same = |it: &(Board, Color)| (&it.0, it.1) == (next.position().board(), next.position().turn());
        let Some(first) = boards.iter().position(same) else { return false };
        let pieces = |index: usize| boards[index].0.occupied().count();
        match class {
            ValueClass::Third => first == 0 && boards.len() < LONG,
            ValueClass::ThirdLong => first == 0 && boards.len() >= LONG,
            _ => first == 1 && pieces(0) > pieces(1),
        }
    }

    /// Does a move lead to a board that occurred twice, though the position is new?
    fn looks_repeated(&self) -> bool {
        let (here, boards) = (self.referee.position(), self.boards());
        here.legal_moves().into_iter().any(|mv| {
            let next = after(here, mv);
            let same = |it: &&(Board, Color)| (&it.0, it.1) == (next.board(), next.turn());
            boards.iter().filter(same).count() == 2 && self.referee.occurrences_after(mv) == 0
        })
    }

    /// The boards of the game so far, the current one last.
    fn boards(&self) -> Vec<(Board, Color)> {
        let start = GamePosition { start: self.history.start.clone(), moves: Vec::new() };
        let Ok(mut referee) = Referee::new(&start) else { return Vec::new() };
        let of = |position: &Chess| (position.board().clone(), position.turn());
        let mut boards = vec![of(referee.position())];
        for &mv in &self.history.moves {
            if referee.play(mv).is_ok() {
                boards.push(of(referee.position()));
            }
        }
        boards
    }
}
