//! The cases that `suite` runs: the suites that are named, reduced by the options that choose cases.

use crate::args::{CaseChoice, RunOptions};
use crate::input::case_choice::{self, ChosenCases};
use crate::input::case_search;
use crate::input::last_run::LastRun;
use crate::session::baselines;
use crate::streams;
use threefold_player::EngineSpec;
use threefold_suites::{SuiteError, SuiteSource};

/// Suites, reduced to the cases that are chosen for any engine.
pub(super) struct SuiteCases {
    /// The suites that have such cases.
    pub(super) sources: Vec<SuiteSource>,
    /// The run in which they did not pass, for --last-failed.
    last: Option<LastRun>,
}

impl SuiteCases {
    /// The chosen cases of suites; `None` if there are none, which a notice says. `last` is the run in which they
    /// must have failed.
    ///
    /// # Errors
    /// If the conditions can't be checked, or if no case matches.
    pub(super) fn choose(
        choice: &CaseChoice,
        mut sources: Vec<SuiteSource>,
        last: Option<LastRun>,
        engines: &[EngineSpec],
        run_options: &RunOptions,
    ) -> anyhow::Result<Option<Self>> {
        if let Some(last) = &last {
            run_options.inform(&last.describe(&sources));
        }
        if let Some(id) = &choice.case {
            sources = vec![case_search::alone(&sources, id)?];
        }
        if let Some(filter) = &choice.filter {
            let matching = case_choice::matching(&sources, filter)?;
            run_options.inform(&format!("-k `{}`: {} match", filter.text(), share(&matching)));
            sources = matching.sources;
        }
        if choice.only_new {
            let (folder, baseline) = baselines::required(choice.baseline.as_deref())?;
            let new = case_choice::missing_in(&sources, &baseline)?;
            let folder = folder.display();
            run_options.inform(&format!("--only-new: {} are not in the baseline {folder}", share(&new)));
            sources = new.sources;
        }
        if let Some(last) = &last {
            let has_failed =
                |suite: &str, id: &str| engines.iter().any(|engine| last.has_failed(suite, engine, id));
            sources = case_choice::chosen(&sources, |info| has_failed(&info.suite, &info.id))?.sources;
        }
        if sources.is_empty() {
            streams::notice("there is no case to run");
            return Ok(None);
        }
        Ok(Some(Self { sources, last }))
    }

    /// A suite with the cases that are chosen for an engine; `None` if there are none.
    ///
    /// # Errors
    /// If the suite can't be read.
    pub(super) fn for_engine(
        &self,
        source: &SuiteSource,
        engine: &EngineSpec,
    ) -> Result<Option<SuiteSource>, SuiteError> {
        let Some(last) = &self.last else { return Ok(Some(source.clone())) };
        let alone = std::slice::from_ref(source);
        let chosen = case_choice::chosen(alone, |info| last.has_failed(&info.suite, engine, &info.id))?;
        Ok(chosen.sources.into_iter().next())
    }
}

/// `12 of 340 cases`
fn share(chosen: &ChosenCases) -> String {
    format!("{} of {} cases", chosen.cases, chosen.all)
}
