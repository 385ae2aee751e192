//! Mutation test of the shipped suites: they fail on every seeded bug, name the cause, and pass without a
//! bug.
#![cfg(feature = "mutants")]

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use threefold_chess::clock::{Limits, Stop};
use threefold_echo::mutants::Mutant;
use threefold_lab::mutants::{Bug, CATCHES, CAUGHT_BY_SEARCH_TESTS, Catch, Hunt};
use threefold_player::BorderFault;
use threefold_run::pool::PoolConfig;
use threefold_run::{Part, SuiteTask, Task};
use threefold_suites::{KINDS, SourceFile, SuiteSource};

/// The part of a suite that is run, enough to catch the bug.
#[derive(Clone, Copy)]
struct Asked {
    suite: &'static str,
    per_class: Option<usize>,
    /// Only position lines with one of these words; empty for all lines.
    words: &'static [&'static str],
    /// Node limit instead of the suite's.
    nodes: Option<u64>,
}

/// Three-piece tables are built at once; four-piece tables take minutes in a test build.
const SMALL: &[&str] = &[", KRK\"", ", KRK,", ", KPK\"", ", KPK,"];

/// Three-piece tables against a bare king.
const BARE: &[&str] = &[", KQK\"", ", KRK\"", ", KPK\""];

const SUITES: [Asked; 18] = [
    Asked { suite: "repetition", per_class: Some(12), words: &[], nodes: None },
    Asked { suite: "rule", per_class: None, words: &[], nodes: None },
    Asked { suite: "horizon", per_class: None, words: &[], nodes: None },
    Asked { suite: "depth-limit", per_class: Some(6), words: &[], nodes: None },
    Asked { suite: "perpetual-shallow", per_class: None, words: &[], nodes: None },
    Asked { suite: "perpetual", per_class: None, words: &[], nodes: None },
    Asked { suite: "detector", per_class: Some(24), words: &[], nodes: None },
    Asked { suite: "mate", per_class: Some(4), words: &[], nodes: None },
    Asked { suite: "time-control", per_class: None, words: &[], nodes: None },
    Asked { suite: "conversion", per_class: Some(6), words: SMALL, nodes: None },
    Asked { suite: "defence", per_class: Some(12), words: BARE, nodes: None },
    Asked { suite: "hash-pollution", per_class: Some(6), words: &[], nodes: None },
    // Some bugs cost a move only where Echo looks further than the suite asks it to.
    Asked { suite: "best-move", per_class: None, words: &[], nodes: Some(60_000) },
    Asked { suite: "perft", per_class: None, words: &[], nodes: None },
    Asked { suite: "signature", per_class: Some(4), words: &[], nodes: None },
    Asked { suite: "determinism", per_class: Some(4), words: &[], nodes: None },
    Asked { suite: "calibration", per_class: None, words: &[], nodes: None },
    Asked { suite: "smoke", per_class: Some(1), words: &[], nodes: None },
];

#[expect(clippy::disallowed_methods, reason = "a test of shipped files reads them")]
fn source_file(file: &str) -> SourceFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    SourceFile { file: file.to_owned(), text }
}

fn source(asked: Asked) -> SuiteSource {
    let source_file = source_file(&format!("suites/{}.toml", asked.suite));
    let wanted = SuiteSource::position_files(&source_file).expect("the suite names its positions");
    let mut positions: Vec<SourceFile> = wanted.iter().map(|file| self::source_file(file)).collect();
    if !asked.words.is_empty() {
        for source_file in &mut positions {
            let wanted = |line: &&str| asked.words.iter().any(|word| line.contains(word));
            source_file.text = source_file.text.split_inclusive('\n').filter(wanted).collect();
        }
    }
    SuiteSource { suite_file: source_file, positions }
}

fn part(&asked: &Asked) -> Part {
    let task = SuiteTask {
        limits: asked.nodes.map(|nodes| Box::new(Limits::nodes(nodes))),
        per_class: asked.per_class.and_then(NonZeroUsize::new),
        ..SuiteTask::new("echo,name=Echo".parse().expect("a spec"), source(asked))
    };
    Part::without_labels(asked.suite.to_owned(), Task::Suite(task))
}

/// Rows of Echo's suites.
fn rows() -> impl Iterator<Item = &'static Catch> {
    CATCHES.iter().filter(|row| !row.suite.starts_with("mutants-"))
}

#[test]
fn every_bug_and_suite_kind_is_in_the_table() {
    // Signatures and determinism say that a search changed, but not why; of what outlives a new game
    // determinism does.
    let says_why = |row: &Catch| {
        !["signature", "determinism"].contains(&row.suite)
            || row.bug == Bug::Border(BorderFault::NewGameIgnored)
    };
    let is_caught = |bug| rows().any(|row| row.bug == bug && says_why(row));
    for mutant in Mutant::ALL {
        let by_tests = CAUGHT_BY_SEARCH_TESTS.contains(mutant);
        assert!(is_caught(Bug::Seeded(*mutant)) != by_tests, "{mutant} is caught never, or twice");
    }
    for fault in BorderFault::ALL {
        assert!(is_caught(Bug::Border(*fault)), "{fault} is never caught");
    }
    // Policies are read, efforts measured, and a bench count is compared with a baseline. Compliance and
    // dialogues are about child processes: the harness's tests have a mock engine against each clause and step.
    let kinds: Vec<&str> = rows()
        .map(|row| {
            SuiteSource::position_files(&source_file(&format!("suites/{}.toml", row.suite)))
                .map(|_| row.suite)
        })
        .collect::<Result<_, _>>()
        .expect("every row names a shipped suite");
    for kind in KINDS
        .iter()
        .filter(|kind| !["policy", "effort", "bench", "compliance", "dialogue"].contains(&kind.name))
    {
        assert!(kinds.contains(&kind.name), "{} catches nothing", kind.name);
    }
}

/// The bugs of these suites that are not detected by the suite, or not with the expected cause.
fn missed(suites: &[Asked]) -> Vec<String> {
    let workers = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let pool = PoolConfig::new(workers, Stop::default());
    let engine = "echo,name=Echo".parse().expect("a spec");
    // Echo without a bug must keep every threshold of these suites.
    let parts = suites.iter().map(part).collect();
    let hunt = Hunt::new(engine, parts, true, &pool).expect("sound suites");
    let mut missed = Vec::new();
    for row in rows().filter(|row| suites.iter().any(|suite| suite.suite == row.suite)) {
        let caught = hunt.check(row, &mut |_| {}).unwrap_or_else(|error| panic!("{row:?}: {error}"));
        if !caught.as_ref().is_some_and(|caught| caught.is_named) {
            missed.push(format!("{} in {}: {caught:?}", row.bug.name(), row.suite));
        }
    }
    missed
}

/// The suites that take the least time.
#[test]
fn bugs_in_the_rules_are_detected_with_the_expected_cause() {
    let quick: Vec<Asked> =
        SUITES.into_iter().filter(|asked| ["rule", "perft"].contains(&asked.suite)).collect();
    let missed = missed(&quick);
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn every_bug_is_detected_by_its_suite_with_the_expected_cause() {
    let missed = missed(&SUITES);
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
