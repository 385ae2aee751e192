//! A run that goes on under another specification of the same jobs.

use super::tests::{NOW, spec, workers};
use super::*;
use crate::job::{Part, RunSpec, SuiteTask, Task};
use threefold_suites::{SourceFile, SuiteSource};

/// A suite of three mates that one node does not find.
fn lost_suite() -> Part {
    let source_file = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
    let toml =
        "version = 1\nkind = \"mate\"\ntitle = \"Mates\"\npositions = [\"m.epd\"]\n[limits]\nnodes = 1\n";
    let positions = "k7/8/2K5/8/8/8/8/1R6 w - - 0 1 bm #3;\nk7/8/2K5/8/8/8/8/2R5 w - - 0 1 bm #3;\n\
                     k7/8/2K5/8/8/8/8/3R4 w - - 0 1 bm #3;\n";
    let source = SuiteSource {
        suite_file: source_file("mates.toml", toml),
        positions: vec![source_file("m.epd", positions)],
    };
    let engine = "echo,name=Echo,Hash=1".parse().expect("sound");
    Part::without_labels("mates".to_owned(), Task::Suite(SuiteTask::new(engine, source)))
}

#[test]
fn remaining_jobs_follow_from_the_new_limit_of_failed_cases() {
    let stopped = RunSpec { stop_after: NonZeroUsize::new(1), ..spec(vec![lost_suite()]) };
    let mut journal = Journal::in_memory(stopped.clone(), NOW).expect("memory");
    let config = PoolConfig::new(workers(1), Stop::default());
    let ready = PreparedPool::to_resume(&journal, &config).expect("sound");
    assert_eq!(ready.run(&mut journal, &config, &mut |_| {}).expect("no trouble"), RunStatus::Finished);
    assert_eq!(journal.results(), 1);
    for (stop_after, results) in [(NonZeroUsize::new(2), 2), (None, 3)] {
        let renewed = Arc::new(RunSpec { stop_after, ..stopped.clone() });
        let ready = PreparedPool::to_resume_as(renewed, &journal, &config).expect("sound");
        assert_eq!(ready.run(&mut journal, &config, &mut |_| {}).expect("no trouble"), RunStatus::Finished);
        assert_eq!(journal.results(), results);
    }
}

#[test]
fn journal_keeps_its_specification_if_the_new_one_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.sqlite");
    let sound = spec(vec![lost_suite()]);
    let mut journal = Journal::create(&file, &sound, NOW).expect("a new file");
    let error = journal.renew(spec(vec![lost_suite(), lost_suite()])).expect_err("one name for two parts");
    assert!(error.to_string().contains("two parts are called `mates`"), "{error}");
    assert_eq!(**journal.spec(), sound);
    drop(journal);
    assert_eq!(**Journal::open(&file).expect("sound").spec(), sound);
}
