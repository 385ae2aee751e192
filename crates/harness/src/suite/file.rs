//! A suite file: what to ask, under which limits, and how much of it must pass.
//!
//! ```toml
//! version = 1
//! kind = "repetition"                      # one of the kinds
//! title = "Repetition traps"
//! summary = "Positions with a history in which …"
//! positions = ["../positions/traps.csv"]   # relative to this file; or the name of what is built in, `builtin:traps`
//!
//! [limits]                                 # of each question; all apply together
//! nodes = 20000
//! depth = 12
//! movetime = 500                           # milliseconds
//! timemargin = 100                         # milliseconds by which an answer may be later than movetime
//!
//! [thresholds]                             # smallest shares of passed cases; none by default
//! pass = 0.95                              # of all cases
//! class.dawdle = 1.0                       # of the cases of a class
//!
//! [settings]                               # the kind's own, where it has any
//! ```

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

use super::Kind;
use super::dialogue::Case;
use super::input::{CaseDefinition, CaseInfo, SourceFile, SuiteError, SuiteInput};
use super::reference::{resolve, stem};
use super::threshold::{Share, Thresholds};
use threefold_chess::clock::Limits;
use threefold_chess::score::Ply;
use threefold_oracle::Tables;

const KEYS: &str =
    "a suite file has version, kind, title, summary, positions, [limits], [thresholds] and [settings]";

/// The texts of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteSource {
    /// The suite file.
    pub suite_file: SourceFile,
    /// The files that [`SuiteSource::position_files`] names, in that order.
    pub positions: Vec<SourceFile>,
}

/// Cases of one kind with limits and thresholds.
#[derive(Debug)]
pub struct Suite {
    /// Its name: the file name without folder and extension.
    pub name: String,
    /// The kind of its cases.
    pub kind: &'static Kind,
    /// A title for reports.
    pub title: String,
    /// What it tests, in one sentence.
    pub summary: String,
    /// The limits of each question. Kinds that play with clocks ignore them.
    pub limits: Limits,
    /// How much later than `movetime` an answer may be, if the file sets it.
    pub timemargin: Option<Duration>,
    /// The required shares of passed cases.
    pub thresholds: Thresholds,
    /// Its cases, in the order of the files.
    pub definitions: Vec<CaseDefinition>,
}

/// Version 1 of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSuite {
    version: Spanned<u32>,
    kind: Spanned<String>,
    title: String,
    #[serde(default)]
    summary: String,
    positions: Vec<String>,
    limits: Option<Spanned<WrittenLimits>>,
    #[serde(default)]
    thresholds: WrittenThresholds,
    #[serde(rename = "settings")]
    _settings: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLimits {
    nodes: Option<u64>,
    depth: Option<u16>,
    movetime: Option<u64>,
    timemargin: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenThresholds {
    pass: Option<Spanned<f64>>,
    #[serde(default)]
    class: BTreeMap<Spanned<String>, Spanned<f64>>,
}

impl SuiteSource {
    /// A suite of one kind from a file of positions, without thresholds.
    pub fn from_positions(kind: &'static Kind, positions: SourceFile, limits: &Limits) -> Self {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let mut text = format!(
            "version = 1\nkind = {}\ntitle = {}\nsummary = {}\npositions = [{}]\n",
            quoted(kind.name),
            quoted(&positions.file),
            quoted(kind.summary),
            quoted(&positions.file)
        );
        if !limits.is_infinite() {
            text.push_str("[limits]\n");
            text.extend(limits.nodes.map(|nodes| format!("nodes = {nodes}\n")));
            text.extend(limits.depth.map(|Ply(depth)| format!("depth = {depth}\n")));
            text.extend(limits.movetime.map(|time| format!("movetime = {}\n", time.as_millis())));
        }
        Self { suite_file: SourceFile { file: positions.file.clone(), text }, positions: vec![positions] }
    }

    /// Its name: the file name without folder and extension.
    pub fn name(&self) -> String {
        stem(&self.suite_file.file)
    }

    /// Do both have the same suite of the same name, from any folders?
    pub fn is_same_suite(&self, other: &Self) -> bool {
        let texts = |source: &Self| -> Vec<String> {
            source.positions.iter().map(|source_file| source_file.text.clone()).collect()
        };
        self.name() == other.name()
            && self.suite_file.text == other.suite_file.text
            && texts(self) == texts(other)
    }

    /// The position files, as paths relative to where the suite file's own path starts.
    pub fn position_files(file: &SourceFile) -> Result<Vec<String>, SuiteError> {
        let written = WrittenSuite::read(file)?;
        Ok(written.positions.iter().map(|name| resolve(&file.file, name)).collect())
    }
}

impl Suite {
    /// Parses a suite with its cases.
    pub fn read(source: &SuiteSource) -> Result<Self, SuiteError> {
        let file = &source.suite_file;
        let written = WrittenSuite::read(file)?;
        if written.positions.len() != source.positions.len() {
            let (named, read) = (written.positions.len(), source.positions.len());
            let what = format!("{named} positions files are named and {read} were read");
            return Err(file.error_in_file(what, "pass every file that `positions` names"));
        }
        let kind = Kind::named(written.kind.get_ref()).ok_or_else(|| {
            let what = format!("there is no kind `{}`", written.kind.get_ref());
            file.error_at_span(written.kind.span(), what, &format!("use one of {}", Kind::names()))
        })?;
        let limits = written.limits(file)?;
        let timemargin = written.limits.as_ref().and_then(|limits| limits.get_ref().timemargin);
        let timemargin = timemargin.map(Duration::from_millis);
        let name = source.name();
        let positions = &source.positions;
        let input = SuiteInput { suite: &name, suite_file: file, limits: &limits, positions };
        let definitions = load(kind, &input)?;
        let thresholds = written.thresholds.check(file, &definitions)?;
        let (title, summary) = (written.title, written.summary);
        Ok(Self { name, kind, title, summary, limits, timemargin, thresholds, definitions })
    }

    /// Keeps this number of cases of each class, evenly spread, or all.
    pub fn sample_per_class(&mut self, per_class: NonZeroUsize) {
        let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
        for definition in &self.definitions {
            *sizes.entry(definition.info.class.clone()).or_default() += 1;
        }
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        self.definitions.retain(|definition| {
            let (size, kept) = (sizes[&definition.info.class], per_class.get());
            let number = seen.entry(definition.info.class.clone()).or_default();
            *number += 1;
            // The first of every `size / kept`: where the whole part of `number * kept / size` increases.
            size <= kept || (*number - 1) * kept % size < kept
        });
    }

    /// Every case with its description, ready to begin, with its own tables.
    pub fn cases(&self) -> Vec<(CaseInfo, Box<dyn Case>)> {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        let endings: Vec<_> =
            self.definitions.iter().flat_map(|definition| &definition.endings).copied().collect();
        tables.make(&endings, &mut |_| {}).expect("suites have endings of few pieces");
        let tables = Arc::new(tables);
        let begun =
            |definition: &CaseDefinition| (definition.info.clone(), definition.begin(&self.limits, &tables));
        self.definitions.iter().map(begun).collect()
    }
}

fn load(kind: &Kind, input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    let definitions = (kind.load)(input)?;
    if definitions.is_empty() {
        return Err(input.error("there is no case in it", "give at least one position"));
    }
    Ok(definitions)
}

impl WrittenSuite {
    fn read(file: &SourceFile) -> Result<Self, SuiteError> {
        let written: Self = file.toml(KEYS)?;
        if *written.version.get_ref() != 1 {
            let what = format!("version {} is not known here", written.version.get_ref());
            return Err(file.error_at_span(written.version.span(), what, "this program reads version = 1"));
        }
        Ok(written)
    }

    fn limits(&self, file: &SourceFile) -> Result<Limits, SuiteError> {
        let Some(written) = &self.limits else { return Ok(Limits::default()) };
        let WrittenLimits { nodes, depth, movetime, timemargin: _ } = *written.get_ref();
        if nodes == Some(0) || depth == Some(0) || movetime == Some(0) {
            let remedy = "give at least 1, or leave the key out";
            return Err(file.error_at_span(written.span(), "a limit of 0 leaves nothing to search", remedy));
        }
        Ok(Limits {
            nodes,
            depth: depth.map(Ply),
            movetime: movetime.map(Duration::from_millis),
            ..Limits::default()
        })
    }
}

impl WrittenThresholds {
    fn check(&self, file: &SourceFile, definitions: &[CaseDefinition]) -> Result<Thresholds, SuiteError> {
        let share = |written: &Spanned<f64>| {
            Share::new(*written.get_ref()).ok_or_else(|| {
                let what = format!("{} is not a share of cases", written.get_ref());
                file.error_at_span(written.span(), what, "give a number from 0 to 1 (0.95 for 95 %)")
            })
        };
        let pass = self.pass.as_ref().map(share).transpose()?;
        let mut class = BTreeMap::new();
        for (name, written) in &self.class {
            if !definitions.iter().any(|definition| definition.info.class == *name.get_ref()) {
                let mut known: Vec<&str> =
                    definitions.iter().map(|definition| definition.info.class.as_str()).collect();
                known.sort_unstable();
                known.dedup();
                let what = format!("no case is of class `{}`", name.get_ref());
                return Err(file.error_at_span(
                    name.span(),
                    what,
                    &format!("there are {}", known.join(", ")),
                ));
            }
            class.insert(name.get_ref().clone(), share(written)?);
        }
        Ok(Thresholds { pass, class })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let message = "x.csv: nothing limits the search; limit it by nodes, depth or movetime (milliseconds)";
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
                "suites/r.toml:2: there is no kind `chess`; use one of repetition, rule, policy, mate, time-control",
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
                "suites/r.toml:7: unknown field `time`, expected one of `nodes`, `depth`, `movetime`, `timemargin`; ",
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
}
