//! Tests with a hand-written run, without an engine.

use std::time::{Duration, SystemTime};

use super::*;
use crate::formats::registry::DeriveLabels;
use crate::model::homogeneity::Grouping;
use crate::model::report::MatchResult;
use crate::model::report::TestStanding;
use crate::words::headline::Acceptance;
use crate::{Registry, ReportSet};
use threefold_chess::clock::{ClockSource, Control, Delays};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_games::game::{GameEnd, GameOutcome, GameRecord, MoveRecord};
use threefold_games::opening::Opening;
use threefold_games::pairing::EncounterLength;
use threefold_games::playout::RuleKind;
use threefold_run::job::ReportSetName;
use threefold_run::journal::Journal;
use threefold_run::tournament::ROUND_LABEL;
use threefold_run::{JobKey, JobResult, Labels, MatchTask, PairCounting, Part, Purpose, RunSpec, WorkerId};
use threefold_stats::{EloModel, Risks, Sprt};
use threefold_suites::kinds::bench;
use threefold_suites::{Cause, FailCause, SourceFile, SuiteSource, Verdict, VerdictKind};

const TRAPS: &str = "id,class,fen,moves,best
a,dawdle,7k/8/8/8/8/8/R7/K7 w - - 4 3,,a2b2
b,dawdle,7k/8/8/8/8/8/R7/K7 w - - 4 3,a2b2 h8g8 b2a2 g8h8,a2b2
";

const SUITE: &str = "version = 1
kind = \"repetition\"
title = \"Traps\"
positions = [\"traps.csv\"]
limits.nodes = 20000
thresholds.pass = 0.5
thresholds.class.dawdle = 1.0
";

fn suite() -> Part {
    let page = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
    let source =
        SuiteSource { suite_file: page("traps.toml", SUITE), positions: vec![page("traps.csv", TRAPS)] };
    let engine = "echo,name=new".parse().expect("sound");
    let task = SuiteTask::new(engine, source);
    Part {
        labels: Labels::NONE.with("colour", "blue"),
        ..Part::without_labels("traps".to_owned(), Task::Suite(task))
    }
}

fn games(purpose: Purpose) -> Part {
    let task = MatchTask {
        control: "8+0.08".parse::<Control>().expect("sound"),
        clock_source: ClockSource::Virtual { nodes_per_second: 1000.try_into().expect("positive") },
        purpose,
        ..MatchTask::new(
            ["echo,name=new", "echo,name=old"].map(|spec| spec.parse().expect("sound")).to_vec(),
            vec![Opening::start_position()],
            2,
        )
    };
    Part::without_labels("games".to_owned(), Task::Match(task))
}

fn verdict(id: &str, mark: VerdictKind) -> JobResult {
    verdict_for(id, Cause::unclassified(mark))
}

fn verdict_for(id: &str, cause: Cause) -> JobResult {
    let given = Verdict::unanswered(cause, "missed: no");
    JobResult::Case(CaseRecord {
        suite: "traps".to_owned(),
        id: id.to_owned(),
        class: "dawdle".to_owned(),
        engine: "new".to_owned(),
        accepted: "a2b2".to_owned(),
        note: String::new(),
        line: "fen 7k/8/8/8/8/8/R7/K7 w - - 4 3".parse().expect("a line"),
        verdict: Verdict { played: "a2b2".to_owned(), ..given },
    })
}

/// White used half a second and one more for its two moves, Black three.
fn game(players: [&str; 2], outcome: GameOutcome, end: GameEnd) -> JobResult {
    let moves = [("e2e4", 500, 7580), ("e7e5", 3000, 5080), ("g1f3", 1000, 6660)];
    let played = moves.map(|(mv, used, left)| MoveRecord {
        depth: Ply(1),
        nodes: 1,
        used: Some(Duration::from_millis(used)),
        left: Some(Duration::from_millis(left)),
        ..MoveRecord::new(mv.parse().expect("a move"))
    });
    JobResult::Game(GameRecord {
        played: played.to_vec(),
        ..GameRecord::new(players.map(str::to_owned), GamePosition::start_position(), outcome, end)
    })
}

fn drawn_by_scores() -> GameEnd {
    GameEnd::Adjudicated(RuleKind::named("draw").expect("a rule"))
}

/// The run in which new wins one game and loses one on time, and then draws two.
fn run(purpose: Purpose, marks: &[VerdictKind]) -> RunRecord {
    run_with(purpose, ["a", "b"].iter().zip(marks).map(|(id, &mark)| verdict(id, mark)))
}

/// The same run with these cases.
fn run_with(purpose: Purpose, cases: impl IntoIterator<Item = JobResult>) -> RunRecord {
    let parts = vec![suite(), games(purpose)];
    let spec = RunSpec { title: "by hand".to_owned(), seed: 7, parts, ..RunSpec::default() };
    let mut journal = Journal::in_memory(spec, SystemTime::UNIX_EPOCH).expect("memory");
    let (fallen, drawn) = (
        GameEnd::TimeForfeit {
            over: Duration::from_millis(3),
            margin: Duration::ZERO,
            delays: Some(Delays { engine: Duration::from_millis(4), ..Delays::default() }),
        },
        drawn_by_scores(),
    );
    let cases = cases.into_iter().map(|case| (0, case));
    let games = [
        game(["new", "old"], GameOutcome::White, GameEnd::Checkmate),
        game(["old", "new"], GameOutcome::White, fallen),
        game(["new", "old"], GameOutcome::Draw, drawn.clone()),
        game(["old", "new"], GameOutcome::Draw, drawn),
    ];
    let results = cases.enumerate().chain(games.map(|game| (1, game)).into_iter().enumerate());
    for (job, (part, result)) in results {
        journal.record(JobKey { part, job }, &result, WorkerId(0), SystemTime::UNIX_EPOCH).expect("memory");
    }
    RunRecord::from_journal(&journal).expect("sound")
}

fn describe(run: &RunRecord, baseline: Result<&regress::Baseline, String>) -> Report {
    Report::from_run(run, baseline)
}

#[test]
fn odd_single_game_is_in_headline_and_json() {
    let mut part = games(Purpose::Match);
    if let Task::Match(task) = &mut part.task {
        task.encounters = 3;
        task.rules.encounter = EncounterLength::Single;
    }
    // The first game and the third have the same moves.
    let counting = PairCounting::All;
    let spec =
        RunSpec { title: "single games".to_owned(), parts: vec![part], counting, ..RunSpec::default() };
    let mut journal = Journal::in_memory(spec, SystemTime::UNIX_EPOCH).expect("memory");
    let games = [
        game(["new", "old"], GameOutcome::White, GameEnd::Checkmate),
        game(["old", "new"], GameOutcome::White, GameEnd::Checkmate),
        game(["new", "old"], GameOutcome::White, GameEnd::Checkmate),
    ];
    let mut said = Vec::new();
    for (job, record) in games.into_iter().enumerate() {
        let key = JobKey { part: 0, job };
        journal.record(key, &record, WorkerId(0), SystemTime::UNIX_EPOCH).expect("memory");
        let report = describe(
            &RunRecord::from_journal(&journal).expect("sound"),
            Err("there is no baseline".to_owned()),
        );
        let MatchResult::Duel(duel) = &report.matches[0].result else { panic!("a match") };
        said.push((duel.headline(), duel.sheet.games().counts));
    }
    let starts =
        ["1 game: new scored 1 point", "2 games: new scored 1 point", "3 games: new scored 2 points"];
    for ((headline, _), start) in said.iter().zip(starts) {
        assert!(headline.starts_with(start), "{headline}");
    }
    assert_eq!(said[2].1, [1, 0, 2]);
}

#[test]
fn games_are_counted_from_the_first_engines_side() {
    let sprt = Sprt::new(EloModel::Logistic, 0.0, 10.0, Risks::USUAL).expect("sound");
    let report = describe(
        &run(Purpose::Test(sprt.into()), &[VerdictKind::Passed; 2]),
        Err("there is no baseline".to_owned()),
    );
    let [part] = &report.matches[..] else { panic!("one match") };
    let MatchResult::Test(test) = &part.result else { panic!("a test") };
    assert_eq!(test.duel.sheet.pairs().counts, [0, 0, 2, 0, 0]);
    assert_eq!(test.duel.sheet.games().counts, [1, 2, 1]);
    assert_eq!((test.standing, test.path.len()), (TestStanding::BudgetSpent, 2));
    assert_eq!((test.wealth.len(), test.wealth.last()), (2, Some(&test.bets.evidence())));
    assert_eq!((test.stopped, test.duel.fixed), (None, None), "level pairs show no spread");
    let standings: Vec<_> = part.standings.iter().map(|it| (it.wins, it.draws, it.losses)).collect();
    assert_eq!(standings, [(1, 2, 1), (1, 2, 1)]);
    assert_eq!(part.games.iter().map(|game| game.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let JobResult::Game(record) = game(["new", "old"], GameOutcome::Draw, drawn_by_scores()) else {
        panic!("a game")
    };
    let rounds = |part: &Part| {
        let Task::Match(task) = &part.task else { panic!("a match") };
        let round = |scheduled| numbered(part, task, &scheduled, record.clone(), [None, None]).tags.round;
        task.schedule().all_games().take(4).map(round).collect::<Vec<_>>()
    };
    let part = games(Purpose::Match);
    assert_eq!(rounds(&part), ["1.1", "1.2", "2.1", "2.2"]);
    let encounter = Part { labels: Labels::NONE.with(ROUND_LABEL, 3), ..part };
    assert_eq!(rounds(&encounter), ["3.1.1", "3.1.2", "3.2.1", "3.2.2"]);
    assert_eq!(test.duel.faults, [1, 0]);
    let faults: Vec<String> = report.fault_groups().iter().map(ToString::to_string).collect();
    let said = "new: lost on time by 3 ms; caused by the machine, which had no CPU for the engine (engine 0 ms, machine 3 ms, \
                runner 0 ms) (game 2)";
    assert_eq!(faults, [said]);
    assert_eq!(report.acceptance(), Acceptance::Accepted);
}

#[test]
fn time_is_reported_for_each_engine() {
    let report =
        describe(&run(Purpose::Match, &[VerdictKind::Passed; 2]), Err("there is no baseline".to_owned()));
    let [new, old] = &report.matches[0].clocks[..] else { panic!("two engines") };
    // Each had White twice, with two moves, and Black twice, with one.
    assert_eq!((new.moves, old.moves), (6, 6));
    assert_eq!((new.mean, new.longest), (Duration::from_millis(1500), Duration::from_secs(3)));
    assert_eq!((new.least_left, new.flags, old.flags), (Duration::from_millis(5080), 1, 0));
    assert_eq!((new.flags_of_the_machine, old.flags_of_the_machine), (1, 0));
    assert_eq!(new.left, [f64::midpoint(7.58, 5.08), 6.66]);
    assert!(matches!(report.matches[0].result, MatchResult::Duel(_)));
}

#[test]
fn reasons_against_a_run_are_named() {
    let good = regress::Baseline::from_run(&run(Purpose::Match, &[VerdictKind::Passed; 2]));
    let report = describe(&run(Purpose::Match, &[VerdictKind::Passed, VerdictKind::Fault]), Ok(&good));
    let failure_reasons: Vec<String> =
        report.failure_reasons.iter().map(|it| format!("{} in {}: {}", it.kind, it.part, it.what)).collect();
    assert_eq!(
        failure_reasons,
        [
            "regression in traps: 1 verdict worse than in the baseline: b (passed, now fault)",
            "threshold in traps: class dawdle: 1 of 2 passed, 2 needed (100 %)",
        ]
    );
    let demands: Vec<bool> = report.suites[0].thresholds.iter().map(|it| it.missed_by().is_none()).collect();
    assert_eq!(demands, [true, false]);
    let [comparison] = report.comparisons() else { panic!("one suite") };
    assert_eq!((comparison.both_pass, comparison.lost.len(), comparison.gained.len()), (1, 1, 0));
    assert_eq!(report.acceptance(), Acceptance::Refused);
}

#[test]
fn accepted_count_fails_in_the_baseline_as_well() {
    let mut baseline = regress::Baseline::from_run(&run(Purpose::Match, &[VerdictKind::Passed; 2]));
    let name = CaseName { suite: "traps".to_owned(), id: "b".to_owned() };
    let known = baseline.cases.get_mut(&name).expect("a case");
    (known.class, known.accepted) = (bench::ID.to_owned(), Some(VerdictKind::Failed));
    let cases = [verdict("a", VerdictKind::Passed), verdict_for("b", FailCause::OtherNodes.into())];
    let report = describe(&run_with(Purpose::Match, cases), Ok(&baseline));
    assert!(report.worse.is_empty() && report.baseline_fails(&name));
}

#[test]
fn interrupted_run_is_unfinished() {
    let report =
        describe(&run(Purpose::Calibration, &[VerdictKind::Passed]), Err("there is no baseline".to_owned()));
    assert_eq!((report.acceptance(), report.unfinished()), (Acceptance::Unfinished, vec![("traps", 1, 2)]));
    let states: Vec<&ThresholdState> = report.suites[0].thresholds.iter().map(|it| &it.state).collect();
    assert_eq!(states, [&ThresholdState::Unknown; 2], "as many cases may fail as are to come");
    let MatchResult::Ratings(Err(why)) = &report.matches[0].result else { panic!("no ratings") };
    assert!(why.contains("the results have no finite fit"), "{why}");
}

/// 400 pairs in four slots, of which the third loses where the others win, draw and lose in turn.
#[test]
fn slow_worker_and_bad_period_are_detected() {
    let results = |bad: bool, pair: usize| match (bad, pair / 4 % 3) {
        (true, 0 | 1) | (false, 0) => GameOutcome::Black,
        (false, 1) => GameOutcome::White,
        (_, _) => GameOutcome::Draw,
    };
    let describe = |is_bad: fn(usize) -> bool| {
        let Part { name, task: Task::Match(task), .. } = games(Purpose::Match) else { panic!("games") };
        // Each pair has an opening of its own, so that no game repeats another.
        let opening = |pair: usize| {
            let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {}", pair + 1);
            GamePosition::parse(&fen, "").expect("sound")
        };
        let openings =
            (0..400).map(|pair| Opening { history: opening(pair), eco: None, name: None }).collect();
        let task = MatchTask { encounters: 400, openings, ..task };
        let parts = vec![Part::without_labels(name, Task::Match(task))];
        let spec = RunSpec { parts, ..RunSpec::default() };
        let mut journal = Journal::in_memory(spec, SystemTime::UNIX_EPOCH).expect("memory");
        for pair in 0..400 {
            let first = game(["new", "old"], results(is_bad(pair), pair), GameEnd::Checkmate);
            let second = game(["old", "new"], GameOutcome::Draw, drawn_by_scores());
            for (job, result) in [(2 * pair, first), (2 * pair + 1, second)] {
                let key = JobKey { part: 0, job };
                let JobResult::Game(game) = result else { panic!("a game") };
                let result = JobResult::Game(GameRecord { opening: opening(pair), ..game });
                journal.record(key, &result, WorkerId(pair % 4), SystemTime::UNIX_EPOCH).expect("memory");
            }
        }
        let report = describe(
            &RunRecord::from_journal(&journal).expect("sound"),
            Err("there is no baseline".to_owned()),
        );
        let [part] = &report.matches[..] else { panic!("one match") };
        let [slots, stretches] = [&part.slots, &part.stretches].map(|it| it.clone().expect("pairs enough"));
        let named = |grouping: &Grouping| {
            grouping.suspects().iter().map(|group| group.name.clone()).collect::<Vec<_>>().join(", ")
        };
        assert_eq!((slots.groups.len(), stretches.groups.len()), (4, 10));
        (named(&slots), named(&stretches))
    };
    assert_eq!(describe(|_| false), (String::new(), String::new()));
    assert_eq!(describe(|pair| pair % 4 == 2), ("worker 3".to_owned(), String::new()));
    assert_eq!(describe(|pair| (120..160).contains(&pair)), (String::new(), "pairs 121 to 160".to_owned()));
}

#[test]
fn labels_come_from_the_run_spec_or_are_derived() {
    let labels = |report: &Report| [report.suites[0].labels.clone(), report.matches[0].labels.clone()];
    let blue = Labels::NONE.with("colour", "blue");
    let derive: DeriveLabels =
        |parts| parts.iter().map(|part| Labels::NONE.with("old", &part.name)).collect();
    let registry = Registry::built_in();
    let usual = registry.set(&ReportSetName::default()).expect("built in");
    let deriving = ReportSet { derive_labels: Some(derive), ..*usual };
    let without_results = |parts| {
        let spec = RunSpec { parts, ..RunSpec::default() };
        RunRecord::from_journal(&Journal::in_memory(spec, SystemTime::UNIX_EPOCH).expect("memory"))
            .expect("sound")
    };
    let labelled = without_results(vec![suite(), games(Purpose::Match)]);
    let Part { name, task, .. } = suite();
    let unlabelled = without_results(vec![Part::without_labels(name, task), games(Purpose::Match)]);
    let none = || Err("there is no baseline".to_owned());
    assert_eq!(labels(&deriving.report(&labelled, none()).expect("no moves are read")), [blue, Labels::NONE]);
    let old = |name: &str| Labels::NONE.with("old", name);
    assert_eq!(
        labels(&deriving.report(&unlabelled, none()).expect("no moves are read")),
        [old("traps"), old("games")]
    );
    assert_eq!(
        labels(&usual.report(&unlabelled, none()).expect("no moves are read")),
        [Labels::NONE, Labels::NONE]
    );
}
