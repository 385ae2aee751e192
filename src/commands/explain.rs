//! `explain`: one case in words or as JSON, from a run or from a suite.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::exit::Exit;
use crate::input::by_name;
use crate::input::case_search::{self, FoundCase};
use crate::output::tables::terminal_width;
use crate::streams;
use threefold_report::explanation_json;
use threefold_report::words::rerun;
use threefold_report::{CaseExplanation, CaseResult};
use threefold_run::regress::baseline::{Baseline, CaseName};
use threefold_run::{RunRecord, Task};
use threefold_suites::Suite;
use threefold_suites::single_case;

/// `threefold explain`
#[derive(Debug, Args)]
#[command(
    allow_missing_positional = true,
    after_help = "Examples:\n  threefold explain runs/suite-1.sqlite repetition/only-win-repeats.KNPK.001\n  \
    threefold explain --suite repetition only-win-repeats.KNPK.001"
)]
pub struct ExplainArgs {
    /// Journal of a run that has the case
    #[arg(value_name = "RUN.sqlite", required_unless_present = "suite", conflicts_with = "suite")]
    pub run: Option<PathBuf>,
    /// Case: its id, or SUITE/ID
    #[arg(value_name = "CASE")]
    pub case: String,
    /// Suite of the case, without a run: a file, or the name of a built-in suite
    #[arg(long, value_name = "FILE|NAME")]
    pub suite: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Prints the case, once for each engine that has it, or as one JSON object.
pub fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    match (&args.run, &args.suite) {
        (Some(run), _) => of_run(args, run)?,
        (None, Some(suite)) => of_suite(args, suite)?,
        (None, None) => unreachable!("clap requires one of them"),
    }
    Ok(Exit::Fine)
}

fn print(args: &ExplainArgs, explanations: &[CaseExplanation<'_>]) -> anyhow::Result<()> {
    let text = if args.json { explanation_json(explanations) } else { None };
    let width = terminal_width();
    let texts = explanations.iter().map(|explanation| explanation.to_text(width));
    let in_words = || texts.collect::<Vec<_>>().join("\n");
    streams::results(&text.unwrap_or_else(in_words))
}

fn of_run(args: &ExplainArgs, file: &Path) -> anyhow::Result<()> {
    let run = RunRecord::read(file)?;
    let baseline = run.spec().baseline.as_ref().map(Baseline::parse).transpose()?;
    let found = case_search::in_run(&run, &args.case)?;
    let explanations = found.into_iter().map(|found| of_case(found, baseline.as_ref()));
    print(args, &explanations.collect::<anyhow::Result<Vec<_>>>()?)
}

/// What is known of a case of a run and of the same case of a baseline.
///
/// # Errors
/// If its suite can't be read.
pub fn of_case<'r>(
    FoundCase { part, info, result }: FoundCase<'r>,
    baseline: Option<&'r Baseline>,
) -> anyhow::Result<CaseExplanation<'r>> {
    let (Task::Suite(task), Some(suite)) = (&part.part.task, part.suite) else {
        unreachable!("cases are of suites")
    };
    let case_name = CaseName { suite: info.suite.clone(), id: info.id.clone() };
    let known = baseline.and_then(|baseline| baseline.cases.get(&case_name));
    let is_separable = single_case::reduced(&task.source, &info.id)?.is_some();
    let case = is_separable.then_some(info.id.as_str());
    let result = result.map(|(_, case)| CaseResult {
        engine: &task.engine,
        task,
        verdict: &case.verdict,
        baseline: known,
    });
    let command = rerun::suite_command(&task.source, suite, task.limits.as_deref(), case, &task.engine.text);
    Ok(CaseExplanation { suite, info, result, command })
}

fn of_suite(args: &ExplainArgs, file: &Path) -> anyhow::Result<()> {
    let source = by_name::suite(file)?;
    let suite = Suite::read(&source)?;
    let info = case_search::unique(&[&suite], &args.case)?;
    let case = single_case::reduced(&source, &info.id)?.is_some().then_some(info.id.as_str());
    let command = rerun::suite_command(&source, &suite, None, case, "./mine");
    print(args, &[CaseExplanation { suite: &suite, info, result: None, command }])
}
