//! What stays between the searches of one game, and the room a search works in.

use cozy_chess::Color;

use super::line::Lines;
use super::order::{Corrections, Histories, Made};
use crate::eval::pawn_cache::PawnCache;
use crate::options::Settings;
use crate::position::Key;
use crate::repetition::{Detector, Path};
use crate::table::{HashBounds, Table};

/// What one thread learns and works in. Made once, so that a search allocates next to nothing.
///
/// It stands on cache lines of its own, in the pairs that processors fetch: threads write to theirs at every node.
#[repr(align(128))]
pub(crate) struct Mind {
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) pawns: PawnCache,
    pub(super) made: Made,
    pub(super) lines: Lines,
}

impl Mind {
    fn new() -> Self {
        Self {
            histories: Histories::new(),
            corrections: Corrections::new(),
            pawns: PawnCache::new(),
            made: Made::new(),
            lines: Lines::new(),
        }
    }
}

/// What values of a search rest on besides their positions: they compare with those of another search only if
/// that rested on the same.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Ground {
    /// The positions of the game that counted, each as often as it did.
    noticed: Vec<Key>,
    /// Who thought, where draws are worth something else to him.
    thinks: Option<Color>,
}

impl Ground {
    /// Of a search from the end of a path, where this side is to move.
    pub(crate) fn of(path: &Path, side: Color, settings: &Settings) -> Self {
        let minds =
            settings.hash_scores.minds_the_game() && settings.repetition_detector != Detector::Nothing;
        let noticed = if minds { path.noticed(settings.repetition_policy) } else { Vec::new() };
        Self { noticed, thinks: settings.scores.takes_sides().then_some(side) }
    }
}

/// Everything that outlives a search: one hash table, and a mind for each thread.
pub(crate) struct Memory {
    pub(crate) table: Table,
    /// Of the last search.
    ground: Ground,
    /// The first is of the thread that answers.
    pub(crate) minds: Vec<Mind>,
}

impl Memory {
    /// Empty, with a hash table of so many mebibytes and one thread.
    pub(crate) fn new(mebibytes: u32, bounds: HashBounds) -> Self {
        let table = Table::new(mebibytes, bounds);
        Self { table, ground: Ground::default(), minds: vec![Mind::new()] }
    }

    /// Another hash table, empty.
    pub(crate) fn rebuild_table(&mut self, mebibytes: u32, bounds: HashBounds) {
        self.table = Table::new(mebibytes, bounds);
    }

    /// A search begins. On other ground than that of the search before, a position may be worth something else.
    pub(crate) fn begin_search(&mut self, ground: Ground) {
        let comparable = ground == self.ground;
        self.ground = ground;
        self.table.grow_older(comparable);
    }

    /// Another number of threads, at least one.
    pub(crate) fn resize_crew(&mut self, threads: usize) {
        self.minds.resize_with(threads.max(1), Mind::new);
    }

    /// As if nothing had ever been searched.
    pub(crate) fn forget(&mut self) {
        self.table.clear();
        self.ground = Ground::default();
        for mind in &mut self.minds {
            mind.histories.clear();
            mind.corrections.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::Board;

    use super::*;
    use crate::mutants::Seed;
    use crate::position::key_of;
    use crate::scoring::{DrawScore, Scoring};
    use crate::table::HashScores;

    #[test]
    fn values_compare_where_nothing_else_counts() {
        let mut board = Board::startpos();
        let mut path = Path::new(Seed::NONE);
        path.start(&board, key_of(&board, Seed::NONE));
        let start = path.clone();
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].map(|mv| mv.parse().expect("a move")) {
            board.play(mv);
            path.push(&board, key_of(&board, Seed::NONE), mv);
        }
        let compares = |settings: &Settings, (one, first): (&Path, Color), (other, then): (&Path, Color)| {
            Ground::of(one, first, settings) == Ground::of(other, then, settings)
        };
        let (white, black) = (Color::White, Color::Black);
        let shadow = Settings { hash_scores: HashScores::Shadow, ..Settings::DEFAULT };
        let blind = Settings { repetition_detector: Detector::Nothing, ..shadow };
        let of_draws =
            |draws| Settings { scores: Scoring { draws, ..Scoring::DEFAULT }, ..Settings::DEFAULT };
        let table = [
            // settings, is it the same after a position came again, is it the same for both sides
            (Settings { hash_scores: HashScores::Real, ..Settings::DEFAULT }, true, true),
            (shadow, false, true),
            (blind, true, true),
            (of_draws(DrawScore::Contempt), true, false),
            (of_draws(DrawScore::CrayBlitz), true, false),
        ];
        for (settings, over_the_game, for_both) in table {
            let why = format!("{settings:?}");
            assert_eq!(compares(&settings, (&start, white), (&path, white)), over_the_game, "{why}");
            assert_eq!(compares(&settings, (&path, white), (&path, black)), for_both, "{why}");
            assert!(compares(&settings, (&path, white), (&path, white)), "{why}");
        }
    }
}
