//! Hand-written runs for the tests of the studies.

use std::collections::{BTreeMap, BTreeSet};

use threefold_chess::position::GamePosition;
use threefold_games::pairing::TournamentFormat;
use threefold_games::pgn::PgnOptions;
use threefold_report::model::report::{Activity, Baseline, Duel, MatchPart, MatchResult, SuitePart};
use threefold_report::{EnvironmentComparison, Report, Sources};
use threefold_run::distinct_pairs::RepeatCount;
use threefold_run::job::ComparisonUse;
use threefold_run::{Labels, MatchTask};
use threefold_stats::GameResult;
use threefold_suites::{CaseRecord, Cause, FailCause, LostCase, Measure, PassCause, Verdict};

/// A run of nothing but these parts.
pub(super) fn report(suites: Vec<SuitePart>, matches: Vec<MatchPart>) -> Report {
    Report {
        title: "a study".to_owned(),
        seed: 1,
        command: "threefold study".to_owned(),
        engines: Vec::new(),
        suites,
        matches,
        baseline: Baseline::Absent("none was given".to_owned()),
        comparison: ComparisonUse::Optional,
        failure_reasons: Vec::new(),
        worse: BTreeSet::new(),
        not_counted: BTreeMap::new(),
        becomes_baseline: false,
        stopped: None,
        activity: Activity::Ended,
        machine: "a machine".to_owned(),
        environment: EnvironmentComparison::default(),
        sources: Sources::default(),
        traffic: BTreeMap::new(),
        benches: Vec::new(),
        game_reader: None,
        tournament: None,
        takes: None,
        trend: Vec::new(),
    }
}

/// A match of two engines with these results, without games. The name of the part is arbitrary.
pub(super) fn duel(labels: Labels, engines: [&str; 2], pairs: &[[GameResult; 2]]) -> MatchPart {
    MatchPart {
        name: "a match".to_owned(),
        labels,
        terms: "nodes=500".to_owned(),
        openbench_terms: String::new(),
        planned: 2 * pairs.len(),
        repeats: RepeatCount::default(),
        coupling: None,
        families: None,
        games: Vec::new(),
        games_with_moves: Vec::new(),
        ending: Some("complete".to_owned()),
        standings: Vec::new(),
        clocks: Vec::new(),
        result: MatchResult::Duel(Duel::from_pairs(engines.map(str::to_owned), pairs)),
        stretches: None,
        slots: None,
        curve: None,
        pgn: PgnOptions::default(),
        is_shadow: false,
    }
}

/// A match without engines.
pub(super) fn games() -> MatchTask {
    MatchTask { format: TournamentFormat::Gauntlet, ..MatchTask::new(Vec::new(), Vec::new(), 1) }
}

/// A suite with these numbers of passed and failed cases, each with these counts. The name of the part is
/// arbitrary.
pub(super) fn suite(labels: Labels, [passed, failed]: [usize; 2], measures: &[Measure]) -> SuitePart {
    let case = |cause: Cause| CaseRecord {
        suite: "a suite".to_owned(),
        id: "a case".to_owned(),
        class: "a class".to_owned(),
        engine: "an engine".to_owned(),
        accepted: "a2b2".to_owned(),
        note: String::new(),
        line: GamePosition::parse("7k/8/8/8/8/8/R7/K7 w - - 4 3", "").expect("sound"),
        verdict: Verdict { measures: measures.to_vec(), ..Verdict::unanswered(cause, "") },
    };
    let cases =
        [vec![case(PassCause::AcceptedMove.into()); passed], vec![case(FailCause::History.into()); failed]]
            .concat();
    SuitePart {
        name: "a suite".to_owned(),
        labels,
        suite: "a suite".to_owned(),
        title: "A suite".to_owned(),
        summary: "what it tests".to_owned(),
        engine: "an engine".to_owned(),
        limits: "500 nodes".to_owned(),
        lost_case: LostCase::Search,
        planned: cases.len(),
        cases,
        thresholds: Vec::new(),
        signature: None,
    }
}
