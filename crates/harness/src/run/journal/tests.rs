//! A journal returns the results that were written to it. Damaged and foreign files are refused with the reason.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::arena::game::{Adjudication, GameEnd, GameOutcome, GameRecord, GameTimes, MoveRecord};
use crate::arena::opening::Opening;
use crate::arena::pairing::{Colours, ScheduleRules, TournamentFormat};
use crate::arena::pgn::PgnOptions;
use crate::player::{EngineFault, EngineFile, EngineId, LimitEnforcedBy};
use crate::playout::adjudication::{DrawRule, Like, MaxMoves, RULES, ResignRule, Rule};
use crate::run::Labels;
use crate::run::job::{
    BaselineText, ComparisonUse, MatchTask, Outputs, Part, Purpose, ReportSetName, RunConditions, RunOrigin,
    RunOwner, SuiteTask, Task, ThresholdUse, Undecided,
};
use crate::suite::{CaseRecord, Cause, Measure, SourceFile, SuiteSource, Verdict, VerdictKind};
use threefold_chess::clock::{Clocks, Limits, Remaining};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, MateDistance, Ply, Score};
use threefold_stats::{EloModel, Overshoot, Risks, Sprt, SprtConfig, TrialUnit};

const NOW: SystemTime = SystemTime::UNIX_EPOCH;

fn source_file(file: &str, text: &str) -> SourceFile {
    SourceFile { file: file.to_owned(), text: text.to_owned() }
}

fn suite(limits: Option<Limits>) -> Task {
    Task::Suite(SuiteTask {
        engine: "./engine --quiet,name=Other,Hash=16".parse().expect("sound"),
        source: SuiteSource {
            suite_file: source_file("s.toml", "version = 1\n"),
            positions: vec![source_file("p.csv", "id,fen\n\"\"")],
        },
        timemargin: limits.and_then(|limits| limits.movetime),
        limits: limits.map(Box::new),
        left_out: vec!["left.out".to_owned()],
        per_class: NonZeroUsize::new(12),
    })
}

pub(super) fn games(purpose: Purpose, control: &str, pace: &str, adjudication: Adjudication) -> Task {
    let line = GamePosition::parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4 e8d7").expect("sound");
    Task::Match(MatchTask {
        engines: ["echo,name=A,nodes=500", "echo,name=B,restart=on"]
            .map(|text| text.parse().expect("sound"))
            .into(),
        openings: vec![
            Opening { line, eco: Some("C20".to_owned()), name: Some("a pawn".to_owned()) },
            Opening { line: GamePosition::start_position(), eco: None, name: None },
        ],
        format: TournamentFormat::Gauntlet,
        pairs: 7,
        control: control.parse().expect("sound"),
        pace: pace.parse().expect("sound"),
        adjudication,
        budget: matches!(purpose, Purpose::Test(_)).then_some(Duration::from_millis(1_500)),
        pgn: PgnOptions { site: Some("here".to_owned()), ..PgnOptions::default() },
        purpose,
        rules: ScheduleRules { colours: Colours::AlternateReversed, ..ScheduleRules::default() },
        wait: Duration::from_millis(5),
    })
}

const BATCH: NonZeroU32 = NonZeroU32::new(8).expect("not zero");

/// A specification with every variant.
pub(super) fn spec() -> RunSpec {
    let [name, user, seal] = ["m", "1000", "5e"].map(str::to_owned);
    let side = |time, increment| Remaining {
        time: Duration::from_nanos(time),
        increment: Duration::from_millis(increment),
    };
    let limits = Limits {
        clocks: Some(Clocks { white: side(1, 2), black: side(3, 4), moves_to_go: Some(5) }),
        movetime: Some(Duration::from_micros(1500)),
        nodes: Some(u64::MAX),
        depth: Some(Ply(9)),
        mate: Some(3),
    };
    let rules = Adjudication::new([
        Arc::new(DrawRule { from_move: 34, moves: 8, score: 20 }) as Arc<dyn Rule>,
        Arc::new(ResignRule { moves: 3, score: 600, two_sided: true, like: Like::Threefold }),
        Arc::new(MaxMoves(NonZeroU32::new(200).expect("not zero"))),
    ]);
    let test = Sprt::new(EloModel::Logistic, -1.75, 0.1, Risks { alpha: 0.05, beta: 0.1 }).expect("sound");
    let test = SprtConfig::new(test, TrialUnit::Games, BATCH, Overshoot::Correct).expect("sound");
    let tasks = [
        suite(None),
        suite(Some(limits)),
        games(Purpose::Match, "40/60+0.5,timemargin=20", "wall", Adjudication::default()),
        games(Purpose::Test(test), "nodes=4000", "virtual:400000", rules.clone()),
        games(Purpose::Calibration, "inf", "wall", rules),
    ];
    let part = |(n, task)| Part { name: format!("part {n}"), labels: Labels::NONE.with("n", n), task };
    RunSpec {
        title: "everything at once".to_owned(),
        origin: RunOrigin {
            command: "threefold regress".to_owned(),
            machine: "a machine".to_owned(),
            folder: Some("/home/a".into()),
            owner: Some(RunOwner { machine: name, user, seal: Some(seal) }),
            conditions: RunConditions {
                concurrency: NonZeroUsize::new(3),
                startup: Some(Duration::from_millis(2500)),
                search_timeout: Some(Duration::from_millis(1500)),
            },
        },
        seed: u64::MAX,
        parts: tasks.into_iter().enumerate().map(part).collect(),
        outputs: Outputs {
            reports: Some("out".into()),
            games: Some("a b.pgn".into()),
            games_start: 1234,
            prints_checksum: true,
            final_positions: Some("ends.epd".into()),
            final_positions_start: 5,
            found_mates: Some("found.epd".into()),
            missed_mates: Some("missed.epd".into()),
            baseline: Some("base".into()),
            report_set: ReportSetName::CASES.into(),
        },
        baseline: Some(BaselineText { cases: "suite,id\n".to_owned(), figures: "{}".to_owned() }),
        max_faults: Some(crate::run::FaultBudget::SUITE),
        counting: crate::run::PairCounting::All,
        undecided: Undecided::Fail,
        comparison: ComparisonUse::Required,
        thresholds: ThresholdUse::Ignore,
        warnings: game_warning::tests::policy(),
        knockout: None,
    }
}

fn case(mark: VerdictKind, score: Option<Score>) -> JobResult {
    JobResult::Case(CaseRecord {
        suite: "repetition".to_owned(),
        id: "walk-back-1".to_owned(),
        class: "dawdle".to_owned(),
        engine: "Echo".to_owned(),
        accepted: "e2e4".to_owned(),
        note: "by the rules; \"quoted\", and a\nline".to_owned(),
        line: "fen 8/8/8/8/8/8/8/8 w - - 0 1".parse().expect("a line"),
        verdict: Verdict {
            limit_enforced_by: if mark == VerdictKind::Skipped {
                LimitEnforcedBy::Harness
            } else {
                LimitEnforcedBy::Engine
            },
            played: "e2e3".to_owned(),
            score,
            depth: Ply(12),
            nodes: 20_000,
            pv: "e2e3 e7e5".to_owned(),
            measures: vec![Measure::count("best mates", 1), Measure::share("points", 3, 10)],
            time: (mark == VerdictKind::Failed).then(|| Duration::from_nanos(1_830_000_001)),
            ..Verdict::unanswered(Cause::unclassified(mark), "missed")
        },
    })
}

const TIME_REPORT: &str =
    "time budget 466.1 most 1600 used 310.02 tree 123456 reused 3400 left 24.5 nps 812345 end settled";

fn game(outcome: GameOutcome, end: GameEnd) -> JobResult {
    let played = |mv: &str, score, used, left| MoveRecord {
        mv: mv.parse().expect("a move"),
        score,
        depth: Ply(7),
        nodes: u64::MAX,
        used,
        left,
        account: left.map(|_| TIME_REPORT.parse().expect(TIME_REPORT)),
        timing: used.map(|used| reported_tests::timing(used, left)),
        details: left.map(|left| Box::new(reported_tests::details(mv, left))),
    };
    JobResult::Game(GameRecord {
        players: ["A".to_owned(), "B".to_owned()],
        opening: GamePosition::start_position(),
        played: vec![
            played(
                "e2e4",
                Some(Score::Cp(Centipawns(-31))),
                Some(Duration::from_nanos(1)),
                Some(Duration::from_mins(1)),
            ),
            played("e7e8q", Some(Score::Mate(MateDistance::from_plies(Ply(4)))), None, None),
            played("e1g1", None, None, None),
        ],
        warnings: vec![game_warning::tests::warning()],
        shadow: Vec::new(),
        outcome,
        end,
        times: Some(GameTimes { begun: 1_795_530_774_123, duration: Duration::from_nanos(5) }),
    })
}

#[expect(clippy::disallowed_methods, reason = "damaged files can only be tested with files")]
pub(super) fn read(file: &Path) -> Vec<u8> {
    std::fs::read(file).expect("readable")
}

#[expect(clippy::disallowed_methods, reason = "damaged files can only be tested with files")]
fn write(file: &Path, bytes: &[u8]) {
    std::fs::write(file, bytes).expect("room on the disk");
}

/// A build of an engine with this name.
pub(super) fn build(name: &str) -> EngineBuild {
    let file = EngineFile { path: format!("/bin/{name}"), size: 7, sha256: "0a".repeat(32) };
    let engine_id = EngineId { name: Some(name.to_owned()), author: None };
    EngineBuild { engine: format!("./{name}"), engine_id, files: vec![file], commit: None }
}

/// Every kind of result.
pub(super) fn results() -> Vec<JobResult> {
    let mut results: Vec<JobResult> = VerdictKind::ALL.iter().map(|&kind| case(kind, None)).collect();
    results.push(case(VerdictKind::Passed, Some(Score::Cp(Centipawns(i32::MIN)))));
    results.push(case(VerdictKind::Passed, Some(Score::Mate(MateDistance::from_plies(Ply(0))))));
    let (over, margin) = (Duration::from_micros(12), Duration::ZERO);
    let ends = [
        GameEnd::Checkmate,
        GameEnd::Stalemate,
        GameEnd::Threefold,
        GameEnd::FiftyMoves,
        GameEnd::InsufficientMaterial,
        GameEnd::TimeForfeit { over, margin, delays: None },
        GameEnd::TimeForfeit { over, margin, delays: Some(time_forfeit_tests::delays(7, 8)) },
        GameEnd::IllegalMove("e9e4".to_owned()),
        GameEnd::EngineFault((&EngineFault::ProtocolBreach("no info".to_owned())).into()),
    ];
    let ends = ends.into_iter().chain(RULES.iter().map(GameEnd::Adjudicated));
    let outcomes = [GameOutcome::White, GameOutcome::Black, GameOutcome::Draw];
    results.extend(ends.zip(outcomes.into_iter().cycle()).map(|(end, outcome)| game(outcome, end)));
    results
}

pub(super) fn replayed(journal: &Journal) -> Vec<(JobKey, JobResult)> {
    let mut found = Vec::new();
    journal
        .contents()
        .replay(&mut |key, result| {
            found.push((key, result));
            Ok(())
        })
        .expect("sound");
    found
}

/// A journal in a new folder, with every result, written in reverse order.
pub(super) fn written(folder: &TempDir) -> (Journal, Vec<(JobKey, JobResult)>) {
    let mut journal = Journal::create(&folder.path().join("run.sqlite"), &spec(), NOW).expect("a new file");
    let key = |n| JobKey { part: n / 4, job: n % 4 };
    let found: Vec<_> = results().into_iter().enumerate().map(|(n, result)| (key(n), result)).collect();
    for (key, result) in found.iter().rev() {
        journal.record(*key, result, WorkerId(key.job), NOW).expect("room on the disk");
    }
    (journal, found)
}

#[test]
fn journal_returns_written_results_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let (journal, found) = written(&folder);
    assert_eq!(replayed(&journal), found);
    drop(journal);
    let journal = Journal::open(&folder.path().join("run.sqlite")).expect("sound");
    assert_eq!(**journal.spec(), spec());
    assert_eq!(replayed(&journal), found);
}

#[test]
fn journal_of_version_1_is_read_and_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.sqlite");
    let (journal, found) = written(&folder);
    let contexts = |journal: &Journal| journal.contents().job_contexts().expect("sound");
    let before = contexts(&journal);
    assert!(
        before.len() == found.len() && before.iter().all(|(key, it)| it.worker == Some(WorkerId(key.job)))
    );
    drop(journal);
    let db = Connection::open(&file).expect("the journal is closed");
    let older =
        "ALTER TABLE finding DROP COLUMN slot; ALTER TABLE finding DROP COLUMN session; DROP TABLE session;
                 PRAGMA user_version = 1";
    db.execute_batch(older).expect("sound SQL");
    drop(db);
    let bytes = read(&file);
    let copied = JournalContents::copy_of(&file).expect("version 1");
    assert!(copied.job_contexts().expect("sound").values().all(|it| *it == JobContext::default()));
    assert!(read(&file) == bytes, "reading writes nothing");
    let mut journal = Journal::open(&file).expect("version 1");
    assert_eq!(replayed(&journal), found);
    let key = JobKey { part: 99, job: 0 };
    journal.begin_session(&[build("a")], NOW).expect("room on the disk");
    journal.record(key, &found[0].1, WorkerId(3), NOW).expect("room on the disk");
    drop(journal);
    let again = contexts(&Journal::open(&file).expect("version 3 by now"));
    let newest = JobContext { worker: Some(WorkerId(3)), session: Some(0) };
    let reported: Vec<_> = again.into_iter().filter(|(_, it)| *it != JobContext::default()).collect();
    assert_eq!(reported, [(key, newest)]);
}

#[test]
fn killed_process_loses_no_written_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let (journal, found) = written(&folder);
    // A killed process leaves the files as they are while the journal is open.
    let left = tempfile::tempdir().expect("a folder");
    for entry in std::fs::read_dir(folder.path()).expect("readable") {
        let entry = entry.expect("readable");
        std::fs::copy(entry.path(), left.path().join(entry.file_name())).expect("room on the disk");
    }
    assert!(left.path().join("run.sqlite-wal").exists(), "the test needs a write-ahead log");
    let found_again = replayed(&Journal::open(&left.path().join("run.sqlite")).expect("sound"));
    assert_eq!(found_again, found);
    drop(journal);
}

#[test]
fn job_is_written_once_and_open_journal_is_locked() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.sqlite");
    let (mut journal, found) = written(&folder);
    let again = journal.record(found[0].0, &found[1].1, WorkerId(0), NOW);
    assert!(matches!(again, Err(JournalError::CannotWrite { .. })), "{again:?}");
    assert_eq!(replayed(&journal), found);
    assert!(matches!(Journal::open(&file), Err(JournalError::InUse { .. })));
    assert!(matches!(Journal::create(&file, &spec(), NOW), Err(JournalError::Exists { .. })));
    drop(journal);
    Journal::open(&file).expect("the journal is closed");
}

#[test]
fn new_journal_ignores_an_old_write_ahead_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, log] = ["run.sqlite", "run.sqlite-wal"].map(|name| folder.path().join(name));
    let (journal, _) = written(&folder);
    let left = read(&log);
    drop(journal);
    std::fs::remove_file(&file).expect("the journal is closed");
    write(&log, &left);
    let journal = Journal::create(&file, &spec(), NOW).expect("a new file");
    assert_eq!(replayed(&journal), []);
}

#[test]
fn invalid_journals_are_refused_with_a_remedy() {
    let folder = tempfile::tempdir().expect("a folder");
    let (journal, _) = written(&folder);
    drop(journal);
    let sound = read(&folder.path().join("run.sqlite"));
    let altered = |sql: &str| {
        let file = folder.path().join("altered.sqlite");
        write(&file, &sound);
        Connection::open(&file).and_then(|db| db.execute_batch(sql)).expect("sound SQL");
        read(&file)
    };
    let table: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", Vec::new(), "is no journal of a run"),
        ("text", b"1. e4 e5 2. Nf3 and so on, long enough to be read as a header".repeat(9), "is no journal"),
        ("another database", altered("PRAGMA application_id = 7"), "is no journal of a run"),
        (
            "newer",
            altered("PRAGMA user_version = 4"),
            "format 4, and this program reads format 3; use a newer",
        ),
        ("cut", sound[..sound.len() / 2].to_vec(), "is damaged"),
        ("no order", altered("DELETE FROM run"), "is damaged"),
        (
            "another order",
            altered("UPDATE run SET ordered = '{\"title\":3}'"),
            "is damaged: its order: invalid type",
        ),
    ];
    for (name, bytes, message) in table {
        let file = folder.path().join(format!("{name}.sqlite"));
        write(&file, &bytes);
        let error = Journal::open(&file).expect_err(name).to_string();
        assert!(error.contains(message) && error.contains(name), "{name}: {error}");
    }
    let missing = Journal::open(&folder.path().join("missing.sqlite")).expect_err("no file").to_string();
    assert!(missing.contains("can't be opened") && missing.contains("check the path"), "{missing}");
    assert!(!folder.path().join("missing.sqlite").exists(), "opening a missing file must not create it");
}

#[test]
fn invalid_result_is_reported_as_damage() {
    let mut journal = Journal::in_memory(spec(), NOW).expect("memory");
    journal.record(JobKey { part: 1, job: 2 }, &results()[0], WorkerId(0), NOW).expect("memory");
    let error = journal
        .contents()
        .replay(&mut |_, _| Err("`x` is not case 2".to_owned()))
        .expect_err("refused")
        .to_string();
    assert!(error.contains("is damaged: case 3 of `part 1`: `x` is not case 2"), "{error}");
}
