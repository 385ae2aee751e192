//! The search limits of `--tc`, `--st`, `--nodes` and `--depth`.

use anyhow::Context;

use crate::streams;
use threefold_chess::clock::{Control, LimitKey};
use threefold_player::EngineSpec;

/// The limits of the flags. `--tc` takes one time control and nothing else, `--st` one number of seconds.
///
/// # Errors
/// If the value of a flag is invalid.
pub fn control(
    tc: Option<&str>,
    st: Option<&str>,
    nodes: Option<u64>,
    depth: Option<u16>,
) -> anyhow::Result<Control> {
    let mut control = Control::default();
    if let Some(tc) = tc {
        control.set(LimitKey::Tc, tc).context("--tc")?;
    }
    if let Some(st) = st {
        control.set(LimitKey::St, st).context("--st")?;
    }
    if let Some(nodes) = nodes {
        control.set(LimitKey::Nodes, &nodes.to_string())?;
    }
    if let Some(depth) = depth {
        control.set(LimitKey::Depth, &depth.to_string())?;
    }
    Ok(control)
}

/// Checks that no engine has a limit of its own, for commands that search with the same limit for all. `flags` give
/// that limit.
///
/// # Errors
/// If one has.
pub fn without_own(engines: &[EngineSpec], flags: &str) -> anyhow::Result<()> {
    let has_limit = |engine: &&EngineSpec| {
        let Control { time, movetime, nodes, depth, .. } = &engine.control;
        time.is_some() || movetime.is_some() || nodes.is_some() || depth.is_some()
    };
    if let Some(engine) = engines.iter().find(has_limit) {
        anyhow::bail!(
            "engine `{}` has a search limit of its own; leave it out, and give {flags} for all engines",
            engine.name
        );
    }
    Ok(())
}

/// Warns about limits that are probably mistakes.
pub fn warn(controls: impl IntoIterator<Item = Control>) {
    for warning in warnings(controls) {
        streams::notice(&format!("warning: time control {warning}"));
    }
}

/// Reasons why limits are probably mistakes, each once.
fn warnings(controls: impl IntoIterator<Item = Control>) -> Vec<String> {
    let mut warnings = Vec::new();
    for time in controls.into_iter().filter_map(|control| control.time) {
        warnings.extend(time.warning().filter(|warning| !warnings.contains(warning)));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_flags_accept_their_own_limit_only() {
        let read = |tc: Option<&str>, st: Option<&str>| control(tc, st, Some(9), None);
        assert_eq!(read(Some("8+0.08"), None).expect("sound").to_string(), "8+0.08,nodes=9");
        assert_eq!(read(None, Some("0.5")).expect("sound").to_string(), "st=0.5,nodes=9");
        let table = [
            (Some("8,0.08"), None, "--tc: time control `8,0.08`: a comma has no meaning here"),
            (Some("8+0,08"), None, "--tc: time control `8+0,08`: a comma has no meaning here"),
            (Some("60,40"), None, "--tc: time control `60,40`: a comma has no meaning here"),
            (Some("0.2+0.01,nodes=50"), None, "--tc: time control `0.2+0.01,nodes=50`: a comma"),
            (None, Some("0.1,0.2"), "--st: `st=0.1,0.2` can't be read; it takes seconds for each move"),
            (None, Some("nodes=5"), "--st: `st=nodes=5` can't be read"),
        ];
        for (tc, st, message) in table {
            let error = format!("{:#}", read(tc, st).expect_err(message));
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn warning_is_printed_once() {
        let read = |text: &str| text.parse::<Control>().expect("sound");
        let warnings = warnings([read("8/0.08"), read("8+0.08"), read("8/0.08"), read("nodes=5")]);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
    }
}
