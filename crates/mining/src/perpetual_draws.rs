//! Draws by perpetual check, proven from both sides: whoever checks has no more, and whoever is checked has no less.
//!
//! The checking side is mated soon if it stops, so all depends on whether a search sees that the positions repeat.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

use super::history::{after, alone};
use super::perpetuals::mates;
use super::trap::TrapClass;
use threefold_harness::suite::trap::TrapRow;
use threefold_oracle::Referee;
use threefold_oracle::perpetual::Perpetual;

/// How many the proof of what it has at least may take.
const ROOM: usize = 4_000;
/// How many positions of the checking side the proof of what it has at most may look at.
const MOST_HELD: usize = 40;
/// Within how many moves whoever stops checking must be mated.
const MATED_WITHIN: u16 = 3;

/// Is a draw the most and the least that this check comes to? Says what is lacking otherwise.
pub(super) fn prove(here: &Chess, check: Move) -> Result<(), &'static str> {
    let keeping = Perpetual::explore(here, ROOM).keeping(here);
    let Some((_, checked)) = keeping.iter().find(|(keeping, _)| *keeping == check) else {
        return Err("the check does not begin a perpetual");
    };
    if holds(checked) { Ok(()) } else { Err("the checked side is not proven to hold") }
}

/// A position of the checking side, which is to move.
struct Node {
    position: Chess,
    /// For each of its moves that does not lose: where the replies lead. `None` before it was looked at.
    replies: Option<Vec<Vec<usize>>>,
}

/// Can the checked side, to move, hold at least a draw? It can if it has a reply to a position from which each
/// move of the checking side either gets that side mated or can be answered by such a reply again: the greatest
/// set of which that is true, among the first positions that were looked at.
fn holds(checked: &Chess) -> bool {
    let mut nodes: Vec<Node> = Vec::new();
    let first = replies(checked, &mut nodes);
    let mut next = 0;
    while next < nodes.len().min(MOST_HELD) {
        nodes[next].replies = look(&nodes[next].position.clone(), &mut nodes);
        next += 1;
        let held = held(&nodes);
        if first.iter().any(|&number| held[number]) {
            return true;
        }
    }
    false
}

/// The replies of the checked side, as numbers of nodes.
fn replies(checked: &Chess, nodes: &mut Vec<Node>) -> Vec<usize> {
    let mut numbers = Vec::new();
    for reply in checked.legal_moves() {
        let position = after(checked, reply);
        let known = nodes.iter().position(|node| node.position == position);
        numbers.push(known.unwrap_or(nodes.len()));
        if known.is_none() {
            nodes.push(Node { position, replies: None });
        }
    }
    numbers
}

/// What the moves that don't lose lead to; `None` where one of them mates.
fn look(here: &Chess, nodes: &mut Vec<Node>) -> Option<Vec<Vec<usize>>> {
    let mut all = Vec::new();
    for mv in here.legal_moves() {
        let there = after(here, mv);
        if there.is_checkmate() {
            return None;
        }
        let is_drawn = there.is_stalemate() || there.is_insufficient_material();
        if !is_drawn && !mates(&there, MATED_WITHIN) {
            all.push(replies(&there, nodes));
        }
    }
    Some(all)
}

/// Which nodes the checked side holds: those that were not looked at count as lost.
fn held(nodes: &[Node]) -> Vec<bool> {
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

/// What a row says of its move.
pub(super) const NOTE: &str = "It begins a perpetual check, and no move is worth more.";

/// The class of every row.
pub(super) const CLASS: &str = "perpetual";

/// The file that the traps of a file make: each position in which a perpetual check must be found, without its
/// history, where both halves of the draw can be proven. `source` is how the traps' file is called.
pub fn file(traps: &[TrapRow], source: &str) -> String {
    let mut text = format!(
        "# Draws by perpetual check: `best` is the check that begins it, and no move is worth more.\n\
         # Made by: threefold positions perpetuals --traps {source}\n\
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
    let referee = Referee::new(&trap.line).ok()?;
    let check = referee.legal(*trap.best.first()?).ok()?;
    let here = alone(referee.position())?;
    prove(&here, check).ok().map(|()| (here, check))
}

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;

    use super::*;
    use threefold_harness::suite::SourceFile;
    use threefold_harness::suite::trap;

    fn proven(fen: &str, check: &str) -> Result<(), &'static str> {
        let here: Chess =
            fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("legal");
        let check = check.parse::<UciMove>().expect("a move").to_move(&here).expect("legal");
        prove(&here, check)
    }

    #[test]
    fn both_halves_of_the_draw_are_proven() {
        let here = "8/5p1k/4p3/4p1Q1/r1q5/2r5/7P/1K6 w - - 0 1";
        assert_eq!(proven(here, "g5h5"), Ok(()));
        // A queen checks a bare king for ever, and has more than that.
        let won = "7k/8/8/8/8/8/Q7/K7 w - - 0 1";
        assert_eq!(proven(won, "a2a8"), Err("the checked side is not proven to hold"));
        // The check is answered by the king, and there is none after it.
        let spent = "6k1/5ppp/8/8/8/8/1r4PP/3Q3K w - - 0 1";
        assert_eq!(proven(spent, "d1d5"), Err("the check does not begin a perpetual"));
    }

    #[test]
    fn only_positions_of_perpetuals_that_are_proven_are_taken() {
        let row = |id: &str, class: &str| {
            format!("{id},{class},8/5p1k/4p3/4p1Q1/r1q5/2r5/7P/1K6 w - - 0 1,,g5h5,draw\n")
        };
        let text = format!(
            "id,class,fen,moves,best,result\n{}{}c,perpetual-find,7k/8/8/8/8/8/Q7/K7 w - - 0 1,,a2a8,draw\n",
            row("a", "perpetual-find"),
            row("b", "dawdle"),
        );
        let page = SourceFile { file: "t.csv".to_owned(), text };
        let made = file(&trap::read(&page).expect("sound"), "t.csv");
        let rows: Vec<&str> = made.lines().filter(|line| !line.starts_with('#')).skip(1).collect();
        assert_eq!(
            rows,
            [format!(
                "perpetual.001,perpetual,8/5p1k/4p3/4p1Q1/r1q5/2r5/7P/1K6 w - - 0 1,,g5h5,draw,search,\"{NOTE}\""
            )]
        );
    }
}
