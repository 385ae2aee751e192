//! `bench --profile`: where two engines spend their time, sampled by the Linux program `perf`.
//!
//! Each engine runs once more, under `perf record`. All candidates search the same positions with the same
//! limits, so the times of a function can be compared.

mod flame_graph;
mod stacks;

use std::path::Path;
use std::process::{Command, Output};

use anyhow::Context;
use tempfile::TempDir;

use self::flame_graph::FlameGraph;
use self::stacks::Stacks;
use super::candidate::Candidate;
use super::measurement::Meter;
use crate::files;
use crate::streams;
use threefold_player::{EngineSource, EngineSpec, program_from};

/// Samples per second; no multiple of a usual timer's rate.
const FREQUENCY: u32 = 997;

/// A profile with a larger share of unknown functions says little.
const MOST_UNKNOWN: f64 = 0.5;

/// Samples two engines, and writes a flame graph of the first one with the change against the second.
///
/// # Errors
/// If `perf` can't record an engine, if an engine has a fault, or if the file can't be written.
pub(super) fn write(meter: &Meter, pair: [&Candidate; 2], file: &Path) -> anyhow::Result<()> {
    let folder = folder()?;
    let mut profiles = Vec::new();
    for (index, candidate) in pair.into_iter().enumerate() {
        let samples = folder.path().join(index.to_string());
        let stacks = sample(meter, candidate, &samples)?;
        if stacks.unknown() > MOST_UNKNOWN {
            let (name, share) = (&candidate.title, 100.0 * stacks.unknown());
            streams::notice(&format!(
                "warning: {share:.0} % of the samples of {name} are in functions without a name; build it with -g, and do \
                 not strip it"
            ));
        }
        profiles.push(stacks);
    }
    let [new, old] = &profiles[..] else { unreachable!("two were sampled") };
    let titles = pair.map(|candidate| candidate.title.as_str());
    let page = FlameGraph::new(titles, [new, old], f64::from(FREQUENCY)).to_svg();
    files::write_whole(file, page.as_bytes())?;
    Ok(())
}

/// A temporary folder for samples.
fn folder() -> anyhow::Result<TempDir> {
    tempfile::tempdir().context("there is no folder for samples")
}

/// Checks that `perf` may record here.
///
/// # Errors
/// If it is not installed, or may not.
pub(super) fn check() -> anyhow::Result<()> {
    let remedy = "--profile needs `perf`: install it, and allow it (sysctl kernel.perf_event_paranoid=2)";
    let mut command = Command::new("perf");
    let output =
        command.args(record(&folder()?.path().join("check"))).arg("true").output().context(remedy)?;
    anyhow::ensure!(output.status.success(), "{remedy}: {}", last_line(&output));
    Ok(())
}

/// The arguments of `perf` before a command.
fn record(samples: &Path) -> Vec<String> {
    let frequency = FREQUENCY.to_string();
    // Samples of the kernel need a permission that `perf_event_paranoid` 2 does not give.
    let words = ["record", "-q", "--all-user", "-g", "-F", &frequency, "-o"];
    let file = samples.display().to_string();
    words.into_iter().map(str::to_owned).chain([file, "--".to_owned()]).collect()
}

/// The last line of standard error.
fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it says nothing").to_owned()
}

/// Lets a candidate search all positions under `perf`.
fn sample(meter: &Meter, candidate: &Candidate, samples: &Path) -> anyhow::Result<Stacks> {
    let watched = Candidate { spec: under_perf(&candidate.spec, samples), ..candidate.clone() };
    meter.round(&watched).map_err(|fault| super::error(candidate, fault))?;
    let mut command = Command::new("perf");
    let output = command.args(["script", "-F", "ip,sym", "-i"]).arg(samples).output()?;
    anyhow::ensure!(
        output.status.success(),
        "`perf script` does not read its samples: {}",
        last_line(&output)
    );
    let stacks = Stacks::read(&String::from_utf8_lossy(&output.stdout));
    anyhow::ensure!(!stacks.is_empty(), "`perf` has no sample of {}: give more --nodes", candidate.title);
    Ok(stacks)
}

/// An engine that `perf` starts.
fn under_perf(spec: &EngineSpec, samples: &Path) -> EngineSpec {
    let EngineSource::Command { program, args, dir } = &spec.source else {
        unreachable!("every candidate is a process")
    };
    // `perf` looks for programs in fewer folders.
    let program = program_from(program, Path::new("")).display().to_string();
    let args = record(samples).into_iter().chain([program]).chain(args.iter().cloned()).collect();
    let source = EngineSource::Command { program: "perf".to_owned(), args, dir: dir.clone() };
    EngineSpec { source, ..spec.clone() }
}
