//! Finds cases by their ids; the error for an unknown id has the nearest known one.

use threefold_run::RunRecord;
use threefold_run::run_record::PartResult;
use threefold_suites::single_case;
use threefold_suites::{CaseInfo, CaseRecord, Suite, SuiteSource};

/// A case of a part of a run.
pub struct FoundCase<'r> {
    /// The part.
    pub part: PartResult<'r>,
    /// The case's description.
    pub info: &'r CaseInfo,
    /// Its index among the results of the part, and the result; `None` if it did not run.
    pub result: Option<(usize, &'r CaseRecord)>,
}

/// Every part's case with this name: an id, or `SUITE/ID`. All of them are cases of one suite.
///
/// # Errors
/// If there is none, or if several suites have this id.
pub fn in_run<'r>(run: &'r RunRecord, name: &str) -> anyhow::Result<Vec<FoundCase<'r>>> {
    let parts = run.planned_parts();
    anyhow::ensure!(
        parts.iter().any(|part| part.suite.is_some()),
        "there is no case `{name}`: the run has no suite; `threefold report RUN.sqlite --out DIR` writes its games"
    );
    let suites: Vec<&Suite> = parts.iter().filter_map(|part| part.suite).collect();
    let wanted = unique(&suites, name)?;
    let (suite, id) = (wanted.suite.clone(), wanted.id.clone());
    let found = parts.into_iter().filter_map(|part| {
        let mut infos = part.suite?.definitions.iter().map(|definition| &definition.info);
        let info = infos.find(|info| info.suite == suite && info.id == id)?;
        let result = part.cases().enumerate().find(|(_, case)| case.id == id);
        Some(FoundCase { part, info, result })
    });
    Ok(found.collect())
}

/// The case of these suites with this name: an id, or `SUITE/ID`.
///
/// # Errors
/// If there is none, or if several suites have this id.
pub fn unique<'s>(suites: &[&'s Suite], name: &str) -> anyhow::Result<&'s CaseInfo> {
    let infos = || suites.iter().flat_map(|suite| &suite.definitions).map(|definition| &definition.info);
    let full = |info: &CaseInfo| format!("{}/{}", info.suite, info.id);
    let mut found: Vec<&CaseInfo> = infos().filter(|info| info.id == name || full(info) == name).collect();
    // Several parts of a run may have the same suite, for other engines or limits.
    found.sort_by_key(|info| full(info));
    found.dedup_by_key(|info| full(info));
    match found[..] {
        [info] => Ok(info),
        [] => {
            let similarity = |info: &CaseInfo| {
                strsim::jaro_winkler(name, &info.id).max(strsim::jaro_winkler(name, &full(info)))
            };
            let nearest = infos().max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
            let remedy = nearest.map_or_else(
                || "there are no cases".to_owned(),
                |info| format!("the closest name is `{}`", full(info)),
            );
            anyhow::bail!("there is no case `{name}`; {remedy}")
        }
        _ => {
            let names: Vec<String> = found.into_iter().map(|info| format!("`{}`", full(info))).collect();
            anyhow::bail!("several suites have a case `{name}`; use one of {}", names.join(", "))
        }
    }
}

/// The suite with this case, reduced to it.
///
/// # Errors
/// If there is no such case, or if it cannot be separated from the other cases.
pub fn alone(sources: &[SuiteSource], name: &str) -> anyhow::Result<SuiteSource> {
    let suites: Vec<Suite> = sources.iter().map(Suite::read).collect::<Result<_, _>>()?;
    let info = unique(&suites.iter().collect::<Vec<_>>(), name)?;
    let (source, _) = sources
        .iter()
        .zip(&suites)
        .find(|(_, suite)| suite.name == info.suite)
        .expect("the case is of one of them");
    let reduced = single_case::reduced(source, &info.id)?;
    reduced.ok_or_else(|| {
        anyhow::anyhow!(
            "case `{name}` cannot be run alone; run the whole suite `{}` without --case",
            info.suite
        )
    })
}
