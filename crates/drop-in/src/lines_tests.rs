//! The lines of whole runs, to the letter.

use std::path::Path;
use std::time::Duration;

use super::*;
use threefold_chess::position::GamePosition;
use threefold_games::game::{GameEnd, GameOutcome};
use threefold_games::opening::Opening;
use threefold_player::EngineSpec;
use threefold_run::scheduler::Scheduler;
use threefold_run::{Purpose, WorkerId};
use threefold_stats::{EloModel, Risks, Sprt};

fn task(names: &[&str], pairs: usize, purpose: Purpose) -> MatchTask {
    let spec = |name: &&str| format!("{name},tc=10+0.1,Threads=1,Hash=16").parse().expect("sound");
    let engines: Vec<EngineSpec> = names.iter().map(spec).collect();
    let with_name = |(engine, name): (EngineSpec, &&str)| engine.with(&[("name", *name)]).expect("a name");
    MatchTask {
        purpose,
        ..MatchTask::new(
            engines.into_iter().zip(names).map(with_name).collect(),
            vec![Opening { history: GamePosition::start_position(), eco: None, name: None }],
            pairs,
        )
    }
}

/// Games in the order in which they end: number from 1, outcome, end.
type Ended = (usize, GameOutcome, GameEnd);

/// Starts and ends games one after the other, and prints the end.
fn printed(task: &MatchTask, intervals: Intervals, ended: &[Ended]) -> String {
    let mut out = Vec::new();
    let heading = Heading::new(&task.engines, Some(Path::new("book.epd")));
    let mut lines = Lines::new(&mut out, task.clone(), heading, intervals);
    let extent = task.extent();
    let mut scheduler = Scheduler::new([extent]);
    for (number, outcome, end) in ended {
        let key = JobKey { part: 0, job: number - 1 };
        lines.take(&RunEvent::JobStarted { key });
        let played = task.schedule().game(key.job).expect("scheduled");
        let players = [played.white, played.black].map(|engine| task.engines[engine].name.clone());
        let opening = GamePosition::start_position();
        let (outcome, end) = (*outcome, end.clone());
        let game = GameRecord::new(players, opening, outcome, end);
        scheduler.record(key, task.result(key.job, &game).into());
        let progress = scheduler.progress(0).expect("a part");
        lines.take(&RunEvent::JobEnded {
            key,
            worker: WorkerId(0),
            result: &JobResult::Game(game),
            progress: &progress,
        });
    }
    lines.end(&["Finished match".to_owned()]).expect("memory takes all");
    String::from_utf8(out).expect("text")
}

const FASTCHESS: Intervals =
    Intervals { form: Form::Fastchess, unit: Unit::Pairs, rating: 1, score: 1, checked: Checked::Usual };

#[test]
fn fastchess_lines_have_a_block_for_every_finished_pair() {
    let late = GameEnd::TimeForfeit { over: Duration::from_millis(7), margin: Duration::ZERO, delays: None };
    let games = [
        (1, GameOutcome::White, GameEnd::Checkmate),
        (3, GameOutcome::Draw, GameEnd::Threefold),
        (2, GameOutcome::Draw, GameEnd::Stalemate),
        (4, GameOutcome::White, late),
    ];
    assert_eq!(
        printed(&task(&["A", "B"], 2, Purpose::Match), FASTCHESS, &games),
        "Started game 1 of 4 (A vs B)
Finished game 1 (A vs B): 1-0 {White mates}
Started game 3 of 4 (A vs B)
Finished game 3 (A vs B): 1/2-1/2 {Draw by 3-fold repetition}
Started game 2 of 4 (B vs A)
Finished game 2 (B vs A): 1/2-1/2 {Draw by stalemate}
--------------------------------------------------
Results of A vs B (10+0.1, 1t, 16MB, book.epd):
Elo: 190.85 +/- 0.00, nElo: inf +/- -nan
LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf
Games: 2, Wins: 1, Losses: 0, Draws: 1, Points: 1.5 (75.00 %)
Ptnml(0-2): [0, 0, 0, 1, 0], WL/DD Ratio: -nan
--------------------------------------------------
Started game 4 of 4 (B vs A)
Finished game 4 (B vs A): 1-0 {Black loses on time (7ms overrun)}
--------------------------------------------------
Results of A vs B (10+0.1, 1t, 16MB, book.epd):
Elo: -0.00 +/- 296.58, nElo: 0.00 +/- 340.48
LOS: 50.00 %, DrawRatio: 0.00 %, PairsRatio: 1.00
Games: 4, Wins: 1, Losses: 1, Draws: 2, Points: 2.0 (50.00 %)
Ptnml(0-2): [0, 1, 0, 1, 0], WL/DD Ratio: -nan
--------------------------------------------------

Player: A
  Timeouts: 1
  Crashed: 0

Finished match
"
    );
}

#[test]
fn nothing_but_the_end_follows_the_decision_of_a_test() {
    let sprt = Sprt::new(EloModel::Normalized, 0.0, 200.0, Risks::USUAL).expect("sound");
    let task = task(&["A", "B"], 40, Purpose::Test(sprt.into()));
    let won = |number: usize| {
        let outcome = if number.is_multiple_of(2) { GameOutcome::Black } else { GameOutcome::White };
        (number, outcome, GameEnd::Checkmate)
    };
    let games: Vec<Ended> = (1..=80).map(won).collect();
    let text = printed(&task, FASTCHESS, &games);
    let decided = text.find("SPRT ([0.00, 200.00]) completed - H1 was accepted\n").expect("decided");
    assert_eq!(&text[decided..], "SPRT ([0.00, 200.00]) completed - H1 was accepted\nFinished match\n");
    assert!(text[..decided].ends_with(&format!("(-2.94, 2.94) [0.00, 200.00]\n{RULE}\n")), "{text}");
    let cute = printed(
        &task,
        Intervals { form: Form::Cutechess, unit: Unit::Games, rating: 0, score: 0, checked: Checked::Usual },
        &games,
    );
    assert!(cute.contains(" - H1 was accepted\nTournament finished\nFinished match\n"), "{cute}");
}

#[test]
fn cutechess_lines_have_scores_and_games() {
    let games = [(1, GameOutcome::White, GameEnd::Checkmate), (2, GameOutcome::White, GameEnd::Checkmate)];
    let intervals =
        Intervals { form: Form::Cutechess, unit: Unit::Games, rating: 0, score: 1, checked: Checked::Usual };
    assert_eq!(
        printed(&task(&["A", "B"], 1, Purpose::Match), intervals, &games),
        "Started game 1 of 2 (A vs B)
Finished game 1 (A vs B): 1-0 {White mates}
Score of A vs B: 1 - 0 - 0  [1.000] 1
Started game 2 of 2 (B vs A)
Finished game 2 (B vs A): 1-0 {White mates}
Score of A vs B: 1 - 1 - 0  [0.500] 2
Elo difference: -0.00 +/- -nan, LOS: 50.00 %, DrawRatio: 0.00 %
Finished match
"
    );
}

#[test]
fn tournament_has_a_table_by_rank() {
    let games: Vec<Ended> = (1..=6).map(|number| (number, GameOutcome::White, GameEnd::Checkmate)).collect();
    let text = printed(&task(&["A", "B", "C"], 3, Purpose::Match), FASTCHESS, &games);
    let table: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("Rank Name")).take(4).collect();
    assert_eq!(
        table[0],
        "Rank Name                             Elo        +/-       nElo        +/-      Games      Score       Draw           Ptnml(0-2)"
    );
    assert!(table[1].starts_with("   1 A  ") || table[1].starts_with("   1 "), "{text}");
}

#[test]
fn no_line_is_empty_or_beyond_ascii_before_the_end() {
    let games = [(1, GameOutcome::White, GameEnd::Checkmate), (2, GameOutcome::Draw, GameEnd::FiftyMoves)];
    let text = printed(&task(&["Jürgen", "B"], 1, Purpose::Match), FASTCHESS, &games);
    assert!(text.contains("(J?rgen vs B)"), "{text}");
    assert!(text.is_ascii() && text.lines().all(|line| !line.is_empty()), "{text}");
}
