//! Reduces suites to chosen cases, for every kind of suite: the suite file names the cases that remain.

use threefold_run::regress::Baseline;
use threefold_run::regress::baseline::CaseName;
use threefold_suites::single_case::with_cases;
use threefold_suites::{CaseFilter, CaseInfo, Suite, SuiteError, SuiteSource};

/// Suites that an error names.
const NAMED: usize = 5;

/// Suites reduced to chosen cases, without the suites that have none.
#[derive(Debug, Default)]
pub struct ChosenCases {
    /// The suites that have chosen cases.
    pub sources: Vec<SuiteSource>,
    /// The number of chosen cases.
    pub cases: usize,
    /// The number of cases before.
    pub all: usize,
}

/// Reduces suites to the cases that fulfil a condition.
///
/// # Errors
/// If a suite can't be read.
pub fn chosen(
    sources: &[SuiteSource],
    is_chosen: impl Fn(&CaseInfo) -> bool,
) -> Result<ChosenCases, SuiteError> {
    let mut chosen = ChosenCases::default();
    for source in sources {
        let suite = Suite::read(source)?;
        let infos = || suite.definitions.iter().map(|definition| &definition.info);
        let ids: Vec<&str> = infos().filter(|info| is_chosen(info)).map(|info| info.id.as_str()).collect();
        chosen.cases += ids.len();
        chosen.all += suite.definitions.len();
        if ids.len() == suite.definitions.len() {
            chosen.sources.push(source.clone());
        } else if !ids.is_empty() {
            chosen.sources.push(with_cases(source, &ids)?);
        }
    }
    Ok(chosen)
}

/// Reduces suites to the cases that match.
///
/// # Errors
/// If none does, or if a suite can't be read.
pub fn matching(sources: &[SuiteSource], filter: &CaseFilter) -> anyhow::Result<ChosenCases> {
    let found = chosen(sources, |info| filter.matches(info))?;
    if found.cases > 0 {
        return Ok(found);
    }
    let mut names: Vec<String> = sources.iter().take(NAMED).map(SuiteSource::name).collect();
    if sources.len() > NAMED {
        names.push(format!("{} more suites", sources.len() - NAMED));
    }
    let suite = sources.first().map(Suite::read).transpose()?;
    let example = suite.as_ref().and_then(|suite| Some(&suite.definitions.first()?.info));
    let example = example.map_or_else(String::new, |info| {
        format!(", such as `{}`, `{}` and `{}`", info.suite, info.class, info.id)
    });
    anyhow::bail!(
        "-k `{}`: none of the {} cases of {} matches; a word matches a part of the suite's name, the class or the \
         id{example}",
        filter.text(),
        found.all,
        names.join(", ")
    )
}

/// Reduces suites to the cases that a baseline does not have.
///
/// # Errors
/// If a suite can't be read.
pub fn missing_in(sources: &[SuiteSource], baseline: &Baseline) -> Result<ChosenCases, SuiteError> {
    chosen(sources, |info| {
        let name = CaseName { suite: info.suite.clone(), id: info.id.clone() };
        !baseline.cases.contains_key(&name)
    })
}
