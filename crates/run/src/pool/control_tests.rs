//! Runs that are paused, that end after the games in progress, and whose games are watched.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::tests::{NOW, counted, real_order, run, workers};
use super::*;
use crate::fault_budget::FaultBudget;
use crate::job::{MatchTask, Part};
use crate::job_tests;
use crate::live::{LiveJob, LiveTask};
use crate::run_record::RunRecord;
use threefold_chess::clock::Delays;
use threefold_player::{Answer, ScriptedPlayer};

/// Runs to the end or to an interruption; `observe` may use the control.
fn controlled(
    journal: &mut Journal,
    control: &RunControl,
    mut observe: impl FnMut(&RunEvent<'_>),
) -> RunStatus {
    let config = PoolConfig { control: control.clone(), ..PoolConfig::new(workers(2), Stop::default()) };
    run(journal, &config, &mut |event| observe(event)).expect("no trouble")
}

#[test]
fn ending_run_finishes_the_jobs_in_progress_and_starts_no_more() {
    let control = RunControl::default();
    let mut journal = Journal::in_memory(real_order(), NOW).expect("memory");
    let (mut started, mut ended, mut started_later) = (0, 0, 0);
    let status = controlled(&mut journal, &control, |event| match event {
        RunEvent::JobStarted { .. } => {
            started += 1;
            started_later += usize::from(control.flow() == JobFlow::Ending);
        }
        RunEvent::JobEnded { .. } => {
            ended += 1;
            if ended == 5 {
                control.set(JobFlow::Ending);
            }
        }
        _ => {}
    });
    assert_eq!(status, RunStatus::Interrupted);
    assert_eq!(started, ended, "no job in progress is lost");
    // The second game of a pair is given out before the first is reported.
    assert!((5..=7).contains(&ended) && started_later <= 1, "{ended} ended, {started_later} began later");

    let mut whole = Journal::in_memory(real_order(), NOW).expect("memory");
    assert_eq!(controlled(&mut whole, &RunControl::default(), |_| {}), RunStatus::Finished);
    assert_eq!(controlled(&mut journal, &RunControl::default(), |_| {}), RunStatus::Finished);
    assert_eq!(counted(&journal), counted(&whole));
}

#[test]
fn paused_run_starts_no_job_until_it_goes_on() {
    let control = RunControl::default();
    let mut journal = Journal::in_memory(real_order(), NOW).expect("memory");
    let (mut under_way, mut ended, mut pauses) = (0_usize, 0, 0);
    let status = std::thread::scope(|scope| {
        controlled(&mut journal, &control, |event| match event {
            RunEvent::JobStarted { .. } => under_way += 1,
            RunEvent::JobEnded { .. } => {
                under_way -= 1;
                ended += 1;
                if ended % 3 == 1 {
                    control.set(JobFlow::Paused);
                }
                if under_way == 0 && control.flow() == JobFlow::Paused {
                    // Nothing is in progress now: only the pool itself can notice that the pause is over.
                    pauses += 1;
                    let control = control.clone();
                    scope.spawn(move || {
                        std::thread::sleep(Duration::from_millis(20));
                        control.set(JobFlow::Running);
                    });
                }
            }
            _ => {}
        })
    });
    assert_eq!(status, RunStatus::Finished);
    assert!(pauses > 0, "no pause began");
    assert!(RunRecord::from_journal(&journal).expect("sound").is_done());
}

#[test]
fn message_is_waited_for_shortly_while_no_jobs_are_given_out() {
    let (sender, messages) = std::sync::mpsc::channel();
    for flow in [JobFlow::Paused, JobFlow::Ending] {
        let came = next_message(&messages, flow).err();
        assert_eq!(came, Some(RecvTimeoutError::Timeout), "{flow:?}");
    }
    drop(sender);
}

#[test]
fn stop_ends_a_paused_run() {
    let (control, stop) = (RunControl::default(), Stop::default());
    control.set(JobFlow::Paused);
    let mut journal = Journal::in_memory(real_order(), NOW).expect("memory");
    let config = PoolConfig { control, ..PoolConfig::new(workers(2), stop.clone()) };
    let status = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            stop.raise();
        });
        run(&mut journal, &config, &mut |event| {
            assert!(!matches!(event, RunEvent::JobStarted { .. }), "no job begins");
        })
    });
    assert_eq!(status.expect("no trouble"), RunStatus::Interrupted);
}

#[test]
fn watched_games_show_their_moves() {
    let live = Arc::new(LiveJobs::new(workers(2)));
    let seen: Arc<Mutex<Vec<LiveJob>>> = Arc::default();
    // Each player looks at what its worker does while it is asked.
    let launch = |spec: &EngineSpec, options: &LaunchOptions| -> Result<Box<dyn Player>, EngineFault> {
        let (live, seen) = (Arc::clone(&live), Arc::clone(&seen));
        let mut player = threefold_player::launch(spec, options)?;
        Ok(Box::new(ScriptedPlayer::new(&spec.name, move |question| {
            seen.lock().expect("no panic").extend(live.now().into_iter().flatten());
            player.answer(question)
        })))
    };
    let pool = PoolConfig::new(workers(2), Stop::default());
    let config = PoolConfig { live: Some(Arc::clone(&live)), launch: &launch, ..pool };
    let mut journal = Journal::in_memory(real_order(), NOW).expect("memory");
    assert_eq!(run(&mut journal, &config, &mut |_| {}).expect("no trouble"), RunStatus::Finished);
    let seen = seen.lock().expect("no panic");
    let game = |job: &LiveJob| match &job.task {
        LiveTask::Game(game) if game.moves.len() > 3 => Some((job.clone(), game.clone())),
        LiveTask::Game(_) | LiveTask::Case { .. } => None,
    };
    let is_case = |job: &LiveJob| matches!(&job.task, LiveTask::Case { engine, .. } if engine == "Echo");
    assert!(live.now().iter().all(Option::is_none), "nothing is done any more");
    assert!(seen.iter().any(is_case), "a case was seen");
    let (job, game) = seen.iter().find_map(game).expect("a game was seen");
    let board = job.board();
    assert_eq!(board.moves.len(), job.position.moves.len() + game.moves.len());
    assert!(threefold_oracle::Referee::new(&board).is_ok(), "the moves are legal");
    assert_eq!(game.left_at(job.begun), [None; 2], "games at fixed nodes have no clock");
}

#[test]
fn void_game_is_not_played_again_while_the_run_is_paused() {
    let (control, games) = (RunControl::default(), Arc::new(AtomicUsize::new(0)));
    let launch = |spec: &EngineSpec, _: &LaunchOptions| -> Result<Box<dyn Player>, EngineFault> {
        let (control, games) = (control.clone(), Arc::clone(&games));
        Ok(Box::new(ScriptedPlayer::new(&spec.name, move |question| {
            // The machine delays the first move of the first game, which is void.
            let is_void = question.position.moves.is_empty() && games.fetch_add(1, Ordering::Relaxed) == 0;
            let over = Duration::from_secs(if is_void { 100 } else { 0 });
            if is_void {
                control.set(JobFlow::Paused);
            }
            let delays = Some(Delays { engine: over, runner: Duration::ZERO });
            Ok(Answer { elapsed: over, delays, ..Answer::silent() })
        })))
    };
    let task = MatchTask { encounters: 1, control: "1+0.01".parse().expect("sound"), ..job_tests::task() };
    let part = Part::without_labels("m".to_owned(), Task::Match(task));
    let spec = RunSpec { parts: vec![part], max_faults: Some(FaultBudget::MATCH), ..RunSpec::default() };
    let mut journal = Journal::in_memory(spec, NOW).expect("memory");
    let config = PoolConfig {
        launch: &launch,
        control: control.clone(),
        ..PoolConfig::new(workers(1), Stop::default())
    };
    let status = std::thread::scope(|scope| {
        scope.spawn(|| {
            while control.flow() == JobFlow::Running {
                std::thread::sleep(Duration::from_millis(5));
            }
            std::thread::sleep(Duration::from_millis(200));
            assert_eq!(games.load(Ordering::Relaxed), 1, "no game begins");
            control.set(JobFlow::Running);
        });
        run(&mut journal, &config, &mut |_| {})
    });
    assert_eq!(status.expect("no trouble"), RunStatus::Finished);
    assert!(games.load(Ordering::Relaxed) > 1, "it is played again after the pause");
}
