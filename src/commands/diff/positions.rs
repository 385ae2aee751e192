//! The positions of `diff`: those of a book, or of the games of a run.

use std::num::NonZeroUsize;
use std::path::Path;

use crate::commands::games;
use threefold_chess::position::GamePosition;
use threefold_run::RunRecord;

/// Moves of both sides between two positions that are taken from a game: enough for other positions, and for another phase
/// of the game after a few.
pub(super) const APART: usize = 12;

/// At most this number of positions of a file, spread evenly over all.
///
/// # Errors
/// If the file can't be read, or has no position.
pub(super) fn of_file(file: &Path, most: NonZeroUsize) -> anyhow::Result<Vec<GamePosition>> {
    let is_journal = file.extension().is_some_and(|extension| extension == "sqlite");
    let found = if is_journal { of_run(file)? } else { of_book(file)? };
    anyhow::ensure!(!found.is_empty(), "{}: there are no positions", file.display());
    Ok(spread(found, most.get()))
}

/// The positions of a book. Of an opening with many moves, which is a whole game, one in [`APART`] is taken.
fn of_book(file: &Path) -> anyhow::Result<Vec<GamePosition>> {
    let openings = games::all_openings(file, "sequential")?;
    Ok(openings.iter().flat_map(|opening| along(&opening.history, Line::Book)).collect())
}

/// The positions of the games of a run.
fn of_run(file: &Path) -> anyhow::Result<Vec<GamePosition>> {
    let run = RunRecord::read(file)?;
    let mut found = Vec::new();
    run.game_reader().for_each(&mut |recorded| {
        let mut line = recorded.game.opening.clone();
        let opening = Line::Game { opening: line.moves.len() };
        line.moves.extend(recorded.game.played.iter().map(|played| played.mv));
        found.extend(along(&line, opening));
        Ok(())
    })?;
    Ok(found)
}

/// What a line of moves is.
#[derive(Clone, Copy)]
enum Line {
    /// An opening of a book: no game is over at its end.
    Book,
    /// A game of a run, whose opening has this number of moves. At its end it is over.
    Game { opening: usize },
}

/// Positions along a line, [`APART`] moves from one another, of a game from its opening on. The last one of a game is over,
/// so it is left out. The position of a short opening is its last, and that of a short game is its opening.
fn along(line: &GamePosition, kind: Line) -> Vec<GamePosition> {
    let plies = line.moves.len();
    let at = |ply: usize| {
        let mut position = line.clone();
        position.moves.truncate(ply);
        position
    };
    let (from, of_short_line) = match kind {
        Line::Book => (0, plies),
        Line::Game { opening } => (opening, opening),
    };
    if plies <= from + 2 * APART {
        return vec![at(of_short_line)];
    }
    (from..plies).step_by(APART).map(at).collect()
}

/// At most this number of items, spread evenly.
fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let (count, chosen) = (all.len(), most.min(all.len()));
    let mut wanted = (0..chosen).map(|number| number * count / chosen).peekable();
    let is_wanted = |(index, item)| (wanted.next_if_eq(&index).is_some()).then_some(item);
    all.into_iter().enumerate().filter_map(is_wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_spread_over_a_long_file() {
        assert_eq!(spread((0..10).collect(), 4), [0, 2, 5, 7]);
        assert_eq!(spread(vec![1, 2], 9), [1, 2]);
    }

    #[test]
    fn game_has_positions_of_all_its_phases() {
        let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(10);
        let game =
            GamePosition::parse(&GamePosition::start_position().start.to_string(), &moves).expect("sound");
        let plies =
            |game: &GamePosition, kind| along(game, kind).iter().map(|it| it.moves.len()).collect::<Vec<_>>();
        let opening = |opening| Line::Game { opening };
        assert_eq!(plies(&game, Line::Book), [0, 12, 24, 36]);
        assert_eq!(plies(&game, opening(8)), [8, 20, 32]);
        let short = GamePosition { moves: game.moves[..4].to_vec(), ..game };
        assert_eq!(plies(&short, Line::Book), [4]);
        assert_eq!(plies(&short, opening(0)), [0], "the game is over at its end");
    }
}
