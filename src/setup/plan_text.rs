//! The text of the plan that `init` writes, and what changes in it after a first run.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::setup::cases_per_class::with_per_class;
use crate::setup::engine_search::{CLEAR_HASH, Determinism, FoundEngine, NodeLimit, SearchLimit};
use threefold_chess::score::Ply;
use threefold_player::EngineSpec;
use threefold_player::spec::HarnessKey;

/// The depth of searches where node limits turn out not to give the same search twice.
const DEPTH: Ply = Ply(8);

/// What a plan does with the node count of `ENGINE bench`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BenchUse {
    /// Commit messages promise it.
    Promised,
    /// The report shows it with that of the baseline.
    Shown,
}

/// The plan; without suite `bench` if the engine has no benchmark.
pub fn plan(title: &str, engine: &FoundEngine, build: Option<&str>, bench: Option<BenchUse>) -> String {
    let mut text = format!(
        "# The regression test of this engine: `threefold regress` runs it and compares it with .threefold/baseline.
# `threefold regress --accept` renews the baseline. `threefold suite --list` lists the suites.
version = 1
title = {}
seed = 1
engine = {}
",
        quoted(title),
        quoted(&engine.spec)
    );
    match build {
        Some(build) => {
            let _ = writeln!(text, "build = {}", quoted(build));
        }
        None => {
            text.push_str("# build = \"make\"    # builds the base version, in the root of its worktree\n");
        }
    }
    if bench == Some(BenchUse::Promised) {
        text.push_str(
            "bench = \"commit\"    # the node count of `ENGINE bench` is `Bench: N` of the commit messages\n",
        );
    }
    let is_left_out = |suite: &str| {
        let lacks_bench = suite == "bench" && bench.is_none();
        lacks_bench || engine.search_limit == SearchLimit::ClockAlone && !FOR_ANY_SEARCH.contains(&suite)
    };
    let mut suites = without_suites(SUITES, is_left_out);
    if matches!(engine.determinism, Determinism::Never(_)) {
        suites = without_equal_searches(&suites).unwrap_or(suites);
    }
    text.push_str(&suites);
    if is_restarted(&engine.spec) {
        text = with_fewer_starts(&text);
    }
    match engine.search_limit {
        SearchLimit::Nodes => {}
        SearchLimit::Depth(depth, limit) => text.push_str(&depth_limit(depth, limit)),
        SearchLimit::ClockAlone => {
            text.push_str("\n# The engine keeps neither `go nodes` nor `go depth`, so a clock limits its searches, and dialogues about other limits are \
                 skipped. Once it keeps one of them, `threefold init --force` adds the other suites.\n[limits]\ntc = \"2\"    # seconds\n");
        }
    }
    text
}

/// The table that limits searches by depth.
fn depth_limit(Ply(depth): Ply, limit: NodeLimit) -> String {
    let why = match limit {
        NodeLimit::Ignored => "The engine does not keep `go nodes`",
        NodeLimit::Inexact => {
            "With `go nodes` the engine does not end the same search at the same node twice"
        }
    };
    format!("\n# {why}, so only a depth gives the same search twice.\n[limits]\ndepth = {depth}\n")
}

/// A plan whose searches are limited by depth, since node limits do not give the same search twice; `None` if it
/// has limits already.
pub fn with_depth_limit(plan: &str) -> Option<String> {
    (!plan.contains("\n[limits]\n")).then(|| format!("{plan}{}", depth_limit(DEPTH, NodeLimit::Inexact)))
}

/// The built-in plan for any engine, with names of built-in files.
const SUITES: &str = include_str!("plan_suites.toml");

/// The suites whose verdicts need neither the same search twice nor a node or depth limit: rules of the protocol and of the
/// game, questions so simple that any search answers them, also on a clock, and `bench`, which decides only where commit
/// messages promise its count.
const FOR_ANY_SEARCH: [&str; 10] = [
    "bench",
    "perft",
    "compliance",
    "dialogue",
    "output",
    "special-moves",
    "value",
    "clock",
    "smoke",
    "time-control",
];

/// A plan without the suites that need the same search twice; `None` if it has none of them.
pub fn without_equal_searches(plan: &str) -> Option<String> {
    let kept = without_suites(plan, |suite| !FOR_ANY_SEARCH.contains(&suite));
    let note = "\n# The engine does not search the same twice, so the plan is without the suites that compare searches.\n";
    (kept != plan).then(|| kept + note)
}

/// A plan without some of the built-in suites.
fn without_suites(plan: &str, is_left_out: impl Fn(&str) -> bool) -> String {
    let left_out = suite_names().filter(|suite| is_left_out(suite));
    left_out.fold(plan.to_owned(), |plan, suite| without_suite(&plan, suite).unwrap_or(plan))
}

/// The names of the built-in suites of the plan.
fn suite_names() -> impl Iterator<Item = &'static str> {
    SUITES.lines().filter_map(|line| line.trim().strip_prefix("\"builtin:")?.strip_suffix("\","))
}

/// Cases by suite and id, each with the reason why it is left out.
pub type LeftOutCases = BTreeMap<(String, String), &'static str>;

/// The table of the plan with these cases.
pub fn left_out(cases: &LeftOutCases) -> String {
    let mut text = String::from(
        "\n# Cases that the engine could not answer in the first run. Remove them once it is fixed.\n[left-out]\n",
    );
    let cases: Vec<_> = cases.iter().collect();
    for suite in cases.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
        let ((name, _), _) = suite[0];
        let _ = writeln!(text, "{name} = [");
        for ((_, id), fault) in suite {
            let _ = writeln!(text, "    {},    # {fault}", quoted(id));
        }
        text.push_str("]\n");
    }
    text
}

/// A built-in suite in the list of a plan.
fn in_list(name: &str) -> String {
    format!("\"builtin:{name}\",")
}

/// A plan without this built-in suite; `None` if it does not have it.
pub fn without_suite(plan: &str, name: &str) -> Option<String> {
    let [in_list, per_class] = [in_list(name), format!("{name} = ")];
    let is_of_suite = |line: &&str| line.trim() == in_list || line.starts_with(&per_class);
    let kept: String = plan.split_inclusive('\n').filter(|line| !is_of_suite(line)).collect();
    plan.contains(&in_list).then_some(kept)
}

/// A plan with `restart=on` for its engine, and no `Clear Hash`, which did not help; `None` if it has that already.
pub fn with_restart(plan: &str) -> Option<String> {
    let spec: EngineSpec = engine(plan)?.replace(CLEAR_HASH, "").parse().ok()?;
    let restarted = spec.with(&[(HarnessKey::Restart, "on")]).ok()?;
    (!spec.restart).then(|| with_fewer_starts(&with_engine(plan, &restarted.text)))
}

/// Suites of searches that are shorter than a start of the engine, with the cases of each class that are asked if each has a
/// new process: a quarter or a half of the others. With all of them the starts would cost more than the rest of the run.
const RESTARTED_PER_CLASS: [(&str, usize); 2] = [("symmetry", 12), ("ending-value", 50)];

/// A plan with fewer cases of the suites whose searches are short. A suite that the plan does not have gets no number.
fn with_fewer_starts(plan: &str) -> String {
    let numbers = RESTARTED_PER_CLASS.into_iter().filter(|(suite, _)| plan.contains(&in_list(suite)));
    with_per_class(plan, numbers, "few, since each search has a new process")
}

/// A plan that presses `Clear Hash` for each game; `None` if it does so already, or restarts the engine.
pub fn with_clear_hash(plan: &str) -> Option<String> {
    let spec = engine(plan)?;
    let is_cleared = is_restarted(&spec) || spec.contains(CLEAR_HASH);
    (!is_cleared).then(|| with_engine(plan, &(spec + CLEAR_HASH)))
}

fn is_restarted(spec: &str) -> bool {
    spec.parse::<EngineSpec>().is_ok_and(|spec| spec.restart)
}

/// The spec of a plan's engine; `None` without one.
pub fn engine(plan: &str) -> Option<String> {
    Some(plan.parse::<toml::Table>().ok()?.get("engine")?.as_str()?.to_owned())
}

/// A plan with this spec of its engine.
fn with_engine(plan: &str, spec: &str) -> String {
    // The plan is changed as text: TOML that is parsed and written again loses its comments.
    let of_engine = |line: &&str| line.starts_with("engine = ");
    let lines = plan.split_inclusive('\n');
    let changed = format!("engine = {}\n", quoted(spec));
    lines.map(|line| if of_engine(&line) { &changed } else { line }).collect()
}

/// A text as TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_player::EngineId;
    use threefold_run::regress::{BenchSource, RegressionPlan};
    use threefold_suites::SourceFile;

    #[test]
    fn restart_is_added_to_the_engine_of_a_plan_once() {
        let plan = "version = 1\nengine = \"./my engine,Hash=16\"\n# engine\n";
        let restarted = with_restart(plan).expect("it has none");
        assert_eq!(restarted, plan.replace("Hash=16", "Hash=16,restart=on"));
        assert_eq!(with_restart(&restarted), None);
        assert_eq!(with_restart("version = 1\n"), None);
        let cleared = with_clear_hash(plan).expect("it is not");
        assert_eq!(cleared, plan.replace("Hash=16", "Hash=16,Clear Hash="));
        assert_eq!((with_clear_hash(&cleared), with_clear_hash(&restarted)), (None, None));
        assert_eq!(with_restart(&cleared), Some(restarted.clone()));
        let refused = plan.replace("Hash=16", "restart=off,Hash=16");
        assert_eq!(with_restart(&refused), Some(restarted));
    }

    #[test]
    fn restarted_engine_is_asked_fewer_short_searches() {
        let plan = format!("engine = \"./mine\"\n{SUITES}");
        let restarted: toml::Table = with_restart(&plan).expect("it has none").parse().expect("TOML");
        let plan: toml::Table = plan.parse().expect("TOML");
        for (suite, cases) in RESTARTED_PER_CLASS {
            let number = |plan: &toml::Table| plan["per-class"].get(suite)?.as_integer();
            let cases = i64::try_from(cases).expect("few");
            assert_eq!(number(&restarted), Some(cases));
            let before = number(&plan);
            assert!(before.is_none_or(|before| before > cases), "{suite}");
        }
        assert_eq!(restarted["per-class"]["ponder-move"], plan["per-class"]["ponder-move"]);
        assert_eq!(restarted["suites"], plan["suites"]);
    }

    #[test]
    fn plan_has_numbers_of_cases_for_its_own_suites_alone() {
        for spec in ["./mine", "./mine,restart=on"] {
            for determinism in [Determinism::InNewProcesses, Determinism::Never("differs".to_owned())] {
                let text = planned(spec, SearchLimit::Nodes, determinism.clone());
                let restarted = with_restart(&text).unwrap_or_else(|| text.clone());
                for text in [text, restarted] {
                    let plan: toml::Table = text.parse().expect("TOML");
                    let suites = plan["suites"].as_array().expect("a list");
                    let of_others = plan["per-class"]
                        .as_table()
                        .expect("a table")
                        .keys()
                        .filter(|name| !suites.contains(&toml::Value::from(format!("builtin:{name}"))));
                    assert_eq!(
                        of_others.collect::<Vec<_>>(),
                        Vec::<&String>::new(),
                        "{determinism:?}: {text}"
                    );
                }
            }
        }
    }

    #[test]
    fn suite_leaves_a_plan_with_its_number_of_cases() {
        let plan =
            "suites = [\n    \"builtin:mate\",\n    \"builtin:rule\",\n]\n[per-class]\nmate = 4\nrule = 2\n";
        let without = "suites = [\n    \"builtin:rule\",\n]\n[per-class]\nrule = 2\n";
        assert_eq!(without_suite(plan, "mate").as_deref(), Some(without));
        assert_eq!(without_suite(without, "mate"), None);
    }

    #[test]
    fn the_plan_that_is_written_is_read_back() {
        for build in [None, Some("make -C src EXE={out} && echo \"x\"")] {
            let bench = build.map(|_| BenchUse::Promised);
            let engine = FoundEngine {
                spec: "./my engine,Hash=16".to_owned(),
                id: EngineId::default(),
                search_limit: if build.is_some() {
                    SearchLimit::Nodes
                } else {
                    SearchLimit::Depth(Ply(6), NodeLimit::Ignored)
                },
                determinism: Determinism::InOneProcess,
            };
            let text = plan("My \"engine\"", &engine, build, bench);
            assert_eq!(text.contains("[limits]\ndepth = 6\n"), build.is_none());
            let read = RegressionPlan::parse(SourceFile { file: "threefold.toml".to_owned(), text });
            let read = read.expect("a sound plan");
            assert_eq!(read.engine().expect("an engine").text, "./my engine,Hash=16");
            assert_eq!((read.build(), read.has_base_test()), (build, true));
            assert_eq!(read.bench(), Ok(bench.map(|_| BenchSource::Commit)));
            assert_eq!(read.suites().contains(&"builtin:bench".to_owned()), bench.is_some());
            assert!(read.suites().iter().all(|suite| suite.starts_with("builtin:")), "{:?}", read.suites());
        }
    }

    /// The plan for an engine.
    fn planned(spec: &str, search_limit: SearchLimit, determinism: Determinism) -> String {
        let (spec, id) = (spec.to_owned(), EngineId::default());
        plan("Mine", &FoundEngine { spec, id, search_limit, determinism }, None, None)
    }

    /// The suites of the plan for an engine, sorted.
    fn planned_suites(search_limit: SearchLimit, determinism: Determinism) -> Vec<String> {
        let text = planned("./mine", search_limit, determinism);
        let read = RegressionPlan::parse(SourceFile { file: "threefold.toml".to_owned(), text });
        let mut suites = read.expect("a sound plan").suites().clone();
        suites.sort();
        suites
    }

    #[test]
    fn plan_has_the_suites_that_fit_the_limits_of_the_engine() {
        let names = |names: &[&str]| -> Vec<String> {
            let kept = names.iter().filter(|suite| **suite != "bench");
            let mut names: Vec<String> = kept.map(|suite| format!("builtin:{suite}")).collect();
            names.sort();
            names
        };
        assert_eq!(
            planned_suites(SearchLimit::ClockAlone, Determinism::InOneProcess),
            names(&FOR_ANY_SEARCH)
        );
        let never = || Determinism::Never("differs".to_owned());
        assert_eq!(planned_suites(SearchLimit::Nodes, never()), names(&FOR_ANY_SEARCH));
        let depth = SearchLimit::Depth(DEPTH, NodeLimit::Inexact);
        assert_eq!(planned_suites(depth, never()), names(&FOR_ANY_SEARCH));
        let all: Vec<&str> = suite_names().collect();
        assert_eq!(planned_suites(depth, Determinism::InNewProcesses), names(&all));
    }

    #[test]
    fn a_plan_is_limited_by_depth_once() {
        let plan = "version = 1\nsuites = [\n    \"builtin:mate\",\n    \"builtin:perft\",\n]\n";
        let limited = with_depth_limit(plan).expect("it has no limits");
        assert!(limited.ends_with("\n[limits]\ndepth = 8\n"), "{limited}");
        assert_eq!(with_depth_limit(&limited), None);
        let reduced = without_equal_searches(&limited).expect("it has a suite that compares searches");
        assert!(!reduced.contains("mate") && reduced.contains("builtin:perft"), "{reduced}");
        assert_eq!(without_equal_searches(&reduced), None);
    }

    #[test]
    fn left_out_cases_are_read_back() {
        let names = [("compliance", "stop"), ("compliance", "quit \"now\""), ("rule", "r1")];
        let cases = names.map(|(suite, id)| ((suite.to_owned(), id.to_owned()), "crash"));
        let text = left_out(&cases.into());
        let table: toml::Table = text.parse().expect("sound TOML");
        let suites = table["left-out"].as_table().expect("a table");
        assert_eq!(suites["compliance"], toml::Value::from(vec!["quit \"now\"", "stop"]));
        assert_eq!(suites["rule"], toml::Value::from(vec!["r1"]));
    }

    /// `regress --engine ./mine` without a plan runs what `init` would write.
    #[test]
    fn built_in_plan_for_engines_has_the_same_suites() {
        let read = |text: &str| -> toml::Table { text.parse().expect("sound TOML") };
        let [written, built_in] = [SUITES, include_str!("../../suites/engine.toml")].map(read);
        let names = |suites: &toml::Value| -> Vec<String> {
            let names = suites.as_array().expect("a list").iter().filter_map(toml::Value::as_str);
            names
                .map(|name| name.trim_start_matches("builtin:").trim_end_matches(".toml").to_owned())
                .collect()
        };
        assert_eq!(names(&written["suites"]), names(&built_in["suites"]));
        assert_eq!(written["per-class"], built_in["per-class"]);
    }
}
