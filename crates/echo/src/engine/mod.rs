//! The engine: options, memory between searches, and the entry points.

use std::thread;

use cozy_chess::{Board, Move};
use shakmaty::uci::UciMove;

use super::budget::{SearchBudget, SharedCounters};
use super::eval;
use super::machine_memory;
use super::move_conversion;
use super::mutants::SeededBug;
use super::options::{self, Effect, OptionError, Settings};
use super::perft::leaf_count;
use super::position::{self, Key};
use super::repetition::Path;
use super::request::{RequestError, SearchReport, SearchRequest, SearchResult};
use super::root_node_counts::RootNodeCounts;
use super::scoring::Scoring;
use super::search::iterative_deepening::{IterationInfo, SearchGoal, ThreadResult};
use super::search::node::Search;
use super::search::{ScoreContext, SearchMemory, SearchMode};
use super::search_counters::SearchCounters;
use super::strength::Handicap;
use super::strength::curve::CurvePoint;
use super::syzygy::{self, EndgameTables, SyzygyFiles, SyzygyPathError};
use super::timeman::{SearchCost, Timer};
use super::value::Value;
pub(crate) use game_time::{GameTimeKeeper, SearchPosition};
use threefold_chess::clock::Stop;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Bound;
use threefold_chess::score::Ply;

mod game_time;
mod replayed_game;
mod report_writer;

use replayed_game::ReplayedGame;
use report_writer::ReportWriter;

/// The engine.
///
/// ```
/// use std::time::Duration;
///
/// use threefold_chess::clock::{Limits, Stop};
/// use threefold_chess::position::GamePosition;
/// use threefold_chess::score::{MateDistance, Ply, Score};
/// use threefold_echo::{Echo, SearchRequest};
///
/// let mut echo = Echo::new();
/// echo.set("Hash", "1").expect("a size");
/// let position = GamePosition::parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "").expect("a position");
/// let request = SearchRequest {
///     position: &position,
///     limits: &Limits::depth(Ply(3)),
///     only: &[],
///     stop: &Stop::default(),
///     pondering: &Stop::default(),
///     now: &|| Duration::ZERO,
/// };
/// let mut scores = Vec::new();
/// let found = echo.search(&request, &mut |report| scores.push(report.score)).expect("a legal position");
/// assert_eq!(found.best.map(|mv| mv.to_string()).as_deref(), Some("d1d8"));
/// assert_eq!(scores.last(), Some(&Score::Mate(MateDistance::from_moves(1).expect("a distance"))));
/// ```
pub struct Echo {
    settings: Settings,
    memory: SearchMemory,
    game_time: GameTimeKeeper,
    /// The game of the last search, which the next one often continues.
    replayed: Option<ReplayedGame>,
    /// Endgame tables, if configured.
    endings: Option<Box<dyn EndgameTables>>,
    /// The counters of the last search.
    counters: SearchCounters,
}

impl Default for Echo {
    fn default() -> Self {
        Self::new()
    }
}

impl Echo {
    /// An engine with default options.
    pub fn new() -> Self {
        Self {
            settings: Settings::DEFAULT,
            memory: SearchMemory::new(Settings::DEFAULT.hash, Settings::DEFAULT.hash_bounds),
            game_time: GameTimeKeeper::new(&Settings::DEFAULT),
            replayed: None,
            endings: None,
            counters: SearchCounters::default(),
        }
    }

    /// Sets an option. Names are case-insensitive; a button takes an empty value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let before = self.settings;
        match self.settings.set(name, value)? {
            Effect::Set
                if (before.hash, before.hash_bounds) != (self.settings.hash, self.settings.hash_bounds) =>
            {
                if let Err(remedy) = machine_memory::check(self.settings.hash) {
                    self.settings = before;
                    return Err(OptionError::Value { name: options::HASH, given: value.to_owned(), remedy });
                }
                self.memory.rebuild_table(self.settings.hash, self.settings.hash_bounds);
                self.game_time.discard_tree_reuse();
            }
            // Stored values have another meaning under the new options.
            Effect::Set if !before.same_score_options(&self.settings) => {
                self.memory.table.clear();
                self.game_time.discard_tree_reuse();
            }
            Effect::Set if !before.same_time_options(&self.settings) => {
                self.game_time = GameTimeKeeper::new(&self.settings);
            }
            Effect::Set if before.threads != self.settings.threads => {
                self.memory.resize_threads(self.settings.threads as usize);
            }
            Effect::Set => {}
            Effect::ClearHash => {
                self.memory.forget();
                self.game_time.discard_tree_reuse();
            }
            Effect::OpenEndings => self.open_endings(value)?,
        }
        Ok(())
    }

    /// Opens the Syzygy tables in these folders; an empty text or `<empty>` closes them.
    fn open_endings(&mut self, folders: &str) -> Result<(), OptionError> {
        if folders.is_empty() || folders == "<empty>" {
            self.endings = None;
            return Ok(());
        }
        let refuse = |why: SyzygyPathError| OptionError::Value {
            name: options::SYZYGY_PATH,
            given: folders.to_owned(),
            remedy: why.to_string(),
        };
        self.endings = Some(Box::new(SyzygyFiles::open(folders).map_err(refuse)?));
        Ok(())
    }

    /// Clears everything but the options.
    pub fn new_game(&mut self) {
        self.memory.forget();
        self.game_time = GameTimeKeeper::new(&self.settings);
    }

    /// Sets the seed of the random choices below full strength, for games in which the option `StrengthSeed`
    /// is not set. It is 0 at first: Echo has no source of randomness of its own.
    pub const fn set_game_seed(&mut self, seed: u32) {
        self.settings.strength.game_seed = seed;
    }

    /// The seed of the random choices below full strength, set or of this game.
    pub fn strength_seed(&self) -> u32 {
        self.settings.strength.seed()
    }

    /// Searches a position. `on_report` is called with every report.
    pub fn search(
        &mut self,
        request: &SearchRequest<'_>,
        on_report: &mut dyn FnMut(&SearchReport),
    ) -> Result<SearchResult, RequestError> {
        let replayed = ReplayedGame::continued(self.replayed.take(), request.position, self.settings.bug)?;
        let ReplayedGame { board, key, path, last, .. } = &*self.replayed.insert(replayed);
        let (key, last) = (*key, *last);
        let shared = SharedCounters::default();
        if !board.generate_moves(|_| true) {
            return Ok(nothing_to_play(board, on_report));
        }
        let mut only = moves_to_search(board, request.only)?;
        let handicap = self.settings.handicap();
        // Below full strength no endgame tables are used.
        let mut endings = self.endings.as_deref().filter(|_| handicap.is_none());
        let solved = endings.and_then(|endings| {
            let moves = if only.is_empty() { position::legal_moves(board) } else { only.clone() };
            syzygy::keeping(endings, board, &moves, !path.occurrences().is_new())
        });
        // All moves left keep the result, so the search needs no probes and can look for a mate.
        let outcome = solved.map(|(outcome, keeping)| {
            (only, endings) = (keeping, None);
            outcome
        });
        let goal = SearchGoal {
            depth: request.limits.depth.map(|Ply(depth)| depth),
            mate: request.limits.mate,
            lines: self.settings.multi_pv as usize,
            first: 1,
        };
        let writer = ReportWriter {
            has_endings: self.endings.is_some(),
            outcome,
            ..ReportWriter::new(board, &self.settings)
        };
        let allowed = |mv| only.is_empty() || only.contains(&mv);
        self.memory.begin_search(ScoreContext::new(path, board.side_to_move(), &self.settings));
        let settings = &self.settings;
        let entries = self.memory.table.capacity();
        let position_to_search = SearchPosition { position: request.position, board, last, entries };
        self.game_time.begin(&position_to_search, request.limits, settings);
        let root_node_counts = self.game_time.root_node_counts();
        let job = SearchJob {
            board,
            key,
            path,
            goal: &goal,
            request,
            shared: &shared,
            endings,
            settings,
            root_node_counts,
        };
        let timer = self.game_time.timer();
        let on_info = &mut |info: &IterationInfo<'_>| on_report(&writer.report(info));
        let ThreadResult { line, spent, counters } =
            if SearchMode::from_settings(settings) == SearchMode::DEFAULT_OPTIONS {
                job.run::<true>(&mut self.memory, timer, allowed, on_info)
            } else {
                job.run::<false>(&mut self.memory, timer, allowed, on_info)
            };
        // The second move of the principal variation is what the engine expects, so a GUI may ponder on it.
        let mut line = writer.line(&line).into_iter();
        self.counters = counters;
        let SearchCost { nodes, elapsed, .. } = spent;
        let time_report = self.game_time.close(request, spent);
        Ok(SearchResult { best: line.next(), ponder: line.next(), nodes, elapsed, time_report })
    }

    /// The handicap, if the options limit the strength.
    pub fn handicap(&self) -> Option<Handicap> {
        self.settings.handicap()
    }

    /// The measured point of the strength curve, if the options request measured Elo.
    pub fn measured_strength(&self) -> Option<CurvePoint> {
        self.settings.strength.measured()
    }

    /// The counters of the last search by name, if the option `Census` is on; otherwise empty.
    pub fn counts(&self) -> Vec<(String, u64)> {
        if self.settings.features.counts() { self.counters.named() } else { Vec::new() }
    }

    /// The counters of the last search, if the option `Census` is on.
    #[cfg(test)]
    pub(super) const fn counters(&self) -> SearchCounters {
        self.counters
    }

    /// The number of leaves of the tree of legal moves. `stop` cancels the count.
    pub fn perft(&self, position: &GamePosition, Ply(depth): Ply, stop: &Stop) -> Result<u64, RequestError> {
        let board = ReplayedGame::replay(position, self.settings.bug)?.board;
        leaf_count(&board, u32::from(depth), stop, self.settings.bug)
    }

    /// The evaluation of a position, term by term, as text.
    pub fn eval_table(&self, position: &GamePosition) -> Result<String, RequestError> {
        Ok(eval::table::print(&ReplayedGame::replay(position, self.settings.bug)?.board))
    }
}

/// The parameters that the threads of one search share.
struct SearchJob<'e> {
    board: &'e Board,
    key: Key,
    path: &'e Path,
    goal: &'e SearchGoal,
    request: &'e SearchRequest<'e>,
    shared: &'e SharedCounters,
    endings: Option<&'e dyn EndgameTables>,
    settings: &'e Settings,
    /// Counters of nodes below root moves and replies, if required.
    root_node_counts: Option<RootNodeCounts>,
}

impl SearchJob<'_> {
    /// Runs the main thread and the helpers.
    fn run<const DEFAULT_OPTIONS: bool>(
        &self,
        memory: &mut SearchMemory,
        timer: Option<Timer<'_>>,
        allowed: impl Fn(Move) -> bool + Copy + Send,
        on_info: &mut dyn FnMut(&IterationInfo<'_>),
    ) -> ThreadResult {
        let &Self { board, key, path, goal, request, shared, endings, settings, ref root_node_counts } = self;
        let table = &memory.table;
        let (thread, helpers) = memory.thread_data.split_first_mut().expect("there is at least one thread");
        // Random choices below full strength must depend on the seed only, so there are no helpers.
        let helper_count = if settings.handicap().is_some() { 0 } else { helpers.len() };
        let helpers = &mut helpers[..helper_count];
        let search = |thread, budget| {
            Search::<'_, DEFAULT_OPTIONS>::new(table, thread, budget, endings, path.clone(), settings)
        };
        thread::scope(|scope| {
            let mut helping = Vec::new();
            // Helpers begin at different depths, or all threads would search the same tree at the same time.
            for (first, thread) in (2..=4).cycle().zip(helpers) {
                let search = search(
                    thread,
                    SearchBudget::for_helper(request, shared).with_root_node_counts(root_node_counts.clone()),
                );
                let goal = SearchGoal { depth: None, mate: None, lines: 1, first };
                helping.push(scope.spawn(move || search.think(board, key, allowed, &goal, &mut |_| {})));
            }
            let budget = SearchBudget::new(request, timer, settings, shared)
                .with_root_node_counts(root_node_counts.clone());
            let mut result = search(thread, budget).think(board, key, allowed, goal, on_info);
            // Helpers have no limits of their own.
            shared.over.raise();
            for helper in helping {
                let helped = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                result.spent.root_node_counts.add(&helped.spent.root_node_counts);
                result.counters.add(&helped.counters);
            }
            result
        })
    }
}

/// The legal moves among `only`; empty for all.
fn moves_to_search(board: &Board, only: &[UciMove]) -> Result<Vec<Move>, RequestError> {
    // Illegal moves of `searchmoves` are ignored, unless no legal one is left.
    let legal: Vec<Move> = only.iter().filter_map(|&mv| move_conversion::from_uci(board, mv)).collect();
    if legal.is_empty() && !only.is_empty() {
        let given: Vec<String> = only.iter().map(ToString::to_string).collect();
        return Err(RequestError::NothingToSearch(given.join(" ")));
    }
    Ok(legal)
}

/// The result of checkmate and stalemate: a score without a move.
fn nothing_to_play(board: &Board, on_report: &mut dyn FnMut(&SearchReport)) -> SearchResult {
    let value = if board.checkers().is_empty() { Value::DRAW } else { Value::mated_at(0) };
    on_report(&SearchReport {
        line_of_play: 1,
        depth: Ply(0),
        seldepth: Ply(0),
        score: Scoring::DEFAULT.score(value),
        bound: Bound::Exact,
        nodes: 0,
        hashfull: 0,
        table_hits: None,
        pv: Vec::new(),
        elapsed: std::time::Duration::ZERO,
    });
    SearchResult { best: None, ponder: None, nodes: 0, elapsed: std::time::Duration::ZERO, time_report: None }
}

#[cfg(test)]
pub(super) mod tests;

/// The number of leaves of the tree of legal moves, `depth` plies deep. `stop` cancels the count.
///
/// ```
/// use threefold_chess::clock::Stop;
/// use threefold_chess::position::GamePosition;
///
/// assert_eq!(threefold_echo::perft(&GamePosition::start_position(), 3, &Stop::default()), Ok(8_902));
/// ```
pub fn perft(position: &GamePosition, depth: u32, stop: &Stop) -> Result<u64, RequestError> {
    leaf_count(&ReplayedGame::replay(position, SeededBug::NONE)?.board, depth, stop, SeededBug::NONE)
}

#[cfg(test)]
mod strength_tests;

#[cfg(test)]
mod timing_tests;

#[cfg(test)]
mod variants_tests;
