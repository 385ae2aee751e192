//! The engine's own benchmark: does `ENGINE bench` search as many nodes as it should?
//!
//! `bench` searches fixed positions to fixed depths. OpenBench and the CI of many engines compare its node
//! count with the line `Bench: N` of the commit message: another count is another search. The engine's
//! program runs for it with the argument `bench` and without options. A short bench runs three times, or as
//! `runs = N` in `[settings]` says, which shows how much its speed varies, and that its node count does not.
//!
//! With `expect = N` in `[settings]` the count must be N. Without it the count is recorded as what was
//! played, so that a comparison with another run shows a change. With `required = true` it must print a count in time;
//! otherwise an engine without `bench` is skipped.

mod commit_message;
mod reading;

use std::num::{NonZeroU8, NonZeroU64};
use std::time::Duration;

use serde::Deserialize;

pub use self::commit_message::bench_signature;
use self::reading::nps;
pub use self::reading::{BenchReading, BenchRuns};
use crate::input::{CaseDefinition, CaseInfo, OptionOverrides, SuiteError, SuiteInput};
use crate::{
    Case, CaseStep, Cause, ClockLimit, FailCause, Kind, LostCase, PassCause, SkipCause, SuiteSource, Verdict,
};
use threefold_chess::clock::{ClockSource, Limits};
use threefold_chess::position::GamePosition;
use threefold_player::Answer;

/// The suite kind `bench`.
pub const KIND: Kind = Kind {
    name: "bench",
    summary: "The node count of `ENGINE bench`, the signature of the search",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Strict,
    load,
};

/// The id of the only case.
pub const ID: &str = "bench";
/// The setting with the node count.
const EXPECT: &str = "expect";
/// The setting with the number of runs of a short bench.
const RUNS: &str = "runs";
/// The setting with the time of a run.
const SECONDS: &str = "seconds";
/// The setting that asks for a count.
const REQUIRED: &str = "required";

/// The kind's settings.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct BenchSettings {
    /// The node count.
    expect: Option<NonZeroU64>,
    /// The time that it may take.
    #[serde(default)]
    seconds: Seconds,
    /// The number of runs, if a run is short.
    #[serde(default)]
    runs: Runs,
    /// Must it print a count in time?
    #[serde(default)]
    required: bool,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(transparent)]
struct Seconds(u32);

impl Default for Seconds {
    /// OpenBench allows 60 s; sanitizer builds are slower.
    fn default() -> Self {
        Self(180)
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(transparent)]
struct Runs(NonZeroU8);

impl Default for Runs {
    fn default() -> Self {
        Self(const { NonZeroU8::new(3).expect("it is not 0") })
    }
}

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    let remedy = "the settings are `expect = 555806`, `seconds = 180`, `runs = 3` and `required = true`";
    let settings: BenchSettings = input.optional_settings(remedy)?;
    if !input.limits.is_infinite() {
        return Err(input.error("`bench` has its own depths", "remove the limits"));
    }
    if !input.positions.is_empty() {
        return Err(input.error("`bench` has its own positions", "give `positions = []`"));
    }
    let accepted = settings.expect.map_or_else(|| "any count".to_owned(), |nodes| format!("{nodes} nodes"));
    let info = CaseInfo {
        suite: input.suite.to_owned(),
        id: ID.to_owned(),
        class: ID.to_owned(),
        accepted,
        note: String::new(),
        position: GamePosition::start_position(),
        clock_source: ClockSource::Wall,
        players: vec![OptionOverrides::default()],
        background_threads: 0,
    };
    let open = move |_: &Limits| -> Box<dyn Case> { Box::new(BenchCase { settings, runs: Vec::new() }) };
    Ok(vec![CaseDefinition::new(info, open)])
}

/// The dialogue: one run, or a few of a short bench.
struct BenchCase {
    settings: BenchSettings,
    /// The runs so far.
    runs: Vec<Answer>,
}

impl Case for BenchCase {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        self.runs.extend(answer.cloned());
        if self.is_done() {
            return CaseStep::Done(judge(&self.settings, &self.runs));
        }
        let timeout = Duration::from_secs(u64::from(self.settings.seconds.0));
        CaseStep::Bench { timeout, is_required: self.settings.required }
    }
}

impl BenchCase {
    fn is_done(&self) -> bool {
        /// The longest run that is short, in seconds.
        const SHORT: u64 = 2;
        let most = usize::from(self.settings.runs.0.get());
        let [first, ..] = &self.runs[..] else { return false };
        // Without a count or a speed it is not known to be short, so it runs once.
        let is_short = nps(first).is_some_and(|nps| first.nodes > 0 && first.nodes / nps.max(1) < SHORT);
        // A different count decides the case, so it ends the runs.
        !is_short || self.runs.len() >= most || self.runs.iter().any(|run| run.nodes != first.nodes)
    }
}

fn judge(settings: &BenchSettings, runs: &[Answer]) -> Verdict {
    let answer = runs.last().expect("it has run");
    let expected = settings.expect.map(NonZeroU64::get);
    let nodes = answer.nodes;
    // The count of another run takes precedence, so that the detail has both counts.
    let expected = runs.iter().map(|run| run.nodes).find(|&other| other != nodes).or(expected);
    let nps = BenchReading::speed_text(runs);
    let other = expected.filter(|&expected| expected != nodes);
    let cause: Cause = match expected {
        _ if nodes == 0 && settings.required => FailCause::NoNodeCount.into(),
        _ if nodes == 0 => SkipCause::NoNodes.into(),
        _ if runs.iter().any(|run| run.nodes != nodes) => FailCause::RunsDiffer.into(),
        None => PassCause::Measured.into(),
        Some(_) if other.is_some() => FailCause::OtherNodes.into(),
        Some(_) => PassCause::SameNodes.into(),
    };
    let counts = match other {
        Some(expected) => format!("{nodes} instead of {expected}"),
        None => format!("{nodes} nodes"),
    };
    let detail = std::iter::once(counts).chain(nps).collect::<Vec<_>>().join(", ");
    Verdict { played: nodes.to_string(), ..Verdict::new(answer, cause, detail) }
}

/// Adds the node count that `bench` must have; the source is unchanged if it is of another kind, or has a
/// count of its own.
pub fn expecting(source: SuiteSource, nodes: NonZeroU64) -> SuiteSource {
    match i64::try_from(nodes.get()) {
        Ok(count) => with_missing_setting(source, EXPECT, count),
        // TOML has no integer of this size.
        Err(_) => source,
    }
}

/// Asks for one run of a short `bench`; the source is unchanged if it is of another kind, or has a number of
/// its own.
pub fn run_once(source: SuiteSource) -> SuiteSource {
    with_missing_setting(source, RUNS, 1)
}

/// Asks for a count within a time that follows from an earlier run: twenty times as long, since another machine or a sanitizer
/// build may be slower, but a minute at least and no more than the suite allows. The source is unchanged if it is of another
/// kind.
pub fn after_run(source: SuiteSource, earlier: BenchReading) -> SuiteSource {
    /// The shortest of these times, in seconds.
    const SHORTEST: i64 = 60;
    let Some(mut settings) = bench_settings(&source) else { return source };
    let own = settings.get(SECONDS).and_then(toml::Value::as_integer);
    let own = own.unwrap_or_else(|| Seconds::default().0.into());
    // Whole seconds are enough: the result is at least a minute, or the suite's own limit.
    let usual = |nps: u64| i64::try_from(20 * (earlier.nodes / nps.max(1))).unwrap_or(own);
    // `min` is last: the suite may allow less than a minute, for which `clamp` would panic.
    let seconds = earlier.nps.map_or(own, |nps| usual(nps).max(SHORTEST).min(own));
    settings.insert(SECONDS.to_owned(), seconds.into());
    settings.entry(REQUIRED).or_insert_with(|| true.into());
    source.with_settings(settings)
}

/// A bench suite with this setting, unless it has it.
fn with_missing_setting(source: SuiteSource, name: &str, value: i64) -> SuiteSource {
    let is_missing = bench_settings(&source).is_some_and(|settings| !settings.contains_key(name));
    if is_missing { source.with_setting(name, value) } else { source }
}

/// The settings of a suite of this kind; `None` if it is another.
fn bench_settings(source: &SuiteSource) -> Option<toml::Table> {
    let mut written = source.suite_file.text.parse::<toml::Table>().ok()?;
    let is_bench = written.get("kind").and_then(toml::Value::as_str) == Some(KIND.name);
    let settings = written.remove("settings").and_then(|settings| settings.try_into().ok());
    is_bench.then(|| settings.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::NPS;
    use crate::dialogue::script::lead;
    use crate::{SourceFile, Suite, SuiteSource, VerdictKind};

    fn suite(tail: &str) -> Result<Suite, SuiteError> {
        let text = format!("version = 1\nkind = \"bench\"\ntitle = \"B\"\npositions = []\n{tail}");
        let suite_file = SourceFile { file: "b.toml".to_owned(), text };
        Suite::read(&SuiteSource { suite_file, positions: Vec::new() })
    }

    #[test]
    fn an_expected_count_is_added_to_a_bench_suite_without_one() {
        let source = |text: &str| {
            let suite_file = SourceFile { file: "b.toml".to_owned(), text: text.to_owned() };
            SuiteSource { suite_file, positions: Vec::new() }
        };
        let table = [
            ("kind = \"bench\"", true),
            ("kind = \"bench\"\n[settings]\nseconds = 5", true),
            ("kind = \"bench\"\n[settings]\nexpect = 7777", false),
            ("kind = \"perft\"", false),
        ];
        for (text, is_added) in table {
            let text = format!("version = 1\ntitle = \"B\"\npositions = []\n{text}\n");
            let expected = expecting(source(&text), NonZeroU64::new(555_806).expect("not zero"));
            assert_eq!(expected.suite_file.text.contains("expect = 555806"), is_added, "{text}");
            assert_eq!(expected.suite_file.text.contains("seconds"), text.contains("seconds"), "{text}");
            assert_eq!(expected == source(&text), !is_added, "{text}");
            let once = run_once(source(&text));
            assert_eq!(once.suite_file.text.contains("runs = 1"), text.contains("bench"), "{text}");
        }
    }

    #[test]
    fn a_bench_count_is_compared_with_the_expected_one_or_recorded() {
        use VerdictKind::{Failed, Passed, Skipped};
        let table = [
            ("", 555_806, Passed, "measured: 555806 nodes, 77 nps"),
            ("[settings]\nexpect = 555806\n", 555_806, Passed, "same nodes: 555806 nodes, 77 nps"),
            (
                "[settings]\nexpect = 555806\n",
                555_807,
                Failed,
                "other nodes: 555807 instead of 555806, 77 nps",
            ),
            ("[settings]\nseconds = 5\n", 0, Skipped, "no nodes reported: 0 nodes, 77 nps"),
            ("[settings]\nrequired = true\n", 0, Failed, "no node count: 0 nodes, 77 nps"),
        ];
        for (tail, nodes, kind, reason) in table {
            let (info, mut case) = suite(tail).expect("sound").cases().remove(0);
            let counts = vec![(NPS.to_owned(), 77)];
            let (verdict, ..) = lead(case.as_mut(), [Answer { nodes, counts, ..Answer::silent() }]);
            assert_eq!((verdict.kind(), verdict.reason().as_str()), (kind, reason), "{tail}");
            assert_eq!((verdict.played, verdict.nodes), (nodes.to_string(), nodes));
            assert_eq!((info.id.as_str(), info.class.as_str()), ("bench", "bench"));
        }
    }

    #[test]
    fn a_later_run_gets_a_time_that_follows_from_an_earlier_one() {
        let table = [
            // settings, nodes and speed before, seconds, required
            ("", 5_000_000, Some(1_000_000), 100, true),
            ("", 5_000, Some(1_000_000), 60, true),
            ("", 50_000_000, Some(1_000_000), 180, true),
            ("", 5_000, None, 180, true),
            ("[settings]\nseconds = 30\nexpect = 4444\n", 5_000_000, Some(1_000_000), 30, true),
            ("[settings]\nrequired = false\n", 5_000_000, Some(1_000_000), 100, false),
        ];
        for (tail, nodes, nps, seconds, required) in table {
            let text = format!("version = 1\nkind = \"bench\"\ntitle = \"B\"\npositions = []\n{tail}");
            let suite_file = SourceFile { file: "b.toml".to_owned(), text };
            let source = SuiteSource { suite_file, positions: Vec::new() };
            let later = after_run(source, BenchReading { nodes, nps, runs: None });
            let (_, mut case) = Suite::read(&later).expect("sound").cases().remove(0);
            let CaseStep::Bench { timeout, is_required } = case.next(None) else { panic!("{tail}") };
            assert_eq!((timeout.as_secs(), is_required), (seconds, required), "{tail}");
            assert_eq!(later.suite_file.text.contains("expect = 4444"), tail.contains("expect"));
        }
    }

    #[test]
    fn a_short_bench_runs_three_times_and_shows_how_its_speed_varies() {
        let run = |nodes, nps| Answer { nodes, counts: vec![(NPS.to_owned(), nps)], ..Answer::silent() };
        let table = [
            // settings, runs, the verdict
            (
                "",
                vec![run(5000, 9000), run(5000, 7000), run(5000, 8000)],
                "measured: 5000 nodes, 8000 nps, 7000 to 9000 nps in 3 runs",
            ),
            (
                "",
                vec![run(5000, 9000), run(5001, 9000)],
                "runs differ: 5001 instead of 5000, 9000 nps, 9000 to 9000 nps in 2 runs",
            ),
            ("", vec![run(50_000, 9000)], "measured: 50000 nodes, 9000 nps"),
            ("[settings]\nruns = 1\n", vec![run(5000, 9000)], "measured: 5000 nodes, 9000 nps"),
        ];
        for (settings, runs, reason) in table {
            let (_, mut case) = suite(settings).expect("sound").cases().remove(0);
            let (verdict, ..) = lead(case.as_mut(), runs);
            assert_eq!(verdict.reason(), reason);
        }
    }

    #[test]
    fn a_bench_suite_has_no_limits_and_no_positions() {
        let table = [
            (
                "[settings]\nexpect = 0\n",
                "b.toml:6: invalid value: integer `0`, expected a nonzero u64; the settings",
            ),
            (
                "[settings]\nruns = 0\n",
                "b.toml:6: invalid value: integer `0`, expected a nonzero u8; the settings",
            ),
            ("[settings]\nnodes = 5\n", "b.toml:6: unknown field `nodes`"),
            ("[limits]\ndepth = 5\n", "b.toml: `bench` has its own depths; remove the limits"),
        ];
        for (tail, message) in table {
            let error = suite(tail).expect_err(tail).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
