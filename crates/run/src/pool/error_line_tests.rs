//! Engines whose standard error shows a defect: the case is a fault, and its text quotes the line.

use super::*;
use crate::job::{Part, RunSpec, SuiteTask, Task};
use crate::run_record::RunRecord;
use threefold_player::mock_engine::Mock;
use threefold_suites::{SourceFile, SuiteSource};

/// The reason of the verdict on a game of one ply.
fn reason(begin: &str, arms: &str, suite_keys: &str) -> String {
    let mock = Mock::new(begin, arms);
    let text = format!(
        "version = 1\nkind = \"smoke\"\ntitle = \"G\"\npositions = []\n{suite_keys}\n[settings]\nplies = 1\n\
         [[settings.games]]\nid = \"a\"\ncontrol = \"20\"\n"
    );
    let source =
        SuiteSource { suite_file: SourceFile { file: "g.toml".to_owned(), text }, positions: Vec::new() };
    let task = SuiteTask::new(mock.spec(), source);
    let parts = vec![Part::without_labels("g".to_owned(), Task::Suite(task))];
    let mut journal =
        Journal::in_memory(RunSpec { parts, ..RunSpec::default() }, SystemTime::UNIX_EPOCH).expect("memory");
    let config = PoolConfig::new(NonZeroUsize::MIN, Stop::default());
    let pool = PreparedPool::to_resume(&journal, &config).expect("it starts");
    assert_eq!(pool.run(&mut journal, &config, &mut |_| {}).expect("no trouble"), RunStatus::Finished);
    let run = RunRecord::from_journal(&journal).expect("sound");
    let reasons: Vec<String> = run.parts()[0].cases().map(|case| case.verdict.reason()).collect();
    reasons.concat()
}

const MOVES: &str = "go*) echo bestmove e2e4;;";
const OVERFLOW: &str = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602";

#[test]
fn a_crash_quotes_the_line_that_explains_it() {
    // A sanitizer's report is longer than the lines that are kept.
    let report = format!(
        "go*) echo '{OVERFLOW}' >&2; i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo \"  #$i\" >&2; done; kill -ABRT $$;;"
    );
    let reason = reason("", &report, "");
    assert!(reason.starts_with("crash: it ended (signal: 6"), "{reason}");
    assert!(reason.ends_with(&format!("its last output: {OVERFLOW}")), "{reason}");
}

#[test]
fn a_line_of_a_defect_is_a_fault_even_if_the_engine_plays_on() {
    let undefined = "go*) echo 'a.c:1:2: runtime error: shift' >&2; sleep 0.2; echo bestmove e2e4;;";
    assert_eq!(reason("", undefined, ""), "line on standard error: `a.c:1:2: runtime error: shift`");
    let leak = "go*) echo bestmove e2e4;;\nquit) echo 'ERROR: LeakSanitizer: 7 bytes' >&2; exit 23;;";
    assert_eq!(reason("", leak, ""), "line on standard error: `ERROR: LeakSanitizer: 7 bytes`");
    let own = "go*) echo 'TT corrupt' >&2; sleep 0.2; echo bestmove e2e4;;";
    assert_eq!(reason("", own, "error_patterns = [\"corrupt\"]"), "line on standard error: `TT corrupt`");
}

#[test]
fn other_lines_are_no_faults() {
    let passed = "no fault: 1 plies";
    for (begin, keys) in
        [("echo 'info string 4 threads' >&2", ""), ("echo Assertion >&2", "error_patterns = []")]
    {
        let reason = reason(begin, MOVES, keys);
        assert!(reason.starts_with(passed), "{reason}");
    }
}

#[test]
fn an_engine_that_crashes_or_hangs_at_its_end_is_a_fault() {
    let crash = format!("{MOVES}\nquit) kill -SEGV $$;;");
    let reason_of_crash = reason("", &crash, "");
    assert!(reason_of_crash.starts_with("crash: it ended (signal: 11"), "{reason_of_crash}");
    assert!(reason_of_crash.contains("while obeying `quit`"), "{reason_of_crash}");
}
