//! The report formats of a program, and the sets of formats that a run can request.
//!
//! The registry is open: this module has the built-in sets, and a program adds those of its own
//! (`Registry::with`). A run names its set in its journal, so `resume` and `report` write the same files. No
//! code outside a set's own module knows what it is about.

use std::io;

use crate::FORMATS;
use crate::formats::block;
use crate::formats::case_lines;
use crate::formats::json;
use crate::formats::report_format::ReportFormat;
use crate::formats::terminal;
use crate::model::report::Report;
use threefold_run::job::ReportSetName;
use threefold_run::regress::Baseline;
use threefold_run::{Labels, Part, RunRecord};

/// The labels of these parts of a run, one for each, from their engines, options and limits.
pub type DeriveLabels = fn(&[Part]) -> Vec<Labels>;

/// A named set of reports.
#[derive(Debug, Clone, Copy)]
pub struct ReportSet {
    /// The name in the journal, unique in a program.
    pub name: &'static str,
    /// What is printed when the run ends.
    pub printed: ReportFormat,
    /// What is written to the folder of the reports.
    pub files: &'static [ReportFormat],
    /// Does the run measure something, so that no result is good or bad? Then missed thresholds do not change
    /// the exit code.
    pub is_measurement: bool,
    /// Does a report of the set need the moves of all games at once?
    pub needs_moves: bool,
    /// The labels of the parts of a run whose journal is older than labels, one for each part in order;
    /// `None` where no report of the set needs any.
    pub derive_labels: Option<DeriveLabels>,
}

/// The sets of reports that a program knows.
#[derive(Debug, Clone)]
pub struct Registry {
    sets: Vec<ReportSet>,
}

/// A name that the registry lacks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this program makes no reports called `{given}`; the nearest that it makes are called `{nearest}`")]
pub struct UnknownReportSet {
    /// The requested name.
    pub given: String,
    /// The known name that is most like it.
    pub nearest: &'static str,
}

/// The sets for every run.
const BUILT_IN: [ReportSet; 4] = [
    ReportSet {
        name: ReportSetName::SUMMARY,
        printed: terminal::FORMAT,
        files: FORMATS,
        is_measurement: false,
        needs_moves: false,
        derive_labels: None,
    },
    ReportSet {
        name: ReportSetName::CASES,
        printed: case_lines::FORMAT,
        files: FORMATS,
        is_measurement: false,
        needs_moves: false,
        derive_labels: None,
    },
    ReportSet {
        name: ReportSetName::BLOCK,
        printed: block::FORMAT,
        files: FORMATS,
        is_measurement: false,
        needs_moves: false,
        derive_labels: None,
    },
    ReportSet {
        name: ReportSetName::RESULT,
        printed: json::RESULT,
        files: FORMATS,
        is_measurement: false,
        needs_moves: false,
        derive_labels: None,
    },
];

impl Registry {
    /// The sets of this crate.
    pub fn built_in() -> Self {
        Self { sets: BUILT_IN.to_vec() }
    }

    /// These sets and those of a program.
    #[must_use]
    pub fn with(mut self, sets: &[ReportSet]) -> Self {
        self.sets.extend_from_slice(sets);
        self
    }

    /// The set of a name.
    ///
    /// # Errors
    /// If no set is called that.
    pub fn set(&self, name: &ReportSetName) -> Result<&ReportSet, UnknownReportSet> {
        let similarity = |set: &&ReportSet| strsim::jaro_winkler(set.name, &name.0);
        let nearest = || self.sets.iter().max_by(|one, other| similarity(one).total_cmp(&similarity(other)));
        self.sets.iter().find(|set| set.name == name.0).ok_or_else(|| UnknownReportSet {
            given: name.0.clone(),
            nearest: nearest().map_or("", |set| set.name),
        })
    }

    /// Every format of every set, each once.
    pub fn formats(&self) -> Vec<ReportFormat> {
        let mut formats: Vec<ReportFormat> = Vec::new();
        for format in self.sets.iter().flat_map(|set| set.files.iter().chain([&set.printed])) {
            if formats.iter().all(|known| known.name != format.name) {
                formats.push(*format);
            }
        }
        formats
    }
}

impl ReportSet {
    /// The report of a run, compared with the baseline, or saying in a clause why with none. Labels that the
    /// run's journal lacks are derived.
    ///
    /// # Errors
    /// If the moves of games are needed, and the journal can't be read.
    pub fn report(&self, run: &RunRecord, baseline: Result<&Baseline, String>) -> io::Result<Report> {
        let mut report = Report::from_run(run, baseline);
        report.read_coupling(run)?;
        if self.needs_moves {
            report.read_moves(run)?;
        }
        let parts = &run.spec().parts;
        if let Some(derive) = self.derive_labels.filter(|_| parts.iter().all(|part| part.labels.is_empty())) {
            for (part, labels) in parts.iter().zip(derive(parts)) {
                report.label(&part.name, &labels);
            }
        }
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const ADDED: ReportSet = ReportSet {
        name: "survey",
        printed: ReportFormat { name: "survey", file: "survey.txt", ..terminal::FORMAT },
        files: &[],
        is_measurement: true,
        needs_moves: false,
        derive_labels: None,
    };

    #[test]
    fn registry_has_built_in_and_added_reports() {
        let [alone, added] = [Registry::built_in(), Registry::built_in().with(&[ADDED])];
        let found = |registry: &Registry, name: &str| registry.set(&name.into()).map(|set| set.printed.name);
        assert_eq!(found(&alone, "summary"), Ok("terminal"));
        assert_eq!(found(&added, "survey"), Ok("survey"));
        let error = found(&alone, "sumary").expect_err("no such set").to_string();
        let expected =
            "this program makes no reports called `sumary`; the nearest that it makes are called `summary`";
        assert_eq!(error, expected);
        assert_eq!(found(&added, "surveys").expect_err("no such set").nearest, "survey");
    }

    #[test]
    fn formats_have_unique_names_and_files() {
        let formats = Registry::built_in().with(&[ADDED]).formats();
        let names: BTreeSet<&str> = formats.iter().map(|format| format.name).collect();
        let files: BTreeSet<&str> = formats.iter().map(|format| format.file).collect();
        assert_eq!((names.len(), files.len()), (formats.len(), formats.len()), "{names:?} {files:?}");
        assert_eq!(formats.len(), FORMATS.len() + 5, "and what the five sets print");
    }
}
