//! Games whose time loss the machine caused are played again.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use super::worker::MOST_REPLAYS;
use super::*;
use crate::fault_budget::FaultBudget;
use crate::job::{JobResult, MatchTask, Part};
use crate::job_tests;
use threefold_chess::clock::{Delays, Stop};
use threefold_games::game::GameEnd;
use threefold_player::{Answer, ScriptedPlayer};

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
