//! Detectors of repetitions.

use cozy_chess::{Board, Move};

use super::hash_set::HashSet;
use super::open_flag::OpenFlags;
use super::path::PerpetualCheck;
use super::{Occurrences, Path, PathDependence, RepetitionPolicy, move_trace};
use crate::position::Key;
use crate::table::TranspositionTable;
use threefold_named_enum::named_enum;

named_enum! {
    /// Detectors of repetitions.
    pub enum Detector {
        /// Compares the keys of the path one by one (Moreland).
        KeyStack = "KeyStack",
        /// Looks up keys in a small hash set of the keys of the path (Gerbil).
        HashSet = "HashSet",
        /// Marks the entries of the path in the transposition table; misses overwritten entries (Thompson).
        OpenFlag = "OpenFlag",
        /// Follows moves back until they cancel out; confuses some positions (old TSCP).
        MoveTrace = "MoveTrace",
        /// No detection: the baseline for its cost.
        Nothing = "None",
    }
}

/// The path of a search with its detector.
pub(crate) struct Repetitions<'a> {
    path: Path,
    state: DetectorState<'a>,
}

enum DetectorState<'a> {
    KeyStack,
    HashSet(HashSet),
    OpenFlag(OpenFlags<'a>),
    MoveTrace,
    Nothing,
}

impl<'a> Repetitions<'a> {
    /// `path` ends with the root's position.
    pub(crate) fn new(mut path: Path, detector: Detector, table: &'a TranspositionTable) -> Self {
        path.start_search();
        let state = match detector {
            Detector::KeyStack => DetectorState::KeyStack,
            Detector::HashSet => DetectorState::HashSet(HashSet::from_path(&path)),
            Detector::OpenFlag => DetectorState::OpenFlag(OpenFlags::from_path(&path, table)),
            Detector::MoveTrace => DetectorState::MoveTrace,
            Detector::Nothing => DetectorState::Nothing,
        };
        Self { path, state }
    }

    /// Records a move.
    pub(crate) fn push(&mut self, board: &Board, key: Key, mv: Move) {
        self.path.push(board, key, mv);
        self.record_top();
    }

    /// Records a null move.
    pub(crate) fn push_null(&mut self, board: &Board, key: Key) {
        self.path.push_null(board, key);
        self.record_top();
    }

    /// Does the detector keep a record of its own? The default detector reads the path, so its search pays one comparison only.
    #[inline]
    const fn keeps_record(&self) -> bool {
        matches!(self.state, DetectorState::HashSet(_) | DetectorState::OpenFlag(_))
    }

    /// Records the top position in the detector's own record, if it has one.
    #[inline]
    fn record_top(&mut self) {
        if self.keeps_record() {
            self.add_record();
        }
    }

    #[cold]
    fn add_record(&mut self) {
        match &mut self.state {
            DetectorState::HashSet(set) => set.insert(&self.path),
            DetectorState::OpenFlag(flags) => flags.open(&self.path),
            DetectorState::KeyStack | DetectorState::MoveTrace | DetectorState::Nothing => {}
        }
    }

    #[cold]
    fn remove_record(&mut self) {
        match &mut self.state {
            DetectorState::HashSet(set) => set.erase(&self.path),
            DetectorState::OpenFlag(flags) => flags.close(&self.path),
            DetectorState::KeyStack | DetectorState::MoveTrace | DetectorState::Nothing => {}
        }
    }

    /// Takes the last move back.
    #[inline]
    pub(crate) fn pop(&mut self) {
        // Before the path: a detector finds its record by the top position.
        if self.keeps_record() {
            self.remove_record();
        }
        self.path.pop();
    }

    /// Returns to the root, however a search ended.
    pub(crate) fn return_to_root(&mut self) {
        while self.path.len() > self.path.game() {
            self.pop();
        }
    }

    /// Whether the top position may have occurred before.
    #[inline]
    pub(crate) fn may_repeat(&self) -> bool {
        match self.state {
            DetectorState::KeyStack => self.path.may_repeat(),
            DetectorState::HashSet(_) | DetectorState::OpenFlag(_) | DetectorState::MoveTrace => true,
            DetectorState::Nothing => false,
        }
    }

    /// The earlier occurrences of the top position, as the detector finds them.
    pub(crate) fn occurrences(&self) -> Occurrences {
        match &self.state {
            DetectorState::KeyStack => self.path.occurrences(),
            DetectorState::HashSet(set) => set.seen(&self.path),
            DetectorState::OpenFlag(flags) => flags.occurrences(),
            DetectorState::MoveTrace => move_trace::seen(&self.path),
            DetectorState::Nothing => Occurrences::default(),
        }
    }

    /// The earlier occurrences of the top position by definition: those that moves lead back to, without a null move.
    #[cfg(any(test, feature = "lab"))]
    pub(crate) fn true_occurrences(&self) -> Occurrences {
        self.path.true_occurrences()
    }

    /// Who gave check with every move since the last occurrence of the top position.
    pub(crate) fn perpetual_check(&self) -> Option<PerpetualCheck> {
        self.path.perpetual_check()
    }

    /// Who will have given check with every move, if the repetition that [`Self::upcoming`] finds is played.
    pub(crate) fn upcoming_perpetual_check(
        &self,
        board: &Board,
        policy: RepetitionPolicy,
    ) -> Option<PerpetualCheck> {
        self.path.upcoming_perpetual_check(board, policy)
    }

    /// Whether repetitions are detected at all.
    pub(crate) fn are_detected(&self) -> bool {
        !matches!(self.state, DetectorState::Nothing)
    }

    /// See [`Path::upcoming`].
    pub(crate) fn upcoming(&self, board: &Board, policy: RepetitionPolicy) -> Option<PathDependence> {
        self.path.upcoming(board, policy)
    }

    /// See [`Path::reach`].
    pub(crate) fn reach(&self) -> usize {
        self.path.reach()
    }

    /// See [`Path::reach_in_line`].
    pub(crate) fn reach_in_line(&self) -> usize {
        self.path.reach_in_line()
    }

    /// See [`Path::code_of_line`].
    pub(crate) fn code_of_line(&self) -> u64 {
        self.path.code_of_line()
    }
}
