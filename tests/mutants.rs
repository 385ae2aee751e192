//! The shipped suites fail on every seeded bug, and pass without one: that is how they are known to test
//! anything.
#![cfg(feature = "mutants")]

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::SystemTime;

use threefold::clock::Stop;
use threefold::echo::mutants::Mutant;
use threefold::regress::{Baseline, Change, compare, regressions};
use threefold::suite::{Page, Source};
use threefold::work::journal::Journal;
use threefold::work::pool::{Crew, Outcome, Ready};
use threefold::work::{Order, Part, Run, SuiteTask, Task};

/// The suites that the main job runs.
const SUITES: [&str; 3] = ["repetition", "mate", "time-control"];

/// Cases that a bug must fail, so that no single case carries the proof.
const LEAST: usize = 2;

/// A mutant, the suite that kills it, the classes whose cases do, and words of the verdicts that name the bug.
struct Killing {
    mutant: Mutant,
    suite: &'static str,
    classes: &'static [&'static str],
    verdict: &'static str,
}

/// One row for each mutant.
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
    Killing { mutant: Mutant::OnlyQueens, suite: "mate", classes: &["mate-in-"], verdict: "" },
    Killing {
        mutant: Mutant::PvIllegal,
        suite: "mate",
        classes: &["mate-in-", "mated-in-"],
        verdict: "bad line: ",
    },
];

#[expect(clippy::disallowed_methods, reason = "a test of shipped files reads them")]
fn page(file: &str) -> Page {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Page { file: file.to_owned(), text }
}

fn source(suite: &str) -> Source {
    let page = page(&format!("suites/{suite}.toml"));
    let positions = Source::wanted(&page).expect("the suite names its positions");
    Source { page, positions: positions.iter().map(|file| self::page(file)).collect() }
}

/// What an engine makes of shipped suites.
fn run(engine: &str, suites: &[&str], workers: NonZeroUsize) -> Run {
    let part = |suite: &&str| Part {
        name: (*suite).to_owned(),
        task: Task::Suite(SuiteTask {
            engine: engine.parse().expect("a spec"),
            source: source(suite),
            limits: None,
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
fn every_mutant_has_its_row() {
    let rows: Vec<Mutant> = KILLINGS.iter().map(|killing| killing.mutant).collect();
    assert_eq!(rows, Mutant::ALL);
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

    for Killing { mutant, suite, classes, verdict } in KILLINGS {
        let run = run(&format!("echo,name=Echo,Mutant={mutant}"), &[suite], workers);
        let worse = worse(&run, &baseline);
        let named = worse
            .iter()
            .filter(|(class, _)| classes.iter().any(|known| class.starts_with(known)))
            .flat_map(|(_, changes)| changes)
            .filter(|change| change.now.reason.starts_with(verdict));
        let named: Vec<&str> = named.map(|change| change.id.as_str()).collect();
        eprintln!("{mutant}: {} cases: {}", named.len(), named.join(", "));
        assert!(named.len() >= LEAST, "{mutant}: {worse:#?}");
        let comparison = compare(&baseline, &Baseline::of(&run));
        assert!(!regressions(&run, Some(&comparison)).is_empty(), "{mutant}: regress would exit 0");
    }
}
