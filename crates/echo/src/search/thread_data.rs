//! The memory of searches: data of each thread and the transposition table.

use cozy_chess::Color;

use super::move_ordering::{Corrections, Histories, MoveStack};
use super::pv_table::PvTable;
use crate::eval::pawn_cache::PawnCache;
use crate::options::Settings;
use crate::position::Key;
use crate::repetition::{Detector, Path};
use crate::table::{HashBounds, TranspositionTable};

/// The histories and buffers of one thread, allocated once.
///
/// Aligned to 128 bytes, so that no two threads write to one pair of cache lines.
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

/// The context on which stored values depend besides their positions; values are valid only for searches with
/// an equal context.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ScoreContext {
    /// The relevant positions of the game, one per occurrence.
    noticed: Vec<Key>,
    /// The searching side, if draws have different values for the sides.
    thinks: Option<Color>,
}

impl ScoreContext {
    /// The context of a search from the end of a path with this side to move.
    pub(crate) fn new(path: &Path, side: Color, settings: &Settings) -> Self {
        let depends_on_game =
            settings.hash_scores.depends_on_game() && settings.repetition_detector != Detector::Nothing;
        let noticed = if depends_on_game { path.noticed(settings.repetition_policy) } else { Vec::new() };
        Self { noticed, thinks: settings.scores.takes_sides().then_some(side) }
    }
}

/// Everything that outlives a search: the transposition table, and data for each thread.
pub(crate) struct SearchMemory {
    pub(crate) table: TranspositionTable,
    /// What the values in the table depend on, as of the last search.
    context: ScoreContext,
    /// The first belongs to the main thread.
    pub(crate) thread_data: Vec<ThreadData>,
}

impl SearchMemory {
    /// Empty memory with a hash table of this size in mebibytes and one thread.
    pub(crate) fn new(mebibytes: u32, bounds: HashBounds) -> Self {
        let table = TranspositionTable::new(mebibytes, bounds);
        Self { table, context: ScoreContext::default(), thread_data: vec![ThreadData::new()] }
    }

    /// Replaces the hash table by an empty one.
    pub(crate) fn rebuild_table(&mut self, mebibytes: u32, bounds: HashBounds) {
        self.table = TranspositionTable::new(mebibytes, bounds);
    }

    /// Starts a search. In a different context stored values are not reused.
    pub(crate) fn begin_search(&mut self, context: ScoreContext) {
        let comparable = context == self.context;
        self.context = context;
        self.table.begin_search(comparable);
    }

    /// Sets the number of threads, at least one.
    pub(crate) fn resize_threads(&mut self, threads: usize) {
        self.thread_data.resize_with(threads.max(1), ThreadData::new);
    }

    /// Clears everything.
    pub(crate) fn forget(&mut self) {
        self.table.clear();
        self.context = ScoreContext::default();
        // The pawn caches stay: their keys are the squares of pawns and kings, so an entry holds in any game.
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
    use crate::range::ScoreRange;
    use crate::scoring::{DrawScore, Scoring};
    use crate::table::{HashScores, TtEntry};
    use crate::value::Value;

    #[test]
    fn score_contexts_are_equal_if_nothing_relevant_differs() {
        let mut board = Board::startpos();
        let mut path = Path::new(SeededBug::NONE);
        path.start(&board, key_of(&board, SeededBug::NONE));
        let start = path.clone();
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].map(|mv| mv.parse().expect("a move")) {
            board.play(mv);
            path.push(&board, key_of(&board, SeededBug::NONE), mv);
        }
        let compares = |settings: &Settings, (one, first): (&Path, Color), (other, then): (&Path, Color)| {
            ScoreContext::new(one, first, settings) == ScoreContext::new(other, then, settings)
        };
        let (white, black) = (Color::White, Color::Black);
        let shadow = Settings { hash_scores: HashScores::Shadow, ..Settings::DEFAULT };
        let blind = Settings { repetition_detector: Detector::Nothing, ..shadow };
        let of_draws =
            |draws| Settings { scores: Scoring { draws, ..Scoring::DEFAULT }, ..Settings::DEFAULT };
        let table = [
            // settings, same after a repetition, same for both sides
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

    /// Values of another context are not used; those of the same one are.
    #[test]
    fn values_of_another_context_are_not_used() {
        let mut memory = SearchMemory::new(1, HashBounds::Single);
        let key = key_of(&Board::startpos(), SeededBug::NONE);
        let entry = TtEntry {
            best: None,
            range: ScoreRange::exactly(Value::evaluation(17)),
            evaluation: None,
            depth: 9,
            age: 0,
            open: 0,
        };
        let white = ScoreContext { noticed: Vec::new(), thinks: Some(Color::White) };
        let black = ScoreContext { thinks: Some(Color::Black), ..white.clone() };
        memory.begin_search(white.clone());
        memory.table.store(key, entry);
        let mut is_used = |context: &ScoreContext| {
            memory.begin_search(context.clone());
            memory.table.probe(key).is_some_and(|entry| entry.range != ScoreRange::UNKNOWN)
        };
        assert!(is_used(&white));
        assert!(!is_used(&black));
    }
}
