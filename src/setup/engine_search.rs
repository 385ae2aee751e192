//! The engine of a repository: the programs in it that answer `uci`.

use std::path::Path;
use std::time::Duration;

use crate::setup::build_system::BuildSystem;
use crate::setup::programs;
use crate::setup::search_depth::{search_once, short_depth};
use threefold_chess::clock::{ClockSource, Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_player::spec::HarnessKey;
use threefold_player::{
    Answer, EngineFault, EngineId, EngineSource, EngineSpec, LaunchOptions, LimitEnforcedBy, Player,
    SearchTimeout, WaitLimit, launch,
};
use threefold_suites::kinds::determinism::difference;

/// How long a program of a repository may take to answer `uci`. Most of them are no engines.
const PATIENCE: Duration = Duration::from_secs(3);

/// The limits of the searches that show what an engine keeps.
const PROBE_NODES: u64 = 20_000;
const PROBE_DEPTH: Ply = Ply(8);
const SHALLOW_DEPTH: Ply = Ply(1);
/// An engine that keeps a depth limit ends a search to [`SHALLOW_DEPTH`] at this depth at most, even if its first iterations
/// have other numbers than those of most engines.
const DEEPEST_SHALLOW: Ply = Ply(4);
/// An engine that keeps a node limit searches at least this part of it, even if it counts nodes by whole
/// iterations.
const FEWEST_SHARE: u64 = 8;

/// How long the benchmark of an engine may take. A longer one would use up a good part of each run, and most engines that
/// take longer have none: they read on, or search for ever.
const LONGEST_BENCH: Duration = Duration::from_mins(1);
/// Positions after a few moves, and an ending, searched between two searches of a position.
const OTHERS: [&str; 7] = [
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkb1r/pppppppp/5n2/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 1 2",
    "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2",
    "rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3",
    "8/5pk1/4p1p1/3pP2p/3P1P1P/4K1P1/8/8 w - - 0 1",
];
/// How often each is searched. A difference may be rare.
const PASSES: usize = 3;

/// Options that make results repeatable, set where the engine offers them.
const REPEATABLE: [&str; 2] = ["Threads=1", "Hash=16"];

/// The standard button of UCI that clears the transposition table. A spec's buttons are pressed before each game.
pub const CLEAR_HASH: &str = ",Clear Hash=";

/// The tolerance of time losses, in milliseconds: as long as a shared CI runner delays an engine now and
/// then.
const SHARED_MARGIN: u32 = 500;

/// An engine that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundEngine {
    /// How it is named on the command line and in plans.
    pub spec: String,
    /// What it says of itself.
    pub id: EngineId,
    /// Which limits of a search does it keep?
    pub search_limit: SearchLimit,
    /// When does it search the same twice? Its spec asks for what each game needs for it.
    pub determinism: Determinism,
}

/// The limit that an engine keeps, and with which it can search the same twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchLimit {
    /// `go nodes`.
    Nodes,
    /// It ends searches at a depth, which is chosen by its speed, and for this reason not at a number of nodes.
    Depth(Ply, NodeLimit),
    /// Only clocks end its searches, which differ each time.
    ClockAlone,
}

/// What an engine does with `go nodes`, if a depth has to limit its searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeLimit {
    /// It searches on, moves at once, or crashes.
    Ignored,
    /// It ends the same search at another node each time, as engines do that count nodes in another thread.
    Inexact,
}

/// When an engine searches the same twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Determinism {
    /// After `ucinewgame`.
    InOneProcess,
    /// After `ucinewgame` and the button `Clear Hash`.
    AfterClearHash,
    /// Only in new processes.
    InNewProcesses,
    /// Not even in new processes, with a difference, or what happens in place of an answer.
    Never(String),
}

/// Starts programs to find out what they are.
#[derive(Debug)]
pub struct EngineSearch {
    launch_options: LaunchOptions,
}

impl EngineSearch {
    /// With this time limit for a search without a clock, or the usual one.
    pub fn new(search_timeout: Option<Duration>) -> Self {
        let mut options = LaunchOptions::new(ClockSource::Wall, Stop::default());
        if let Some(limit) = search_timeout {
            options.search_timeout = SearchTimeout::fixed(limit);
        }
        Self { launch_options: options }
    }

    /// The programs of a repository that answer `uci`, the last built first.
    pub fn in_repository(&self, root: &Path, build: Option<&BuildSystem>) -> Vec<FoundEngine> {
        let answers_soon = |spec: &String| {
            let launch_options = LaunchOptions { startup: PATIENCE, ..self.launch_options.clone() };
            Self { launch_options }.introduce(spec).is_ok()
        };
        programs::in_repository(root, build)
            .into_iter()
            .filter(answers_soon)
            .filter_map(|spec| self.start(&spec).ok())
            .collect()
    }

    /// Starts an engine. Its spec gets the options for repeatable results that it offers, and a name without
    /// options.
    pub fn start(&self, given: &str) -> Result<FoundEngine, EngineFault> {
        let id = self.introduce(given)?;
        let spec: EngineSpec = parse(given)?;
        let mut text = given.to_owned();
        if let (EngineSource::Command { program, .. }, None) =
            (&spec.source, spec.setting(&HarnessKey::Name.into()))
        {
            // A comma would end the value of the key.
            let stem = Path::new(program).file_stem().map(|stem| stem.to_string_lossy().replace(',', "\\,"));
            text.extend(stem.map(|stem| format!(",name={stem}")));
        }
        for option in REPEATABLE {
            let key = option.split('=').next().unwrap_or_default();
            let is_given = spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(key));
            // A spec with an option that the engine lacks does not start, so the start shows whether it is
            // offered.
            if !is_given && self.introduce(&format!("{given},{option}")).is_ok() {
                text = format!("{text},{option}");
            }
        }
        let mut probe = self.probe(&text)?;
        if probe.determinism == Determinism::InNewProcesses {
            // A process for each search would take most of a run's time.
            probe = self.probe_with_clear_hash(&text)?.unwrap_or(probe);
        }
        let Probe { search_limit, determinism } = probe;
        match determinism {
            Determinism::InOneProcess => {}
            Determinism::AfterClearHash => text.push_str(CLEAR_HASH),
            Determinism::InNewProcesses | Determinism::Never(_) => text = restarted(&parse(&text)?)?.text,
        }
        if spec.control.margin.is_none() {
            text = format!("{text},timemargin={SHARED_MARGIN}");
        }
        Ok(FoundEngine { spec: text, id, search_limit, determinism })
    }

    /// Searches some positions, each in a new game, and then again. The harness stops an engine that ignores
    /// its node limit, at a moment that varies; then a depth is the limit. It also is if the engine ends the
    /// same search at another node each time.
    fn probe(&self, spec: &str) -> Result<Probe, EngineFault> {
        let mut player = launch(&parse(spec)?, &self.launch_options)?;
        let by_nodes = Limits { nodes: Some(PROBE_NODES), ..Limits::default() };
        let by_depth = Limits { depth: Some(PROBE_DEPTH), ..Limits::default() };
        let keeps_node_limit = searched(player.as_mut(), by_nodes)?.is_some_and(|first| {
            // An engine that ignores the limit by moving at once ends its search itself, too.
            let nodes = first.nodes_over_limit.unwrap_or(first.nodes);
            let uses_nodes = nodes.saturating_mul(FEWEST_SHARE) >= PROBE_NODES;
            first.limit_enforced_by == LimitEnforcedBy::Engine && uses_nodes
        });
        let of_nodes = keeps_node_limit.then(|| self.determinism(spec, by_nodes)).transpose()?;
        if let Some(determinism @ (Determinism::InOneProcess | Determinism::InNewProcesses)) = of_nodes {
            return Ok(Probe { search_limit: SearchLimit::Nodes, determinism });
        }
        let keeps_depth_limit = self.keeps_depth_limit(spec)?;
        let of_depth = keeps_depth_limit.then(|| self.determinism(spec, by_depth)).transpose()?;
        let depth = |node_limit| -> Result<SearchLimit, EngineFault> {
            let mut player = launch(&parse(spec)?, &self.launch_options)?;
            Ok(SearchLimit::Depth(short_depth(player.as_mut()), node_limit))
        };
        let (search_limit, determinism) = match (of_nodes, of_depth) {
            // A depth that does not give the same search twice either is no reason to give up node limits.
            (Some(of_nodes), None | Some(Determinism::Never(_))) => (SearchLimit::Nodes, of_nodes),
            (Some(_), Some(of_depth)) => (depth(NodeLimit::Inexact)?, of_depth),
            (None, Some(of_depth)) => (depth(NodeLimit::Ignored)?, of_depth),
            // Nothing was compared. The plan then has no suite that compares searches, so a restart would be
            // useless.
            (None, None) => (SearchLimit::ClockAlone, Determinism::InOneProcess),
        };
        Ok(Probe { search_limit, determinism })
    }

    /// Does it end a search at a depth? One that does not know `go depth` may end it after some time.
    fn keeps_depth_limit(&self, spec: &str) -> Result<bool, EngineFault> {
        let mut player = launch(&parse(spec)?, &self.launch_options)?;
        let mut depth_reached = |depth| {
            let answer = searched(player.as_mut(), Limits { depth: Some(depth), ..Limits::default() });
            answer.map(|answer| answer.map(|answer| answer.infos.last().map_or(Ply(0), |info| info.depth)))
        };
        let ends = depth_reached(PROBE_DEPTH)?.is_some();
        Ok(ends && depth_reached(SHALLOW_DEPTH)?.is_some_and(|depth| depth <= DEEPEST_SHALLOW))
    }

    /// What it shows if `Clear Hash` is pressed before each game; `None` if it lacks the button, or still does not search
    /// the same twice.
    fn probe_with_clear_hash(&self, spec: &str) -> Result<Option<Probe>, EngineFault> {
        let spec = format!("{spec}{CLEAR_HASH}");
        if self.introduce(&spec).is_err() {
            return Ok(None);
        }
        let probe = self.probe(&spec)?;
        let is_repeated = probe.determinism == Determinism::InOneProcess;
        Ok(is_repeated.then_some(Probe { determinism: Determinism::AfterClearHash, ..probe }))
    }

    /// When does the engine search the same twice with these limits?
    fn determinism(&self, spec: &str, limits: Limits) -> Result<Determinism, EngineFault> {
        // A new process, since an earlier search may have left something.
        let mut player = launch(&parse(spec)?, &self.launch_options)?;
        let in_one_process = difference_of_passes(|position| search_once(player.as_mut(), position, limits))?;
        if in_one_process.is_none() {
            return Ok(Determinism::InOneProcess);
        }
        let in_new_processes = difference_of_passes(|position| {
            search_once(launch(&parse(spec)?, &self.launch_options)?.as_mut(), position, limits)
        })?;
        Ok(in_new_processes.map_or(Determinism::InNewProcesses, Determinism::Never))
    }

    /// What the engine says of itself.
    ///
    /// # Errors
    /// If it does not start, or lacks an option of its spec.
    pub fn introduce(&self, spec: &str) -> Result<EngineId, EngineFault> {
        let spec = parse(spec)?;
        launch(&spec, &self.launch_options).map(|player| player.engine_id())
    }

    /// Why `ENGINE bench` is no benchmark; `None` if it is one, or fails in a way that a run has to report.
    ///
    /// # Errors
    /// If the engine does not start.
    pub fn lack_of_bench(&self, spec: &str) -> Result<Option<String>, EngineFault> {
        match launch(&parse(spec)?, &self.launch_options)?.bench(LONGEST_BENCH) {
            Err(EngineFault::NotSupported(why)) => Ok(Some(why)),
            Ok(_) | Err(_) => Ok(None),
        }
    }
}

fn parse(spec: &str) -> Result<EngineSpec, EngineFault> {
    spec.parse().map_err(|error| EngineFault::Option(format!("{error}")))
}

/// The engine with a new process for each game, whatever its own setting is.
fn restarted(spec: &EngineSpec) -> Result<EngineSpec, EngineFault> {
    spec.with(&[(HarnessKey::Restart, "on")]).map_err(|error| EngineFault::Option(error.to_string()))
}

/// What some searches show.
struct Probe {
    search_limit: SearchLimit,
    determinism: Determinism,
}

/// The start position, and others.
fn positions() -> impl Iterator<Item = GamePosition> {
    let others = OTHERS.iter().map(|fen| GamePosition::parse(fen, "").expect("a FEN"));
    std::iter::once(GamePosition::start_position()).chain(others)
}

/// Searches the positions in turn, some times; the first difference from the first pass, or why a search has no answer.
fn difference_of_passes(
    mut search: impl FnMut(GamePosition) -> Result<Answer, EngineFault>,
) -> Result<Option<String>, EngineFault> {
    let mut first: Vec<Answer> = Vec::new();
    for _ in 0..PASSES {
        let other = match positions().map(&mut search).collect::<Result<Vec<Answer>, EngineFault>>() {
            Ok(other) => other,
            Err(fault) if is_lack_of_answer(&fault) => return Ok(Some(fault.to_string())),
            Err(fault) => return Err(fault),
        };
        if let Some(found) = first.iter().zip(&other).find_map(|(first, other)| difference(first, other)) {
            return Ok(Some(found));
        }
        first = other;
    }
    Ok(None)
}

/// A search of the start position; `None` if it does not end, or the engine does, since it does not know the limit.
fn searched(player: &mut dyn Player, limits: Limits) -> Result<Option<Answer>, EngineFault> {
    match search_once(player, GamePosition::start_position(), limits) {
        Ok(answer) => Ok(Some(answer)),
        Err(fault) if is_lack_of_answer(&fault) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// Has a search no answer? Other limits or new processes may help.
const fn is_lack_of_answer(fault: &EngineFault) -> bool {
    matches!(
        fault,
        EngineFault::Ended { .. }
            // An engine may ignore `stop`, too.
            | EngineFault::TimedOut {
                limit: WaitLimit::SearchTimeout | WaitLimit::Nodes | WaitLimit::Ignored | WaitLimit::Clock,
                ..
            }
    )
}

#[cfg(all(test, unix))]
mod tests;
