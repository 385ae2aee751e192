//! Suite files, valid and not.

use super::*;
use crate::Share;

const TRAPS: &str = "id,class,fen,moves,best\na,dawdle,7k/8/8/8/8/8/R7/K7 w - - 0 1,,a2a7\n\
                     b,refuge,7k/8/8/8/8/8/R7/K7 w - - 0 1,a2b2,h8g8\n";
const HEAD: &str = "version = 1\nkind = \"repetition\"\ntitle = \"T\"\npositions = [\"../p/t.csv\"]\n";

fn source_file(file: &str, text: &str) -> SourceFile {
    SourceFile { file: file.to_owned(), text: text.to_owned() }
}

fn read(text: &str) -> Result<Suite, SuiteError> {
    Suite::read(&SuiteSource {
        suite_file: source_file("suites/r.toml", text),
        positions: vec![source_file("t.csv", TRAPS)],
    })
}

#[test]
fn suite_has_limits_and_thresholds() {
    let tail = "[limits]\nnodes = 20000\nmovetime = 500\n[thresholds]\npass = 0.5\nclass.dawdle = 1.0\n";
    let text = format!("{HEAD}{tail}");
    assert_eq!(
        SuiteSource::position_files(&source_file("suites/r.toml", &text)),
        Ok(vec!["suites/../p/t.csv".to_owned()])
    );
    let suite = read(&text).expect("sound");
    assert_eq!((suite.name.as_str(), suite.kind.name, suite.title.as_str()), ("r", "repetition", "T"));
    let movetime = Some(Duration::from_millis(500));
    assert_eq!(suite.limits, Limits { nodes: Some(20000), movetime, ..Limits::default() });
    assert_eq!(suite.thresholds.pass, Share::new(0.5));
    assert_eq!(suite.thresholds.class.get("dawdle").copied(), Share::new(1.0));
    let ids: Vec<_> = suite.cases().into_iter().map(|(info, _)| (info.suite, info.id)).collect();
    assert_eq!(ids, ["a", "b"].map(|id| ("r".to_owned(), id.to_owned())));
}

#[test]
fn meaning_of_a_lost_case_can_be_replaced() {
    let tail = "[limits]\nnodes = 20000\n[thresholds]\nclass.dawdle = 1.0\n";
    for own in ["", "lost_case = \"search\"\n"] {
        let source = SuiteSource {
            suite_file: source_file("suites/r.toml", &format!("{HEAD}{own}{tail}")),
            positions: vec![source_file("t.csv", TRAPS)],
        };
        let before = Suite::read(&source).expect("sound");
        let after = Suite::read(&source.with_lost_case(LostCase::Strict)).expect("sound");
        assert_eq!((before.lost_case, after.lost_case), (LostCase::Search, LostCase::Strict));
        assert_eq!((before.limits, before.thresholds), (after.limits, after.thresholds));
    }
}

#[test]
fn selected_cases_are_spread_over_each_class() {
    for size in 1..40 {
        for kept in 1..12 {
            let row = |number: usize| format!("a{number},dawdle,7k/8/8/8/8/8/R7/K7 w - - 0 1,,a2a7\n");
            let rows: String = (0..size).map(row).collect();
            let text =
                format!("id,class,fen,moves,best\n{rows}b,refuge,7k/8/8/8/8/8/R7/K7 w - - 0 1,,a2a7\n");
            let mut suite = bare("repetition", "t.csv", &text, &Limits::nodes(9)).expect("sound");
            suite.sample_per_class(NonZeroUsize::new(kept).expect("from 1"));
            let (others, all): (Vec<_>, Vec<_>) = suite
                .definitions
                .iter()
                .map(|definition| definition.info.id.as_str())
                .partition(|id| *id == "b");
            assert_eq!((others.len(), all.len()), (1, size.min(kept)), "{kept} of {size}");
            let numbers: Vec<usize> = all.iter().map(|id| id[1..].parse().expect("a number")).collect();
            let gaps = numbers.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(
                gaps.clone().all(|gap| gap.abs_diff(size / kept.min(size)) <= 1),
                "{numbers:?} of {size}"
            );
        }
    }
}

fn bare(kind: &str, file: &str, text: &str, limits: &Limits) -> Result<Suite, SuiteError> {
    let kind = Kind::named(kind).expect("a kind");
    Suite::read(&SuiteSource::from_positions(kind, source_file(file, text), limits))
}

#[test]
fn positions_are_a_suite_without_a_file() {
    let limits = Limits { nodes: Some(5), depth: Some(Ply(3)), ..Limits::default() };
    let suite = bare("repetition", "x/\"mine\".csv", TRAPS, &limits).expect("sound");
    assert_eq!((suite.name.as_str(), suite.limits), ("\"mine\"", limits));
    assert_eq!(suite.thresholds, Thresholds::default());
    let error = bare("repetition", "x.csv", TRAPS, &Limits::default()).expect_err("infinite");
    let message = "x.csv: nothing limits the search; limit it by nodes, depth, movetime (milliseconds) or tc";
    assert_eq!(error.to_string(), message);
    let error = bare("time-control", "o.epd", "", &Limits::default()).expect_err("no settings");
    assert!(error.to_string().contains("missing field `settings`"), "{error}");
}

#[test]
fn suite_errors_name_the_line() {
    let with = |tail: &str| format!("{HEAD}[limits]\nnodes = 9\n{tail}");
    let table = [
        (
            HEAD.replace("= 1", "= 2"),
            "suites/r.toml:1: version 2 is not known here; this program reads version = 1",
        ),
        (
            HEAD.replace("version = 1\n", ""),
            "suites/r.toml:1: missing field `version`; a suite file has version, kind,",
        ),
        (
            HEAD.replace("repetition", "chess"),
            "suites/r.toml:2: there is no kind `chess`; use one of repetition, rule, value, policy, mate, mate-game, time-control",
        ),
        (
            HEAD.replace("title", "titel"),
            "suites/r.toml:3: unknown field `titel`, expected one of `version`, ",
        ),
        (HEAD.replace("= [", "= {"), "suites/r.toml:4: "),
        (HEAD.to_owned(), "suites/r.toml: nothing limits the search; limit it by nodes"),
        (with("depth = 0"), "suites/r.toml:5: a limit of 0 leaves nothing to search; give at least 1"),
        (
            with("time = 3"),
            "suites/r.toml:7: unknown field `time`, expected one of `nodes`, `depth`, `movetime`, `tc`, `timemargin`; ",
        ),
        (with("depth = -3"), "suites/r.toml:7: invalid value: integer `-3`, expected u16; "),
        (
            with("[thresholds]\npass = 95"),
            "suites/r.toml:8: 95 is not a share of cases; give a number from 0 to 1 (0.95 for 95 %)",
        ),
        (
            with("[thresholds]\nclass.dawdel = 1.0"),
            "suites/r.toml:8: no case is of class `dawdel`; there are dawdle, refuge",
        ),
        (
            HEAD.to_owned() + "error_patterns = [\"\"]\n",
            "suites/r.toml:5: an empty pattern matches every line; remove it",
        ),
        (
            with("[settings]\nplies = 3"),
            "suites/r.toml:7: this kind has no settings; remove the table `[settings]`",
        ),
        (
            with("").replace("\"../p/t.csv\"", ""),
            "suites/r.toml: 0 positions files are named and 1 were read; ",
        ),
    ];
    for (text, message) in table {
        let error = read(&text).expect_err(&text).to_string();
        assert!(error.starts_with(message), "{error}\n{message}");
    }
}

#[test]
fn suite_keeps_the_cases_that_it_names() {
    let suite = |tail: &str| read(&format!("{HEAD}{tail}[limits]\nnodes = 9\n"));
    let ids = |suite: Suite| -> Vec<String> {
        suite.definitions.into_iter().map(|definition| definition.info.id).collect()
    };
    assert_eq!(ids(suite("").expect("sound")), ["a", "b"]);
    // A threshold may name a class of the whole suite.
    let kept = suite("cases = [\"b\"]\n[thresholds]\nclass.dawdle = 1.0\n").expect("sound");
    assert_eq!(ids(kept), ["b"]);
    for (tail, message) in [
        (
            "cases = [\"b\",\n\"c\"]\n",
            "suites/r.toml:6: `cases`: there is no case `c`; give the ids of cases of this suite",
        ),
        ("cases = []\n", "suites/r.toml: `cases` is empty; remove the key to run all cases"),
    ] {
        assert_eq!(suite(tail).expect_err(tail).to_string(), message);
    }
}

#[test]
fn clock_is_a_limit_of_single_searches() {
    let suite = read(&format!("{HEAD}[limits]\ntc = \"3+0.01\"\nnodes = 9\n")).expect("sound");
    let clocks = "3+0.01".parse().expect("a time control");
    assert_eq!(suite.limits, Limits { clocks: Some(clocks), ..Limits::nodes(9) });
    // A suite without a file keeps it.
    let bare = bare("repetition", "t.csv", TRAPS, &suite.limits).expect("sound");
    assert_eq!(bare.limits, suite.limits);
    let table = [
        ("tc = \"3+x\"", "suites/r.toml:6: time control `3+x`: its increment can't be read; "),
        ("tc = \"0+1\"", "suites/r.toml:6: time control `0+1` has no base time; "),
        (
            "tc = \"3\"\nmovetime = 9",
            "suites/r.toml:5: `tc` and `movetime` can't be given together; keep one of them",
        ),
    ];
    for (limits, start) in table {
        let error = read(&format!("{HEAD}[limits]\n{limits}\n")).expect_err(limits).to_string();
        assert!(error.starts_with(start), "{error}");
    }
}

#[test]
fn clock_is_refused_where_games_are_played() {
    let rows = "k7/8/1K6/8/8/8/8/1R6 w - - dm 2; id \"a\";";
    let clock = Limits::clocks("3".parse().expect("a time control"));
    for kind in ["conversion", "determinism", "depth-limit"] {
        let error = bare(kind, "p.epd", rows, &clock).expect_err(kind).to_string();
        let start = format!(
            "p.epd: kind `{kind}` takes no clock (`tc`); these do: repetition, rule, value, policy, mate, "
        );
        assert!(error.starts_with(&start), "{error}");
    }
}
