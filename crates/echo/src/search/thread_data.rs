//! What stays between the searches of one game, and the room a search works in.

use cozy_chess::Color;

use super::move_ordering::{Corrections, Histories, MoveStack};
use super::pv_table::PvTable;
use crate::eval::pawn_cache::PawnCache;
use crate::options::Settings;
use crate::position::Key;
use crate::repetition::{Detector, Path};
use crate::table::{HashBounds, TranspositionTable};

/// What one thread learns and works in. Made once, so that a search allocates next to nothing.
///
/// It stands on cache lines of its own, in the pairs that processors fetch: threads write to theirs at every node.
#[repr(align(128))]
pub(crate) struct ThreadData {
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) pawns: PawnCache,
    pub(super) move_stack: MoveStack,
    pub(super) lines: PvTable,
}

impl ThreadData {
    fn new() -> Self {
        Self {
            histories: Histories::new(),
            corrections: Corrections::new(),
            pawns: PawnCache::new(),
            move_stack: MoveStack::new(),
            lines: PvTable::new(),
        }
    }
}

/// What values of a search rest on besides their positions: they compare with those of another search only if
/// that rested on the same.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ScoreContext {
    /// The positions of the game that counted, each as often as it did.
    noticed: Vec<Key>,
    /// Who thought, where draws are worth something else to him.
    thinks: Option<Color>,
}

impl ScoreContext {
    /// Of a search from the end of a path, where this side is to move.
    pub(crate) fn of(path: &Path, side: Color, settings: &Settings) -> Self {
        let depends_on_game =
            settings.hash_scores.depends_on_game() && settings.repetition_detector != Detector::Nothing;
        let noticed = if depends_on_game { path.noticed(settings.repetition_policy) } else { Vec::new() };
        Self { noticed, thinks: settings.scores.takes_sides().then_some(side) }
    }
}

/// Everything that outlives a search: one hash table, and a mind for each thread.
pub(crate) struct SearchMemory {
    pub(crate) table: TranspositionTable,
    /// Of the last search.
    context: ScoreContext,
    /// The first is of the thread that answers.
    pub(crate) thread_data: Vec<ThreadData>,
}

impl SearchMemory {
    /// Empty, with a hash table of so many mebibytes and one thread.
    pub(crate) fn new(mebibytes: u32, bounds: HashBounds) -> Self {
        let table = TranspositionTable::new(mebibytes, bounds);
        Self { table, context: ScoreContext::default(), thread_data: vec![ThreadData::new()] }
    }

    /// Another hash table, empty.
    pub(crate) fn rebuild_table(&mut self, mebibytes: u32, bounds: HashBounds) {
        self.table = TranspositionTable::new(mebibytes, bounds);
    }

    /// A search begins. On other ground than that of the search before, a position may be worth something else.
    pub(crate) fn begin_search(&mut self, context: ScoreContext) {
        let comparable = context == self.context;
        self.context = context;
        self.table.begin_search(comparable);
    }

    /// Another number of threads, at least one.
    pub(crate) fn resize_threads(&mut self, threads: usize) {
        self.thread_data.resize_with(threads.max(1), ThreadData::new);
    }

    /// As if nothing had ever been searched.
    pub(crate) fn forget(&mut self) {
        self.table.clear();
        self.context = ScoreContext::default();
        for thread in &mut self.thread_data {
            thread.histories.clear();
            thread.corrections.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::Board;

    use super::*;
    use crate::mutants::SeededBug;
    use crate::position::key_of;
    use crate::scoring::{DrawScore, Scoring};
    use crate::table::HashScores;

    #[test]
    fn values_compare_where_nothing_else_counts() {
        let mut board = Board::startpos();
        let mut path = Path::new(SeededBug::NONE);
        path.start(&board, key_of(&board, SeededBug::NONE));
        let start = path.clone();
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].map(|mv| mv.parse().expect("a move")) {
            board.play(mv);
            path.push(&board, key_of(&board, SeededBug::NONE), mv);
        }
        let compares = |settings: &Settings, (one, first): (&Path, Color), (other, then): (&Path, Color)| {
            ScoreContext::of(one, first, settings) == ScoreContext::of(other, then, settings)
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
