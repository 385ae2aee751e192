//! `--events`: every line of real runs keeps to the schema in the book.

use serde_json::Value;

use crate::sandbox::{GAMES, Sandbox};

const SCHEMA: &str = include_str!("../../docs/src/reference/events.schema.json");

/// Why a value does not keep to a schema; `Ok` if it does. Only the keywords that the schema of the book uses
/// are known.
fn check(value: &Value, schema: &Value, root: &Value) -> Result<(), String> {
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        match keyword.as_str() {
            "$ref" => {
                let pointer = rule.as_str().and_then(|it| it.strip_prefix('#')).expect("a local reference");
                check(value, root.pointer(pointer).expect("it is defined"), root)?;
            }
            "oneOf" => {
                let results = rule.as_array().expect("an array").iter().map(|it| check(value, it, root));
                let (fits, misses): (Vec<_>, Vec<_>) = results.partition(Result::is_ok);
                ensure(fits.len() == 1, &format!("{} schemas fit: {misses:?}", fits.len()))?;
            }
            "const" => ensure(value == rule, &format!("{value} is not {rule}"))?,
            "enum" => {
                let is_listed = rule.as_array().expect("an array").contains(value);
                ensure(is_listed, &format!("{value} is none of {rule}"))?;
            }
            "type" => {
                let fits = match rule.as_str().expect("a type") {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_u64() || value.is_i64(),
                    "number" => value.is_number(),
                    other => panic!("type {other}"),
                };
                ensure(fits, &format!("{value} is no {rule}"))?;
            }
            "minimum" => {
                ensure(value.as_f64() >= rule.as_f64(), &format!("{value} is below {rule}"))?;
            }
            "required" => {
                for key in rule.as_array().expect("an array").iter().filter_map(Value::as_str) {
                    value.get(key).ok_or(format!("{key} is missing"))?;
                }
            }
            "properties" => {
                for (key, value) in value.as_object().into_iter().flatten() {
                    // A field that the schema does not describe is an error of this program, though not of
                    // its readers.
                    check(value, rule.get(key).ok_or(format!("{key} is not described"))?, root)?;
                }
            }
            "items" => value.as_array().into_iter().flatten().try_for_each(|item| check(item, rule, root))?,
            "$schema" | "$defs" | "title" | "description" => {}
            other => panic!("keyword {other}"),
        }
    }
    Ok(())
}

fn ensure(holds: bool, why: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why.to_owned()) }
}

/// The events of a file, each checked.
fn events(sandbox: &Sandbox, file: &str) -> Vec<Value> {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let text = sandbox.read(file);
    assert!(text.ends_with('\n'), "{text}");
    let lines = text.lines().map(|line| {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        check(&event, &schema, &schema).unwrap_or_else(|error| panic!("{error}: {line}"));
        event
    });
    lines.collect()
}

fn count(events: &[Value], name: &str) -> usize {
    events.iter().filter(|event| event["event"] == name).count()
}

#[test]
fn events_of_a_regression_run_keep_to_the_schema() {
    let sandbox = Sandbox::new();
    let run = "regress --plan plan.toml --out new --events events.jsonl";
    let output = sandbox.run(run);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let events = events(&sandbox, "events.jsonl");
    let parts = events[0]["parts"].as_array().expect("parts").len();
    assert_eq!((count(&events, "run_started"), parts), (1, 5));
    assert_eq!(count(&events, "part_finished"), parts);
    let cases = sandbox.read("new/cases.csv").lines().count() - 1;
    assert_eq!(count(&events, "case_finished"), cases);
    let updates = events.iter().filter(|event| event["event"] == "test_updated");
    assert_eq!(updates.map(|event| event["pairs"].as_u64()).max(), Some(Some(4)));
    assert!(count(&events, "game_finished") >= 8 && count(&events, "fault") == 0);
    let last = events.last().expect("an event");
    assert_eq!((&last["event"], &last["exit_code"]), (&"run_finished".into(), &0.into()));
    let headline = last["headline"].as_str().expect("a headline");
    assert!(sandbox.read("new/report.json").contains(&format!("\"headline\": \"{headline}\"")), "{headline}");
    // The next run continues the file.
    assert_eq!(sandbox.run(run).code, Some(0));
    assert_eq!(count(&self::events(&sandbox, "events.jsonl"), "run_started"), 2);
}

#[test]
fn faults_are_events_of_their_own() {
    let sandbox = Sandbox::new();
    let games = GAMES.replace("name=B,", "name=B,fault=IllegalMovePlayed,");
    let output = sandbox.run(&format!("{games} --max-faults 1 --events events.jsonl"));
    assert_eq!(output.code, Some(3), "{}", output.err);
    let events = events(&sandbox, "events.jsonl");
    assert!(count(&events, "fault") > 1, "{events:#?}");
    let fault = events.iter().find(|event| event["event"] == "fault").expect("a fault");
    assert_eq!((&fault["engine"], &fault["cause"]), (&"B".into(), &"illegal move".into()));
    assert_eq!(events.last().expect("an event")["exit_code"], 3);
}

#[test]
fn engine_that_cannot_start_ends_the_events_and_leaves_reports() {
    let sandbox = Sandbox::new();
    sandbox.write("new/junit.xml", "an old one");
    sandbox.write("new/summary.md", "All requirements are met.");
    let output =
        sandbox.run("regress --plan plan.toml --engine ./missing --out new --events events.jsonl --force");
    assert_eq!(output.code, Some(3), "{}", output.err);
    let events = events(&sandbox, "events.jsonl");
    let last = events.last().expect("an event");
    assert_eq!(last["exit_code"], 3);
    assert!(
        last["headline"].as_str().is_some_and(|it| it.starts_with("Not started: engine `missing`")),
        "{last}"
    );
    assert!(sandbox.read("new/junit.xml").contains("<failure message=\"the run: engine `missing`"));
    assert!(sandbox.read("new/summary.md").contains("**Not started: "));
}

#[test]
fn reports_of_an_earlier_run_are_removed_at_the_start() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run("regress --plan plan.toml --out new").code, Some(0));
    // A run that ends before its reports leaves none.
    sandbox.write("events", "");
    let output = sandbox.run("regress --plan plan.toml --out new --fresh --events events/file");
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert!(!sandbox.path("new/summary.md").exists() && !sandbox.path("new/junit.xml").exists());
}

#[test]
fn events_of_a_tune_keep_to_the_schema() {
    let sandbox = Sandbox::new();
    sandbox.write("params.csv", "UCI_Elo, int, 1500, 800, 2400, 150, 0.05\n");
    let output = sandbox.run(
        "tune --engine echo,Hash=1,UCI_LimitStrength=true --parameters params.csv --games 12 --pairs-per 2 --nodes 20 --maxmoves 20 \
         --test-games 40 --events events.jsonl",
    );
    assert_eq!(output.code, Some(1), "{}", output.err);
    let events = events(&sandbox, "events.jsonl");
    assert_eq!((count(&events, "run_started"), count(&events, "tune_updated")), (2, 3));
    let iterations = events.iter().filter_map(|event| event["iteration"].as_u64());
    assert_eq!(iterations.collect::<Vec<_>>(), [1, 2, 3]);
}
