//! The requirements of each class for a line with judged moves.

use super::TrapClass;
use super::judged_line::JudgedLine;
use threefold_oracle::Wdl;
use threefold_oracle::threefold_rule::JudgedMove;

/// By at least this number of plies, the best move on the board mates sooner, or lasts longer, than the right
/// one.
const MARGIN: i32 = 6;

/// In control cases that require only a win, this number of moves wins.
const MANY: usize = 4;

/// The plies lost by a triangle: three moves for one side and two for the other.
const TRIANGLE: u16 = 5;

/// Requirements with descriptions; each must be true.
type Requirements = Vec<(bool, &'static str)>;

pub(super) fn requirements(scene: &JudgedLine<'_>) -> Requirements {
    let JudgedLine { class, result, ref right, ref wrong, .. } = *scene;
    let choice = (!wrong.is_empty(), "there is a wrong move");
    let won = (result == Wdl::Win, "the position is won");
    let only_draw =
        (result == Wdl::Draw && right.len() == 1 && all(wrong, Wdl::Loss), "all moves but one lose");
    let only_seen = |times| right.len() == 1 && right[0].seen == times;
    match class {
        TrapClass::OnlyWinRepeats => {
            vec![choice, won, (only_seen(1), "the only winning move leads to a position that occurred once")]
        }
        TrapClass::FalseRefuge => false_refuge(scene),
        TrapClass::ThirdAvoid => third_avoid(scene),
        TrapClass::ThirdSeek => third_seek(scene),
        TrapClass::Dawdle => dawdle(scene),
        TrapClass::OnlyDrawRepeats => vec![
            choice,
            only_draw,
            (only_seen(1), "the only drawing move leads to a position that occurred once"),
        ],
        TrapClass::FiftyMoves => fifty_moves(scene),
        TrapClass::OtherSide => vec![
            choice,
            won,
            (only_seen(0), "the only winning move leads to a new position"),
            (
                right.iter().all(|judged| scene.past.with_other_side(&judged.after) == 2),
                "its pieces were there twice with the other side to move",
            ),
        ],
        TrapClass::ZugzwangTriangle => zugzwang_triangle(scene),
        TrapClass::VoidEnPassant => {
            let third = if result == Wdl::Win { third_avoid(scene) } else { third_seek(scene) };
            let void = |judged: &JudgedMove| scene.past.void_step(&judged.after).is_some();
            let repeats = scene.third().is_some_and(void);
            let after = (repeats, "its position followed a double step that no pawn could capture");
            third.into_iter().chain([after]).collect()
        }
        TrapClass::LiveEnPassant => vec![
            choice,
            won,
            (only_seen(1), "the only winning move leads to a position that occurred once"),
            (
                right.iter().all(|judged| scene.past.live_step(&judged.after).is_some()),
                "its pieces were there once more, when an en passant capture was legal",
            ),
        ],
        TrapClass::PerpetualFind | TrapClass::PerpetualAvoid | TrapClass::PinnedEnPassant => {
            vec![(false, "this class is proven by search")]
        }
    }
}

impl<'j> JudgedLine<'j> {
    /// Is the position after the right move won that much sooner, or at all, because the other side must
    /// move?
    fn is_zugzwang(&self) -> bool {
        let Some((here, waited)) =
            self.right.first().and_then(|judged| judged.table.plies()).zip(self.waited)
        else {
            return false;
        };
        // Both are counted from the position before the right move, or from one with the same side to move.
        waited.wdl() != Wdl::Win || waited.plies() >= Some(here - 1 + TRIANGLE)
    }

    /// The move that makes a third occurrence: the bait if it must be avoided, the only right move if it must
    /// be found.
    pub(super) fn third(&self) -> Option<&'j JudgedMove> {
        let third = |judged: &&JudgedMove| judged.seen >= 2;
        self.bait.filter(third).or_else(|| self.right.first().copied().filter(third))
    }
}

fn all(moves: &[&JudgedMove], worth: Wdl) -> bool {
    moves.iter().all(|judged| judged.worth == worth)
}

fn false_refuge(scene: &JudgedLine<'_>) -> Requirements {
    vec![
        (scene.result == Wdl::Draw, "the position is drawn"),
        ((2..=3).contains(&scene.right.len()), "two or three moves draw"),
        (scene.right.iter().all(|judged| judged.seen == 0), "the drawing moves lead to new positions"),
        (
            scene.bait.is_some_and(|bait| bait.seen == 1),
            "a losing move leads to a position that occurred once",
        ),
    ]
}

fn third_avoid(scene: &JudgedLine<'_>) -> Requirements {
    let quickest = scene.right.iter().filter_map(|judged| judged.table.plies()).min();
    let quicker = |bait: &JudgedMove| bait.table.wdl() == Wdl::Win && bait.table.plies() < quickest;
    vec![
        (scene.result == Wdl::Win, "the position is won"),
        ((1..=3).contains(&scene.right.len()), "one to three moves win"),
        (scene.right.iter().all(|judged| judged.seen < 2), "the winning moves are no third occurrence"),
        (
            scene.bait.is_some_and(|bait| bait.seen == 2 && quicker(bait)),
            "the quickest win on the board is a third occurrence",
        ),
    ]
}

fn dawdle(scene: &JudgedLine<'_>) -> Requirements {
    let quickest = scene.right.iter().filter_map(|judged| judged.table.plies()).min();
    let slower = |bait: &JudgedMove| bait.table.wdl() == Wdl::Win && bait.table.plies() > quickest;
    vec![
        (scene.result == Wdl::Win, "the position is won"),
        (
            scene.right.iter().filter(|judged| judged.seen == 0).count() >= MANY,
            "many moves to new positions win",
        ),
        (
            scene.bait.is_some_and(|bait| bait.seen == 2 && slower(bait)),
            "a win on the board that is not the quickest is a third occurrence",
        ),
    ]
}

fn third_seek(scene: &JudgedLine<'_>) -> Requirements {
    let JudgedLine { result, ref right, ref wrong, .. } = *scene;
    vec![
        (!wrong.is_empty(), "there is a wrong move"),
        (result == Wdl::Draw && all(wrong, Wdl::Loss), "all moves but the drawing one lose"),
        (right.len() == 1 && right[0].seen == 2, "the only drawing move makes a third occurrence"),
        (right.iter().all(|judged| judged.table.wdl() == Wdl::Loss), "without the history it loses as well"),
    ]
}

fn zugzwang_triangle(scene: &JudgedLine<'_>) -> Requirements {
    let JudgedLine { result, ref right, ref wrong, ref past, .. } = *scene;
    vec![
        (!wrong.is_empty(), "there is a wrong move"),
        (result == Wdl::Win, "the position is won"),
        (
            right.len() == 1 && right[0].seen == 1,
            "the only winning move leads to a position that occurred once",
        ),
        (
            right.iter().all(|judged| past.with_other_side(&judged.after) > 0),
            "its pieces were there with the other side to move",
        ),
        (scene.is_zugzwang(), "it is a zugzwang: with the move, the winner must lose it first"),
    ]
}

fn fifty_moves(scene: &JudgedLine<'_>) -> Requirements {
    let JudgedLine { result, ref right, bait, .. } = *scene;
    let best = right.iter().map(|judged| judged.table.rank()).max();
    let on_board = |wdl: Wdl| right.iter().all(|judged| judged.table.wdl() == wdl);
    vec![
        (bait.is_some(), "there is a wrong move"),
        ((1..=3).contains(&right.len()), "one to three moves are right"),
        (
            (result == Wdl::Win && on_board(Wdl::Win)) || (result == Wdl::Draw && on_board(Wdl::Loss)),
            "it is won, or saved by the fifty-move rule alone",
        ),
        (
            bait.zip(best).is_some_and(|(bait, best)| bait.table.rank() >= best + MARGIN),
            "what is best on the board by far is wrong",
        ),
    ]
}
