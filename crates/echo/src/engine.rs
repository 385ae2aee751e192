//! Echo as others hold it: options, what it remembers between searches, and the way in.

use std::thread;

use cozy_chess::{Board, Move};
use shakmaty::uci::UciMove;

use super::budget::{Budget, Crew};
use super::census::Census;
use super::eval;
use super::leaf_count;
use super::machine_memory;
use super::mutants::Seed;
use super::options::{self, Effect, OptionError, Settings};
use super::position::{self, Key, key_of};
use super::repetition::Path;
use super::request::{Found, Refusal, Report, Request};
use super::scoring::Scoring;
use super::search::deepen::{Aim, Conclusion, Insight};
use super::search::node::Search;
use super::search::{Ground, Memory, Mode};
use super::strength::Handicap;
use super::strength::curve::Point;
use super::syzygy::{self, Endings, Files, NoTables};
use super::tally::Tally;
use super::timeman::{Spent, Timer};
use super::value::Value;
use super::wire;
pub(crate) use keeper::{Keeper, Occasion};
use threefold_chess::clock::Stop;
use threefold_chess::line::Line;
use threefold_chess::score::Bound;
use threefold_chess::score::Ply;

mod keeper;
mod writer;

use writer::Writer;

/// The engine.
pub struct Echo {
    settings: Settings,
    memory: Memory,
    keeper: Keeper,
    /// Tables of endings, where they are given.
    endings: Option<Box<dyn Endings>>,
    /// Of the last search.
    census: Census,
}

impl Default for Echo {
    fn default() -> Self {
        Self::new()
    }
}

impl Echo {
    /// With default options.
    pub fn new() -> Self {
        Self {
            settings: Settings::DEFAULT,
            memory: Memory::new(Settings::DEFAULT.hash, Settings::DEFAULT.hash_bounds),
            keeper: Keeper::new(&Settings::DEFAULT),
            endings: None,
            census: Census::default(),
        }
    }

    /// Sets an option; names are taken in any case, a button takes an empty value.
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
                self.keeper.disinherit();
            }
            Effect::Set if !before.values_compare_with(&self.settings) => {
                self.memory.table.clear();
                self.keeper.disinherit();
            }
            Effect::Set if !before.plans_like(&self.settings) => self.keeper = Keeper::new(&self.settings),
            Effect::Set if before.threads != self.settings.threads => {
                self.memory.resize_crew(self.settings.threads as usize);
            }
            Effect::Set => {}
            Effect::ClearHash => {
                self.memory.forget();
                self.keeper.disinherit();
            }
            Effect::OpenEndings => self.open_endings(value)?,
        }
        Ok(())
    }

    /// Opens the tables of endings in these folders; no text, or UCI's word for none, closes those that are open.
    fn open_endings(&mut self, folders: &str) -> Result<(), OptionError> {
        if folders.is_empty() || folders == "<empty>" {
            self.endings = None;
            return Ok(());
        }
        let refuse = |why: NoTables| OptionError::Value {
            name: options::SYZYGY_PATH,
            given: folders.to_owned(),
            remedy: why.to_string(),
        };
        self.endings = Some(Box::new(Files::open(folders).map_err(refuse)?));
        Ok(())
    }

    /// Forgets everything but the options: what comes next has nothing to do with what was.
    pub fn new_game(&mut self) {
        self.memory.forget();
        self.keeper = Keeper::new(&self.settings);
    }

    /// Thinks. Every report is `heard` as it is made.
    pub fn search(
        &mut self,
        request: &Request<'_>,
        heard: &mut dyn FnMut(&Report),
    ) -> Result<Found, Refusal> {
        let Game { board, key, path, last } = Game::replay(request.line, self.settings.seed)?;
        let crew = Crew::default();
        if !board.generate_moves(|_| true) {
            return Ok(nothing_to_play(&board, heard));
        }
        let mut only = moves_to_search(&board, request.only)?;
        let handicap = self.settings.handicap();
        // Whoever is to fall short has no book to look the answer up in.
        let mut endings = self.endings.as_deref().filter(|_| handicap.is_none());
        let solved = endings.and_then(|endings| {
            let moves = if only.is_empty() { position::legal_moves(&board) } else { only.clone() };
            syzygy::keeping(endings, &board, &moves, !path.seen().is_new())
        });
        let outcome = solved.map(|(outcome, keeping)| {
            (only, endings) = (keeping, None);
            outcome
        });
        let aim = Aim {
            depth: request.limits.depth.map(|Ply(depth)| depth),
            mate: request.limits.mate,
            lines: self.settings.multi_pv as usize,
            first: 1,
        };
        let writer =
            Writer { has_endings: self.endings.is_some(), outcome, ..Writer::new(&board, &self.settings) };
        let allowed = |mv| only.is_empty() || only.contains(&mv);
        self.memory.begin_search(Ground::of(&path, board.side_to_move(), &self.settings));
        let settings = &self.settings;
        let entries = self.memory.table.capacity();
        let occasion = Occasion { line: request.line, board: &board, last, entries };
        self.keeper.begin(&occasion, request.limits, settings);
        let tally = self.keeper.tally();
        let errand = Errand {
            board: &board,
            key,
            path: &path,
            aim: &aim,
            request,
            crew: &crew,
            endings,
            settings,
            tally,
        };
        let timer = self.keeper.timer();
        let told = &mut |insight: &Insight<'_>| heard(&writer.report(insight));
        let Conclusion { line, spent, census } = if Mode::of(settings) == Mode::SHIPPED {
            errand.run::<true>(&mut self.memory, timer, allowed, told)
        } else {
            errand.run::<false>(&mut self.memory, timer, allowed, told)
        };
        let mut line = writer.line(&line).into_iter();
        self.census = census;
        let Spent { nodes, elapsed, .. } = spent;
        let account = self.keeper.close(request.line, spent);
        Ok(Found { best: line.next(), ponder: line.next(), nodes, elapsed, account })
    }

    /// How Echo falls short of its full strength, if its options hold it below that.
    pub fn handicap(&self) -> Option<Handicap> {
        self.settings.handicap()
    }

    /// What was measured of the strength that it is held at, where its options ask for measured Elo.
    pub fn measured_strength(&self) -> Option<Point> {
        self.settings.strength.measured()
    }

    /// What the last search met, by name, where the option `Census` is on; nothing otherwise.
    pub fn counts(&self) -> Vec<(String, u64)> {
        if self.settings.lab.counts() { self.census.named() } else { Vec::new() }
    }

    /// What the last search met, if the option `Census` is on.
    #[cfg(test)]
    pub(super) const fn census(&self) -> Census {
        self.census
    }

    /// Leaves of the tree of legal moves. `stop` calls the count off.
    pub fn perft(&self, line: &Line, Ply(depth): Ply, stop: &Stop) -> Result<u64, Refusal> {
        let board = Game::replay(line, self.settings.seed)?.board;
        leaf_count::count(&board, u32::from(depth), stop, self.settings.seed)
    }

    /// The evaluation of a position, term by term, as text.
    pub fn eval_table(&self, line: &Line) -> Result<String, Refusal> {
        Ok(eval::table::print(&Game::replay(line, self.settings.seed)?.board))
    }
}

/// What the threads of one search are sent for.
struct Errand<'e> {
    board: &'e Board,
    key: Key,
    path: &'e Path,
    aim: &'e Aim,
    request: &'e Request<'e>,
    crew: &'e Crew,
    endings: Option<&'e dyn Endings>,
    settings: &'e Settings,
    /// Where it is to be counted where the nodes lie, if anybody asks.
    tally: Option<Tally>,
}

impl Errand<'_> {
    /// The first thread answers, the others help.
    fn run<const SHIPPED: bool>(
        &self,
        memory: &mut Memory,
        timer: Option<Timer<'_>>,
        allowed: impl Fn(Move) -> bool + Copy + Send,
        told: &mut dyn FnMut(&Insight<'_>),
    ) -> Conclusion {
        let &Self { board, key, path, aim, request, crew, endings, settings, ref tally } = self;
        let table = &memory.table;
        let (mind, helpers) = memory.minds.split_first_mut().expect("there is at least one thread");
        // What is left to chance is to hang on the seed alone.
        let crew_size = if settings.handicap().is_some() { 0 } else { helpers.len() };
        let helpers = &mut helpers[..crew_size];
        let search =
            |mind, budget| Search::<'_, SHIPPED>::new(table, mind, budget, endings, path.clone(), settings);
        thread::scope(|scope| {
            let mut helping = Vec::new();
            for (first, mind) in (2..=4).cycle().zip(helpers) {
                let search = search(mind, Budget::helping(request, crew).with_tally(tally.clone()));
                let aim = Aim { depth: None, mate: None, lines: 1, first };
                helping.push(scope.spawn(move || search.think(board, key, allowed, &aim, &mut |_| {})));
            }
            let budget = Budget::new(request, timer, settings, crew).with_tally(tally.clone());
            let mut conclusion = search(mind, budget).think(board, key, allowed, aim, told);
            crew.over.raise();
            for helper in helping {
                let helped = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                conclusion.spent.tally.add(&helped.spent.tally);
            }
            conclusion
        })
    }
}

/// A game up to the position to think about.
pub(super) struct Game {
    /// The position.
    pub board: Board,
    /// Its key.
    pub key: Key,
    /// Every position of the game, the present one last.
    pub path: Path,
    /// The last two moves.
    pub last: [Option<Move>; 2],
}

impl Game {
    /// Plays a line through.
    pub(super) fn replay(line: &Line, seed: Seed) -> Result<Self, Refusal> {
        let mut board = position::set_up(line.start.as_setup()).map_err(Refusal::Start)?;
        let mut key = key_of(&board, seed);
        let mut path = Path::new(seed);
        path.start(&board, key);
        let mut last = [None; 2];
        for (index, &written) in line.moves.iter().enumerate() {
            let mv = wire::read(&board, written).ok_or(Refusal::Move { number: index + 1, mv: written })?;
            last = [last[1], Some(mv)];
            board.play_unchecked(mv);
            key = key_of(&board, seed);
            path.push(&board, key, mv);
        }
        Ok(Self { board, key, path, last })
    }
}

/// The legal ones of the moves that may be searched; none for all.
fn moves_to_search(board: &Board, only: &[UciMove]) -> Result<Vec<Move>, Refusal> {
    let legal: Vec<Move> = only.iter().filter_map(|&mv| wire::read(board, mv)).collect();
    if legal.is_empty() && !only.is_empty() {
        let given: Vec<String> = only.iter().map(ToString::to_string).collect();
        return Err(Refusal::NothingToSearch(given.join(" ")));
    }
    Ok(legal)
}

/// Mated or stalemated: there is a score, but no move.
fn nothing_to_play(board: &Board, heard: &mut dyn FnMut(&Report)) -> Found {
    let value = if board.checkers().is_empty() { Value::DRAW } else { Value::mated_at(0) };
    heard(&Report {
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
    Found { best: None, ponder: None, nodes: 0, elapsed: std::time::Duration::ZERO, account: None }
}

#[cfg(test)]
pub(super) mod tests;

/// Leaves of the tree of legal moves, `depth` plies deep. `stop` calls the count off.
pub fn perft(line: &Line, depth: u32, stop: &Stop) -> Result<u64, Refusal> {
    leaf_count::count(&Game::replay(line, Seed::NONE)?.board, depth, stop, Seed::NONE)
}

#[cfg(test)]
mod strength;

#[cfg(test)]
mod timing;

#[cfg(test)]
mod variants;
