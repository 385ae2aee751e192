//! The input of a suite kind, the cases that it makes, and the errors in them.
//!
//! Nothing here opens a file: texts come with their file names, and every error has the file name and the
//! line.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use shakmaty::uci::UciMove;
use toml::Spanned;

use super::cause::{PassCause, SkipCause};
use super::dialogue::{Case, CaseStep};
use super::solved_nodes::{Solution, SolvedCase};
use super::verdict::Verdict;
use threefold_chess::clock::{ClockSource, Limits};
use threefold_chess::position::GamePosition;
use threefold_oracle::Tables;
use threefold_player::{Answer, ScoredInfo};

/// An error in a suite or its positions, with the place and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct SuiteError {
    /// The file name, as the caller gave it.
    pub file: String,
    /// The line, from 1; `None` if the error concerns no single line.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
    /// How to correct it.
    pub remedy: String,
    /// The errors in other lines, in order.
    pub others: Vec<Self>,
}

impl SuiteError {
    /// All results, or all errors as one.
    pub fn collect<T>(results: impl IntoIterator<Item = Result<T, Self>>) -> Result<Vec<T>, Self> {
        let (mut values, mut errors) = (Vec::new(), Vec::new());
        for result in results {
            match result {
                Ok(value) => values.push(value),
                Err(error) => errors.push(error),
            }
        }
        let mut errors = errors.into_iter();
        let Some(mut first) = errors.next() else { return Ok(values) };
        first.others.extend(errors);
        Err(first)
    }

    /// This error and the others.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.others)
    }

    /// The error without the others.
    pub fn line(&self) -> String {
        let line = self.line.map(|line| format!("{line}:")).unwrap_or_default();
        format!("{}:{line} {}; {}", self.file, self.what, self.remedy)
    }
}

/// A line for each error, twenty at most.
impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 20;
        f.write_str(&self.line())?;
        for other in self.others.iter().take(SHOWN - 1) {
            write!(f, "\n{}", other.line())?;
        }
        match (1 + self.others.len()).saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more errors"),
        }
    }
}

/// The text of a file, with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The file's name, for messages.
    pub file: String,
    /// The whole text.
    pub text: String,
}

impl SourceFile {
    /// An error in one of its lines.
    pub fn error_at_line(
        &self,
        line: usize,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> SuiteError {
        let error = self.error_in_file(what, remedy);
        SuiteError { line: Some(line), ..error }
    }

    /// An error in the file as a whole.
    pub fn error_in_file(&self, what: impl Into<String>, remedy: impl Into<String>) -> SuiteError {
        let (file, what, remedy) = (self.file.clone(), what.into(), remedy.into());
        SuiteError { file, line: None, what, remedy, others: Vec::new() }
    }

    /// An error in a range of bytes, as given by the TOML parser.
    pub fn error_at_span(&self, span: Range<usize>, what: impl Into<String>, remedy: &str) -> SuiteError {
        self.error_at_line(self.line_at(span.start), what, remedy)
    }

    /// The line number, from 1, of a byte offset.
    pub fn line_at(&self, byte: usize) -> usize {
        1 + self.text.bytes().take(byte).filter(|&byte| byte == b'\n').count()
    }

    /// Parses it as TOML.
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

/// The input of a suite kind.
#[derive(Debug, Clone, Copy)]
pub struct SuiteInput<'a> {
    /// The suite's name.
    pub suite: &'a str,
    /// The suite file, with the kind's own `[settings]`.
    pub suite_file: &'a SourceFile,
    /// The limits of each question.
    pub limits: &'a Limits,
    /// The position files of the suite, in its order.
    pub positions: &'a [SourceFile],
    /// The values of positions after one move: the files of the setting `child_values`.
    pub child_values: &'a [SourceFile],
}

#[derive(Deserialize)]
struct Holder<T> {
    settings: T,
}

impl SuiteInput<'_> {
    /// The kind's own settings. `remedy` describes them.
    pub fn settings<T: DeserializeOwned>(&self, remedy: &str) -> Result<T, SuiteError> {
        self.suite_file.toml::<Holder<T>>(remedy).map(|holder| holder.settings)
    }

    /// The kind's own settings, or the default if there are none.
    pub fn optional_settings<T: DeserializeOwned + Default>(&self, remedy: &str) -> Result<T, SuiteError> {
        self.suite_file.toml::<Holder<Option<T>>>(remedy).map(|holder| holder.settings.unwrap_or_default())
    }

    /// Checks that there are limits and no settings, for a kind without settings.
    pub fn limits_alone(&self) -> Result<(), SuiteError> {
        self.no_settings()?;
        self.limited()
    }

    /// Checks that there are no settings, for a kind without settings.
    pub fn no_settings(&self) -> Result<(), SuiteError> {
        match self.suite_file.toml::<Holder<Option<Spanned<IgnoredAny>>>>("")?.settings {
            Some(settings) => {
                let what = "this kind has no settings";
                Err(self.suite_file.error_at_span(settings.span(), what, "remove the table `[settings]`"))
            }
            None => Ok(()),
        }
    }

    /// Checks that the search has a limit.
    pub fn limited(&self) -> Result<(), SuiteError> {
        if self.limits.is_infinite() {
            let remedy = "limit it by nodes, depth, movetime (milliseconds) or tc";
            return Err(self.error("nothing limits the search", remedy));
        }
        Ok(())
    }

    /// An error in the suite as a whole.
    pub fn error(&self, what: impl Into<String>, remedy: impl Into<String>) -> SuiteError {
        self.suite_file.error_in_file(what, remedy)
    }
}

/// The ids used in a suite so far, with their places.
#[derive(Debug, Default)]
pub struct Ids(BTreeMap<String, (String, usize)>);

impl Ids {
    /// Uses an id for the case in this line; an error if another case has it.
    pub fn claim(&mut self, source_file: &SourceFile, line: usize, id: &str) -> Result<(), SuiteError> {
        if let Some((file, first)) = self.0.insert(id.to_owned(), (source_file.file.clone(), line)) {
            let what = format!("`{id}` is also in {file}:{first}");
            return Err(source_file.error_at_line(line, what, "give each case an id of its own"));
        }
        Ok(())
    }
}

/// The description of a case before it is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseInfo {
    /// Suite.
    pub suite: String,
    /// The case's own id, unique in its suite.
    pub id: String,
    /// Class within the suite.
    pub class: String,
    /// The accepted answers, in the kind's terms.
    pub accepted: String,
    /// Why the accepted answers are right, and other notes.
    pub note: String,
    /// The position: FEN and moves.
    pub position: GamePosition,
    /// The source of the engine's clock.
    pub clock_source: ClockSource,
    /// The players of the engine that the case needs: one, or two that play each other, each with its
    /// options.
    pub players: Vec<OptionOverrides>,
    /// The number of busy threads that must run during the case.
    pub background_threads: usize,
}

/// UCI options that a player sets in addition to its spec.
pub type OptionOverrides = Vec<(String, String)>;

/// Begins a dialogue, with the limits of each question and the endgame tables of the run.
type CaseFactory = Box<dyn Fn(&Limits, &Arc<Tables>) -> Box<dyn Case> + Send + Sync>;

/// Judges one move, with what is recorded of the answer.
pub type MoveJudgement = dyn Fn(UciMove, &Verdict) -> bool;

/// Does a case pass with this legal move and what else the answer has?
type AcceptedAnswer = Arc<dyn Fn(UciMove, &Verdict) -> bool + Send + Sync>;

/// A case of a suite. It can be run with any number of engines.
pub struct CaseDefinition {
    /// What is known of it.
    pub info: CaseInfo,
    /// The endings whose tables it needs, without those that they convert to.
    pub endings: Vec<threefold_oracle::Material>,
    open: CaseFactory,
    accepts: Option<AcceptedAnswer>,
    solution: Option<Arc<Solution>>,
}

impl CaseDefinition {
    /// A case without tables.
    pub fn new(info: CaseInfo, open: impl Fn(&Limits) -> Box<dyn Case> + Send + Sync + 'static) -> Self {
        Self {
            info,
            endings: Vec::new(),
            open: Box::new(move |limits, _| open(limits)),
            accepts: None,
            solution: None,
        }
    }

    /// A case that needs the tables of these endings.
    pub fn with_tables(
        info: CaseInfo,
        endings: Vec<threefold_oracle::Material>,
        open: impl Fn(&Limits, &Arc<Tables>) -> Box<dyn Case> + Send + Sync + 'static,
    ) -> Self {
        Self { info, endings, open: Box::new(open), accepts: None, solution: None }
    }

    /// Makes it a case that judges one move: it passes if and only if `accepts` says so of a legal move and
    /// of what else is recorded of the answer.
    #[must_use]
    pub fn accepting(self, accepts: impl Fn(UciMove, &Verdict) -> bool + Send + Sync + 'static) -> Self {
        let accepts: AcceptedAnswer = Arc::new(accepts);
        let judge = Arc::clone(&accepts);
        let is_solution = move |report: &ScoredInfo| {
            report
                .pv
                .first()
                .is_some_and(|&mv| judge(mv, &Verdict::of_report(report, PassCause::AcceptedMove)))
        };
        Self { accepts: Some(accepts), ..self }.solved_by(is_solution)
    }

    /// Makes it a case whose search shows when it has found the solution: with reports that fulfil this condition.
    #[must_use]
    pub fn solved_by(self, is_solution: impl Fn(&ScoredInfo) -> bool + Send + Sync + 'static) -> Self {
        Self { solution: Some(Arc::new(is_solution)), ..self }
    }

    /// The judgement of one move; `None` if a case has more, or none.
    pub fn accepts(&self) -> Option<&MoveJudgement> {
        self.accepts.as_deref().map(|accepts| accepts as &MoveJudgement)
    }

    /// Leaves the case out: it is skipped, and the engine is asked nothing.
    pub fn leave_out(&mut self) {
        self.endings = Vec::new();
        self.info.players.clear();
        self.info.background_threads = 0;
        self.open = Box::new(|_, _| Box::new(LeftOut));
        self.accepts = None;
        self.solution = None;
    }

    /// Begins the dialogue. `tables` has those that it needs.
    pub(super) fn begin(&self, limits: &Limits, tables: &Arc<Tables>) -> Box<dyn Case> {
        (self.open)(limits, tables)
    }

    /// The begun dialogue, whose verdict then says how many nodes the search took to the solution.
    pub(super) fn with_solved_nodes(&self, case: Box<dyn Case>) -> Box<dyn Case> {
        match &self.solution {
            None => case,
            Some(solution) => {
                Box::new(SolvedCase::new(case, self.info.position.clone(), Arc::clone(solution)))
            }
        }
    }
}

/// A case that is left out.
struct LeftOut;

impl Case for LeftOut {
    fn next(&mut self, _: Option<&Answer>) -> CaseStep {
        CaseStep::Done(Verdict::unanswered(SkipCause::LeftOut, ""))
    }
}

impl fmt::Debug for CaseDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CaseDefinition").field("info", &self.info).finish_non_exhaustive()
    }
}
