//! Complete runs with tiny searches and scripted players: what counts depends on the specification only.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::*;
use crate::distinct_pairs::PairCounting;
use crate::job::{MatchTask, Part, Purpose, RunSpec, SuiteTask, Task};
use crate::run_record::RunRecord;
use threefold_games::game::{Adjudication, GameEnd};
use threefold_games::opening::read_epd;
use threefold_games::pairing::TournamentFormat;
use threefold_games::playout::adjudication::{Like, MaxMoves, ResignRule, Rule};
use threefold_player::{Answer, ScriptedPlayer, SilenceNotice};
use threefold_stats::{EloModel, Risks, Sprt};
use threefold_suites::{SourceFile, SuiteSource, VerdictKind};

pub(super) const NOW: SystemTime = SystemTime::UNIX_EPOCH;

const MATES: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1 bm #1;\n\
    7k/8/5K2/6Q1/8/8/8/8 w - - 0 1 bm #1;\n\
    k7/8/2K5/8/8/8/8/1R6 w - - 0 1 bm #3;\n";

const BOOK: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1\n\
    r3k3/ppp5/8/8/8/8/PPP5/R3K3 w - - 0 1\n\
    3qk3/3p4/8/8/8/8/3P4/3QK3 w - - 0 1\n";

fn suite() -> Part {
    let source_file = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
    let toml =
        "version = 1\nkind = \"mate\"\ntitle = \"Mates\"\npositions = [\"m.epd\"]\n[limits]\nnodes = 300\n";
    let source = SuiteSource {
        suite_file: source_file("mates.toml", toml),
        positions: vec![source_file("m.epd", MATES)],
    };
    let engine = "echo,name=Echo,Hash=1".parse().expect("sound");
    let task = SuiteTask::new(engine, source);
    Part::without_labels("mates".to_owned(), Task::Suite(task))
}

pub(super) fn games(name: &str, engines: &[&str], pairs: usize, purpose: Purpose) -> Part {
    let engines = engines.iter().map(|text| text.parse().expect("sound")).collect();
    let openings = read_epd(BOOK).expect("sound");
    let control = "nodes=60".parse().expect("sound");
    let resign: Arc<dyn Rule> =
        Arc::new(ResignRule { moves: 2, score: 300, two_sided: false, like: Like::Threefold });
    let length = MaxMoves(NonZeroU32::new(40).expect("not zero"));
    let adjudication = Adjudication::new([resign, Arc::new(length)]);
    let (format, clock_source) = (TournamentFormat::RoundRobin, ClockSource::Wall);
    let task = MatchTask {
        format,
        control,
        clock_source,
        adjudication,
        purpose,
        ..MatchTask::new(engines, openings, pairs)
    };
    Part::without_labels(name.to_owned(), Task::Match(task))
}

pub(super) fn spec(parts: Vec<Part>) -> RunSpec {
    RunSpec { title: "a test".to_owned(), seed: 1, parts, ..RunSpec::default() }
}

/// A suite, a test that is decided early, and a round robin.
pub(super) fn real_order() -> RunSpec {
    let test =
        Sprt::new(EloModel::Normalized, -225.0, 225.0, Risks { alpha: 0.4, beta: 0.4 }).expect("sound");
    let parts = vec![
        suite(),
        games(
            "test",
            &["echo,name=Strong,nodes=1500,Hash=1", "echo,name=Weak,Hash=1"],
            12,
            Purpose::Test(test.into()),
        ),
        games(
            "ladder",
            &["echo,name=A,Hash=1", "echo,name=B,nodes=100,Hash=1", "echo,name=C,nodes=150,Hash=1"],
            3,
            Purpose::Calibration,
        ),
    ];
    // The book is too short for a test that needs many distinct pairs.
    RunSpec { counting: PairCounting::All, ..spec(parts) }
}

/// Runs what a journal lacks.
pub(super) fn run(
    journal: &mut Journal,
    config: &PoolConfig<'_>,
    observe: &mut dyn FnMut(&RunEvent<'_>),
) -> Result<RunStatus, RunError> {
    PreparedPool::to_resume(journal, config)?.run(journal, config, observe)
}

pub(super) fn workers(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("not zero")
}

/// What counts, as text: every part with its results.
pub(super) fn counted(journal: &Journal) -> Vec<String> {
    let run = RunRecord::from_journal(journal).expect("sound");
    assert!(run.is_done());
    run.parts().iter().map(|part| format!("{:?} {:#?}", part.progress.ending, part.results)).collect()
}

#[test]
fn results_do_not_depend_on_workers_or_interruptions() {
    let whole = |count| {
        let mut journal = Journal::in_memory(real_order(), NOW).expect("memory");
        let outcome = run(&mut journal, &PoolConfig::new(workers(count), Stop::default()), &mut |_| {});
        assert_eq!(outcome.expect("no trouble"), RunStatus::Finished);
        counted(&journal)
    };
    let alone = whole(1);
    assert!(
        alone[1].starts_with("Some(Accepted"),
        "{}: the test is to be decided before its budget ends",
        &alone[1][..30]
    );
    assert_eq!(alone, whole(2));

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.sqlite");
    drop(Journal::create(&file, &real_order(), NOW).expect("a new file"));
    for rounds in 0.. {
        let stop = Stop::default();
        let mut ended = 0;
        let mut journal = Journal::open(&file).expect("sound");
        let outcome = run(&mut journal, &PoolConfig::new(workers(2), stop.clone()), &mut |event| {
            if let RunEvent::JobEnded { .. } = event {
                ended += 1;
                if ended == 3 {
                    stop.raise();
                }
            }
        });
        match outcome.expect("no trouble") {
            RunStatus::Interrupted => assert!(ended >= 3, "it stops when it is expected to, not before"),
            RunStatus::ShardFinished => panic!("the run is not divided"),
            RunStatus::Finished => {
                assert!(rounds > 1, "three jobs at a time don't do this order at once");
                assert_eq!(alone, counted(&journal));
                return;
            }
        }
    }
}

#[test]
fn resumed_run_equals_an_uninterrupted_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    std::fs::create_dir(&whole).expect("a new folder");
    let mut journal = Journal::create(&whole.join("run.sqlite"), &real_order(), NOW).expect("a new file");
    let mut jobs = 0;
    let outcome = run(&mut journal, &PoolConfig::new(workers(2), Stop::default()), &mut |event| {
        if let RunEvent::JobEnded { .. } = event {
            // The files that a process killed now leaves behind.
            let left = killed.join(jobs.to_string());
            std::fs::create_dir_all(&left).expect("a new folder");
            for file in ["run.sqlite", "run.sqlite-wal"] {
                std::fs::copy(whole.join(file), left.join(file)).expect("room on the disk");
            }
            jobs += 1;
        }
    });
    assert_eq!(outcome.expect("no trouble"), RunStatus::Finished);
    for ended in (0..jobs).step_by(5) {
        let mut left = Journal::open(&killed.join(ended.to_string()).join("run.sqlite")).expect("sound");
        let mut found = 0;
        let resumed =
            run(&mut left, &PoolConfig::new(workers(2), Stop::default()), &mut |event| match event {
                RunEvent::Opened { parts, .. } => found = parts.iter().map(|part| part.ended).sum(),
                RunEvent::MakingTables { .. }
                | RunEvent::JobStarted { .. }
                | RunEvent::EngineSilent { .. }
                | RunEvent::ResultRefused { .. }
                | RunEvent::GamesVoid { .. }
                | RunEvent::TakesAdvanced { .. }
                | RunEvent::JobEnded { .. } => {}
            });
        assert_eq!((resumed.expect("no trouble"), found), (RunStatus::Finished, ended + 1));
        assert_eq!(counted(&left), counted(&journal));
    }
}

#[test]
fn worker_plays_both_games_of_a_pair() {
    let parts = vec![games("match", &["echo,name=A,Hash=1", "echo,name=B,Hash=1"], 9, Purpose::Match)];
    for count in [1, 3] {
        let mut journal = Journal::in_memory(spec(parts.clone()), NOW).expect("memory");
        run(&mut journal, &PoolConfig::new(workers(count), Stop::default()), &mut |_| {})
            .expect("no trouble");
        let run = RunRecord::from_journal(&journal).expect("sound");
        let slots = &run.parts()[0].workers;
        assert!(
            slots.len() == 18 && slots.iter().all(|slot| slot.is_some_and(|slot| slot.0 < count)),
            "{slots:?}"
        );
        let split = slots.chunks(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(split < count, "{split} pairs are split among {count}: {slots:?}");
    }
}

/// Launches players that exit at their first question, and counts them.
fn breaking_off(
    launches: &AtomicUsize,
) -> impl Fn(&EngineSpec, &LaunchOptions) -> Result<Box<dyn Player>, EngineFault> + Sync {
    |spec, _| {
        launches.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(ScriptedPlayer::new(&spec.name, |_| Err(ended()))))
    }
}

fn ended() -> EngineFault {
    EngineFault::Ended {
        status: "signal 9".to_owned(),
        task: "thinking".to_owned(),
        last_output: String::new(),
    }
}

#[test]
fn crashed_engine_is_a_result_and_is_restarted() {
    let parts = vec![suite(), games("match", &["echo,name=A", "echo,name=B"], 2, Purpose::Match)];
    let mut journal = Journal::in_memory(spec(parts), NOW).expect("memory");
    let launches = AtomicUsize::new(0);
    let launch = breaking_off(&launches);
    let config = PoolConfig { launch: &launch, ..PoolConfig::new(workers(1), Stop::default()) };
    assert_eq!(run(&mut journal, &config, &mut |_| {}).expect("no trouble"), RunStatus::Finished);
    let run = RunRecord::from_journal(&journal).expect("sound");
    let [mates, games] = &run.parts()[..] else { panic!("two parts") };
    assert!(
        mates
            .cases()
            .all(|case| case.verdict.kind() == VerdictKind::Fault
                && case.verdict.reason().contains("signal 9"))
    );
    assert!(games.games().all(
        |(_, game)| matches!(&game.end, GameEnd::EngineFault(fault) if fault.detail.contains("signal 9"))
    ));
    assert_eq!((mates.cases().count(), games.games().count()), (3, 4));
    // Three to check that they start, of which one has the first case; one for each other case, two per game.
    assert_eq!(launches.load(Ordering::Relaxed), 3 + 2 + 2 * 4);
}

#[test]
fn engine_that_cannot_start_ends_the_run_before_the_first_job() {
    let mut journal = Journal::in_memory(spec(vec![suite()]), NOW).expect("memory");
    let launch = |_: &EngineSpec, _: &LaunchOptions| {
        Err(EngineFault::CannotStart { command: "./missing".to_owned(), cause: "no such file".to_owned() })
    };
    let config = PoolConfig { launch: &launch, ..PoolConfig::new(workers(2), Stop::default()) };
    let error = run(&mut journal, &config, &mut |event| {
        assert!(matches!(event, RunEvent::Opened { .. }), "no job begins");
    });
    let error = error.expect_err("no worker can start").to_string();
    assert!(
        error.starts_with("engine `Echo` (`echo,name=Echo,Hash=1`): `./missing` can't be started"),
        "{error}"
    );
}

#[test]
fn engine_that_cannot_restart_fails_its_jobs_only() {
    let parts = vec![suite(), games("match", &["echo,name=A", "echo,name=B"], 2, Purpose::Match)];
    let mut journal = Journal::in_memory(spec(parts), NOW).expect("memory");
    let launches = AtomicUsize::new(0);
    let once = breaking_off(&launches);
    let launch = |spec: &EngineSpec, options: &LaunchOptions| {
        let player = once(spec, options);
        assert_eq!(options.restarts.get(), 3);
        assert_eq!(options.starts.get(), if launches.load(Ordering::Relaxed) > 3 { 3 } else { 1 });
        if launches.load(Ordering::Relaxed) > 4 { Err(ended()) } else { player }
    };
    let config = PoolConfig { launch: &launch, ..PoolConfig::new(workers(1), Stop::default()) };
    assert_eq!(run(&mut journal, &config, &mut |_| {}).expect("no trouble"), RunStatus::Finished);
    let run = RunRecord::from_journal(&journal).expect("sound");
    let [mates, games] = &run.parts()[..] else { panic!("two parts") };
    assert!(mates.cases().all(|case| case.verdict.kind() == VerdictKind::Fault), "{mates:?}");
    let lost = games.games().filter(|(scheduled, game)| {
        // White is started first.
        let is_whites = game.outcome == threefold_games::game::GameOutcome::Black && game.played.plies == 0;
        let name = if scheduled.white == 0 { "A" } else { "B" };
        is_whites && game.players[0] == name && matches!(game.end, GameEnd::EngineFault(_))
    });
    assert_eq!((mates.cases().count(), lost.count()), (3, 4));
}

#[test]
fn faults_caused_by_an_interruption_are_not_recorded() {
    // A Ctrl-C in a terminal also ends the engines; their faults are not their own.
    let parts = vec![suite(), games("match", &["echo,name=A", "echo,name=B"], 2, Purpose::Match)];
    let mut journal = Journal::in_memory(spec(parts), NOW).expect("memory");
    let stop = Stop::default();
    let launch = |spec: &EngineSpec, _: &LaunchOptions| -> Result<Box<dyn Player>, EngineFault> {
        let stop = stop.clone();
        Ok(Box::new(ScriptedPlayer::new(&spec.name, move |_| {
            stop.raise();
            Err(ended())
        })))
    };
    let config = PoolConfig { launch: &launch, ..PoolConfig::new(workers(2), stop.clone()) };
    assert_eq!(run(&mut journal, &config, &mut |_| {}).expect("no trouble"), RunStatus::Interrupted);
    journal.contents().replay(&mut |key, _| Err(format!("{key:?} is no finding"))).expect("an empty journal");
}

#[test]
fn case_runs_with_its_background_load() {
    let source_file = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
    let toml = "version = 1\nkind = \"time-control\"\ntitle = \"Load\"\npositions = [\"o.epd\"]\n[settings]\nplies = 4\n\
                [[settings.controls]]\ncontrol = \"1+0.01\"\npace = \"wall\"\nload = 3\n";
    let opening = source_file("o.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";");
    let source = SuiteSource { suite_file: source_file("load.toml", toml), positions: vec![opening] };
    let engine = "echo,name=Echo".parse().expect("sound");
    let task = Task::Suite(SuiteTask::new(engine, source));
    let launch = |spec: &EngineSpec, options: &LaunchOptions| -> Result<Box<dyn Player>, EngineFault> {
        assert_eq!(options.clock_source, ClockSource::Wall);
        Ok(Box::new(ScriptedPlayer::new(&spec.name, |question| {
            let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
            let best = moves[question.position.moves.len()].parse().ok();
            Ok(Answer { best, ..Answer::silent() })
        })))
    };
    let config = PoolConfig { launch: &launch, ..PoolConfig::new(workers(1), Stop::default()) };
    let part = Part::without_labels("load".to_owned(), task);
    let mut journal = Journal::in_memory(spec(vec![part]), NOW).expect("memory");
    assert_eq!(run(&mut journal, &config, &mut |_| {}).expect("no trouble"), RunStatus::Finished);
    let run = RunRecord::from_journal(&journal).expect("sound");
    let case = run.parts()[0].cases().next().expect("one case");
    assert_eq!(
        (case.verdict.kind(), case.note.as_str()),
        (VerdictKind::Passed, "clock wall, with 3 busy threads")
    );
}

#[test]
fn notice_of_a_silent_engine_reaches_the_observer() {
    let silent = SilenceNotice {
        engine: "Echo".to_owned(),
        task: "answering `go nodes 300`".to_owned(),
        silent: Duration::from_secs(10),
        left: Duration::from_secs(20),
    };
    let launch = |spec: &EngineSpec, options: &LaunchOptions| -> Result<Box<dyn Player>, EngineFault> {
        let (notices, silent) = (options.notices.clone(), silent.clone());
        Ok(Box::new(ScriptedPlayer::new(&spec.name, move |_| {
            notices.send(silent.clone());
            Ok(Answer::silent())
        })))
    };
    let config = PoolConfig { launch: &launch, ..PoolConfig::new(workers(2), Stop::default()) };
    let mut journal = Journal::in_memory(spec(vec![suite()]), NOW).expect("memory");
    let mut seen = Vec::new();
    let outcome = run(&mut journal, &config, &mut |event| {
        if let RunEvent::EngineSilent { notice } = event {
            seen.push((*notice).clone());
        }
    });
    assert_eq!(outcome.expect("no trouble"), RunStatus::Finished);
    assert_eq!(seen, vec![silent.clone(); 3], "one for each case");
    let expected =
        "engine `Echo` has said nothing for 10.0 s while answering `go nodes 300`; it has 20.0 s left";
    assert_eq!(silent.to_string(), expected);
}

#[test]
fn an_engine_is_not_started_again_for_an_option_that_it_lacks() {
    let page = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
    let control =
        |time: u8| format!("[[settings.controls]]\ncontrol = \"{time}\"\nnodes_per_second = 1000\n");
    let toml = format!(
        "version = 1\nkind = \"time-control\"\ntitle = \"T\"\npositions = [\"o.epd\"]\n[settings]\nplies = 4\n{}",
        [1, 2, 3, 4].map(control).concat()
    );
    let source = SuiteSource { suite_file: page("clocks.toml", &toml), positions: vec![page("o.epd", BOOK)] };
    let engine = "echo".parse().expect("sound");
    let task = Task::Suite(SuiteTask::new(engine, source));
    let part = Part::without_labels("clocks".to_owned(), task);
    let mut journal = Journal::in_memory(spec(vec![part]), NOW).expect("memory");
    let launches = AtomicUsize::new(0);
    let launch = |_: &EngineSpec, _: &LaunchOptions| {
        launches.fetch_add(1, Ordering::Relaxed);
        Err(EngineFault::NotSupported("option `nodestime`".to_owned()))
    };
    let config = PoolConfig { launch: &launch, ..PoolConfig::new(workers(2), Stop::default()) };
    assert_eq!(run(&mut journal, &config, &mut |_| {}).expect("no trouble"), RunStatus::Finished);
    let run = RunRecord::from_journal(&journal).expect("sound");
    let reasons: Vec<_> = run.parts()[0].cases().map(|case| case.verdict.reason()).collect();
    assert_eq!(reasons, vec!["not supported: option `nodestime`"; 4]);
    assert_eq!(launches.load(Ordering::Relaxed), 1, "before the first case");
}
