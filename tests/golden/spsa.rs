//! Golden schedules of SPSA: constants and gains of OpenBench, and the values that it played.
//!
//! `GOLDEN_SPSA` names another file of the same format.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use threefold_run::tune::parameter_file::ParameterFile;
use threefold_stats::spsa::{Flip, Gains, Parameter, Perturbation, Schedule};
use threefold_suites::SourceFile;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    inputs: Vec<String>,
    alpha: f64,
    gamma: f64,
    a_ratio: f64,
    iterations: u32,
    pairs_per: u32,
    a: BTreeMap<String, f64>,
    c0: BTreeMap<String, f64>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    games: u64,
    parameters: BTreeMap<String, Played>,
}

#[derive(Deserialize)]
struct Played {
    c: f64,
    r: f64,
    flip: i8,
    dev: f64,
    base: f64,
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test reads its cases from a file, which the environment may name"
)]
fn read() -> File {
    let default = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/spsa.json"));
    let path = std::env::var("GOLDEN_SPSA").map_or_else(|_| default(), PathBuf::from);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: File =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(!file.cases.is_empty(), "{} has no cases", path.display());
    file
}

fn agree(what: &str, found: f64, expected: f64) -> Result<(), String> {
    let is_near = (found - expected).abs() <= 1e-12 * expected.abs();
    if is_near { Ok(()) } else { Err(format!("{what}: found {found}, OpenBench has {expected}")) }
}

fn check(schedule: &Schedule, case: &Case, parameter: &Parameter) -> Result<(), String> {
    let name = parameter.name.as_str();
    let start = schedule.start(parameter);
    agree("a", start.a, case.a[name])?;
    agree("c0", start.c, case.c0[name])?;
    for step in &case.steps {
        let expected = &step.parameters[name];
        let gains = schedule.gains(parameter, step.games);
        agree("c", gains.c, expected.c)?;
        agree("r", gains.r, expected.r)?;
        check_values(parameter, gains, expected)?;
    }
    Ok(())
}

/// Are the values that OpenBench played possible with some draw?
fn check_values(parameter: &Parameter, gains: Gains, expected: &Played) -> Result<(), String> {
    let flip = if expected.flip > 0 { Flip::Up } else { Flip::Down };
    let sides = |rounding| parameter.played(parameter.value, gains, Perturbation { flip, rounding });
    // 1.0 less one unit in the last place.
    let (low, high) = (sides(0.0), sides(1.0 - f64::EPSILON / 2.0));
    for (index, played) in [expected.dev, expected.base].into_iter().enumerate() {
        if played < low[index] - 1e-12 || played > high[index] + 1e-12 {
            return Err(format!("{played} is not from {} to {}", low[index], high[index]));
        }
    }
    Ok(())
}

#[test]
fn golden_schedules_hold() {
    let mut wrong = Vec::new();
    for (number, case) in read().cases.iter().enumerate() {
        let exponents = [case.alpha, case.gamma, case.a_ratio];
        let schedule = Schedule::new(case.iterations, case.pairs_per, exponents).expect("sound");
        let file = SourceFile { file: "params.csv".to_owned(), text: case.inputs.join("\n") };
        for parameter in ParameterFile::parse(&file).expect("sound").parameters.all() {
            if let Err(what) = check(&schedule, case, parameter) {
                wrong.push(format!("case {number}, {}: {what}", parameter.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn another_schedule_fails() {
    let case = &read().cases[0];
    let other = Schedule::new(case.iterations, case.pairs_per, [case.alpha, case.gamma + 1e-9, case.a_ratio]);
    let file = SourceFile { file: "params.csv".to_owned(), text: case.inputs.join("\n") };
    let read = ParameterFile::parse(&file).expect("sound");
    assert!(check(&other.expect("sound"), case, &read.parameters.all()[0]).is_err());
}
