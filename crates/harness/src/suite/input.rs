//! What a kind of case is made from, what it makes of it, and what can be wrong with it.
//!
//! Nothing here opens a file: texts come in with the names they were read under, and every complaint hands
//! that name back with a line, so that a user can go and mend it.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use toml::Spanned;

use super::dialogue::Case;
use threefold_chess::clock::{ClockSource, Limits};
use threefold_chess::position::GamePosition;
use threefold_oracle::Tables;

/// What is wrong with a suite or its positions, where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct SuiteError {
    /// The file, as it was named by the caller.
    pub file: String,
    /// The line, from 1; `None` where the fault is in no single line.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub remedy: String,
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}; {}", self.what, self.remedy)
    }
}

/// A text and the name of the file it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The file's name, for messages.
    pub file: String,
    /// All of its text.
    pub text: String,
}

impl SourceFile {
    /// A complaint about one of its lines.
    pub fn error_at_line(
        &self,
        line: usize,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> SuiteError {
        SuiteError { file: self.file.clone(), line: Some(line), what: what.into(), remedy: remedy.into() }
    }

    /// A complaint about the whole of it.
    pub fn error_in_file(&self, what: impl Into<String>, remedy: impl Into<String>) -> SuiteError {
        SuiteError { file: self.file.clone(), line: None, what: what.into(), remedy: remedy.into() }
    }

    /// A complaint about a stretch of its bytes, as the TOML reader marks them.
    pub fn error_at_span(&self, span: Range<usize>, what: impl Into<String>, remedy: &str) -> SuiteError {
        self.error_at_line(self.line_at(span.start), what, remedy)
    }

    /// The line, from 1, that a byte stands in.
    pub fn line_at(&self, byte: usize) -> usize {
        1 + self.text.bytes().take(byte).filter(|&byte| byte == b'\n').count()
    }

    /// Reads it as TOML.
    pub fn toml<T: DeserializeOwned>(&self, remedy: &str) -> Result<T, SuiteError> {
        toml::from_str(&self.text).map_err(|error| {
            let what = error.message().trim_end().replace('\n', " ");
            match error.span() {
                Some(span) => self.error_at_span(span, what, remedy),
                None => self.error_in_file(what, remedy),
            }
        })
    }
}

/// What a kind makes its cases from.
#[derive(Debug, Clone, Copy)]
pub struct SuiteInput<'a> {
    /// The suite's name.
    pub suite: &'a str,
    /// The suite file, with the kind's own `[settings]`.
    pub suite_file: &'a SourceFile,
    /// What each question may spend.
    pub limits: &'a Limits,
    /// The positions.
    pub positions: &'a [SourceFile],
}

#[derive(Deserialize)]
struct Holder<T> {
    settings: T,
}

impl SuiteInput<'_> {
    /// The kind's own settings. `remedy` says what they look like.
    pub fn settings<T: DeserializeOwned>(&self, remedy: &str) -> Result<T, SuiteError> {
        self.suite_file.toml::<Holder<T>>(remedy).map(|holder| holder.settings)
    }

    /// The kind's own settings, where there may be none: then they are the default.
    pub fn optional_settings<T: DeserializeOwned + Default>(&self, remedy: &str) -> Result<T, SuiteError> {
        self.suite_file.toml::<Holder<Option<T>>>(remedy).map(|holder| holder.settings.unwrap_or_default())
    }

    /// Checks that a kind without settings of its own has limits, and nothing else.
    pub fn limits_alone(&self) -> Result<(), SuiteError> {
        self.no_settings()?;
        self.limited()
    }

    /// Checks that there are no settings, for a kind that has none.
    pub fn no_settings(&self) -> Result<(), SuiteError> {
        match self.suite_file.toml::<Holder<Option<Spanned<IgnoredAny>>>>("")?.settings {
            Some(settings) => {
                let what = "this kind has no settings";
                Err(self.suite_file.error_at_span(settings.span(), what, "drop the table `[settings]`"))
            }
            None => Ok(()),
        }
    }

    /// Checks that something limits the search.
    pub fn limited(&self) -> Result<(), SuiteError> {
        if self.limits.is_infinite() {
            let remedy = "limit it by nodes, depth or movetime (milliseconds)";
            return Err(self.error("nothing limits the search", remedy));
        }
        Ok(())
    }

    /// A complaint about the suite as a whole.
    pub fn error(&self, what: impl Into<String>, remedy: impl Into<String>) -> SuiteError {
        self.suite_file.error_in_file(what, remedy)
    }
}

/// The ids given away in a suite so far, and where.
#[derive(Debug, Default)]
pub struct Ids(BTreeMap<String, (String, usize)>);

impl Ids {
    /// Gives an id to the case in this line, if no other case has it.
    pub fn claim(&mut self, page: &SourceFile, line: usize, id: &str) -> Result<(), SuiteError> {
        if let Some((file, first)) = self.0.insert(id.to_owned(), (page.file.clone(), line)) {
            let what = format!("`{id}` stands in {file}:{first}, too");
            return Err(page.error_at_line(line, what, "give each case an id of its own"));
        }
        Ok(())
    }
}

/// What is known of a case before anybody is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseInfo {
    /// Suite.
    pub suite: String,
    /// The case's own id, unique in its suite.
    pub id: String,
    /// Class within the suite.
    pub class: String,
    /// What is accepted, in words of the kind.
    pub accepted: String,
    /// Why the accepted answer is true, and other notes.
    pub note: String,
    /// The position: FEN and moves.
    pub line: GamePosition,
    /// The clock that the engine must be hired for.
    pub pace: ClockSource,
    /// The players of the engine that it talks to: one, or two that play against each other.
    pub players: Vec<OptionOverrides>,
    /// How many threads that do nothing but run whoever runs the case is to have beside it.
    pub background_threads: usize,
}

/// What a player's engine is set to beside what its spec says: options and their values.
pub type OptionOverrides = Vec<(String, String)>;

/// Begins a dialogue, with the limits of each question and the endgame tables of the run.
type CaseFactory = Box<dyn Fn(&Limits, &Arc<Tables>) -> Box<dyn Case> + Send + Sync>;

/// A case as it stands in a suite. It can be put to any number of engines.
pub struct CaseDefinition {
    /// What is known of it.
    pub info: CaseInfo,
    /// The endings whose tables it needs; what they convert to is not listed.
    pub endings: Vec<threefold_oracle::Material>,
    open: CaseFactory,
}

impl CaseDefinition {
    /// A case that needs no tables.
    pub fn new(info: CaseInfo, open: impl Fn(&Limits) -> Box<dyn Case> + Send + Sync + 'static) -> Self {
        Self { info, endings: Vec::new(), open: Box::new(move |limits, _| open(limits)) }
    }

    /// A case that needs the tables of these endings.
    pub fn with_tables(
        info: CaseInfo,
        endings: Vec<threefold_oracle::Material>,
        open: impl Fn(&Limits, &Arc<Tables>) -> Box<dyn Case> + Send + Sync + 'static,
    ) -> Self {
        Self { info, endings, open: Box::new(open) }
    }

    /// Begins it. The tables hold those that it needs.
    pub fn begin(&self, limits: &Limits, tables: &Arc<Tables>) -> Box<dyn Case> {
        (self.open)(limits, tables)
    }
}

impl fmt::Debug for CaseDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("card", &self.info).finish_non_exhaustive()
    }
}
