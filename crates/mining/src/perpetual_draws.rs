//! Draws by perpetual check, proven from both sides: the checking side has no more, and the checked side no
//! less.
//!
//! The checking side is mated soon if it stops, so everything depends on whether a search sees the
//! repetition.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::history::{after, alone};
use super::perpetuals::mates;
use super::trap::TrapClass;
use threefold_oracle::Referee;
use threefold_oracle::perpetual::Perpetual;
use threefold_suites::trap::TrapRow;

/// The most positions of the proof that the checking side holds the draw.
const ROOM: usize = 4_000;
/// The most positions of the checking side in the proof that the checked side holds the draw.
const MOST_HELD: usize = 40;
/// The number of moves within which the checking side is mated if it stops.
const MATED_WITHIN: u16 = 3;

/// Is this check worth exactly a draw? Otherwise returns what is missing.
pub(super) fn prove(here: &Chess, check: Move) -> Result<(), &'static str> {
    let keeping = Perpetual::explore(here, ROOM).keeping(here);
    let Some((_, checked)) = keeping.iter().find(|(keeping, _)| *keeping == check) else {
        return Err("the check does not begin a perpetual");
    };
    if holds(checked) { Ok(()) } else { Err("the checked side is not proven to hold") }
}

/// A position with the checking side to move.
struct HoldNode {
    position: Chess,
    /// For each move that does not lose: the positions after the replies. `None` before it is expanded.
    replies: Option<Vec<Vec<usize>>>,
}

/// Can the checked side, to move, hold at least a draw? It can if it has a reply to a position in which each
/// move of the checking side either gets that side mated or has such a reply again. This computes the
/// greatest fixed point over the first positions expanded.
fn holds(checked: &Chess) -> bool {
    let mut nodes: Vec<HoldNode> = Vec::new();
    let first = replies(checked, &mut nodes);
    let mut next = 0;
    while next < nodes.len().min(MOST_HELD) {
        nodes[next].replies = look(&nodes[next].position.clone(), &mut nodes);
        next += 1;
        // After each expansion, so that a small proof ends the loop.
        let held = held(&nodes);
        if first.iter().any(|&number| held[number]) {
            return true;
        }
    }
    false
}

/// The replies of the checked side, as indices of nodes.
fn replies(checked: &Chess, nodes: &mut Vec<HoldNode>) -> Vec<usize> {
    let mut numbers = Vec::new();
    for reply in checked.legal_moves() {
        let position = after(checked, reply);
        let known = nodes.iter().position(|node| node.position == position);
        numbers.push(known.unwrap_or(nodes.len()));
        if known.is_none() {
            nodes.push(HoldNode { position, replies: None });
        }
    }
    numbers
}

/// The positions after the moves that do not lose; `None` if one of them mates.
fn look(here: &Chess, nodes: &mut Vec<HoldNode>) -> Option<Vec<Vec<usize>>> {
    let mut all = Vec::new();
    for mv in here.legal_moves() {
        let there = after(here, mv);
        if there.is_checkmate() {
            return None;
        }
        let is_drawn = there.is_stalemate() || there.is_insufficient_material();
        // After a drawing or losing move the checked side has what it needs.
        if !is_drawn && !mates(&there, MATED_WITHIN) {
            all.push(replies(&there, nodes));
        }
    }
    Some(all)
}

/// The nodes that the checked side holds; nodes that are not expanded count as lost.
fn held(nodes: &[HoldNode]) -> Vec<bool> {
    let mut held: Vec<bool> = nodes.iter().map(|node| node.replies.is_some()).collect();
    loop {
        let fails = |number: &usize| {
            let replies = nodes[*number].replies.as_ref();
            held[*number]
                && replies.is_none_or(|moves| moves.iter().any(|answers| !answers.iter().any(|&it| held[it])))
        };
        let struck: Vec<usize> = (0..nodes.len()).filter(fails).collect();
        if struck.is_empty() {
            return held;
        }
        for number in struck {
            held[number] = false;
        }
    }
}

/// The note of every row.
pub(super) const NOTE: &str = "It begins a perpetual check, and no move is worth more.";

/// The class of every row.
pub(super) const CLASS: &str = "perpetual";

/// The file made from a file of traps: each position with a perpetual check to find, without its history, if
/// both halves of the draw are proven. `source` is the name of the traps file.
pub fn file(traps: &[TrapRow], source: &str) -> String {
    let mut text = format!(
        "# Draws by perpetual check: `best` is the check that begins it, and no move is worth more.\n\
         # Made by: threefold-lab positions perpetuals --traps {source}\n\
         # Proven again by: threefold positions check\n\
         id,class,fen,moves,best,result,source,note\n"
    );
    let draws = traps.iter().filter(|trap| trap.class == TrapClass::PerpetualFind.name()).filter_map(draw);
    for ((position, check), number) in draws.zip(1..) {
        let fen = Fen::from_position(&position, EnPassantMode::Legal);
        let check = check.to_uci(CastlingMode::Standard);
        let row = format!("{CLASS}.{number:03},{CLASS},{fen},,{check},draw,search,\"{NOTE}\"\n");
        text.push_str(&row);
    }
    text
}

fn draw(trap: &TrapRow) -> Option<(Chess, Move)> {
    let referee = Referee::new(&trap.position).ok()?;
    let check = referee.legal(*trap.best.first()?).ok()?;
    let here = alone(referee.position())?;
    prove(&here, check).ok().map(|()| (here, check))
}

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;

    use super::*;
    use threefold_suites::SourceFile;
    use threefold_suites::trap;

    fn proven(fen: &str, check: &str) -> Result<(), &'static str> {
        let here: Chess =
            fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("legal");
        let check = check.parse::<UciMove>().expect("a move").to_move(&here).expect("legal");
        prove(&here, check)
    }

    #[test]
    fn perpetual_check_and_its_necessity_are_proven() {
        let here = "8/5p1k/4p3/4p1Q1/r1q5/2r5/7P/1K6 w - - 0 1";
        assert_eq!(proven(here, "g5h5"), Ok(()));
        // A queen can check a bare king for ever, but wins.
        let won = "7k/8/8/8/8/8/Q7/K7 w - - 0 1";
        assert_eq!(proven(won, "a2a8"), Err("the checked side is not proven to hold"));
        // The king takes the checking piece, and there is no other check.
        let spent = "6k1/5ppp/8/8/8/8/1r4PP/3Q3K w - - 0 1";
        assert_eq!(proven(spent, "d1d5"), Err("the check does not begin a perpetual"));
    }

    #[test]
    fn only_proven_perpetual_checks_are_used() {
        let row = |id: &str, class: &str| {
            format!("{id},{class},8/5p1k/4p3/4p1Q1/r1q5/2r5/7P/1K6 w - - 0 1,,g5h5,draw\n")
        };
        let text = format!(
            "id,class,fen,moves,best,result\n{}{}c,perpetual-find,7k/8/8/8/8/8/Q7/K7 w - - 0 1,,a2a8,draw\n",
            row("a", "perpetual-find"),
            row("b", "dawdle"),
        );
        let page = SourceFile { file: "t.csv".to_owned(), text };
        let made = file(&trap::parse_traps(&page).expect("sound"), "t.csv");
        let rows: Vec<&str> = made.lines().filter(|line| !line.starts_with('#')).skip(1).collect();
        assert_eq!(
            rows,
            [format!(
                "perpetual.001,perpetual,8/5p1k/4p3/4p1Q1/r1q5/2r5/7P/1K6 w - - 0 1,,g5h5,draw,search,\"{NOTE}\""
            )]
        );
    }
}
