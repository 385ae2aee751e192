//! A journal in every situation: being created, written, read during a run, left by a killed process.

use std::fs;
use std::time::Duration;

use tempfile::TempDir;

use super::spec_fixture::spec;
use super::tests::{build, read_bytes, replayed, results, written};
use super::*;

const NOW: SystemTime = SystemTime::UNIX_EPOCH;

/// The names of the files of a folder.
fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("readable");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn held(contents: &JournalContents) -> usize {
    let mut held = 0;
    contents
        .replay(&mut |_, _| {
            held += 1;
            Ok(())
        })
        .expect("sound");
    held
}

#[test]
fn journal_is_one_file_whenever_it_is_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (journal, found) = written(&folder);
    drop(journal);
    assert_eq!(names(&folder), ["run.sqlite"]);
    drop(Journal::open(&folder.path().join("run.sqlite")).expect("sound"));
    assert_eq!(names(&folder), ["run.sqlite"]);
    assert_eq!(replayed(&Journal::open(&folder.path().join("run.sqlite")).expect("sound")), found);
}

#[test]
fn journal_file_has_the_spec_and_nearly_all_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, copy) = (folder.path().join("run.sqlite"), folder.path().join("copy.sqlite"));
    let result = &results()[0];
    let alone = || {
        fs::copy(&file, &copy).expect("room on the disk");
        let contents = JournalContents::copy_of(&copy).expect("a journal without its log");
        assert_eq!(**contents.spec(), spec());
        held(&contents)
    };
    let mut journal = Journal::create(&file, &spec(), NOW).expect("a new file");
    assert_eq!(alone(), 0);
    for job in 0..200 {
        journal.record(JobKey { part: 0, job }, result, WorkerId(0), NOW).expect("room on the disk");
        let (held, all) = (alone(), job + 1);
        assert!(held + 4 > all || held * 16 >= all * 15, "{held} of {all}");
    }
    // A slow job is written back at once.
    let later = NOW + Duration::from_secs(11);
    journal.record(JobKey { part: 1, job: 0 }, result, WorkerId(0), later).expect("room on the disk");
    assert_eq!(alone(), 201);
}

#[test]
fn contents_are_read_without_changes_during_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.sqlite");
    let mut journal = Journal::create(&file, &spec(), NOW).expect("a new file");
    let result = &results()[0];
    let mut seen = Vec::new();
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            // What is read is a prefix of what is written: jobs are written in order here.
            (0..40).map(|_| held(&JournalContents::copy_of(&file).expect("sound"))).collect::<Vec<_>>()
        });
        for job in 0..400 {
            journal.record(JobKey { part: 0, job }, result, WorkerId(0), NOW).expect("room on the disk");
        }
        seen = reader.join().expect("no panic");
    });
    assert!(seen.is_sorted() && seen.len() == 40, "{seen:?}");
    let (before, log) = (read_bytes(&file), read_bytes(&folder.path().join("run.sqlite-wal")));
    assert_eq!(held(&JournalContents::copy_of(&file).expect("sound")), 400);
    assert_eq!(names(&folder), ["run.sqlite", "run.sqlite-wal"]);
    assert!(before == read_bytes(&file) && log == read_bytes(&folder.path().join("run.sqlite-wal")));
}

#[test]
fn draft_of_a_killed_creation_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.sqlite");
    let drafts = ["run.sqlite.4711.part", "run.sqlite.1.part"].map(|name| folder.path().join(name));
    for draft in &drafts {
        fs::copy(std::env::current_exe().expect("a program"), draft).expect("room on the disk");
    }
    // Other files stay, and so does the draft of a live process.
    let others = ["run.sqlite.part", "run.sqlite.x1.part", "other.sqlite.1.part"];
    for other in others {
        fs::copy(&drafts[0], folder.path().join(other)).expect("room on the disk");
    }
    let live = fs::File::open(&drafts[1]).expect("a draft");
    live.try_lock().expect("no other process has locked it");
    let journal = Journal::create(&file, &spec(), NOW).expect("a new file");
    drop(journal);
    let mut left: Vec<&str> = others.to_vec();
    left.extend(["run.sqlite", "run.sqlite.1.part"]);
    left.sort_unstable();
    assert_eq!(names(&folder), left);
    drop(live);
    // Killed between linking and removing the draft: both are names of one file.
    fs::remove_file(&drafts[1]).expect("it is there");
    fs::hard_link(&file, &drafts[1]).expect("a file system with links");
    drop(Journal::open(&file).expect("sound"));
    assert!(!drafts[1].exists() && Journal::open(&file).is_ok());
}

#[test]
fn failed_journal_creation_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing/run.sqlite");
    let error = Journal::create(&missing, &spec(), NOW).expect_err("no such folder");
    assert!(matches!(error, JournalError::CannotOpen { .. }), "{error}");
    let taken = folder.path().join("run.sqlite");
    fs::create_dir(&taken).expect("a folder");
    assert!(matches!(Journal::create(&taken, &spec(), NOW), Err(JournalError::Exists { .. })));
    assert_eq!(names(&folder), ["run.sqlite"]);
}

#[test]
fn sessions_name_the_builds_of_their_jobs() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.sqlite");
    let mut journal = Journal::create(&file, &spec(), NOW).expect("a new file");
    let mut rebuilt = build("a");
    rebuilt.files[0].sha256 = "0b".repeat(32);
    let steps: [&[EngineBuild]; 5] =
        [&[build("a"), build("b")], &[build("a")], &[], &[rebuilt.clone()], &[rebuilt.clone(), build("b")]];
    for (job, builds) in steps.iter().enumerate() {
        journal.begin_session(builds, NOW).expect("room on the disk");
        journal.record(JobKey { part: 0, job }, &results()[0], WorkerId(0), NOW).expect("room on the disk");
        drop(journal);
        journal = Journal::open(&file).expect("sound");
    }
    let contents = journal.contents();
    let sessions = contents.sessions().expect("sound");
    assert_eq!(sessions, [vec![build("a"), build("b")], vec![rebuilt, build("b")]]);
    let reported: Vec<_> = contents.job_contexts().expect("sound").values().map(|it| it.session).collect();
    assert_eq!(reported, [0, 0, 0, 1, 1].map(Some));
}
