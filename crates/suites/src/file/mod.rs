//! A suite file: what to ask, under which limits, and how much of it must pass.
//!
//! ```toml
//! version = 1
//! kind = "repetition"                      # one of the kinds
//! title = "Repetition traps"
//! summary = "Positions with a history in which …"
//! positions = ["../positions/traps.csv"]   # relative to this file; or the name of what is built in, `builtin:traps`
//!
//! lost_case = "search"                     # or "strict": what it means if a case fails that passed before; by its kind
//! cases = ["walk.1", "walk.2"]             # only these cases, by their ids; all by default
//! error_patterns = ["Assertion"]           # a line of standard error with one of these texts is a fault; there is a default
//!
//! [limits]                                 # of each question; all apply together
//! nodes = 20000
//! depth = 12
//! movetime = 500                           # milliseconds
//! tc = "3+0.01"                            # both clocks: seconds and increment, for kinds of single searches
//! timemargin = 100                         # milliseconds by which an answer may be later than movetime or tc
//!
//! [thresholds]                             # smallest shares of passed cases; none by default
//! pass = 0.95                              # of all cases
//! class.dawdle = 1.0                       # of the cases of a class
//!
//! [settings]                               # the kind's own, where it has any
//! ```

mod sample;
mod settings_text;
mod written_thresholds;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use toml::Spanned;

pub use self::sample::sampled_per_class;
use self::written_thresholds::WrittenThresholds;
use super::dialogue::Case;
use super::input::{CaseDefinition, CaseInfo, SourceFile, SuiteError, SuiteInput};
use super::reference::{resolve, stem};
use super::threshold::Thresholds;
use super::{Kind, LostCase};
use threefold_chess::clock::{Clocks, Limits};
use threefold_chess::score::Ply;
use threefold_oracle::Tables;
use threefold_player::ErrorPatterns;

const KEYS: &str = "a suite file has version, kind, title, summary, positions, lost_case, cases, error_patterns, [limits], [thresholds] and [settings]";

/// The texts of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteSource {
    /// The suite file.
    pub suite_file: SourceFile,
    /// The files that [`SuiteSource::position_files`] names, in that order: positions, then the setting's
    /// `child_values`.
    pub positions: Vec<SourceFile>,
}

/// The position files of a suite.
#[derive(Debug, Clone, Copy)]
pub struct SuiteFiles<'s> {
    /// The positions of its cases.
    pub positions: &'s [SourceFile],
    /// The values of positions after one move.
    pub child_values: &'s [SourceFile],
}

/// Cases of one kind with limits and thresholds.
#[derive(Debug)]
pub struct Suite {
    /// Its name: the file name without folder and extension.
    pub name: String,
    /// The kind of its cases.
    pub kind: &'static Kind,
    /// What a lost case means.
    pub lost_case: LostCase,
    /// A title for reports.
    pub title: String,
    /// What it tests, in one sentence.
    pub summary: String,
    /// The limits of each question. Kinds that play with clocks ignore them.
    pub limits: Limits,
    /// The time margin over `movetime`; `None` if the file does not set it.
    pub timemargin: Option<Duration>,
    /// The required shares of passed cases.
    pub thresholds: Thresholds,
    /// The texts by which a line of standard error is a fault.
    pub error_patterns: ErrorPatterns,
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
    lost_case: Option<Spanned<String>>,
    /// The ids of the cases to keep.
    cases: Option<Vec<Spanned<String>>>,
    error_patterns: Option<Spanned<Vec<String>>>,
    limits: Option<Spanned<WrittenLimits>>,
    #[serde(default)]
    thresholds: WrittenThresholds,
    #[serde(default)]
    settings: FileSettings,
}

/// The settings that name files. Kinds without such files refuse the keys.
#[derive(Debug, Default, Deserialize)]
struct FileSettings {
    #[serde(default)]
    child_values: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLimits {
    nodes: Option<u64>,
    depth: Option<u16>,
    movetime: Option<u64>,
    tc: Option<Spanned<String>>,
    timemargin: Option<u64>,
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
            text.extend(limits.clocks.map(|clocks| format!("tc = {}\n", quoted(&clocks.to_string()))));
        }
        Self { suite_file: SourceFile { file: positions.file.clone(), text }, positions: vec![positions] }
    }

    /// Adds a line to the suite's table `[settings]`; a line in that table for the same key is an error
    /// when the suite is read.
    #[must_use]
    pub fn with_setting(mut self, key: &str, value: impl Into<toml::Value>) -> Self {
        settings_text::add(&mut self.suite_file.text, &format!("{key} = {}\n", value.into()));
        self
    }

    /// The same suite with these settings instead of its own. A text that is not TOML is not changed.
    #[must_use]
    pub fn with_settings(mut self, settings: toml::Table) -> Self {
        if let Ok(mut table) = toml::from_str::<toml::Table>(&self.suite_file.text) {
            table.insert("settings".to_owned(), settings.into());
            self.suite_file.text = table.to_string();
        }
        self
    }

    /// With this meaning of a lost case. The text stays as it is if it is not TOML.
    #[must_use]
    pub fn with_lost_case(mut self, lost_case: LostCase) -> Self {
        if let Ok(mut table) = toml::from_str::<toml::Table>(&self.suite_file.text) {
            table.insert("lost_case".to_owned(), lost_case.name().into());
            self.suite_file.text = table.to_string();
        }
        self
    }

    /// Sets `child_values` to these files.
    #[must_use]
    pub fn with_child_values(mut self, files: Vec<SourceFile>) -> Self {
        let names: Vec<toml::Value> = files.iter().map(|file| file.file.clone().into()).collect();
        self.positions.extend(files);
        self.with_setting("child_values", names)
    }

    /// Its settings without `child_values`: each key with its value in TOML.
    pub fn settings(&self) -> Vec<(String, String)> {
        let table: toml::Table = toml::from_str(&self.suite_file.text).unwrap_or_default();
        let settings = table.get("settings").and_then(toml::Value::as_table).into_iter().flatten();
        let settings = settings.filter(|(key, _)| *key != "child_values");
        settings.map(|(key, value)| (key.clone(), value.to_string())).collect()
    }

    /// The name of its kind, as written.
    pub fn kind_name(&self) -> Result<String, SuiteError> {
        Ok(WrittenSuite::read(&self.suite_file)?.kind.into_inner())
    }

    /// What a lost case of it means.
    pub fn lost_case(&self) -> Result<LostCase, SuiteError> {
        let written = WrittenSuite::read(&self.suite_file)?;
        // An unknown kind is an error of `Suite::read`.
        let usual = Kind::named(written.kind.get_ref()).map_or(LostCase::Strict, |kind| kind.lost_case);
        Ok(written.lost_case(&self.suite_file)?.unwrap_or(usual))
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
        let names = written.positions.iter().chain(&written.settings.child_values);
        Ok(names.map(|name| resolve(&file.file, name)).collect())
    }

    /// Its position files, by purpose.
    ///
    /// # Errors
    /// If the suite file cannot be read, or names another number of files.
    pub fn files(&self) -> Result<SuiteFiles<'_>, SuiteError> {
        let written = WrittenSuite::read(&self.suite_file)?;
        let named = [written.positions.len(), written.settings.child_values.len()];
        let (named, read) = (named.iter().sum::<usize>(), self.positions.len());
        if named != read {
            let what = format!("{named} positions files are named and {read} were read");
            return Err(self.suite_file.error_in_file(what, "pass every file that the suite names"));
        }
        let (positions, child_values) = self.positions.split_at(written.positions.len());
        Ok(SuiteFiles { positions, child_values })
    }
}

impl Suite {
    /// Parses a suite with its cases.
    pub fn read(source: &SuiteSource) -> Result<Self, SuiteError> {
        let file = &source.suite_file;
        let written = WrittenSuite::read(file)?;
        let SuiteFiles { positions, child_values } = source.files()?;
        let kind = Kind::named(written.kind.get_ref()).ok_or_else(|| {
            let what = format!("there is no kind `{}`", written.kind.get_ref());
            file.error_at_span(written.kind.span(), what, &format!("use one of {}", Kind::names()))
        })?;
        let limits = written.limits(file)?;
        let timemargin = written.limits.as_ref().and_then(|limits| limits.get_ref().timemargin);
        let timemargin = timemargin.map(Duration::from_millis);
        let error_patterns = written.error_patterns(file)?;
        let lost_case = written.lost_case(file)?.unwrap_or(kind.lost_case);
        let name = source.name();
        let input = SuiteInput { suite: &name, suite_file: file, limits: &limits, positions, child_values };
        kind.check_clock(&limits).map_err(|what| file.error_in_file(what, Kind::CLOCK_REMEDY))?;
        let mut definitions = load(kind, &input)?;
        // Before `select`: a threshold of a class without a selected case is no error.
        let thresholds = written.thresholds.check(file, &definitions)?;
        written.select(file, &mut definitions)?;
        let (title, summary) = (written.title, written.summary);
        Ok(Self {
            name,
            kind,
            lost_case,
            title,
            summary,
            limits,
            timemargin,
            thresholds,
            error_patterns,
            definitions,
        })
    }

    /// Leaves a case out; returns `false` if the suite has no case with this id.
    pub fn leave_out(&mut self, id: &str) -> bool {
        let case = self.definitions.iter_mut().find(|definition| definition.info.id == id);
        case.map(CaseDefinition::leave_out).is_some()
    }

    /// Begins the dialogue of a case. `tables` has those that it needs.
    pub fn begin(&self, definition: &CaseDefinition, tables: &Arc<Tables>) -> Box<dyn Case> {
        let case = definition.begin(&self.limits, tables);
        if self.lost_case == LostCase::Search { definition.with_solved_nodes(case) } else { case }
    }

    /// Every case with its description, ready to begin, with its own tables.
    pub fn cases(&self) -> Vec<(CaseInfo, Box<dyn Case>)> {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        let endings: Vec<_> =
            self.definitions.iter().flat_map(|definition| &definition.endings).copied().collect();
        tables.make(&endings, &mut |_| {}).expect("suites have endings of few pieces");
        let tables = Arc::new(tables);
        self.definitions.iter().map(|it| (it.info.clone(), self.begin(it, &tables))).collect()
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

    /// Keeps the cases that the file names; all if it names none.
    fn select(&self, file: &SourceFile, definitions: &mut Vec<CaseDefinition>) -> Result<(), SuiteError> {
        let Some(wanted) = &self.cases else { return Ok(()) };
        if let Some(id) =
            wanted.iter().find(|id| !definitions.iter().any(|definition| definition.info.id == *id.get_ref()))
        {
            let what = format!("`cases`: there is no case `{}`", id.get_ref());
            return Err(file.error_at_span(id.span(), what, "give the ids of cases of this suite"));
        }
        definitions.retain(|definition| wanted.iter().any(|id| *id.get_ref() == definition.info.id));
        if definitions.is_empty() {
            return Err(file.error_in_file("`cases` is empty".to_owned(), "remove the key to run all cases"));
        }
        Ok(())
    }

    fn lost_case(&self, file: &SourceFile) -> Result<Option<LostCase>, SuiteError> {
        let Some(written) = &self.lost_case else { return Ok(None) };
        let read = written.get_ref().parse().map_err(|error| {
            file.error_at_span(written.span(), format!("`lost_case`: {error}"), "or leave the key out")
        });
        read.map(Some)
    }

    fn error_patterns(&self, file: &SourceFile) -> Result<ErrorPatterns, SuiteError> {
        let Some(written) = &self.error_patterns else { return Ok(ErrorPatterns::default()) };
        if written.get_ref().iter().any(String::is_empty) {
            let what = "an empty pattern matches every line";
            return Err(file.error_at_span(written.span(), what, "remove it; `[]` matches no line"));
        }
        Ok(ErrorPatterns::new(written.get_ref().iter().cloned()))
    }

    fn limits(&self, file: &SourceFile) -> Result<Limits, SuiteError> {
        let Some(written) = &self.limits else { return Ok(Limits::default()) };
        let WrittenLimits { nodes, depth, movetime, ref tc, timemargin: _ } = *written.get_ref();
        if nodes == Some(0) || depth == Some(0) || movetime == Some(0) {
            let remedy = "give at least 1, or leave the key out";
            return Err(file.error_at_span(written.span(), "a limit of 0 leaves nothing to search", remedy));
        }
        let clocks = tc.as_ref().map(|tc| {
            let read = tc.get_ref().parse::<Clocks>();
            read.map_err(|error| file.error_at_span(tc.span(), error.to_string(), "or leave the key out"))
        });
        let clocks = clocks.transpose()?;
        if clocks.is_some() && movetime.is_some() {
            let what = "`tc` and `movetime` can't be given together";
            return Err(file.error_at_span(written.span(), what, "keep one of them"));
        }
        Ok(Limits {
            nodes,
            depth: depth.map(Ply),
            movetime: movetime.map(Duration::from_millis),
            clocks,
            mate: None,
        })
    }
}

#[cfg(test)]
mod tests;
