//! A journal returns the results that were written to it. Damaged and foreign files are refused with the
//! reason.

use std::time::Duration;

use tempfile::TempDir;

use super::*;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, MateDistance, Ply, Score};
use threefold_games::game::{GameEnd, GameOutcome, GameRecord, GameTimes, MoveRecord};
use threefold_games::playout::adjudication::RULES;
use threefold_player::{EngineFault, EngineFile, EngineId, LimitEnforcedBy};
use threefold_suites::{CaseRecord, Cause, Measure, Verdict, VerdictKind};

const NOW: SystemTime = SystemTime::UNIX_EPOCH;

use super::spec_fixture::spec;

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
        score,
        depth: Ply(7),
        nodes: u64::MAX,
        used,
        left,
        account: left.map(|_| TIME_REPORT.parse().expect(TIME_REPORT)),
        timing: used.map(|used| reported_tests::timing(used, left)),
        details: left.map(|left| Box::new(reported_tests::details(mv, left))),
        ..MoveRecord::new(mv.parse().expect("a move"))
    };
    JobResult::Game(GameRecord {
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
        times: Some(GameTimes { begun: 1_795_530_774_123, duration: Duration::from_nanos(5) }),
        ..GameRecord::new(["A", "B"], GamePosition::start_position(), outcome, end)
    })
}

#[expect(clippy::disallowed_methods, reason = "damaged files can only be tested with files")]
pub(super) fn read_bytes(file: &Path) -> Vec<u8> {
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
    let compiler = Some("GCC: 12".to_owned());
    EngineBuild { engine: format!("./{name}"), engine_id, files: vec![file], commit: None, compiler }
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
        GameEnd::IllegalMove(String::new()),
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
    let left = read_bytes(&log);
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
    let sound = read_bytes(&folder.path().join("run.sqlite"));
    let altered = |sql: &str| {
        let file = folder.path().join("altered.sqlite");
        write(&file, &sound);
        Connection::open(&file).and_then(|db| db.execute_batch(sql)).expect("sound SQL");
        read_bytes(&file)
    };
    let table: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", Vec::new(), "is no journal of a run"),
        ("text", b"1. e4 e5 2. Nf3 and so on, long enough to be read as a header".repeat(9), "is no journal"),
        ("another database", altered("PRAGMA application_id = 7"), "is no journal of a run"),
        (
            "newer",
            altered("PRAGMA user_version = 4"),
            "format 4, and this program reads format 3; use the version that wrote it",
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
