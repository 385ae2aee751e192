//! Tests of plans: a plan is turned into a run specification, and errors in it are reported with file and
//! line.

use std::collections::BTreeSet;
use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::Arc;
use std::time::Duration;

use super::base_match::{BaseOptions, BaseReference};
use super::base_setting::BaseSetting;
use super::choices::{PlanChoices, PlanLength};
use super::plan::*;
use crate::job::ThresholdUse;
use crate::prepared::PreparedRun;
use crate::{Part, RunSpec, Task};
use threefold_chess::clock::Limits;
use threefold_games::opening::read_epd;
use threefold_stats::EloModel;
use threefold_suites::{CaseStep, Cause, SkipCause, SourceFile, SuiteError, SuiteSource};

const PLAN: &str = r#"version = 1
title = "a plan"
seed = 5
engine = "echo,name=Echo"
suites = ["mates.toml", "../more/traps.toml"]
[per-class]
traps = 7
[adjudication]
max-moves = 120
draw = { from-move = 40, moves = 8, score = 10 }
resign = { moves = 4, score = 600, two-sided = true }
[[test]]
name = "policies"
new = "echo,RepetitionPolicy=HistoryIgnored"
base = "echo,RepetitionPolicy=HistoryDraw"
nodes = 4000
pairs = 300
quick-pairs = 20
openings = "book.epd"
elo0 = -10
elo1 = 10
[[calibration]]
name = "ladder"
engine = "echo,name=Echo"
nodes = [500, 2000, 8000]
rounds = 20
quick-rounds = 2
openings = "book.epd"
"#;

fn plan(text: &str) -> Result<RegressionPlan, SuiteError> {
    RegressionPlan::parse(SourceFile { file: "suites/regress.toml".to_owned(), text: text.to_owned() })
}

fn spec(text: &str, length: PlanLength) -> Result<RunSpec, SuiteError> {
    order_with(text, length, None)
}

/// The specification of a run of this plan that plays two games at a time; `base` is the SPEC of the base
/// version.
fn order_with(text: &str, length: PlanLength, base: Option<&str>) -> Result<RunSpec, SuiteError> {
    order_of(&plan(text)?, length, base)
}

fn order_of(plan: &RegressionPlan, length: PlanLength, base: Option<&str>) -> Result<RunSpec, SuiteError> {
    let book = read_epd("4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/4p3/8/8/8/8/8/4K3 w - -\n").expect("sound");
    let source_file = |file: &str| SourceFile { file: file.to_owned(), text: String::new() };
    let source =
        |file: String| (file.clone(), SuiteSource { suite_file: source_file(&file), positions: Vec::new() });
    let materials = PlanFiles {
        suites: plan.suites().into_iter().map(source).collect(),
        books: plan.books().into_iter().map(|file| (file, book.clone())).collect(),
    };
    let choices = PlanChoices {
        engine: plan.engine()?,
        base: base.map(|base| base.parse().expect("sound")),
        length,
        bench: NonZeroU64::new(4_321),
        jobs: NonZeroUsize::new(2).expect("not zero"),
    };
    plan.spec(&choices, &materials)
}

#[test]
fn a_plan_becomes_an_order() {
    let names = plan(PLAN).map(|plan| (plan.suites(), plan.books())).expect("sound");
    assert_eq!(names.0, ["suites/mates.toml", "suites/../more/traps.toml"]);
    assert_eq!(names.1, BTreeSet::from(["suites/book.epd".to_owned()]));
    for (length, test_pairs, ladder_pairs) in [(PlanLength::Full, 300, 60), (PlanLength::Quick, 20, 6)] {
        let order = spec(PLAN, length).expect("sound");
        let parts: Vec<&str> = order.parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(parts, ["mates", "traps", "policies", "ladder"]);
        let per_class = |part: &Part| match &part.task {
            Task::Suite(suite) => suite.per_class.map(NonZeroUsize::get),
            Task::Match(_) => None,
        };
        assert_eq!(order.parts.iter().map(per_class).collect::<Vec<_>>(), [None, Some(7), None, None]);
        let [.., Part { task: Task::Match(test), .. }, Part { task: Task::Match(ladder), .. }] =
            &order.parts[..]
        else {
            panic!("two matches at the end")
        };
        assert_eq!((test.encounters, ladder.encounters), (test_pairs, ladder_pairs));
        assert_eq!(
            test.test().map(|test| (test.hypotheses().elo0(), test.hypotheses().elo1())),
            Some((-10.0, 10.0))
        );
        let rules: Vec<String> = test.adjudication.texts().map(|(_, text)| text).collect();
        assert_eq!(
            rules,
            ["movecount=4,score=600,twosided=true", "movenumber=40,movecount=8,score=10", "120"]
        );
        assert_eq!((test.control.nodes, &ladder.adjudication), (Some(4000), &test.adjudication));
        assert_eq!(ladder.engines[2].name, "Echo@8000");
    }
}

#[test]
fn tolerance_of_a_plan_replaces_that_of_a_suite() {
    for (given, is_replaced) in [("", false), ("[tolerance]\ntraps = \"strict\"\n", true)] {
        let text = PLAN.replacen("[adj", &format!("{given}[adj"), 1);
        let read = spec(&text, PlanLength::Full).expect("sound");
        let traps = read.parts.iter().find(|part| part.name == "traps").expect("a suite");
        let Task::Suite(traps) = &traps.task else { panic!("no suite") };
        assert_eq!(traps.source.suite_file.text.contains("lost_case = \"strict\""), is_replaced);
    }
}

#[test]
fn the_plan_that_is_shipped_is_sound() {
    spec(include_str!("../../../../suites/regress.toml"), PlanLength::Full).expect("a sound plan");
}

#[test]
fn what_is_wrong_is_named_by_file_and_line() {
    let table = [
        ("version = 1", "version = 2", "suites/regress.toml:1: version 2 is not known here"),
        ("\"echo,name=Echo\"\nsuites", "\"echo,x\"\nsuites", "suites/regress.toml:4: `x` is no key=value"),
        (
            "traps = 7",
            "trips = 7",
            "suites/regress.toml:7: no suite of the plan is called `trips`; there are mates, traps",
        ),
        (
            "[adj",
            "[left-out]\ntrips = []\n[adj",
            "suites/regress.toml:9: no suite of the plan is called `trips`",
        ),
        (
            "[adj",
            "[tolerance]\ntrips = \"strict\"\n[adj",
            "suites/regress.toml:9: no suite of the plan is called `trips`",
        ),
        (
            "[adj",
            "[tolerance]\ntraps = \"lax\"\n[adj",
            "suites/regress.toml:9: `lax` is not known; use one of strict, search; give \"strict\"",
        ),
        ("traps = 7", "traps = 0", "suites/regress.toml:7: invalid value: integer `0`"),
        ("max-moves = 120", "tables = 5", "suites/regress.toml:9: there is no rule `tables`; the rules are"),
        ("moves = 8,", "", "suites/regress.toml:10: draw: movecount must be a whole number"),
        ("quick-pairs", "quickpairs", "suites/regress.toml:18: unknown field `quickpairs`"),
        ("pairs = 300", "pairs = \"many\"", "suites/regress.toml:17: invalid type"),
        ("nodes = 4000", "nodes = 0", "suites/regress.toml:12: `nodes=0` can't be read"),
        ("elo0 = -10", "elo0 = 30", "suites/regress.toml:12: elo0 = 30 and elo1 = 10 are invalid"),
        ("elo1 = 10", "elo1 = 10\nmodel = \"bayes\"", "suites/regress.toml:22: `bayes` is not known"),
        ("[500, 2000, 8000]", "[500]", "suites/regress.toml:22: a ladder takes two or more"),
    ];
    for (old, new, message) in table {
        let text = PLAN.replacen(old, new, 1);
        let error = spec(&text, PlanLength::Full).expect_err(new).to_string();
        assert!(error.starts_with(message), "{new}: {error}");
    }
}

const BASE: &str = r#"version = 1
title = "mine"
engine = "./mine,Hash=16"
build = "make EXE={out}"
thresholds = "ignore"
[adjudication]
max-moves = 120
[base]
commit = "origin/main"
tc = "1+0.01"
elo0 = -10
elo1 = 0
budget = "20m"
openings = "book.epd"
"#;

#[test]
fn a_base_version_becomes_a_test_with_a_time_budget() {
    let read = plan(BASE).expect("sound");
    assert_eq!(read.base().expect("sound"), Some(BaseReference::Commit("origin/main".to_owned())));
    assert_eq!((read.build(), read.has_base_test()), (Some("make EXE={out}"), true));
    // The budget is thinking time: two games at a time use twice 20 minutes, and a quick run a tenth of that.
    for (length, minutes) in [(PlanLength::Full, 40), (PlanLength::Quick, 4)] {
        let order = order_with(BASE, length, Some("./old,name=base")).expect("sound");
        assert_eq!((order.seed, order.thresholds), (1, ThresholdUse::Ignore));
        let [Part { name, task: Task::Match(test), .. }] = &order.parts[..] else { panic!("one test") };
        let engines: Vec<&str> = test.engines.iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!((name.as_str(), engines), ("base", vec!["mine Hash=16", "base"]));
        assert_eq!((test.encounters, test.budget), (20_000, Some(Duration::from_mins(minutes))));
        assert_eq!(test.control.to_string(), "1+0.01");
        assert_eq!(
            test.test().map(|test| (test.hypotheses().elo0(), test.hypotheses().elo1())),
            Some((-10.0, 0.0))
        );
        assert_eq!(test.adjudication.texts().count(), 1);
        assert!(!test.openings.is_empty());
    }
    assert_eq!(
        spec(BASE, PlanLength::Full).expect("sound").parts,
        [],
        "without a base version there is no test"
    );
    let late = BASE.replace("[base]", "[base]\ntimemargin = 300");
    let order_late = order_with(&late, PlanLength::Full, Some("./old")).expect("sound");
    let margin = Some(Duration::from_millis(300));
    assert!(matches!(&order_late.parts[0].task, Task::Match(test) if test.control.margin == margin));
    let own = BASE.replace("budget = \"20m\"", "budget = \"20m\"\nquick-budget = \"30s\"");
    let order = order_with(&own, PlanLength::Quick, Some("./old")).expect("sound");
    assert!(matches!(&order.parts[0].task, Task::Match(test) if test.budget == Some(Duration::from_mins(1))));
}

#[test]
fn settings_of_a_run_replace_values_of_base() {
    let settings = |words: &str| -> Vec<BaseSetting> {
        words.split_whitespace().map(|word| word.parse().expect("a setting")).collect()
    };
    let read = |words: &str| {
        let plan = plan(&BASE.replace("tc = \"1+0.01\"", "st = 1.0\ndepth = 9")).expect("sound");
        order_of(&plan.with_base_settings(&settings(words))?, PlanLength::Full, Some("./old"))
    };
    let order = read("tc=8+0.08 elo0=0 elo1=5 model=logistic budget=1h games=100").expect("sound");
    let [Part { task: Task::Match(test), .. }] = &order.parts[..] else { panic!("one test") };
    assert_eq!(test.control.to_string(), "8+0.08");
    assert_eq!((test.encounters, test.budget), (50, Some(Duration::from_hours(2))));
    let hypotheses = test.test().expect("a test").hypotheses();
    assert_eq!((hypotheses.elo0(), hypotheses.elo1(), hypotheses.model()), (0.0, 5.0, EloModel::Logistic));
    let order = read("nodes=500 games=100").expect("sound");
    let [Part { task: Task::Match(test), .. }] = &order.parts[..] else { panic!("one test") };
    assert_eq!((test.encounters, test.budget), (50, None), "the budget of the plan is replaced");
    let error = read("elo0=5").expect_err("above elo1").to_string();
    assert!(error.contains("elo0"), "{error}");
    let none = plan("version = 1\nengine = \"echo\"\n").expect("sound");
    let error = none.with_base_settings(&settings("elo1=5")).expect_err("no [base]").to_string();
    assert!(error.contains("the plan has no [base] to set values of"), "{error}");
}

#[test]
fn title_and_seed_of_a_plan_have_defaults() {
    let short = PLAN.replace("title = \"a plan\"\nseed = 5\n", "");
    let order = spec(&short, PlanLength::Quick).expect("sound");
    assert_eq!((order.title.as_str(), order.seed), ("Regression test of Echo", 1));
}

#[test]
fn base_version_of_a_plan_inherits_options_unless_the_plan_says_otherwise() {
    let options = |text: &str| plan(text).and_then(|plan| plan.base_options());
    assert_eq!(options(BASE), Ok(BaseOptions::Inherited));
    let with = |value: &str| BASE.replace("[base]", &format!("[base]\noptions = \"{value}\""));
    assert_eq!(options(&with("own")), Ok(BaseOptions::Own));
    let error = options(&with("none")).expect_err("no such value").to_string();
    assert!(error.contains("`none` is not known; use one of inherited, own"), "{error}");
}

#[test]
fn bench_suites_of_a_plan_expect_the_count_that_the_run_gives() {
    let plan = |bench: &str| {
        let text =
            format!("version = 1\ntitle = \"T\"\nengine = \"echo\"\n{bench}\nsuites = [\"bench.toml\"]\n");
        plan(&text).expect("sound")
    };
    assert_eq!(plan("").bench(), Ok(None));
    assert_eq!(plan("bench = \"commit\"").bench(), Ok(Some(BenchSource::Commit)));
    let text = "version = 1\nkind = \"bench\"\ntitle = \"B\"\npositions = []\n".to_owned();
    let suite_file = SourceFile { file: "suites/bench.toml".to_owned(), text };
    let source = SuiteSource { suite_file, positions: Vec::new() };
    let suites = std::iter::once(("suites/bench.toml".to_owned(), source)).collect();
    let materials = PlanFiles { suites, ..PlanFiles::default() };
    for (bench, is_expected) in [(None, false), (NonZeroU64::new(4_321), true)] {
        let engine = "echo".parse().expect("sound");
        let choices =
            PlanChoices { engine, base: None, length: PlanLength::Full, bench, jobs: NonZeroUsize::MIN };
        let spec = plan("").spec(&choices, &materials).expect("sound");
        let [Part { task: Task::Suite(suite), .. }] = &spec.parts[..] else { panic!("one suite") };
        assert_eq!(suite.source.suite_file.text.contains("expect = 4321"), is_expected);
    }
}

#[test]
fn cases_that_a_plan_leaves_out_are_skipped() {
    let head = "version = 1\ntitle = \"T\"\nengine = \"echo\"\nsuites = [\"s.toml\"]\n";
    let source_file = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
    let suite =
        "version = 1\nkind = \"best-move\"\ntitle = \"S\"\npositions = [\"p.epd\"]\n[limits]\nnodes = 9\n";
    let row = |id| format!("6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"{id}\";\n");
    let source = SuiteSource {
        suite_file: source_file("suites/s.toml", suite),
        positions: vec![source_file("p.epd", &(row("a") + &row("b")))],
    };
    let order = |text: &str| {
        let suites = std::iter::once(("suites/s.toml".to_owned(), source.clone())).collect();
        let engine = "echo".parse().expect("sound");
        let (length, jobs) = (PlanLength::Full, NonZeroUsize::MIN);
        let choices = PlanChoices { engine, base: None, length, bench: None, jobs };
        let plan = plan(&format!("{head}{text}")).expect("sound");
        plan.spec(&choices, &PlanFiles { suites, ..PlanFiles::default() })
    };
    let first_steps = |spec: RunSpec| -> Vec<bool> {
        let run = PreparedRun::prepare(Arc::new(spec)).expect("sound");
        let cases = run.suite(0).expect("a suite").cases();
        let left_out = Cause::Skipped(SkipCause::LeftOut);
        let is_left_out = |step| matches!(step, CaseStep::Done(verdict) if verdict.cause == left_out);
        cases.into_iter().map(|(_, mut case)| is_left_out(case.next(None))).collect()
    };
    assert_eq!(first_steps(order("").expect("sound")), [false, false]);
    assert_eq!(first_steps(order("[left-out]\ns = [\"b\"]\n").expect("sound")), [false, true]);
    let error = order("[left-out]\ns = [\"b\",\n\"x\"]\n").expect_err("no such case").to_string();
    assert_eq!(error, "suites/regress.toml:7: suite s has no case `x`; give ids as in cases.csv");
}

/// The limits of a suite in a plan with these limits, if they replace its own.
fn replaced_limits(plan_limits: &str, suite: &str) -> Option<Limits> {
    let head = "version = 1\ntitle = \"T\"\nengine = \"echo\"\nsuites = [\"s.toml\"]\n[limits]\n";
    let suite_file = SourceFile { file: "suites/s.toml".to_owned(), text: suite.to_owned() };
    let source = SuiteSource { suite_file, positions: Vec::new() };
    let suites = std::iter::once(("suites/s.toml".to_owned(), source)).collect();
    let engine = "echo".parse().expect("sound");
    let (length, jobs) = (PlanLength::Full, NonZeroUsize::MIN);
    let choices = PlanChoices { engine, base: None, length, bench: None, jobs };
    let read = plan(&format!("{head}{plan_limits}\n")).expect("sound");
    let spec = read.spec(&choices, &PlanFiles { suites, ..PlanFiles::default() }).expect("sound");
    let [Part { task: Task::Suite(suite), .. }] = &spec.parts[..] else { panic!("one suite") };
    suite.limits.as_deref().copied()
}

#[test]
fn limits_of_a_plan_replace_node_limits_of_suites() {
    let suite = |kind: &str| {
        format!("version = 1\nkind = \"{kind}\"\ntitle = \"S\"\npositions = []\n[limits]\nnodes = 500\n")
    };
    let table = [
        (suite("value"), true, true),
        // Its limit is a number of leaves, and no clock.
        (suite("perft"), true, false),
        ("[limits]\nnodes = 500\ndepth = 3\n".to_owned(), false, false),
        ("[limits]\nmovetime = 5\n".to_owned(), false, false),
        (String::new(), false, false),
        // Dialogues have no limits of their own.
        (suite("dialogue").replace("[limits]\nnodes = 500\n", ""), false, true),
    ];
    for (suite, by_depth, by_clock) in table {
        let depth = replaced_limits("depth = 9", &suite).and_then(|limits| limits.depth);
        assert_eq!(depth.map(|depth| depth.0), by_depth.then_some(9), "{suite}");
        let clocks = replaced_limits("tc = \"2\"", &suite).and_then(|limits| limits.clocks);
        assert_eq!(
            clocks.map(|clocks| clocks.white.time),
            by_clock.then_some(Duration::from_secs(2)),
            "{suite}"
        );
    }
    let head = "version = 1\ntitle = \"T\"\nengine = \"echo\"\nsuites = []\n[limits]\n";
    for (limits, message) in [
        ("", "suites/regress.toml:5: [limits] limits nothing"),
        ("nodes = 0\n", "suites/regress.toml:5: [limits] has no number of nodes from 1"),
        ("tc = \"soon\"\n", "suites/regress.toml:6: "),
    ] {
        let error = plan(&format!("{head}{limits}")).expect_err(limits).to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn what_is_wrong_with_a_base_version_is_named_by_file_and_line() {
    let table = [
        (
            "commit = \"origin/main\"",
            "commit = \"a\"\nengine = \"./old\"",
            "8: both `commit` and `engine` name",
        ),
        ("commit = \"origin/main\"", "engine = \"\"", "9: `` names no engine"),
        ("tc = \"1+0.01\"", "tc = \"1,5\"", "10: "),
        ("tc = \"1+0.01\"\n", "", "8: nothing limits a search; give one of"),
        ("elo0 = -10", "elo0 = 10", "8: elo0 = 10 and elo1 = 0 are invalid"),
        ("\"20m\"", "\"20\"", "13: `20` is no time; write hours, minutes and seconds"),
        ("thresholds = \"ignore\"", "thresholds = \"none\"", "5: `none` is not known"),
        ("thresholds = \"ignore\"", "bench = \"message\"", "5: `message` is not known"),
        ("elo1 = 0", "elo1 = 0\npairs = 5", "13: unknown field `pairs`"),
    ];
    for (old, new, message) in table {
        let text = BASE.replacen(old, new, 1);
        let read = plan(&text).and_then(|plan| plan.base().map(|_| ()));
        let error = read.and_then(|()| order_with(&text, PlanLength::Full, Some("./old")).map(|_| ()));
        let error = error.expect_err(new).to_string();
        assert!(error.starts_with(&format!("suites/regress.toml:{message}")), "{new}: {error}");
    }
}
