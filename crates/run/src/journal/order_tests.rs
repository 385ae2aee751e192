//! Specifications of earlier versions keep their meaning.

use std::num::NonZeroU32;

use super::run_spec::RunSpecV1;
use super::spec_fixture::{games, spec};
use super::*;
use crate::job::{MatchTask, Part, Purpose, ReportSetName, Task};
use threefold_games::game::Adjudication;
use threefold_games::pairing::TournamentFormat;
use threefold_stats::{EloModel, Overshoot, Risks, Sprt, SprtConfig, TrialUnit};

#[test]
fn test_of_version_0_2_keeps_its_parameters() {
    let sprt = Sprt::new(EloModel::Normalized, 0.0, 5.0, Risks::USUAL).expect("sound");
    let batch = NonZeroU32::new(8).expect("not zero");
    let test = SprtConfig::new(sprt, TrialUnit::Games, batch, Overshoot::Correct).expect("sound");
    let task = games(Purpose::Test(test.into()), "nodes=4000", "wall", Adjudication::default());
    let spec = RunSpec { parts: vec![Part::without_labels("test".to_owned(), task)], ..RunSpec::default() };
    let mut written = serde_json::to_value(RunSpecV1::from(&spec)).expect("an order is JSON");
    *written.pointer_mut("/parts/0/task/match/purpose/test").expect("a test") = serde_json::json!({
        "model": "normalized", "elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.05,
        "conduct": { "counts": "games", "batch": 8, "overshoot": "correct" },
    });
    let read: RunSpecV1 = serde_json::from_value(written).expect("the form of 0.2");
    assert_eq!(read.restore().expect("sound"), spec);
}

#[test]
fn unknown_stopping_rule_and_unknown_parameter_are_refused() {
    let sprt = Sprt::new(EloModel::Normalized, 0.0, 5.0, Risks::USUAL).expect("sound");
    let task = games(Purpose::Test(sprt.into()), "nodes=4000", "wall", Adjudication::default());
    let spec = RunSpec { parts: vec![Part::without_labels("test".to_owned(), task)], ..RunSpec::default() };
    for (key, value, error) in [
        ("rule", "coin".into(), "there is no stopping rule `coin`"),
        ("deadline", 400.into(), "the test has no parameter `deadline`"),
    ] {
        let mut written = serde_json::to_value(RunSpecV1::from(&spec)).expect("an order is JSON");
        let test: &mut serde_json::Value =
            written.pointer_mut("/parts/0/task/match/purpose/test").expect("a test");
        test[key] = value;
        let read: RunSpecV1 = serde_json::from_value(written).expect("JSON");
        let refused = read.restore().expect_err("another program's");
        assert!(refused.contains(error), "{refused}");
    }
}

#[test]
fn run_spec_without_labels_is_read_and_labels_keep_their_order() {
    let mut written = serde_json::to_value(RunSpecV1::from(&spec())).expect("an order is JSON");
    let labels = |written: &serde_json::Value| written.pointer("/parts/1/labels").cloned();
    assert_eq!(labels(&written), Some(serde_json::json!([["n", "1"]])));
    let parts = written.pointer_mut("/parts").and_then(|parts| parts.as_array_mut()).expect("parts");
    for part in parts {
        assert!(part.as_object_mut().and_then(|part| part.remove("labels")).is_some());
    }
    let read: RunSpecV1 = serde_json::from_value(written).expect("earlier parts had no labels");
    let read = read.restore().expect("sound");
    assert!(read.parts.iter().all(|part| part.labels.is_empty()));
    let again = serde_json::to_value(RunSpecV1::from(&read)).expect("an order is JSON");
    assert_eq!(labels(&again), None, "what is empty is not written");
}

#[test]
fn run_spec_accepts_any_report_name() {
    for name in ["summary", "cases", "ablation", "repetition", "time", "of another program"] {
        let mut written = serde_json::to_value(RunSpecV1::from(&spec())).expect("an order is JSON");
        written["printed"] = name.into();
        let read: RunSpecV1 = serde_json::from_value(written).expect("a name");
        assert_eq!(read.restore().expect("sound").outputs.report_set, ReportSetName::from(name));
    }
}

#[test]
fn tournament_is_read_back() {
    let Task::Match(task) = games(Purpose::Match, "nodes=9", "wall", Adjudication::default()) else {
        panic!("games")
    };
    let task = MatchTask { format: TournamentFormat::Knockout, ..task };
    let spec = RunSpec { tournament: Some(Box::new(task)), ..RunSpec::default() };
    let written = serde_json::to_value(RunSpecV1::from(&spec)).expect("an order is JSON");
    let read: RunSpecV1 = serde_json::from_value(written).expect("what was written");
    assert_eq!(read.restore().expect("sound"), spec);
}
