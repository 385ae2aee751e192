//! The shipped suites fail on every seeded bug, and pass without one: that is how they are known to test
//! anything.
#![cfg(feature = "mutants")]

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::SystemTime;

use threefold::clock::{Limits, Stop};
use threefold::echo::mutants::Mutant;
use threefold::echo::mutants::Mutant::*;
use threefold::player::BorderFault;
use threefold::player::BorderFault::*;
use threefold::regress::{Baseline, Change, compare, regressions};
use threefold::suite::{KINDS, Page, Source};
use threefold::work::journal::Journal;
use threefold::work::pool::{Crew, Outcome, Ready};
use threefold::work::{Order, Part, Run, SuiteTask, Task};

/// What is asked of a suite: enough for the proof, and no more.
#[derive(Clone, Copy)]
struct Asked {
    suite: &'static str,
    per_class: Option<usize>,
    /// Only the lines of its positions with one of these; none: every line.
    words: &'static [&'static str],
    /// Nodes in place of the suite's own.
    nodes: Option<u64>,
}

/// Tables of three men are made at once, tables of four take minutes in a build for tests.
const SMALL: &[&str] = &[", KRK\"", ", KRK,", ", KPK\"", ", KPK,"];

/// The same, with a bare king to hunt.
const BARE: &[&str] = &[", KQK\"", ", KRK\"", ", KPK\""];

/// Mates of one digit: the longer ones are seldom found.
const MATES: &[&str] = &[
    "bm #1;", "bm #2;", "bm #3;", "bm #4;", "bm #5;", "bm #6;", "bm #7;", "bm #8;", "bm #-1;", "bm #-2;",
    "bm #-3;", "bm #-4;", "bm #-5;", "bm #-6;", "bm #-7;", "bm #-8;",
];

const SUITES: [Asked; 17] = [
    Asked { suite: "repetition", per_class: Some(12), words: &[], nodes: None },
    Asked { suite: "rule", per_class: None, words: &[], nodes: None },
    Asked { suite: "horizon", per_class: None, words: &[], nodes: None },
    Asked { suite: "depth-limit", per_class: Some(6), words: &[], nodes: None },
    Asked { suite: "perpetual-shallow", per_class: None, words: &[], nodes: None },
    Asked { suite: "perpetual", per_class: None, words: &[], nodes: None },
    Asked { suite: "detector", per_class: Some(6), words: &[", KRKN\"", ", KBNK\""], nodes: None },
    Asked { suite: "mate", per_class: Some(10), words: MATES, nodes: None },
    Asked { suite: "time-control", per_class: None, words: &[], nodes: None },
    Asked { suite: "conversion", per_class: Some(6), words: SMALL, nodes: None },
    Asked { suite: "defence", per_class: Some(12), words: BARE, nodes: None },
    Asked { suite: "hash-pollution", per_class: Some(6), words: &[], nodes: None },
    // Some bugs cost a move only where Echo looks further than the suite asks it to.
    Asked { suite: "best-move", per_class: None, words: &[], nodes: Some(60_000) },
    Asked { suite: "perft", per_class: None, words: &[], nodes: None },
    Asked { suite: "signature", per_class: None, words: &[], nodes: None },
    Asked { suite: "determinism", per_class: Some(12), words: &[], nodes: None },
    Asked { suite: "calibration", per_class: None, words: &[], nodes: None },
];

/// Cases that a bug must fail, so that no single case carries the proof.
const LEAST: usize = 2;

use Bug::{Border, Seeded};

/// A bug, and what brings it in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bug {
    /// A bug of Echo's search.
    Seeded(Mutant),
    /// A fault between the harness and the engine.
    Border(BorderFault),
}

impl Bug {
    fn setting(self) -> String {
        match self {
            Seeded(mutant) => format!("Mutant={mutant}"),
            Border(fault) => format!("fault={fault}"),
        }
    }
}

/// A bug, the suite that catches it, the classes whose cases do (as they begin), and how the verdicts that name the
/// bug begin.
type Killing = (Bug, &'static str, &'static [&'static str], &'static str);

/// At least one row for each bug, and one for each kind of suite.
#[rustfmt::skip]
const KILLINGS: &[Killing] = &[
    (Border(ForgetHistory), "repetition", &["third-avoid", "third-seek", "void-en-passant", "pinned-en-passant"], "history: it takes"),
    (Seeded(MateNotPlyAdjusted), "mate", &["mate-in-", "mated-in-"], ""),
    (Seeded(KeyWithoutSide), "repetition", &["other-side"], "history: without its history"),
    (Seeded(EnPassantAlwaysInKey), "repetition", &["void-en-passant", "pinned-en-passant"], "history: it takes"),
    (Seeded(FiftyMovesIgnored), "repetition", &["fifty-moves"], ""),
    (Seeded(DrawSignFlipped), "repetition", &["third-avoid", "third-seek", "void-en-passant"], ""),
    (Border(ClockInWrongUnit), "time-control", &["sudden-death", "increment", "moves-per-period"], "flag: "),
    (Seeded(OnlyQueens), "mate", &["underpromotion"], ""),
    (Border(PvIllegal), "mate", &["mate-in-", "mated-in-"], "bad PVs: "),
    (Seeded(PerftMissesEnPassant), "perft", &["en-passant"], "wrong count: "),
    (Seeded(DrawSignFlipped), "conversion", &["K"], ""),
    (Seeded(DawdlingWins), "defence", &["loss"], "lasted: "),
    (Border(ForgetHistory), "hash-pollution", &["third-", "void-en-passant"], ""),
    (Border(NewGameIgnored), "determinism", &["signature"], "differs after a new game: "),
    (Seeded(DrawSignFlipped), "best-move", &["best."], ""),
    (Seeded(TableBeforeHistory), "perpetual-shallow", &["perpetual"], "cp -"),
    (Border(HistoryLostWithFen), "repetition", &["third-avoid", "third-seek", "void-en-passant", "pinned-en-passant"], "history: it takes"),
    (Seeded(ScanStopsEarly), "repetition", &["third-avoid", "third-seek"], ""),
    (Seeded(ScanCrossesNull), "detector", &["detector"], "repetitions imagined: "),
    (Seeded(DrawsNotInTree), "perpetual", &["perpetual"], "cp -"),
    (Seeded(PolicyIgnored), "repetition", &["only-win-repeats", "false-refuge", "zugzwang-triangle"], ""),
    (Seeded(KeyTruncated), "mate", &["mate-in-", "mated-in-"], ""),
    (Seeded(CastlingNotInKey), "rule", &["lost-right"], "cp 0 should be a win"),
    (Seeded(FiftyMovesEarly), "rule", &["in-time"], "cp 0 should be a win"),
    (Seeded(FiftyMovesBeatMate), "rule", &["in-time"], "cp 0 should be a win"),
    (Seeded(ContemptReversed), "rule", &["third", "fifty", "stalemate", "thrown-away"], "cp 50 should be a draw"),
    (Seeded(TableCutsNearFifty), "rule", &["too-late"], "mate "),
    (Seeded(StalemateIsMate), "rule", &["stalemate"], "mate 1 should be a draw"),
    (Seeded(DeadIsAlive), "mate", &["mate-in-", "mated-in-"], ""),
    (Seeded(MinorsAreDead), "mate", &["mate-in-", "mated-in-"], ""),
    (Seeded(MateAdjustedTwice), "mate", &["mate-in-", "mated-in-"], ""),
    (Seeded(MateBoundTight), "mate", &["mate-in-", "mated-in-"], ""),
    (Seeded(NullMoveMates), "perpetual", &["perpetual"], "mate "),
    (Seeded(NullMoveInZugzwang), "mate", &["mate-in-", "mated-in-", "underpromotion"], ""),
    (Seeded(StandsPatInCheck), "horizon", &["mate-in-1"], "missed: cp "),
    (Seeded(TableDepthIgnored), "repetition", &[""], ""),
    (Seeded(TableBoundsSwapped), "mate", &["mate-in-", "mated-in-"], ""),
    (Seeded(FailLowIsExact), "mate", &["mate-in-", "mated-in-"], ""),
    (Seeded(EnPassantUnseen), "rule", &["en-passant"], "cp "),
    (Border(SearchMovesIgnored), "rule", &["third", "fifty", "stalemate", "dead", "thrown-away", "lost"], "other move: "),
    (Border(OtherMovePlayed), "repetition", &[""], ""),
    (Border(DepthShort), "depth-limit", &["depth"], "too shallow: "),
    (Border(MateSignFlipped), "mate", &["mate-in-", "mated-in-"], ""),
    (Border(MateInPlies), "mate", &["mate-in-", "mated-in-"], ""),
    (Border(ScoreFromWhite), "rule", &["won", "lost"], ""),
    (Border(OpponentsClock), "time-control", &["sudden-death", "increment", "moves-per-period"], ""),
    (Border(IncrementIgnored), "time-control", &["increment"], "idle: "),
    (Border(StrengthIgnored), "calibration", &["levels"], "too little: "),
    (Border(OverheadIgnored), "time-control", &["sudden-death"], "flag: "),
    (Border(MovesToGoIgnored), "time-control", &["moves-per-period"], "idle: "),
    (Seeded(PerftMissesCastling), "perft", &["castling"], "wrong count: "),
    (Seeded(TableBeforeHistory), "signature", &["signature"], "other nodes: "),
    (Border(FiftyMoveCounterLost), "rule", &["fifty"], "cp "),
    (Border(OptionsIgnored), "calibration", &["levels"], "too little: "),
    (Border(IllegalMovePlayed), "rule", &["third", "won"], "other move: "),
    (Border(PvTruncated), "mate", &["mate-in-", "mated-in-"], "bad PVs: short"),
    (Border(PerftShort), "perft", &[""], "wrong count: D2 "),
];

#[expect(clippy::disallowed_methods, reason = "a test of shipped files reads them")]
fn page(file: &str) -> Page {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Page { file: file.to_owned(), text }
}

fn source(asked: Asked) -> Source {
    let page = page(&format!("suites/{}.toml", asked.suite));
    let wanted = Source::wanted(&page).expect("the suite names its positions");
    let mut positions: Vec<Page> = wanted.iter().map(|file| self::page(file)).collect();
    if !asked.words.is_empty() {
        for page in &mut positions {
            let wanted = |line: &&str| asked.words.iter().any(|word| line.contains(word));
            page.text = page.text.split_inclusive('\n').filter(wanted).collect();
        }
    }
    Source { page, positions }
}

/// What an engine makes of shipped suites.
fn run(engine: &str, suites: &[Asked], workers: NonZeroUsize) -> Run {
    let part = |&asked: &Asked| Part {
        name: asked.suite.to_owned(),
        task: Task::Suite(SuiteTask {
            engine: engine.parse().expect("a spec"),
            source: source(asked),
            limits: asked.nodes.map(|nodes| Box::new(Limits::nodes(nodes))),
            timemargin: None,
            per_class: asked.per_class.and_then(NonZeroUsize::new),
        }),
    };
    let order = Order { parts: suites.iter().map(part).collect(), ..Order::default() };
    let mut journal = Journal::in_memory(order, SystemTime::UNIX_EPOCH).expect("memory");
    let crew = Crew::new(workers, Stop::default());
    let ready = Ready::to_resume(&journal, &crew).expect("Echo can be hired");
    let outcome = ready.work(&mut journal, &crew, &mut |_| {});
    assert_eq!(outcome.expect("the journal is in memory"), Outcome::Finished, "{engine}");
    Run::of(&journal).expect("just written")
}

/// The cases of a run that are worse than in the baseline, by class.
fn worse(run: &Run, baseline: &Baseline) -> BTreeMap<String, Vec<Change>> {
    let mut worse: BTreeMap<String, Vec<Change>> = BTreeMap::new();
    for suite in compare(baseline, &Baseline::of(run)).suites {
        for change in suite.worse {
            worse.entry(change.now.class.clone()).or_default().push(change);
        }
    }
    worse
}

/// Signatures and determinism say that a search changed, but not why; of what outlives a new game determinism does.
fn says_what_is_wrong(bug: Bug, suite: &str) -> bool {
    !["signature", "determinism"].contains(&suite) || (bug, suite) == (Border(NewGameIgnored), "determinism")
}

#[test]
fn every_bug_and_every_kind_has_its_row() {
    let is_caught =
        |bug| KILLINGS.iter().any(|&(known, suite, ..)| known == bug && says_what_is_wrong(bug, suite));
    for mutant in Mutant::ALL {
        assert!(is_caught(Seeded(*mutant)), "{mutant} is never caught");
    }
    for fault in BorderFault::ALL {
        assert!(is_caught(Border(*fault)), "{fault} is never caught");
    }
    // Policies are read and efforts measured, not judged.
    for kind in KINDS.iter().filter(|kind| !["policy", "effort"].contains(&kind.name)) {
        assert!(KILLINGS.iter().any(|killing| killing.1 == kind.name), "{} kills nobody", kind.name);
    }
}

#[test]
fn every_bug_is_worse_than_echo_in_the_suite_that_is_to_catch_it() {
    let workers = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let sound = run("echo,name=Echo", &SUITES, workers);
    assert_eq!(regressions(&sound, None), [], "Echo as it is misses a threshold");
    let baseline = Baseline::of(&sound);
    assert_eq!(
        Baseline::of(&run("echo,name=Echo", &SUITES, NonZeroUsize::MIN)),
        baseline,
        "another run, alone"
    );

    let mut alive = Vec::new();
    for &(bug, suite, classes, verdict) in KILLINGS {
        let asked = SUITES.iter().filter(|asked| asked.suite == suite).copied().collect::<Vec<_>>();
        let run = run(&format!("echo,name=Echo,{}", bug.setting()), &asked, workers);
        let worse = worse(&run, &baseline);
        let named = worse
            .iter()
            .filter(|(class, _)| classes.iter().any(|known| class.starts_with(known)))
            .flat_map(|(_, changes)| changes)
            .filter(|change| change.now.reason.starts_with(verdict));
        let named: Vec<&str> = named.map(|change| change.id.as_str()).collect();
        eprintln!("{bug:?}: {} cases: {}", named.len(), named.join(", "));
        if named.len() < LEAST {
            alive.push(format!("{bug:?} in {suite}: {worse:#?}"));
        }
        let comparison = compare(&baseline, &Baseline::of(&run));
        if regressions(&run, Some(&comparison)).is_empty() {
            alive.push(format!("{bug:?} in {suite}: regress would exit 0"));
        }
    }
    assert!(alive.is_empty(), "{}", alive.join("\n"));
}
