//! The lines of a run in a pipe, under a virtual clock.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use shakmaty::Color;

use super::*;
use threefold_chess::position::GamePosition;
use threefold_games::game::{GameEnd, GameOutcome, GameRecord};
use threefold_games::opening::Opening;
use threefold_games::warning::{GameWarning, WarningPolicy, WarningRule};
use threefold_run::scheduler::PartExtent;
use threefold_run::{JobKey, JobResult, MatchTask, Part, Purpose, Scheduler, Task, WorkerId};
use threefold_stats::{EloModel, GameResult, Overshoot, Risks, Sprt, SprtConfig, TrialUnit};

fn task(engines: &[&str], pairs: usize, purpose: Purpose) -> MatchTask {
    MatchTask {
        purpose,
        ..MatchTask::new(
            engines.iter().map(|name| format!("echo,name={name}").parse().expect("a spec")).collect(),
            vec![Opening::start_position()],
            pairs,
        )
    }
}

fn game(white: &str, black: &str, outcome: GameOutcome) -> JobResult {
    JobResult::Game(GameRecord::new(
        [white, black].map(str::to_owned),
        GamePosition::start_position(),
        outcome,
        GameEnd::Checkmate,
    ))
}

/// A game from an opening of its own: equal games count once.
fn game_of_job(job: usize, outcome: GameOutcome) -> JobResult {
    let JobResult::Game(record) = game("", "", outcome) else { panic!("it is a game") };
    let opening = format!("4k3/8/8/8/8/8/8/4K2R w - - 0 {}", job + 1);
    JobResult::Game(GameRecord { opening: GamePosition::parse(&opening, "").expect("a position"), ..record })
}

/// The lines of a match whose games end at these intervals, one after another. The results are those of the
/// first engine.
fn lines(task: &MatchTask, interval: ReportInterval, each: Duration, results: &str) -> Vec<String> {
    let extent = PartExtent { budget: task.budget, ..task.extent() };
    let spec = RunSpec {
        parts: vec![Part::without_labels("games".to_owned(), Task::Match(task.clone()))],
        ..RunSpec::default()
    };
    let (clock, printed) = (Cell::new(Duration::ZERO), RefCell::new(Vec::new()));
    let print = |line: &str| printed.borrow_mut().push(line.to_owned());
    let mut display = Display::of(&spec, Form::Lines(interval), || clock.get(), print);
    let mut scheduler = Scheduler::new([extent]);
    display.show(&RunEvent::Opened {
        spec: &spec,
        parts: &scheduler.parts().collect::<Vec<_>>(),
        offers: &[],
    });
    for (job, result) in results.chars().enumerate() {
        let key = JobKey { part: 0, job };
        display.show(&RunEvent::JobStarted { key });
        clock.set(clock.get() + each);
        let (outcome, points) = match (result, job % 2) {
            ('w', 0) => (GameOutcome::White, GameResult::Win),
            ('w', _) => (GameOutcome::Black, GameResult::Win),
            ('d', _) => (GameOutcome::Draw, GameResult::Draw),
            (_, 0) => (GameOutcome::Black, GameResult::Loss),
            _ => (GameOutcome::White, GameResult::Loss),
        };
        scheduler.record(key, Some(points).into());
        let progress = scheduler.progress(0).expect("there is one part");
        display.show(&RunEvent::JobEnded {
            key,
            worker: WorkerId(0),
            result: &game_of_job(job, outcome),
            progress: &progress,
        });
    }
    drop(display);
    printed.into_inner()
}

fn duel(pairs: usize) -> MatchTask {
    task(&["A", "B"], pairs, Purpose::Match)
}

fn sprt(pairs: usize) -> MatchTask {
    let sprt = Sprt::new(EloModel::Normalized, 0.0, 60.0, Risks::USUAL).expect("a sound test");
    let one = std::num::NonZeroU32::MIN;
    let config = SprtConfig::new(sprt, TrialUnit::Pairs, one, Overshoot::Ignore).expect("a sound test");
    task(&["A", "B"], pairs, Purpose::Test(config.into()))
}

#[test]
fn usual_lines_of_short_and_long_games() {
    let results = "wdlddwld".repeat(5);
    let table = [
        // seconds a game, lines with the last one
        (1, 1),
        // Every 60 s.
        (5, 4),
        // Every 10 games.
        (30, 4),
        // Every 10 minutes.
        (300, 20),
    ];
    for (seconds, number) in table {
        let printed = lines(&duel(20), ReportInterval::Usual, Duration::from_secs(seconds), &results);
        assert_eq!(printed.len(), number, "{seconds} s: {printed:#?}");
    }
}

#[test]
fn line_of_a_match_has_its_result_speed_and_time_left() {
    let printed = lines(&duel(10), ReportInterval::Jobs(8), Duration::from_secs(30), "wdlddwldwdlddwldwwdd");
    assert_eq!(
        printed,
        [
            "games                 8/20   W-D-L 2-4-2, Elo +0.0 ± 186.3, 2.0 games/min, 6 min left",
            "games                16/20   W-D-L 4-8-4, Elo +0.0 ± 125.6, 2.0 games/min, 2 min left",
            "games                20/20   W-D-L 6-10-4, Elo +34.8 ± 122.1, done",
        ]
    );
}

#[test]
fn line_of_a_test_has_its_ratio_and_expected_time() {
    let results = "wdlddwld".repeat(5);
    let printed = lines(&sprt(2000), ReportInterval::Jobs(20), Duration::from_secs(30), &results);
    assert_eq!(
        printed,
        [
            "games                20/4000 W-D-L 5-10-5, Elo +0.0 (95 % at any time: -213.5 to +213.5), LLR -0.29 of -2.94 (10 %), 2.0 games/min, 82 min left",
            "games                40/4000 W-D-L 10-20-10, Elo +0.0 (95 % at any time: -135.6 to +135.6), LLR -0.58 of -2.94 (20 %), 2.0 games/min, 74 min left",
        ]
    );
}

#[test]
fn line_of_a_test_says_which_pairs_it_waits_for() {
    // Sixteen pairs, all won: the LLR is beyond the bound. Four more are needed.
    let printed = lines(&sprt(2000), ReportInterval::Jobs(32), Duration::from_secs(30), &"w".repeat(32));
    let [line] = &printed[..] else { panic!("{printed:#?}") };
    let end = "(100 %); waits for 20 pairs that are not level, 16 so far, 2.0 games/min, 4 min left";
    assert!(line.ends_with(end), "{line}");
}

#[test]
fn decided_test_has_one_last_line() {
    let results = "w".repeat(60);
    let printed = lines(&sprt(2000), ReportInterval::Usual, Duration::from_millis(1), &results);
    let [line] = &printed[..] else { panic!("{printed:#?}") };
    assert!(line.ends_with("(100 %), H1 accepted"), "{line}");
}

#[test]
fn round_robin_has_no_result_of_its_first_engine() {
    let task = task(&["A", "B", "C"], 3, Purpose::Match);
    let printed = lines(&task, ReportInterval::Jobs(4), Duration::from_secs(30), "wwddll");
    assert_eq!(
        printed,
        ["games                 4/6    2.0 games/min, 60 s left", "games                 6/6    done"]
    );
}

#[test]
fn first_warning_of_each_engine_and_rule_is_a_line() {
    let warning = |rule, side| GameWarning {
        rule,
        side,
        count: 9,
        ply: 0,
        detail: "bestmove e2e4".to_owned(),
        line: None,
    };
    let spec = |ignored: &[WarningRule]| RunSpec {
        parts: vec![Part::without_labels("m".to_owned(), Task::Match(task(&["A", "B"], 1, Purpose::Match)))],
        warnings: WarningPolicy { ignored: ignored.iter().copied().collect(), strict: false },
        ..RunSpec::default()
    };
    let lines = |ignored: &[WarningRule]| {
        let printed = RefCell::new(Vec::new());
        let print = |line: &str| printed.borrow_mut().push(line.to_owned());
        let spec = spec(ignored);
        let mut display = Display::of(&spec, Form::Nothing, || Duration::ZERO, print);
        let mut scheduler = Scheduler::new([PartExtent::of_cases(2)]);
        display.show(&RunEvent::Opened {
            spec: &spec,
            parts: &scheduler.parts().collect::<Vec<_>>(),
            offers: &[],
        });
        for (job, players) in [["A", "B"], ["B", "A"]].into_iter().enumerate() {
            let JobResult::Game(mut record) = game(players[0], players[1], GameOutcome::Draw) else {
                panic!()
            };
            record.warnings = vec![
                warning(WarningRule::NoScore, Color::White),
                warning(WarningRule::MateSigns, Color::Black),
            ];
            let (key, result) = (JobKey { part: 0, job }, JobResult::Game(record));
            scheduler.record(key, Some(GameResult::Draw).into());
            let progress = scheduler.progress(0).expect("there is one part");
            display.show(&RunEvent::JobEnded {
                key,
                worker: WorkerId(0),
                result: &result,
                progress: &progress,
            });
        }
        drop(display);
        printed.into_inner()
    };
    let all = lines(&[]);
    assert_eq!(all.len(), 4, "two engines, two rules: {all:#?}");
    assert_eq!(
        all[0],
        "warning: A: no-score: The engine moves without having reported a score; game 1: bestmove e2e4; position fen \
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    assert_eq!(lines(&[WarningRule::NoScore, WarningRule::MateSigns]), Vec::<String>::new());
}
