//! The searches that may spoil the answer to a trap.
//!
//! Let P be the position of the trap and H its history.
//!
//! * *Its bare position*: P without H. There, no repetition is known, and scores are stored accordingly: an
//!   engine that probes its table before its history then misses the third occurrence.
//! * *A shorter history*: H up to an earlier occurrence of P, if there is one. The same, with some draws.
//! * *A longer history*: H, an accepted move, and H's own moves from the position after it (which must have
//!   occurred) back to P. The accepted move then makes one more occurrence, perhaps the third, and its draw
//!   is stored. If it is used in H, the win becomes a draw.
//! * *The game so far*: the side to move in P is asked at its earlier moves, as in a game.
//! * *What follows, bare*: the positions after the accepted moves and after the traps, without H: one ply
//!   later, from the other side.

use shakmaty::EnPassantMode;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;

use crate::trap::TrapRow;
use threefold_chess::position::GamePosition;
use threefold_oracle::referee::Referee;

/// Searches before the trap is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Polluter {
    /// A description that follows "after".
    pub(super) name: &'static str,
    /// At least one.
    pub(super) searches: Vec<GamePosition>,
}

/// The most earlier moves of the game that are asked.
const EARLIER: usize = 3;

/// All polluters of this trap. Games that are over are not asked.
pub(super) fn all_polluters(trap: &TrapRow) -> Vec<Polluter> {
    let stages = [
        ("its bare position", bare(trap)),
        ("a shorter history", shorter(trap).into_iter().collect()),
        ("a longer history", longer(trap).into_iter().collect()),
        ("the game so far", earlier(trap)),
        ("what follows, bare", following(trap)),
    ];
    let stages = stages.into_iter().map(|(name, mut searches): (_, Vec<GamePosition>)| {
        searches.retain(|line| *line != trap.position && goes_on(line));
        Polluter { name, searches }
    });
    stages.filter(|stage| !stage.searches.is_empty()).collect()
}

fn goes_on(position: &GamePosition) -> bool {
    Referee::new(position).is_ok_and(|referee| referee.ending().is_none())
}

fn bare(trap: &TrapRow) -> Vec<GamePosition> {
    vec![trap.without_history.clone()]
}

/// The history's first moves, up to this number.
fn prefix(position: &GamePosition, moves: usize) -> GamePosition {
    GamePosition { start: position.start.clone(), moves: position.moves[..moves].to_vec() }
}

/// Pieces, side to move, castling and en passant, after each number of moves.
fn placements(position: &GamePosition) -> Vec<String> {
    let placements = (0..=position.moves.len()).filter_map(|moves| {
        let referee = Referee::new(&prefix(position, moves)).ok()?;
        let fen = Fen::from_position(referee.position(), EnPassantMode::Legal).to_string();
        Some(fen.split(' ').take(4).collect::<Vec<_>>().join(" "))
    });
    placements.collect()
}

fn shorter(trap: &TrapRow) -> Option<GamePosition> {
    let placements = placements(&trap.position);
    let (here, before) = placements.split_last()?;
    let moves = before.iter().rposition(|earlier| earlier == here)?;
    Some(prefix(&trap.position, moves))
}

fn longer(trap: &TrapRow) -> Option<GamePosition> {
    let placements = placements(&trap.position);
    trap.best.iter().find_map(|&mv| {
        let mut longer = trap.position.clone();
        longer.moves.push(mv);
        let reached = self::placements(&longer).pop()?;
        let occurred = placements.iter().rposition(|earlier| *earlier == reached)?;
        let way_back: &[UciMove] = &trap.position.moves[occurred..];
        longer.moves.extend_from_slice(way_back);
        goes_on(&longer).then_some(longer)
    })
}

fn earlier(trap: &TrapRow) -> Vec<GamePosition> {
    let all = trap.position.moves.len();
    let own = (0..all).rev().filter(|moves| (all - moves).is_multiple_of(2)).take(EARLIER);
    let mut lines: Vec<GamePosition> = own.map(|moves| prefix(&trap.position, moves)).collect();
    // They were collected from the end; an engine meets them in the order of the game.
    lines.reverse();
    lines
}

fn following(trap: &TrapRow) -> Vec<GamePosition> {
    let moves = trap.best.iter().take(2).chain(trap.avoid.iter().take(2));
    let after = moves.filter_map(|&mv| {
        let mut referee = Referee::new(&trap.without_history).ok()?;
        referee.play(mv).ok()?;
        let start = Fen::from_position(referee.position(), EnPassantMode::Legal);
        Some(GamePosition { start, moves: Vec::new() })
    });
    after.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceFile, trap};

    fn stages(row: &str) -> Vec<(&'static str, Vec<String>)> {
        let source_file =
            SourceFile { file: "t.csv".to_owned(), text: format!("id,class,fen,moves,best,avoid\n{row}\n") };
        let trap = trap::parse_traps(&source_file).expect("sound").remove(0);
        let text =
            |stage: Polluter| (stage.name, stage.searches.iter().map(GamePosition::moves_text).collect());
        all_polluters(&trap).into_iter().map(text).collect()
    }

    #[test]
    fn polluters_search_related_positions() {
        let row = "t,only-win-repeats,7k/8/8/8/8/8/2R5/K7 w - - 0 1,c2b2 h8g8 b2a2 g8h8,a2b2,a2a3";
        let text = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        assert_eq!(
            stages(row),
            [
                ("its bare position", text(&[""])),
                ("a longer history", text(&["c2b2 h8g8 b2a2 g8h8 a2b2 h8g8 b2a2 g8h8"])),
                ("the game so far", text(&["", "c2b2 h8g8"])),
                ("what follows, bare", text(&["", ""])),
            ]
        );
        let twice = "t,x,7k/8/8/8/8/8/R7/K7 w - - 0 1,a2b2 h8g8 b2a2 g8h8,a2c2,";
        let shorter = stages(twice).into_iter().find(|(name, _)| *name == "a shorter history");
        assert_eq!(shorter, Some(("a shorter history", text(&[""]))));
    }

    #[test]
    fn finished_games_are_not_searched() {
        // One more round would be the third occurrence.
        let row = "t,x,7k/8/8/8/8/8/R7/K7 w - - 0 1,a2b2 h8g8 b2a2 g8h8,a2b2,";
        assert!(stages(row).iter().all(|(name, _)| *name != "a longer history"));
        // Without a history there are only the moves from here.
        let names: Vec<&str> =
            stages("t,x,7k/8/8/8/8/8/R7/K7 w - - 0 1,,a2b2,").iter().map(|it| it.0).collect();
        assert_eq!(names, ["what follows, bare"]);
    }
}
