//! Games whose time loss the machine caused are played again, and cases that the engine did not answer are run again.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use super::worker::MOST_REPLAYS;
use super::*;
use crate::fault_budget::FaultBudget;
use crate::job::{BaselineText, JobResult, MatchTask, Part, SuiteTask};
use crate::job_tests;
use crate::run_record::RunRecord;
use threefold_chess::clock::{Delays, Stop};
use threefold_games::game::GameEnd;
use threefold_player::{Answer, ScriptedPlayer, WaitLimit};
use threefold_suites::{SourceFile, SuiteSource, VerdictKind};

/// Runs a match whose first move is late in this number of games, because the engine had no CPU: the ends of
/// the games, the numbers of void games, and the games that were begun.
fn ends(late_games: usize, max_faults: Option<FaultBudget>) -> (Vec<GameEnd>, Vec<usize>, usize) {
    let begun = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&begun);
    let launch = move |spec: &EngineSpec, _: &LaunchOptions| -> Result<Box<dyn Player>, EngineFault> {
        let begun = Arc::clone(&counter);
        Ok(Box::new(ScriptedPlayer::new(&spec.name, move |question| {
            let is_first = question.position.moves.is_empty();
            let is_late = is_first && begun.fetch_add(1, Ordering::Relaxed) < late_games;
            let over = Duration::from_secs(if is_late { 100 } else { 0 });
            let delays = Some(Delays { engine: over, runner: Duration::ZERO });
            Ok(Answer { elapsed: over, delays, ..Answer::silent() })
        })))
    };
    let task = MatchTask { encounters: 1, control: "1+0.01".parse().expect("sound"), ..job_tests::task() };
    let part = Part::without_labels("m".to_owned(), Task::Match(task));
    let spec = RunSpec { parts: vec![part], max_faults, ..RunSpec::default() };
    let mut journal = Journal::in_memory(spec, SystemTime::UNIX_EPOCH).expect("memory");
    let config = PoolConfig { launch: &launch, ..PoolConfig::new(NonZeroUsize::MIN, Stop::default()) };
    let mut void = Vec::new();
    let prepared = PreparedPool::to_begin(Arc::clone(journal.spec()), &config).expect("sound");
    let status = prepared.run(&mut journal, &config, &mut |event| {
        if let RunEvent::GamesVoid { number, .. } = event {
            void.push(*number);
        }
    });
    assert_eq!(status.expect("no trouble"), RunStatus::Finished);
    let mut ends = Vec::new();
    let take = &mut |_, result: JobResult| {
        let JobResult::Game(game) = result else { return Err("a case".to_owned()) };
        ends.push(game.end);
        Ok(())
    };
    journal.contents().replay(take).expect("sound");
    (ends, void, begun.load(Ordering::Relaxed))
}

#[test]
fn time_loss_of_the_machine_is_played_again_up_to_a_limit() {
    let budget = Some(FaultBudget::MATCH);
    let (sound, _, games) = ends(0, budget);
    assert!(sound.iter().all(|end| !end.is_excused()), "{sound:?}");
    let (replayed, void, begun) = ends(2, budget);
    assert_eq!((replayed, void, begun), (sound.clone(), vec![2], games + 2));
    let (lost, void, begun) = ends(MOST_REPLAYS + 1, budget);
    assert!(lost[0].is_excused() && !lost[1].is_excused(), "{lost:?}");
    assert_eq!((void, begun), (vec![MOST_REPLAYS], games + MOST_REPLAYS));
    // Without a limit of faults, as other match runners do it.
    let (counted, void, begun) = ends(1, None);
    assert!(counted[0].is_excused(), "{counted:?}");
    assert_eq!((void, begun), (Vec::new(), games));
}

/// The verdicts on cases of one search each whose engine has this fault, or gives this answer, in some of its searches by their
/// number, and the search timeout of each process in seconds.
fn verdicts(
    cases: usize,
    faulty: &Result<Answer, EngineFault>,
    is_faulty: impl Fn(usize) -> bool + Clone + Send + Sync + 'static,
    max_faults: Option<FaultBudget>,
) -> (Vec<(VerdictKind, String)>, Vec<u64>) {
    verdicts_against(None, cases, faulty, is_faulty, max_faults)
}

/// The same with a baseline.
fn verdicts_against(
    baseline: Option<BaselineText>,
    cases: usize,
    faulty: &Result<Answer, EngineFault>,
    is_faulty: impl Fn(usize) -> bool + Clone + Send + Sync + 'static,
    max_faults: Option<FaultBudget>,
) -> (Vec<(VerdictKind, String)>, Vec<u64>) {
    let faulty = faulty.clone();
    let timeouts = Arc::new(Mutex::new(Vec::new()));
    let launched = Arc::clone(&timeouts);
    let searches = Arc::new(AtomicUsize::new(0));
    let launch = move |spec: &EngineSpec, options: &LaunchOptions| -> Result<Box<dyn Player>, EngineFault> {
        launched.lock().expect("sound").push(options.search_timeout.allowed().as_secs());
        let (faulty, is_faulty, searches) = (faulty.clone(), is_faulty.clone(), Arc::clone(&searches));
        Ok(Box::new(ScriptedPlayer::new(&spec.name, move |_| {
            let best = Some("a1a8".parse().expect("a move"));
            let is_faulty = is_faulty(searches.fetch_add(1, Ordering::Relaxed));
            if is_faulty { faulty.clone() } else { Ok(Answer { best, ..Answer::silent() }) }
        })))
    };
    let toml =
        "version = 1\nkind = \"mate\"\ntitle = \"M\"\npositions = [\"m.epd\"]\n[limits]\nnodes = 300\n";
    let file = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
    let positions =
        ["6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1 bm #1;\n", "6k1/5ppp/8/8/8/8/8/R4K2 w - - 0 1 bm #1;\n"];
    let mate = file("m.epd", &positions[..cases].concat());
    let source = SuiteSource { suite_file: file("m.toml", toml), positions: vec![mate] };
    let task = SuiteTask::new("x".parse().expect("sound"), source);
    let parts = vec![Part::without_labels("mates".to_owned(), Task::Suite(task))];
    let spec = RunSpec { parts, baseline, max_faults, ..RunSpec::default() };
    let mut journal = Journal::in_memory(spec, SystemTime::UNIX_EPOCH).expect("memory");
    let config = PoolConfig { launch: &launch, ..PoolConfig::new(NonZeroUsize::MIN, Stop::default()) };
    let prepared = PreparedPool::to_begin(Arc::clone(journal.spec()), &config).expect("sound");
    prepared.run(&mut journal, &config, &mut |_| {}).expect("no trouble");
    let run = RunRecord::from_journal(&journal).expect("sound");
    let parts = run.parts();
    let verdicts = parts[0].cases().map(|case| (case.verdict.kind(), case.verdict.reason()));
    (verdicts.collect(), timeouts.lock().expect("sound").clone())
}

/// The verdict on a case whose engine has this fault in its first searches, this many, and the search timeout of each process.
fn verdict(
    faulty: &Result<Answer, EngineFault>,
    faulty_searches: usize,
    max_faults: Option<FaultBudget>,
) -> (VerdictKind, String, Vec<u64>) {
    let (verdicts, timeouts) = verdicts(1, faulty, move |search| search < faulty_searches, max_faults);
    let (kind, reason) = verdicts[0].clone();
    (kind, reason, timeouts)
}

#[test]
fn case_without_an_answer_is_run_again_in_new_processes() {
    let budget = Some(FaultBudget::SUITE);
    let task = "answering `go`".to_owned();
    let silent = Err(EngineFault::TimedOut { task, waited: Duration::ZERO, limit: WaitLimit::Clock });
    let verdict = |faulty, budget| verdict(&silent, faulty, budget);
    let (kind, reason, timeouts) = verdict(0, budget);
    assert_eq!(kind, VerdictKind::Failed, "it plays the mate, but reports none: {reason}");
    assert_eq!(timeouts, [30]);
    let (kind, reason, timeouts) = verdict(1, budget);
    assert_eq!(
        (kind, &timeouts[..]),
        (VerdictKind::Skipped, &[30, 10, 10][..]),
        "two others answer, and have less time"
    );
    assert!(reason.starts_with("flaky: in 1 of 3 attempts, it was not done answering `go`"), "{reason}");
    let (kind, reason, timeouts) = verdict(2, budget);
    assert_eq!((kind, &timeouts[..]), (VerdictKind::Fault, &[30, 10][..]));
    assert!(reason.starts_with("no answer: "), "{reason}");
    let (kind, _, timeouts) = verdict(1, None);
    assert_eq!(
        (kind, &timeouts[..]),
        (VerdictKind::Fault, &[30][..]),
        "the run has no limit of engine faults"
    );
}

#[test]
fn engine_that_has_lost_an_answer_by_chance_gets_more_attempts() {
    let task = "answering `go`".to_owned();
    let silent = Err(EngineFault::TimedOut { task, waited: Duration::ZERO, limit: WaitLimit::Clock });
    // The first case is answered in two of three attempts, the second in none of the next nine or ten.
    let second = |lost: usize| {
        let is_faulty = move |search: usize| search == 0 || (3..3 + lost).contains(&search);
        verdicts(2, &silent, is_faulty, Some(FaultBudget::SUITE)).0[1].0
    };
    assert_eq!(
        [second(0), second(9), second(10)],
        [VerdictKind::Failed, VerdictKind::Skipped, VerdictKind::Fault]
    );
    let (_, timeouts) = verdicts(2, &silent, |search| [0, 3].contains(&search), Some(FaultBudget::SUITE));
    assert_eq!(timeouts, [30, 10, 10, 3, 10], "the first attempts have less time then");
    // An engine that has never lost one and then loses three has a fault.
    let never_before = verdicts(2, &silent, |search| (1..4).contains(&search), Some(FaultBudget::SUITE)).0;
    assert_eq!(never_before[1].0, VerdictKind::Fault);
}

#[test]
fn engine_that_lost_an_answer_in_the_baseline_gets_more_attempts_at_once() {
    let task = "answering `go`".to_owned();
    let silent = Err(EngineFault::TimedOut { task, waited: Duration::ZERO, limit: WaitLimit::Clock });
    let first = |reason: &str, lost: usize| {
        let cases = format!("suite,id,verdict,cause,detail\nmate,a,skipped,left out,{reason}\n");
        let figures = "{\"version\":1,\"figures\":{}}".to_owned();
        let baseline = Some(BaselineText { cases, figures, environment: None });
        let is_faulty = move |search: usize| search < lost;
        verdicts_against(baseline, 1, &silent, is_faulty, Some(FaultBudget::SUITE)).0[0].0
    };
    assert_eq!(
        [first("flaky", 3), first("flaky", 10), first("illegal move", 3)],
        [VerdictKind::Skipped, VerdictKind::Fault, VerdictKind::Fault]
    );
}

#[test]
fn crash_that_does_not_happen_again_is_no_fault() {
    let crash = Err(EngineFault::Ended {
        status: "signal: 11".to_owned(),
        task: "answering `go`".to_owned(),
        last_output: String::new(),
    });
    let budget = Some(FaultBudget::SUITE);
    let (kind, reason, timeouts) = verdict(&crash, 1, budget);
    assert_eq!((kind, timeouts.len()), (VerdictKind::Skipped, 3), "two other processes answer");
    assert!(reason.starts_with("crashed once: in 1 of 3 attempts, it ended (signal: 11)"), "{reason}");
    let (kind, reason, timeouts) = verdict(&crash, 2, budget);
    assert_eq!((kind, timeouts.len()), (VerdictKind::Fault, 2));
    assert!(reason.starts_with("crash: "), "{reason}");
}

#[test]
fn move_that_is_missing_once_is_no_fault_and_no_lost_answer() {
    let budget = Some(FaultBudget::SUITE);
    let no_move = Ok(Answer::silent());
    let (kind, reason, timeouts) = verdict(&no_move, 1, budget);
    assert_eq!((kind, timeouts.len()), (VerdictKind::Skipped, 3), "two other processes move");
    assert!(reason.starts_with("flaky: in 1 of 3 attempts"), "{reason}");
    let (kind, reason, _) = verdict(&no_move, 2, budget);
    assert_eq!(kind, VerdictKind::Fault);
    assert!(reason.starts_with("no move"), "{reason}");
    let (_, timeouts) = verdicts(2, &no_move, |search| search == 0, budget);
    assert!(!timeouts.contains(&3), "a later search has the same time: {timeouts:?}");
}
