//! Probes of which repetitions an engine scores as draws, made from traps.
//!
//! A trap asks which move an engine plays; a probe asks for the score of one move, which does not depend on
//! ties, the horizon or strength. All probes of one engine together are its policy signature
//! (`suite::signature`). Probes measure: a first repetition that is scored as a draw is marked as failed,
//! because it is not a draw by the rules; an inconclusive answer is skipped.

mod probe;
mod selection;

use serde::Deserialize;

use crate::input::{CaseDefinition, CaseInfo, OptionOverrides, SuiteError, SuiteInput};
use crate::trap;
use crate::{Case, ClockLimit, Kind, LostCase};
use probe::ProbeCase;
use selection::{Probe, probes};
use threefold_chess::clock::{ClockSource, Limits};

/// The suite kind `policy`.
pub const KIND: Kind = Kind {
    name: "policy",
    summary: "Repetition policy: which repetitions the engine scores as draws",
    clock: ClockLimit::Allowed,
    lost_case: LostCase::Search,
    load,
};

const SETTINGS: &str = "[settings] has `per_topic`, the most probes of each of the four topics, at least 1";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicySettings {
    per_topic: usize,
}

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    let PolicySettings { per_topic } = input.settings(SETTINGS)?;
    if per_topic == 0 {
        return Err(input.error("`per_topic` is 0", SETTINGS));
    }
    if input.limits.is_infinite() {
        return Err(input.error("nothing limits the search", "limit it by nodes, depth or movetime"));
    }
    Ok(probes(&trap::unique_rows(input)?, per_topic)
        .into_iter()
        .map(|probe| definition(input.suite, probe))
        .collect())
}

fn definition(suite: &str, probe: Probe) -> CaseDefinition {
    let info = CaseInfo {
        suite: suite.to_owned(),
        id: format!("{}.{}", probe.topic, probe.trap),
        class: probe.topic.name().to_owned(),
        accepted: probe.expected().to_owned(),
        note: probe.question_text(),
        position: probe.position.clone(),
        clock_source: ClockSource::Wall,
        players: vec![OptionOverrides::default()],
        background_threads: 0,
    };
    let open = move |limits: &Limits| -> Box<dyn Case> { Box::new(ProbeCase::new(probe.clone(), *limits)) };
    CaseDefinition::new(info, open)
}

#[cfg(test)]
mod tests;
