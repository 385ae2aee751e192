//! The shipped suites fail on every seeded bug, and pass without one: that is how they are known to test
//! anything.
#![cfg(feature = "mutants")]

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::SystemTime;

use threefold_chess::clock::{Limits, Stop};
use threefold_echo::mutants::Mutant;
use threefold_harness::regress::{Baseline, Change, compare, regressions};
use threefold_harness::suite::{KINDS, Page, Source};
use threefold_harness::work::journal::Journal;
use threefold_harness::work::pool::{Crew, Outcome, Ready};
use threefold_harness::work::{Order, Part, Run, SuiteTask, Task};

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

const SUITES: [Asked; 12] = [
    Asked { suite: "repetition", per_class: Some(12), words: &[], nodes: None },
    Asked { suite: "rule", per_class: None, words: &[], nodes: None },
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

/// A mutant, the suite that kills it, the classes whose cases do, and words of the verdicts that name the bug.
struct Killing {
    mutant: Mutant,
    suite: &'static str,
    classes: &'static [&'static str],
    verdict: &'static str,
}

/// At least one row for each mutant, and one for each kind of suite.
const KILLINGS: &[Killing] = &[
    Killing {
        mutant: Mutant::ForgetHistory,
        suite: "repetition",
        classes: &["third-avoid", "third-seek", "void-en-passant", "pinned-en-passant"],
        verdict: "history: it takes",
    },
    Killing {
        mutant: Mutant::MateNotPlyAdjusted,
        suite: "mate",
        classes: &["mate-in-", "mated-in-"],
        verdict: "",
    },
    Killing {
        mutant: Mutant::KeyWithoutSide,
        suite: "repetition",
        classes: &["other-side"],
        verdict: "history: without its history",
    },
    Killing {
        mutant: Mutant::EnPassantAlwaysInKey,
        suite: "repetition",
        classes: &["void-en-passant", "pinned-en-passant"],
        verdict: "history: it takes",
    },
    Killing {
        mutant: Mutant::FiftyMovesIgnored,
        suite: "repetition",
        classes: &["fifty-moves"],
        verdict: "",
    },
    Killing {
        mutant: Mutant::DrawSignFlipped,
        suite: "repetition",
        classes: &["third-avoid", "third-seek", "void-en-passant"],
        verdict: "",
    },
    Killing {
        mutant: Mutant::ClockInWrongUnit,
        suite: "time-control",
        classes: &["sudden-death", "increment", "moves-per-period"],
        verdict: "flag: ",
    },
    Killing { mutant: Mutant::OnlyQueens, suite: "mate", classes: &["underpromotion"], verdict: "" },
    Killing {
        mutant: Mutant::PvIllegal,
        suite: "mate",
        classes: &["mate-in-", "mated-in-"],
        verdict: "bad PVs: ",
    },
    Killing {
        mutant: Mutant::PerftMissesEnPassant,
        suite: "perft",
        classes: &["en-passant"],
        verdict: "wrong count: ",
    },
    Killing { mutant: Mutant::DrawSignFlipped, suite: "conversion", classes: &["K"], verdict: "" },
    Killing { mutant: Mutant::DawdlingWins, suite: "defence", classes: &["loss"], verdict: "lasted: " },
    Killing {
        mutant: Mutant::ForgetHistory,
        suite: "hash-pollution",
        classes: &["third-", "void-en-passant"],
        verdict: "",
    },
    Killing {
        mutant: Mutant::TableOutlivesGame,
        suite: "determinism",
        classes: &["signature"],
        verdict: "differs after a new game: ",
    },
    Killing { mutant: Mutant::DrawSignFlipped, suite: "best-move", classes: &["best."], verdict: "" },
    Killing {
        mutant: Mutant::TableBeforeHistory,
        suite: "signature",
        classes: &["signature"],
        verdict: "other nodes: ",
    },
    Killing {
        mutant: Mutant::HistoryLostWithFen,
        suite: "repetition",
        classes: &["third-avoid", "third-seek", "void-en-passant", "pinned-en-passant"],
        verdict: "history: it takes",
    },
    Killing {
        mutant: Mutant::ScanStopsEarly,
        suite: "repetition",
        classes: &["third-avoid", "third-seek"],
        verdict: "",
    },
    Killing {
        mutant: Mutant::ScanCrossesNull,
        suite: "signature",
        classes: &["signature"],
        verdict: "other nodes: ",
    },
    Killing {
        mutant: Mutant::DrawsNotInTree,
        suite: "signature",
        classes: &["signature"],
        verdict: "other nodes: ",
    },
    Killing {
        mutant: Mutant::PolicyIgnored,
        suite: "repetition",
        classes: &["only-win-repeats", "false-refuge", "zugzwang-triangle"],
        verdict: "",
    },
    Killing { mutant: Mutant::KeyTruncated, suite: "mate", classes: &["mate-in-", "mated-in-"], verdict: "" },
    Killing {
        mutant: Mutant::CastlingNotInKey,
        suite: "rule",
        classes: &["lost-right"],
        verdict: "cp 0 should be a win",
    },
    Killing {
        mutant: Mutant::FiftyMovesEarly,
        suite: "rule",
        classes: &["in-time"],
        verdict: "cp 0 should be a win",
    },
    Killing {
        mutant: Mutant::FiftyMovesBeatMate,
        suite: "rule",
        classes: &["in-time"],
        verdict: "cp 0 should be a win",
    },
    Killing {
        mutant: Mutant::ContemptReversed,
        suite: "rule",
        classes: &["third", "fifty", "stalemate", "thrown-away"],
        verdict: "cp 50 should be a draw",
    },
    Killing { mutant: Mutant::TableCutsNearFifty, suite: "rule", classes: &["too-late"], verdict: "mate " },
    Killing {
        mutant: Mutant::StalemateIsMate,
        suite: "rule",
        classes: &["stalemate"],
        verdict: "mate 1 should be a draw",
    },
    Killing { mutant: Mutant::DeadIsAlive, suite: "mate", classes: &["mate-in-", "mated-in-"], verdict: "" },
    Killing {
        mutant: Mutant::MinorsAreDead,
        suite: "mate",
        classes: &["mate-in-", "mated-in-"],
        verdict: "",
    },
    Killing {
        mutant: Mutant::MateAdjustedTwice,
        suite: "mate",
        classes: &["mate-in-", "mated-in-"],
        verdict: "",
    },
    Killing {
        mutant: Mutant::MateBoundTight,
        suite: "mate",
        classes: &["mate-in-", "mated-in-"],
        verdict: "",
    },
    Killing {
        mutant: Mutant::NullMoveMates,
        suite: "signature",
        classes: &["signature"],
        verdict: "other nodes: ",
    },
    Killing {
        mutant: Mutant::NullMoveInZugzwang,
        suite: "mate",
        classes: &["mate-in-", "mated-in-", "underpromotion"],
        verdict: "",
    },
    Killing {
        mutant: Mutant::StandsPatInCheck,
        suite: "signature",
        classes: &["signature"],
        verdict: "other nodes: ",
    },
    Killing {
        mutant: Mutant::LearningOutlivesGame,
        suite: "determinism",
        classes: &["signature"],
        verdict: "differs after a new game: ",
    },
    Killing { mutant: Mutant::TableDepthIgnored, suite: "repetition", classes: &[""], verdict: "" },
    Killing {
        mutant: Mutant::TableBoundsSwapped,
        suite: "mate",
        classes: &["mate-in-", "mated-in-"],
        verdict: "",
    },
    Killing {
        mutant: Mutant::FailLowIsExact,
        suite: "mate",
        classes: &["mate-in-", "mated-in-"],
        verdict: "",
    },
    Killing {
        mutant: Mutant::EnPassantUnseen,
        suite: "signature",
        classes: &["signature"],
        verdict: "other nodes: ",
    },
    Killing {
        mutant: Mutant::SearchMovesIgnored,
        suite: "rule",
        classes: &["third", "fifty", "stalemate", "dead", "thrown-away", "lost"],
        verdict: "other move: ",
    },
    Killing { mutant: Mutant::SecondBest, suite: "repetition", classes: &[""], verdict: "" },
    Killing { mutant: Mutant::DepthShort, suite: "signature", classes: &["signature"], verdict: "" },
    Killing {
        mutant: Mutant::MateSignFlipped,
        suite: "mate",
        classes: &["mate-in-", "mated-in-"],
        verdict: "",
    },
    Killing { mutant: Mutant::MateInPlies, suite: "mate", classes: &["mate-in-", "mated-in-"], verdict: "" },
    Killing { mutant: Mutant::ScoreFromWhite, suite: "rule", classes: &["won", "lost"], verdict: "" },
    Killing {
        mutant: Mutant::OpponentsClock,
        suite: "time-control",
        classes: &["sudden-death", "increment", "moves-per-period"],
        verdict: "",
    },
    Killing {
        mutant: Mutant::IncrementIgnored,
        suite: "time-control",
        classes: &["increment"],
        verdict: "idle: ",
    },
    Killing {
        mutant: Mutant::StrengthIgnored,
        suite: "calibration",
        classes: &["levels"],
        verdict: "too little: ",
    },
    Killing {
        mutant: Mutant::OverheadIgnored,
        suite: "time-control",
        classes: &["sudden-death"],
        verdict: "flag: ",
    },
    Killing {
        mutant: Mutant::MovesToGoIgnored,
        suite: "time-control",
        classes: &["moves-per-period"],
        verdict: "idle: ",
    },
    Killing {
        mutant: Mutant::PerftMissesCastling,
        suite: "perft",
        classes: &["castling"],
        verdict: "wrong count: ",
    },
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

#[test]
fn every_mutant_and_every_kind_has_its_row() {
    for mutant in Mutant::ALL {
        assert!(KILLINGS.iter().any(|killing| killing.mutant == *mutant), "{mutant} is never killed");
    }
    // Policies are read and efforts measured, not judged.
    for kind in KINDS.iter().filter(|kind| !["policy", "effort"].contains(&kind.name)) {
        assert!(KILLINGS.iter().any(|killing| killing.suite == kind.name), "{} kills nobody", kind.name);
    }
}

#[test]
fn every_mutant_is_worse_than_echo_in_the_suite_that_is_to_kill_it() {
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
    for Killing { mutant, suite, classes, verdict } in KILLINGS {
        let asked = SUITES.iter().filter(|asked| asked.suite == *suite).copied().collect::<Vec<_>>();
        let run = run(&format!("echo,name=Echo,Mutant={mutant}"), &asked, workers);
        let worse = worse(&run, &baseline);
        let named = worse
            .iter()
            .filter(|(class, _)| classes.iter().any(|known| class.starts_with(known)))
            .flat_map(|(_, changes)| changes)
            .filter(|change| change.now.reason.starts_with(verdict));
        let named: Vec<&str> = named.map(|change| change.id.as_str()).collect();
        eprintln!("{mutant}: {} cases: {}", named.len(), named.join(", "));
        if named.len() < LEAST {
            alive.push(format!("{mutant} in {suite}: {worse:#?}"));
        }
        let comparison = compare(&baseline, &Baseline::of(&run));
        if regressions(&run, Some(&comparison)).is_empty() {
            alive.push(format!("{mutant} in {suite}: regress would exit 0"));
        }
    }
    assert!(alive.is_empty(), "{}", alive.join("\n"));
}
