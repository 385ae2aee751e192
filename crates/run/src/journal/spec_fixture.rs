//! A specification with every variant, for the tests of the journal.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use super::*;
use crate::job::{
    BaselineText, ComparisonUse, MatchTask, Outputs, Part, Purpose, ReportSetName, RunConditions, RunOrigin,
    RunOwner, SuiteTask, Task, ThresholdUse, Undecided,
};
use crate::takes_rule::TakesRule;
use crate::trend::{CaseCount, TrendPoint};
use crate::tune_rule::{ResultTest, TuneRule};
use crate::{Environment, Labels, Property};
use threefold_chess::clock::{Clocks, Limits, Remaining};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_games::game::Adjudication;
use threefold_games::opening::Opening;
use threefold_games::pairing::{Colours, ScheduleRules, TournamentFormat};
use threefold_games::pgn::PgnOptions;
use threefold_games::playout::adjudication::{DrawRule, Like, MaxMoves, ResignRule, Rule};
use threefold_stats::spsa::{Parameter, ParameterKind, Parameters, Schedule};
use threefold_stats::takes::{Guarantee, TakesEnd};
use threefold_stats::{EloModel, Overshoot, Risks, Sprt, SprtConfig, TrialUnit};
use threefold_suites::{SourceFile, SuiteSource};

pub(super) fn source_file(file: &str, text: &str) -> SourceFile {
    SourceFile { file: file.to_owned(), text: text.to_owned() }
}

pub(super) fn suite(limits: Option<Limits>) -> Task {
    Task::Suite(SuiteTask {
        engine: "./engine --quiet,name=Other,Hash=16".parse().expect("sound"),
        source: SuiteSource {
            suite_file: source_file("s.toml", "version = 1\n"),
            positions: vec![source_file("p.csv", "id,fen\n\"\"")],
        },
        timemargin: limits.and_then(|limits| limits.movetime),
        limits: limits.map(Box::new),
        left_out: vec!["left.out".to_owned()],
        per_class: NonZeroUsize::new(12),
    })
}

pub(super) fn games(purpose: Purpose, control: &str, pace: &str, adjudication: Adjudication) -> Task {
    let position = GamePosition::parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4 e8d7").expect("sound");
    Task::Match(MatchTask {
        format: TournamentFormat::Gauntlet,
        control: control.parse().expect("sound"),
        clock_source: pace.parse().expect("sound"),
        adjudication,
        budget: matches!(purpose, Purpose::Test(_)).then_some(Duration::from_millis(1_500)),
        pgn: PgnOptions { site: Some("here".to_owned()), ..PgnOptions::default() },
        purpose,
        rules: ScheduleRules { colours: Colours::AlternateReversed, ..ScheduleRules::default() },
        wait: Duration::from_millis(5),
        ..MatchTask::new(
            ["echo,name=A,nodes=500", "echo,name=B,restart=on"]
                .map(|text| text.parse().expect("sound"))
                .into(),
            vec![
                Opening { history: position, eco: Some("C20".to_owned()), name: Some("a pawn".to_owned()) },
                Opening::start_position(),
            ],
            7,
        )
    })
}

const BATCH: NonZeroU32 = NonZeroU32::new(8).expect("not zero");

/// A specification with every variant.
pub(super) fn spec() -> RunSpec {
    let side = |time, increment| Remaining {
        time: Duration::from_nanos(time),
        increment: Duration::from_millis(increment),
    };
    let limits = Limits {
        clocks: Some(Clocks { white: side(1, 2), black: side(3, 4), moves_to_go: Some(5) }),
        movetime: Some(Duration::from_micros(1500)),
        nodes: Some(u64::MAX),
        depth: Some(Ply(9)),
        mate: Some(3),
    };
    let rules = Adjudication::new([
        Arc::new(DrawRule { from_move: 34, moves: 8, score: 20 }) as Arc<dyn Rule>,
        Arc::new(ResignRule { moves: 3, score: 600, two_sided: true, like: Like::Threefold }),
        Arc::new(MaxMoves(NonZeroU32::new(200).expect("not zero"))),
    ]);
    let test = Sprt::new(EloModel::Logistic, -1.75, 0.1, Risks { alpha: 0.05, beta: 0.1 }).expect("sound");
    let test = SprtConfig::new(test, TrialUnit::Games, BATCH, Overshoot::Correct).expect("sound");
    let tasks = [
        suite(None),
        suite(Some(limits)),
        games(Purpose::Match, "40/60+0.5,timemargin=20", "wall", Adjudication::default()),
        games(Purpose::Test(test.into()), "nodes=4000", "virtual:400000", rules.clone()),
        games(Purpose::Calibration, "inf", "wall", rules),
    ];
    let part = |(n, task)| Part { name: format!("part {n}"), labels: Labels::NONE.with("n", n), task };
    RunSpec {
        title: "everything at once".to_owned(),
        origin: origin(),
        seed: u64::MAX,
        parts: tasks.into_iter().enumerate().map(part).collect(),
        outputs: outputs(),
        baseline: Some(BaselineText {
            cases: "suite,id\n".to_owned(),
            figures: "{}".to_owned(),
            environment: Some("{}".to_owned()),
        }),
        trend: vec![TrendPoint {
            commit: "1a2b3c4".to_owned(),
            suites: [("s".to_owned(), CaseCount { passed: 3, cases: 4 })].into(),
            bench: Some(4711),
            nps: None,
        }],
        max_faults: Some(crate::FaultBudget::SUITE),
        stop_after: NonZeroUsize::new(3),
        counting: crate::PairCounting::All,
        undecided: Undecided::Fail,
        comparison: ComparisonUse::Required,
        thresholds: ThresholdUse::Ignore,
        warnings: game_warning::tests::policy(),
        tournament: None,
        takes: Some(TakesRule { end: TakesEnd::AllDecided, guarantee: Guarantee::Each, batch: 3, ahead: 5 }),
        tune: Some(tune()),
        shard: "2/4".parse().ok(),
    }
}

fn tune() -> Arc<TuneRule> {
    let parameter = |name: &str, kind, c_end| Parameter {
        name: name.to_owned(),
        kind,
        value: 5.0,
        min: -1.0,
        max: 9.0,
        c_end,
        r_end: 0.002,
    };
    let parameters =
        vec![parameter("A", ParameterKind::Int, 1.0), parameter("B c", ParameterKind::Float, 0.1)];
    let test = Sprt::new(EloModel::Normalized, 0.0, 5.0, Risks::USUAL).expect("sound");
    Arc::new(TuneRule {
        parameters: Parameters::new(parameters).expect("sound"),
        schedule: Schedule::new(7, 3, [0.6, 0.1, 0.05]).expect("sound"),
        ahead: 2,
        test: Some(ResultTest { rule: SprtConfig::from(test).into(), pairs: 50 }),
    })
}

fn origin() -> RunOrigin {
    let [name, user, seal] = ["m", "1000", "5e"].map(str::to_owned);
    RunOrigin {
        command: "threefold regress".to_owned(),
        machine: "a machine".to_owned(),
        environment: Environment::default().with(Property::Cpu, Some("a CPU".to_owned())),
        folder: Some("/home/a".into()),
        owner: Some(RunOwner { machine: name, user, seal: Some(seal) }),
        conditions: RunConditions {
            concurrency: NonZeroUsize::new(3),
            startup: Some(Duration::from_millis(2500)),
            search_timeout: Some(Duration::from_millis(1500)),
        },
    }
}

fn outputs() -> Outputs {
    Outputs {
        reports: Some("out".into()),
        games: Some("a b.pgn".into()),
        games_start: 1234,
        prints_checksum: true,
        final_positions: Some("ends.epd".into()),
        final_positions_start: 5,
        found_mates: Some("found.epd".into()),
        missed_mates: Some("missed.epd".into()),
        baseline: Some("base".into()),
        report_set: ReportSetName::CASES.into(),
    }
}
