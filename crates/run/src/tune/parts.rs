//! The parts of a tune: the match that tunes, and the test of the result.

use std::sync::Arc;

use crate::job::{MatchTask, Part, Purpose, RunSpec, Task};
use crate::run_record::RunRecord;
use crate::tune_rule::TuneRule;
use threefold_player::spec::HarnessKey;
use threefold_player::{EngineSpec, SpecError, SpecKey};
use threefold_stats::spsa::Parameter;

/// The name of the part that tests the result.
pub const RESULT_TEST: &str = "test of the tuned values";

/// The names of the part that tunes and of its engines.
const TUNE: &str = "tune";
const SIDES: [&str; 2] = ["plus", "minus"];
const TESTED: [&str; 2] = ["tuned", "start"];

/// The specification of a tune. `games` has one engine, the openings and the conditions; the games follow
/// from the schedule.
///
/// # Errors
/// If the engine can't have the names of the sides.
pub fn spec(engine: &EngineSpec, games: MatchTask, rule: TuneRule, seed: u64) -> Result<RunSpec, SpecError> {
    let pairs = rule.schedule.games() / 2;
    let task = MatchTask {
        engines: named(engine, SIDES)?,
        // Too many pairs are refused where the run is prepared.
        encounters: usize::try_from(pairs).unwrap_or(usize::MAX),
        purpose: Purpose::Tuning,
        budget: None,
        ..games
    };
    let parts = vec![Part::without_labels(TUNE.to_owned(), Task::Match(task))];
    let title = format!("Tune of {}", engine.name);
    Ok(RunSpec { title, seed, parts, tune: Some(Arc::new(rule)), ..RunSpec::default() })
}

/// The engine twice, with these words after its name.
fn named(engine: &EngineSpec, words: [&str; 2]) -> Result<Vec<EngineSpec>, SpecError> {
    words
        .into_iter()
        .map(|word| engine.with(&[(HarnessKey::Name, &*format!("{} {word}", base_name(engine)))]))
        .collect()
}

/// The name of the engine without the word of a side.
fn base_name(engine: &EngineSpec) -> &str {
    let of_side = SIDES.iter().find_map(|side| engine.name.strip_suffix(&format!(" {side}")));
    of_side.unwrap_or(&engine.name)
}

/// The specification with the test of the result; `None` if the run is no tune, if the tune is not over, or
/// if there is no test, or it is there.
pub fn next_round(run: &RunRecord) -> Option<RunSpec> {
    let spec = run.spec();
    let rule = spec.tune.as_ref()?;
    let test = rule.test.as_ref().filter(|_| spec.parts.len() == 1)?;
    let parts = run.parts();
    let record = parts.first()?;
    let tune = record.progress.tune?.tune();
    let games = record.match_task()?;
    let tuned = tune.is_over().then(|| tune.rounded())?;
    let mut engines = named(games.engines.first()?, TESTED).ok()?;
    for (engine, values) in engines.iter_mut().zip([tuned, rule.parameters.start()]) {
        *engine = with_values(engine, rule.parameters.all(), &values).ok()?;
    }
    // The test goes on in the book where the tune ended.
    let size = games.openings.len().max(1);
    let openings = games.openings.iter().cycle().skip((rule.schedule.games() / 2) as usize % size);
    let task = MatchTask {
        engines,
        openings: openings.take(size).cloned().collect(),
        encounters: test.pairs,
        purpose: Purpose::Test(test.rule.clone()),
        ..games.clone()
    };
    let part = Part::without_labels(RESULT_TEST.to_owned(), Task::Match(task));
    Some(RunSpec { parts: [spec.parts.clone(), vec![part]].concat(), ..(*spec).clone() })
}

/// The text of an engine of a run. An engine of the result's test differs from the one that is tuned by numbers as
/// values of the parameters and by its name only, so it has the text of that one.
pub fn engine_text<'s>(spec: &'s RunSpec, engine: &'s EngineSpec) -> &'s str {
    let Some(rule) = &spec.tune else { return &engine.text };
    let is_value = |(name, value): &(String, String)| {
        rule.parameters.all().iter().any(|parameter| parameter.name == *name) && value.parse::<f64>().is_ok()
    };
    let plain = |engine: &EngineSpec| EngineSpec {
        text: String::new(),
        name: String::new(),
        options: engine.options.iter().filter(|option| !is_value(option)).cloned().collect(),
        ..engine.clone()
    };
    let tuned = spec.parts.first().and_then(|part| part.task.engines().first());
    tuned.filter(|tuned| plain(tuned) == plain(engine)).map_or(&engine.text, |tuned| &tuned.text)
}

/// The engine with these values of the parameters as options.
fn with_values(
    engine: &EngineSpec,
    parameters: &[Parameter],
    values: &[f64],
) -> Result<EngineSpec, SpecError> {
    let texts: Vec<String> =
        parameters.iter().zip(values).map(|(parameter, &value)| parameter.text(value)).collect();
    let settings: Vec<(SpecKey, &str)> = parameters
        .iter()
        .zip(&texts)
        .map(|(parameter, text)| (SpecKey::from(parameter.name.as_str()), text.as_str()))
        .collect();
    engine.with(&settings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_games::opening::Opening;
    use threefold_stats::spsa::{ParameterKind, Parameters, Schedule};

    #[test]
    fn engines_of_the_test_are_the_tuned_one_but_for_values_and_names() {
        let (name, kind) = ("Margin".to_owned(), ParameterKind::Int);
        let margin = Parameter { name, kind, value: 5.0, min: 0.0, max: 9.0, c_end: 1.0, r_end: 0.002 };
        let rule = TuneRule {
            parameters: Parameters::new(vec![margin]).expect("sound"),
            schedule: Schedule::usual(3, 1).expect("sound"),
            ahead: 1,
            test: None,
        };
        let engine: EngineSpec = "./engine --quiet,name=Mine,Hash=16".parse().expect("sound");
        let games = MatchTask::new(Vec::new(), vec![Opening::start_position()], 1);
        let spec = spec(&engine, games, rule, 1).expect("sound");
        let sides: Vec<&str> =
            spec.parts[0].task.engines().iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!((sides, spec.title.as_str()), (vec!["Mine plus", "Mine minus"], "Tune of Mine"));
        let plus = &spec.parts[0].task.engines()[0].text;
        for (text, is_tuned) in [
            ("./engine --quiet,name=Mine tuned,Hash=16,Margin=7", true),
            ("./engine --quiet,name=Other,Hash=16", true),
            ("./engine --quiet,name=Mine tuned,Hash=16,Margin=/etc/passwd", false),
            ("./engine --quiet,name=Mine tuned,Hash=32,Margin=7", false),
            ("./engine --loud,name=Mine tuned,Hash=16,Margin=7", false),
            ("./other --quiet,name=Mine tuned,Hash=16,Margin=7", false),
            ("./engine --quiet,name=Mine tuned,Hash=16,Log=7", false),
        ] {
            let engine: EngineSpec = text.parse().expect("sound");
            assert_eq!(engine_text(&spec, &engine) == plus, is_tuned, "{text}");
        }
    }
}
