//! Whose points a game's result is, and whose fault a lost game.

use std::time::Duration;

use super::fault_budget::FaultBy;
use super::job::{MatchTask, Part, RunSpec, Task};
use threefold_chess::clock::Delays;
use threefold_chess::position::GamePosition;
use threefold_games::game::{GameEnd, GameOutcome, GameRecord};
use threefold_games::opening::Opening;
use threefold_games::pairing::TournamentFormat;
use threefold_stats::GameResult;

pub(super) fn task() -> MatchTask {
    MatchTask {
        format: TournamentFormat::Gauntlet,
        control: "1+0.01".parse().expect("sound"),
        clock_source: "wall".parse().expect("sound"),
        ..MatchTask::new(
            ["echo,name=A", "echo,name=B"].map(|text| text.parse().expect("sound")).into(),
            vec![Opening::start_position()],
            1,
        )
    }
}

fn ended(outcome: GameOutcome, end: GameEnd) -> GameRecord {
    GameRecord::new(["A", "B"], GamePosition::start_position(), outcome, end)
}

#[test]
fn result_is_that_of_the_first_engine_with_either_colour() {
    let of = |task: &MatchTask, job: usize| {
        [GameOutcome::White, GameOutcome::Draw, GameOutcome::Black]
            .map(|outcome| task.result(job, &ended(outcome, GameEnd::Checkmate)))
    };
    let with_white = [GameResult::Win, GameResult::Draw, GameResult::Loss].map(Some);
    let with_black = [GameResult::Loss, GameResult::Draw, GameResult::Win].map(Some);
    assert_eq!([0, 1].map(|job| of(&task(), job)), [with_white, with_black]);
    // No such game.
    assert_eq!(of(&task(), 2), [None; 3]);
    // A game of two others has no result for it.
    let three = MatchTask {
        engines: ["echo,name=A", "echo,name=B", "echo,name=C"]
            .map(|text| text.parse().expect("sound"))
            .into(),
        format: TournamentFormat::RoundRobin,
        encounters: 3,
        ..task()
    };
    let schedule = three.schedule();
    for job in 0..6 {
        let game = schedule.game(job).expect("three pairs of games");
        let expected = match (game.white, game.black) {
            (0, _) => with_white,
            (_, 0) => with_black,
            _ => [None; 3],
        };
        assert_eq!(of(&three, job), expected, "{game:?}");
    }
    let unconcerned = (0..6).filter(|&job| of(&three, job) == [None; 3]).count();
    assert_eq!(unconcerned, 2, "the games of B and C");
}

#[test]
fn a_time_loss_that_the_machine_caused_is_no_fault_of_an_engine() {
    let millis = Duration::from_millis;
    let late = |waited: Option<Duration>| GameEnd::TimeForfeit {
        over: millis(10),
        margin: Duration::ZERO,
        delays: waited.map(|engine| Delays { engine, runner: Duration::ZERO }),
    };
    // The first engine has White in the first game.
    for (outcome, end, expected) in [
        (GameOutcome::Black, late(None), Some(FaultBy::Tested)),
        (GameOutcome::Black, late(Some(millis(9))), Some(FaultBy::Tested)),
        (GameOutcome::Black, late(Some(millis(10))), Some(FaultBy::Machine)),
        (GameOutcome::White, late(Some(millis(9))), Some(FaultBy::Opponent)),
        (GameOutcome::White, late(Some(millis(10))), Some(FaultBy::Machine)),
        (GameOutcome::Black, GameEnd::IllegalMove("e2e5".to_owned()), Some(FaultBy::Tested)),
        (GameOutcome::Black, GameEnd::Checkmate, None),
    ] {
        let game = ended(outcome, end);
        assert_eq!(task().fault(0, &game), expected, "{game:?}");
    }
}

#[test]
fn engines_of_a_run_include_those_with_a_bye_in_the_first_round() {
    let first_round = Part::without_labels("round 1".to_owned(), Task::Match(task()));
    let mut tournament = task();
    tournament.engines.push("echo,name=C".parse().expect("sound"));
    let spec =
        RunSpec { parts: vec![first_round], tournament: Some(Box::new(tournament)), ..RunSpec::default() };
    let names: Vec<&str> = spec.engines().map(|engine| engine.name.as_str()).collect();
    assert_eq!(names, ["A", "B", "A", "B", "C"]);
}
