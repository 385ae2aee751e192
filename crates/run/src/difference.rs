//! Compares two run specifications.
//!
//! Only what results depend on is compared: not the command line, the machine, the paths of reports or the
//! baseline.

use super::job::{MatchTask, Part, RunSpec, SuiteTask, Task};
use threefold_player::EngineSpec;

/// How a specification differs from an earlier one, as a clause; `None` if both ask for the same jobs.
pub fn difference(earlier: &RunSpec, now: &RunSpec) -> Option<String> {
    if earlier.seed != now.seed {
        return Some(format!("its seed is {}, not {}", earlier.seed, now.seed));
    }
    let lacks = |spec: &RunSpec, part: &Part| !spec.parts.iter().any(|other| other.name == part.name);
    if let Some(part) = now.parts.iter().find(|part| lacks(earlier, part)) {
        return Some(format!("it has no part `{}`", part.name));
    }
    if let Some(part) = earlier.parts.iter().find(|part| lacks(now, part)) {
        return Some(format!("it has a part `{}`, which is not asked for now", part.name));
    }
    // Names are unique in a run, so both have equally many parts by now.
    let mut pairs = earlier.parts.iter().zip(&now.parts);
    pairs.find_map(|(earlier, now)| {
        if earlier.name != now.name {
            return Some(format!(
                "its parts are in another order: `{}` is before `{}`",
                earlier.name, now.name
            ));
        }
        part(&earlier.task, &now.task).map(|what| format!("`{}` {what}", now.name))
    })
}

fn part(earlier: &Task, now: &Task) -> Option<String> {
    if earlier == now || is_same_suite(earlier, now) {
        return None;
    }
    let [before, after] = [earlier, now].map(|task| engines(task.engines()));
    if before != after {
        return Some(format!("is for {before}, not {after}"));
    }
    let what = match (earlier, now) {
        (Task::Match(earlier), Task::Match(now)) => games(earlier, now),
        (Task::Suite(earlier), Task::Suite(now)) => cases(earlier, now),
        (Task::Match(_), Task::Suite(_)) => "is games, not cases".to_owned(),
        (Task::Suite(_), Task::Match(_)) => "is cases, not games".to_owned(),
    };
    Some(what)
}

/// Do both ask for the same suite, possibly with files from other folders?
fn is_same_suite(earlier: &Task, now: &Task) -> bool {
    let (Task::Suite(earlier), Task::Suite(now)) = (earlier, now) else { return false };
    earlier.source.is_same_suite(&now.source)
        && SuiteTask { source: earlier.source.clone(), ..now.clone() } == *earlier
}

fn engines(specs: &[EngineSpec]) -> String {
    let specs: Vec<String> = specs.iter().map(|spec| format!("`{}`", spec.text)).collect();
    specs.join(" and ")
}

fn games(earlier: &MatchTask, now: &MatchTask) -> String {
    if earlier.encounters != now.encounters {
        return format!("has {} pairs of games, not {}", earlier.encounters, now.encounters);
    }
    if earlier.rules != now.rules {
        return "has other colours, seeds or games in an encounter".to_owned();
    }
    if (earlier.control, earlier.clock_source) != (now.control, now.clock_source) {
        return format!(
            "has the limits {} ({}), not {} ({})",
            earlier.control, earlier.clock_source, now.control, now.clock_source
        );
    }
    if earlier.openings != now.openings {
        return "has other openings".to_owned();
    }
    if earlier.adjudication != now.adjudication {
        return "has other rules of adjudication".to_owned();
    }
    if earlier.budget != now.budget {
        return "has another time budget".to_owned();
    }
    if earlier.pgn != now.pgn {
        return "has other options of its PGN".to_owned();
    }
    "is another kind of test".to_owned()
}

fn cases(earlier: &SuiteTask, now: &SuiteTask) -> String {
    if !earlier.source.is_same_suite(&now.source) {
        return "has other cases".to_owned();
    }
    if earlier.per_class != now.per_class {
        return "has another number of cases of each class".to_owned();
    }
    if earlier.left_out != now.left_out {
        return "leaves out other cases".to_owned();
    }
    "has other limits".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Outputs, RunOrigin};
    use threefold_suites::{SourceFile, SuiteSource};

    fn spec(seed: u64, parts: &[(&str, &str, &str)]) -> RunSpec {
        let part = |&(name, engine, positions): &(&str, &str, &str)| {
            let source_file = |text: &str| SourceFile { file: "f.toml".to_owned(), text: text.to_owned() };
            let source = SuiteSource {
                suite_file: source_file("version = 1"),
                positions: vec![source_file(positions)],
            };
            let engine = engine.parse().expect("sound");
            let task = Task::Suite(SuiteTask::new(engine, source));
            Part::without_labels(name.to_owned(), task)
        };
        RunSpec { seed, parts: parts.iter().map(part).collect(), ..RunSpec::default() }
    }

    #[test]
    fn run_specs_differ_by_what_results_depend_on() {
        let earlier = spec(1, &[("a", "echo", "x"), ("b", "echo", "x")]);
        let elsewhere = RunSpec {
            title: "another".to_owned(),
            origin: RunOrigin { command: "another".to_owned(), ..RunOrigin::default() },
            outputs: Outputs { reports: Some("out".into()), ..Outputs::default() },
            ..earlier.clone()
        };
        assert_eq!(difference(&earlier, &elsewhere), None);
        // The same cases with files from other folders.
        let mut built_in = earlier.clone();
        for part in &mut built_in.parts {
            let Task::Suite(suite) = &mut part.task else { unreachable!("there are only suites") };
            suite.source.suite_file.file = "builtin:suites/f.toml".to_owned();
        }
        assert_eq!(difference(&earlier, &built_in), None);
        let Task::Suite(suite) = &mut built_in.parts[0].task else { unreachable!("there are only suites") };
        suite.limits = Some(Box::default());
        assert_eq!(difference(&earlier, &built_in).as_deref(), Some("`a` has other limits"));
        let table = [
            (spec(2, &[]), "its seed is 1, not 2"),
            (spec(1, &[("a", "echo", "x"), ("c", "echo", "x")]), "it has no part `c`"),
            (spec(1, &[("a", "echo", "x")]), "it has a part `b`, which is not asked for now"),
            (
                spec(1, &[("b", "echo", "x"), ("a", "echo", "x")]),
                "its parts are in another order: `a` is before `b`",
            ),
            (
                spec(1, &[("a", "echo", "x"), ("b", "echo,Hash=1", "x")]),
                "`b` is for `echo`, not `echo,Hash=1`",
            ),
            (spec(1, &[("a", "echo", "y"), ("b", "echo", "x")]), "`a` has other cases"),
        ];
        for (now, expected) in table {
            assert_eq!(difference(&earlier, &now).as_deref(), Some(expected));
        }
    }
}
