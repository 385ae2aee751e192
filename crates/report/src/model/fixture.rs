//! A made-up run that holds every verdict and every kind of part, for the tests of the formats.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::model::environment_comparison;
use crate::model::homogeneity::{Group, GroupedBy, Grouping};
use crate::model::paired_comparison::verdicts;
use crate::model::report::{
    Activity, Baseline, ClockUse, Duel, FailureKind, FailureReason, MatchPart, MatchResult, NumberedGame,
    PairedComparison, PlayedBuild, Rated, Report, Standing, SuitePart, Test, TestStanding, TestedEngine,
    ThresholdResult, ThresholdState,
};
use crate::model::sources::Sources;
use nalgebra::DMatrix;
use shakmaty::Color;
use threefold_chess::clock::Control;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, MateDistance, Ply, Score};
use threefold_games::game::{GameEnd, GameOutcome, GameRecord, MoveRecord};
use threefold_games::pgn::{PgnOptions, PgnTags};
use threefold_games::warning::{GameWarning, WarningRule};
use threefold_player::{EngineBuild, EngineFile, EngineId, FaultCause};
use threefold_run::calibration::{NodeCurve, PlayerRating, RatingScale};
use threefold_run::job::ComparisonUse;
use threefold_run::regress::baseline::CaseName;
use threefold_run::regress::figures::{FigureName, PartCount};
use threefold_run::regress::{BudgetComparison, ComparedCases, FigureComparison, NotCompared, SuiteCoverage};
use threefold_run::{Labels, distinct_pairs::RepeatCount};
use threefold_stats::homogeneity::{Homogeneity, PairOutcomes};
use threefold_stats::stopping::RULES;
use threefold_stats::{EloModel, GameResult, Risks, Sprt};
use threefold_suites::{CaseRecord, Cause, FailCause, LostCase, PassCause, Verdict};

/// A run in which two cases got worse, one better, and an engine crashed.
#[expect(clippy::too_many_lines, reason = "a field is a line")]
pub(crate) fn report() -> Report {
    let now = traps("new");
    let mut before = traps("old");
    before[1].verdict = verdict(PassCause::AcceptedMove, "", "a1a7", 180);
    before[3].verdict = verdict(PassCause::AcceptedMove, "", "h5e8", 0);
    before[2].verdict =
        verdict(FailCause::History, "it takes c3c4, which makes the third occurrence", "c3c4", 0);
    let comparison = PairedComparison::between(
        "repetition",
        ("new", &verdicts(&now)),
        ("the baseline", &verdicts(&before)),
    );
    let name = |id: &str| CaseName { suite: "repetition".to_owned(), id: id.to_owned() };
    let figure = |part, count, was, now| FigureComparison { name: FigureName::count(part, count), was, now };
    let reason =
        |kind, what: &str| FailureReason { kind, part: "repetition".to_owned(), what: what.to_owned() };
    Report {
        title: "Regression run".to_owned(),
        seed: 1,
        command: "threefold regress --engine 'echo,name=new'".to_owned(),
        engines: vec![
            TestedEngine {
                name: "new".to_owned(),
                spec: "echo,name=new".to_owned(),
                builds: vec![build("Echo 1", '0', 3), build("Echo 2", '1', 8)],
            },
            TestedEngine {
                name: "old".to_owned(),
                spec: "echo,name=old,RepetitionPolicy=HistoryDraw".to_owned(),
                builds: Vec::new(),
            },
        ],
        suites: vec![suite(now), other_suite()],
        matches: vec![test(), duel(), calibration()],
        baseline: Baseline::Compared {
            suites: vec![comparison],
            figures: vec![
                FigureComparison {
                    name: FigureName::statistic("policies", RULES[0].statistic),
                    was: Some(-0.31),
                    now: Some(1.02),
                },
                figure("repetition", PartCount::Cases, Some(4.0), Some(4.0)),
                figure("repetition", PartCount::Passed, Some(3.0), Some(2.0)),
            ],
            other_budgets: vec![BudgetComparison { part: "ladder".to_owned(), was: Some(500.0), now: 20.0 }],
            known: before.iter().map(|case| (name(&case.id), case.verdict.kind())).collect(),
            coverage: vec![
                covered("mate", Err(NotCompared::NotInBaseline)),
                covered("repetition", Ok(ComparedCases { cases: 4, ..ComparedCases::default() })),
            ],
        },
        comparison: ComparisonUse::Required,
        failure_reasons: vec![
            reason(
                FailureKind::Regression,
                "2 verdicts worse than in the baseline: dawdle (passed, now failed) and perpetual (passed, now \
                 fault)",
            ),
            reason(FailureKind::Threshold, "all: 2 of 4 passed, 4 needed (90 %)"),
        ],
        worse: ["dawdle", "perpetual"].map(name).into(),
        not_counted: BTreeMap::new(),
        becomes_baseline: false,
        stopped: None,
        activity: Activity::Ended,
        machine: "a machine with 2 cores".to_owned(),
        environment: environment_comparison::tests::differing(),
        sources: Sources::default(),
        traffic: BTreeMap::new(),
        benches: Vec::new(),
        game_reader: None,
        tournament: None,
        takes: None,
        trend: Vec::new(),
    }
}

fn covered(suite: &str, compared: Result<ComparedCases, NotCompared>) -> SuiteCoverage {
    SuiteCoverage { suite: suite.to_owned(), compared }
}

/// A build whose checksum is one digit again and again.
fn build(name: &str, digit: char, jobs: usize) -> PlayedBuild {
    let file = EngineFile {
        path: format!("/engines/{digit}"),
        size: 1000,
        sha256: std::iter::repeat_n(digit, 64).collect(),
    };
    let introduction = EngineId { name: Some(name.to_owned()), author: None };
    PlayedBuild {
        build: EngineBuild {
            engine: "echo,name=new".to_owned(),
            engine_id: introduction,
            files: vec![file],
            commit: None,
            compiler: Some("GCC: 12.2.0".to_owned()),
        },
        jobs,
    }
}

fn suite(cases: Vec<CaseRecord>) -> SuitePart {
    let threshold = |class: Option<&str>, text: &str, missed_by: Option<&str>| ThresholdResult {
        class: class.map(str::to_owned),
        threshold: text.to_owned(),
        state: missed_by.map_or(ThresholdState::Met, |why| ThresholdState::Missed(why.to_owned())),
    };
    SuitePart {
        name: "repetition".to_owned(),
        labels: Labels::NONE.with("colour", "blue"),
        suite: "repetition".to_owned(),
        title: "Repetition traps".to_owned(),
        summary: "Positions with a history in which the policy decides the result.".to_owned(),
        engine: "new".to_owned(),
        limits: "20 000 nodes".to_owned(),
        lost_case: LostCase::Search,
        planned: cases.len(),
        cases,
        thresholds: vec![
            threshold(None, "all: at least 90 %", Some("all: 2 of 4 passed, 4 needed (90 %)")),
            threshold(Some("avoid"), "class avoid: at least 50 %", None),
        ],
        signature: None,
    }
}

fn other_suite() -> SuitePart {
    let accepted = Verdict { score: mate(2), ..verdict(PassCause::BestMate, "", "a1a7", 0) };
    let mut cases = vec![record("old", "ladder_2", "mating", "#2", accepted)];
    cases[0].suite = "mate".to_owned();
    SuitePart {
        name: "mate, old".to_owned(),
        labels: Labels::NONE,
        suite: "mate".to_owned(),
        title: "Mate distances".to_owned(),
        summary: String::new(),
        engine: "old".to_owned(),
        limits: "depth 12".to_owned(),
        planned: 3,
        thresholds: Vec::new(),
        ..suite(cases)
    }
}

fn mate(moves: i32) -> Option<Score> {
    MateDistance::from_moves(moves).map(Score::Mate)
}

/// Passed, failed, passed, fault.
fn traps(engine: &str) -> Vec<CaseRecord> {
    let crash = Verdict::unanswered(
        FaultCause::Crash,
        "it ended (signal: 11) while searching; its last output: <none> | \"oops\"",
    );
    vec![
        record(engine, "walk_back", "seek", "a1a7 a1b1", verdict(PassCause::AcceptedMove, "", "a1a7", 212)),
        record(
            engine,
            "dawdle",
            "avoid",
            "a1a7",
            verdict(FailCause::History, "without its history it plays a1a7, which is accepted", "a1b1", 0),
        ),
        record(
            engine,
            "third",
            "avoid",
            "a1a7",
            Verdict { score: mate(-3), ..verdict(PassCause::AcceptedMove, "", "a1a7", 0) },
        ),
        record(engine, "perpetual", "seek", "h5e8", crash),
    ]
}

fn verdict(cause: impl Into<Cause>, detail: &str, played: &str, cp: i32) -> Verdict {
    Verdict {
        played: played.to_owned(),
        score: Some(Score::Cp(Centipawns(cp))),
        depth: Ply(9),
        nodes: 20_113,
        pv: format!("{played} g8h8"),
        ..Verdict::unanswered(cause, detail)
    }
}

fn record(engine: &str, id: &str, class: &str, accepted: &str, verdict: Verdict) -> CaseRecord {
    CaseRecord {
        suite: "repetition".to_owned(),
        id: id.to_owned(),
        class: class.to_owned(),
        engine: engine.to_owned(),
        accepted: accepted.to_owned(),
        note: "by search: the rook wins, a repetition gives the win away".to_owned(),
        line: "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 30 moves a1b1 g8f8 b1a1 f8g8".parse().expect("a line"),
        verdict,
    }
}

/// Pairs of every class, the same few over and over: LL 2, LD 9, WL 13, DD 18, WD 14, WW 4.
fn pairs() -> Vec<[GameResult; 2]> {
    use GameResult::{Draw, Loss, Win};
    let classes = [
        ([Loss, Loss], 2),
        ([Draw, Loss], 9),
        ([Win, Loss], 13),
        ([Draw, Draw], 18),
        ([Draw, Win], 14),
        ([Win, Win], 4),
    ];
    let all: Vec<[GameResult; 2]> =
        classes.into_iter().flat_map(|(pair, times)| std::iter::repeat_n(pair, times)).collect();
    // 23 and 60 have no divisor in common: every pair comes once, in an order that looks like a match.
    (0..all.len()).map(|index| all[index * 23 % all.len()]).collect()
}

fn names() -> [String; 2] {
    ["new", "old"].map(str::to_owned)
}

fn standings(results: &[GameResult]) -> Vec<Standing> {
    let reversed = results.iter().map(|result| result.reversed());
    vec![Standing::from_results("new", results.iter().copied()), Standing::from_results("old", reversed)]
}

fn duel() -> MatchPart {
    let pairs = pairs();
    MatchPart {
        name: "match".to_owned(),
        ending: Some("complete".to_owned()),
        games: Vec::new(),
        games_with_moves: Vec::new(),
        clocks: Vec::new(),
        stretches: None,
        slots: None,
        standings: standings(pairs.as_flattened()),
        result: MatchResult::Duel(Duel::from_pairs(names(), &pairs)),
        ..test()
    }
}

fn test() -> MatchPart {
    let pairs = pairs();
    let sprt = Sprt::new(EloModel::Normalized, 0.0, 10.0, Risks::USUAL).expect("a test");
    let games = vec![
        game(1, GameOutcome::Black, GameEnd::Checkmate),
        game(2, GameOutcome::White, GameEnd::IllegalMove("e9".to_owned())),
    ];
    let test = Test::from_pairs(names(), &pairs, &sprt.into(), TestStanding::BudgetSpent);
    MatchPart {
        name: "policies".to_owned(),
        labels: Labels::NONE.with("colour", "blue"),
        terms: "8+0.08 on virtual clocks of 100 000 nodes a second".to_owned(),
        openbench_terms: "8.0+0.08s Threads=1 Hash=16MB".to_owned(),
        planned: 120,
        games: games.iter().map(NumberedGame::summary).collect(),
        games_with_moves: games,
        repeats: RepeatCount::default(),
        coupling: None,
        families: None,
        ending: Some("undecided".to_owned()),
        standings: standings(&[GameResult::Loss, GameResult::Win]),
        clocks: vec![clock("new", 1.0), clock("old", 0.7)],
        result: MatchResult::Test(Box::new(test)),
        stretches: Some(grouping(GroupedBy::Stretch, ["pairs 1 to 60", "pairs 61 to 120"])),
        slots: Some(grouping(GroupedBy::Worker, ["worker 1", "worker 2"])),
        curve: None,
        pgn: PgnOptions::default(),
        is_shadow: false,
    }
}

fn clock(name: &str, pace: f64) -> ClockUse {
    ClockUse {
        name: name.to_owned(),
        moves: 61 * 120,
        mean: Duration::from_millis(131),
        longest: Duration::from_millis(1270),
        least_left: Duration::from_millis(88),
        flags: 0,
        flags_of_the_machine: 0,
        flags_of_the_runner: 0,
        left: (0..60).map(|mv| 8.0 * (-f64::from(mv) * pace / 22.0).exp() + 0.2).collect(),
    }
}

fn game(number: usize, outcome: GameOutcome, end: GameEnd) -> NumberedGame {
    let played = ["f2f3", "e7e5", "g2g4", "d8h4"].map(|mv| MoveRecord {
        score: Some(Score::Cp(Centipawns(-20))),
        depth: Ply(8),
        nodes: 9_000,
        used: Some(Duration::from_millis(90)),
        left: Some(Duration::from_millis(7_990)),
        ..MoveRecord::new(mv.parse().expect("a move"))
    });
    let players = ["new".to_owned(), "old".to_owned()];
    let record = GameRecord {
        played: played.to_vec(),
        warnings: if number == 1 { vec![warning()] } else { Vec::new() },
        ..GameRecord::new(players, GamePosition::start_position(), outcome, end)
    };
    let tags = PgnTags {
        event: "policies".to_owned(),
        site: "threefold".to_owned(),
        round: format!("1.{number}"),
        controls: [Control::default(); 2],
        ..PgnTags::default()
    };
    NumberedGame { number, tags, record }
}

fn warning() -> GameWarning {
    let detail = "move 3, e4e5, of info depth 8 score cp -20 pv e2e4 e7e5 e4e5".to_owned();
    GameWarning { rule: WarningRule::IllegalPvMove, side: Color::White, count: 2, ply: 2, detail, line: None }
}

/// The second group lost more than the first.
fn grouping(by: GroupedBy, names: [&str; 2]) -> Grouping {
    let outcomes = [(18, 9, 33), (9, 27, 24)].map(|(won, lost, level)| PairOutcomes { won, lost, level });
    let test = Homogeneity::test(&outcomes).expect("pairs enough");
    let group = |((name, outcomes), &residual): ((&str, PairOutcomes), &Option<f64>)| Group {
        name: name.to_owned(),
        outcomes,
        residual,
    };
    let groups = names.into_iter().zip(outcomes).zip(&test.residuals).map(group).collect();
    Grouping { by, groups, test }
}

/// Node budgets; the games do not separate the last two.
fn curve() -> Option<NodeCurve> {
    let rating = |elo| PlayerRating { player: String::new(), elo, error: 40.0, points: 0.0, games: 24 };
    let scale = RatingScale {
        ratings: [0.0, 205.7, 411.2, 409.0].map(rating).to_vec(),
        white_advantage: 20.0,
        draw_rate: 0.3,
        covariance: DMatrix::from_fn(4, 4, |one, other| match (one, other) {
            (0, _) | (_, 0) => 0.0,
            _ if one == other => 800.0,
            _ => 400.0,
        }),
    };
    NodeCurve::from_ratings(&[1000, 4000, 16_000, 64_000], &scale)
}

fn calibration() -> MatchPart {
    let rated =
        |name: &str, elo, error, points| Rated { name: name.to_owned(), elo, error, games: 24, points };
    let list = vec![
        rated("echo at 16 000 nodes", 1411.2, Some(88.4), 19.5),
        rated("echo at 4 000 nodes", 1205.7, Some(71.0), 12.5),
        rated("echo at 1 000 nodes", 1000.0, None, 4.0),
    ];
    MatchPart {
        name: "calibration".to_owned(),
        labels: Labels::NONE,
        terms: "nodes for each move".to_owned(),
        planned: 36,
        standings: Vec::new(),
        result: MatchResult::Ratings(Ok(list)),
        curve: curve(),
        ..duel()
    }
}
