//! Whose fault a lost game is.

use std::time::Duration;

use super::fault_budget::FaultBy;
use super::job::{MatchTask, Purpose};
use crate::arena::game::{Adjudication, GameEnd, GameOutcome, GameRecord, MoveRecord};
use crate::arena::opening::Opening;
use crate::arena::pairing::{ScheduleRules, TournamentFormat};
use crate::arena::pgn::PgnOptions;
use threefold_chess::clock::Delays;
use threefold_chess::position::GamePosition;

pub(super) fn task() -> MatchTask {
    MatchTask {
        engines: ["echo,name=A", "echo,name=B"].map(|text| text.parse().expect("sound")).into(),
        openings: vec![Opening { line: GamePosition::start_position(), eco: None, name: None }],
        format: TournamentFormat::Gauntlet,
        pairs: 1,
        control: "1+0.01".parse().expect("sound"),
        pace: "wall".parse().expect("sound"),
        adjudication: Adjudication::default(),
        purpose: Purpose::Match,
        budget: None,
        rules: ScheduleRules::default(),
        wait: Duration::ZERO,
        pgn: PgnOptions::default(),
    }
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
        let game = GameRecord {
            players: ["A", "B"].map(str::to_owned),
            opening: GamePosition::start_position(),
            played: Vec::<MoveRecord>::new(),
            warnings: Vec::new(),
            shadow: Vec::new(),
            outcome,
            end,
            times: None,
        };
        assert_eq!(task().fault(0, &game), expected, "{game:?}");
    }
}
