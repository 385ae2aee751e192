//! The journal's form of a run specification: version 1.
//!
//! Values with a text form (engine specs, controls, paces, moves) are stored as that text: it is readable and
//! parses back to the same value.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::fields::{is_false, nanos, parse_field};
use super::game_warning::WarningPolicyV1;
use super::games::MatchV1;
use super::origin::{ConditionsV1, OwnerV1};
use super::takes::TakesV1;
use super::trend::TrendPointV1;
use super::tune::TuneV1;
use crate::Labels;
use crate::distinct_pairs::PairCounting;
use crate::environment::Environment;
use crate::fault_budget::FaultBudget;
use crate::job::{
    BaselineText, ComparisonUse, Outputs, Part, ReportSetName, RunOrigin, RunOwner, RunSpec, SuiteTask, Task,
    ThresholdUse, Undecided,
};
use threefold_chess::clock::{Clocks, Limits, Remaining};
use threefold_chess::score::Ply;
use threefold_suites::{SourceFile, SuiteSource};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunSpecV1 {
    title: String,
    command: String,
    machine: String,
    /// By the names of the properties.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    environment: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<OwnerV1>,
    #[serde(default)]
    conditions: ConditionsV1,
    seed: u64,
    parts: Vec<PartV1>,
    reports: Option<PathBuf>,
    games: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "is_zero")]
    games_start: u64,
    #[serde(default, skip_serializing_if = "is_false")]
    prints_checksum: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    final_positions: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "is_zero")]
    final_positions_start: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found_mates: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missed_mates: Option<PathBuf>,
    accepted: Option<PathBuf>,
    /// The name of a set of reports.
    printed: String,
    baseline: Option<BaselineV1>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    trend: Vec<TrendPointV1>,
    /// Fault limits for the engine under test and for all engines: `5`, `2%` or `usual`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_faults: Option<[String; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stop_after: Option<NonZeroUsize>,
    /// `fail` if a test without a decision is a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undecided: Option<String>,
    /// `all` if a test counts repeated pairs, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    counting: Option<String>,
    /// `ignore` if only the baseline decides on suites.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thresholds: Option<String>,
    /// `required` if a run that nothing decides on is no success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    comparison: Option<String>,
    #[serde(default, skip_serializing_if = "WarningPolicyV1::is_default")]
    warnings: WarningPolicyV1,
    /// The engines, openings and games of an encounter; the parts are its known encounters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tournament: Option<Box<MatchV1>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    takes: Option<TakesV1>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tune: Option<Box<TuneV1>>,
    /// Such as `2/4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineV1 {
    cases: String,
    figures: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    environment: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartV1 {
    name: String,
    /// Keys and values; earlier journals have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    labels: Vec<[String; 2]>,
    task: TaskV1,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum TaskV1 {
    Suite {
        engine: String,
        page: PageV1,
        positions: Vec<PageV1>,
        limits: Option<Box<LimitsV1>>,
        /// In nanoseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timemargin: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        per_class: Option<NonZeroUsize>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left_out: Vec<String>,
    },
    Match(Box<MatchV1>),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PageV1 {
    file: String,
    text: String,
}

/// Times in nanoseconds.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitsV1 {
    clocks: Option<ClocksV1>,
    movetime: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u16>,
    mate: Option<u32>,
}

/// Time and increment of White, then of Black, in nanoseconds.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClocksV1 {
    white: [u64; 2],
    black: [u64; 2],
    moves_to_go: Option<u32>,
}

impl From<&RunSpec> for RunSpecV1 {
    #[expect(clippy::too_many_lines, reason = "a field is a line")]
    fn from(spec: &RunSpec) -> Self {
        let RunSpec {
            title,
            origin: RunOrigin { command, machine, environment, folder, owner, conditions },
            seed,
            parts,
            outputs:
                Outputs {
                    reports,
                    games,
                    games_start,
                    prints_checksum,
                    final_positions,
                    final_positions_start,
                    found_mates,
                    missed_mates,
                    baseline: accepted,
                    report_set,
                },
            baseline,
            trend,
            max_faults,
            stop_after,
            undecided,
            counting,
            thresholds,
            comparison,
            warnings,
            tournament,
            takes,
            tune,
            shard,
        } = spec;
        Self {
            title: title.clone(),
            command: command.clone(),
            machine: machine.clone(),
            environment: environment.to_names(),
            folder: folder.as_ref().and_then(|folder| folder.to_str()).map(str::to_owned),
            owner: owner.as_ref().map(OwnerV1::from),
            conditions: conditions.into(),
            seed: *seed,
            parts: parts.iter().map(PartV1::from).collect(),
            reports: reports.clone(),
            games: games.clone(),
            games_start: *games_start,
            prints_checksum: *prints_checksum,
            final_positions: final_positions.clone(),
            final_positions_start: *final_positions_start,
            found_mates: found_mates.clone(),
            missed_mates: missed_mates.clone(),
            accepted: accepted.clone(),
            printed: report_set.0.clone(),
            baseline: baseline.as_ref().map(BaselineV1::from),
            trend: trend.iter().map(TrendPointV1::from).collect(),
            max_faults: max_faults.map(|FaultBudget { tested, all }| [tested, all].map(|it| it.to_string())),
            stop_after: *stop_after,
            undecided: (*undecided != Undecided::Pass).then(|| undecided.to_string()),
            counting: (*counting != PairCounting::default()).then(|| counting.to_string()),
            thresholds: (*thresholds != ThresholdUse::Apply).then(|| thresholds.to_string()),
            comparison: (*comparison != ComparisonUse::Optional).then(|| comparison.to_string()),
            warnings: warnings.into(),
            tournament: tournament.as_deref().map(|games| Box::new(games.into())),
            takes: takes.map(TakesV1::from),
            tune: tune.as_ref().map(|rule| Box::new(rule.into())),
            shard: shard.map(|shard| shard.to_string()),
        }
    }
}

impl RunSpecV1 {
    /// The specification, or what is wrong with it.
    pub(super) fn restore(self) -> Result<RunSpec, String> {
        Ok(RunSpec {
            title: self.title,
            origin: RunOrigin {
                command: self.command,
                machine: self.machine,
                environment: Environment::from_names(self.environment)
                    .map_err(|error| format!("a property of the environment: {error}"))?,
                folder: self.folder.map(PathBuf::from),
                owner: self.owner.map(RunOwner::from),
                conditions: self.conditions.into(),
            },
            seed: self.seed,
            parts: self.parts.into_iter().map(PartV1::restore).collect::<Result<_, _>>()?,
            outputs: Outputs {
                reports: self.reports,
                games: self.games,
                games_start: self.games_start,
                prints_checksum: self.prints_checksum,
                final_positions: self.final_positions,
                final_positions_start: self.final_positions_start,
                found_mates: self.found_mates,
                missed_mates: self.missed_mates,
                baseline: self.accepted,
                report_set: ReportSetName(self.printed),
            },
            baseline: self.baseline.map(BaselineText::from),
            trend: self.trend.into_iter().map(Into::into).collect(),
            max_faults: self.max_faults.map(fault_budget).transpose()?,
            stop_after: self.stop_after,
            undecided: self.undecided.as_deref().map_or(Ok(Undecided::Pass), parse_field)?,
            counting: self.counting.as_deref().map_or(Ok(PairCounting::default()), parse_field)?,
            thresholds: self.thresholds.as_deref().map_or(Ok(ThresholdUse::Apply), parse_field)?,
            comparison: self.comparison.as_deref().map_or(Ok(ComparisonUse::Optional), parse_field)?,
            warnings: self.warnings.restore()?,
            tournament: self.tournament.map(|games| games.restore().map(Box::new)).transpose()?,
            takes: self.takes.map(TakesV1::restore).transpose()?,
            tune: self.tune.map(|tune| tune.restore()).transpose()?,
            shard: self.shard.as_deref().map(parse_field).transpose()?,
        })
    }
}

impl From<&BaselineText> for BaselineV1 {
    fn from(text: &BaselineText) -> Self {
        let BaselineText { cases, figures, environment } = text.clone();
        Self { cases, figures, environment }
    }
}

impl From<BaselineV1> for BaselineText {
    fn from(BaselineV1 { cases, figures, environment }: BaselineV1) -> Self {
        Self { cases, figures, environment }
    }
}

fn fault_budget([tested, all]: [String; 2]) -> Result<FaultBudget, String> {
    Ok(FaultBudget { tested: parse_field(&tested)?, all: parse_field(&all)? })
}

impl From<&Part> for PartV1 {
    fn from(part: &Part) -> Self {
        let task = match &part.task {
            Task::Suite(SuiteTask {
                engine,
                source: SuiteSource { suite_file: page, positions },
                limits,
                timemargin,
                per_class,
                left_out,
            }) => TaskV1::Suite {
                engine: engine.text.clone(),
                per_class: *per_class,
                left_out: left_out.clone(),
                page: page.into(),
                positions: positions.iter().map(PageV1::from).collect(),
                limits: limits.as_deref().map(|limits| Box::new(limits.into())),
                timemargin: timemargin.map(nanos),
            },
            Task::Match(games) => TaskV1::Match(Box::new(games.into())),
        };
        let labels = part.labels.iter().map(|(key, value)| [key, value].map(str::to_owned)).collect();
        Self { name: part.name.clone(), labels, task }
    }
}

impl PartV1 {
    fn restore(self) -> Result<Part, String> {
        let task = match self.task {
            TaskV1::Suite { engine, page, positions, limits, timemargin, per_class, left_out } => {
                Task::Suite(SuiteTask {
                    engine: parse_field(&engine)?,
                    source: SuiteSource {
                        suite_file: page.restore(),
                        positions: positions.into_iter().map(PageV1::restore).collect(),
                    },
                    limits: limits.map(|limits| Box::new(limits.restore())),
                    timemargin: timemargin.map(Duration::from_nanos),
                    per_class,
                    left_out,
                })
            }
            TaskV1::Match(games) => Task::Match(games.restore()?),
        };
        let labels = self.labels.iter().fold(Labels::NONE, |labels, [key, value]| labels.with(key, value));
        Ok(Part { name: self.name, labels, task })
    }
}

impl From<&SourceFile> for PageV1 {
    fn from(SourceFile { file, text }: &SourceFile) -> Self {
        Self { file: file.clone(), text: text.clone() }
    }
}

impl PageV1 {
    fn restore(self) -> SourceFile {
        SourceFile { file: self.file, text: self.text }
    }
}

impl From<&Limits> for LimitsV1 {
    fn from(limits: &Limits) -> Self {
        let Limits { clocks, movetime, nodes, depth, mate } = *limits;
        let clock = |Remaining { time, increment }| [nanos(time), nanos(increment)];
        let clocks = clocks.map(|Clocks { white, black, moves_to_go }| ClocksV1 {
            white: clock(white),
            black: clock(black),
            moves_to_go,
        });
        Self { clocks, movetime: movetime.map(nanos), nodes, depth: depth.map(|depth| depth.0), mate }
    }
}

impl LimitsV1 {
    fn restore(self) -> Limits {
        let Self { clocks, movetime, nodes, depth, mate } = self;
        let clock = |[time, increment]: [u64; 2]| Remaining {
            time: Duration::from_nanos(time),
            increment: Duration::from_nanos(increment),
        };
        Limits {
            clocks: clocks.map(|ClocksV1 { white, black, moves_to_go }| Clocks {
                white: clock(white),
                black: clock(black),
                moves_to_go,
            }),
            movetime: movetime.map(Duration::from_nanos),
            nodes,
            depth: depth.map(Ply),
            mate,
        }
    }
}

/// serde leaves the field out if the count is zero.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}
