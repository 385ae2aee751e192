//! `explain`: one case in words, from a run or from a suite.

use std::path::Path;

use crate::args::ExplainArgs;
use crate::case_search::{self, FoundCase};
use crate::exit::Exit;
use crate::{inputs, streams};
use threefold_harness::regress::baseline::{Baseline, CaseName};
use threefold_harness::run::{RunRecord, Task};
use threefold_harness::single_case;
use threefold_harness::suite::Suite;
use threefold_report::{CaseExplanation, CaseResult, rerun};

/// Prints the case, once for each engine that has it.
pub fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    let text = match (&args.run, &args.suite) {
        (Some(run), _) => of_run(run, &args.case)?,
        (None, Some(suite)) => of_suite(suite, &args.case)?,
        (None, None) => unreachable!("clap requires one of them"),
    };
    streams::results(&text)?;
    Ok(Exit::Fine)
}

fn of_run(file: &Path, name: &str) -> anyhow::Result<String> {
    let run = RunRecord::read(file)?;
    let baseline = run.spec().baseline.as_ref().map(Baseline::read).transpose()?;
    let texts = case_search::in_run(&run, name)?.into_iter().map(|found| {
        let FoundCase { part, info, result } = &found;
        let (Task::Suite(task), Some(suite)) = (&part.part.task, part.suite) else {
            unreachable!("cases are of suites")
        };
        let case_name = CaseName { suite: info.suite.clone(), id: info.id.clone() };
        let known = baseline.as_ref().and_then(|baseline| baseline.cases.get(&case_name));
        let is_separable = single_case::reduced(&task.source, &info.id)?.is_some();
        let case = is_separable.then_some(info.id.as_str());
        let result = result.map(|(_, case)| CaseResult {
            engine: &task.engine,
            task,
            verdict: &case.verdict,
            baseline: known,
        });
        let command =
            rerun::suite_command(&task.source, suite, task.limits.as_deref(), case, &task.engine.text);
        Ok(CaseExplanation { suite, info, result, command }.text())
    });
    Ok(texts.collect::<anyhow::Result<Vec<_>>>()?.join("\n"))
}

fn of_suite(file: &Path, name: &str) -> anyhow::Result<String> {
    let source = inputs::suite(file)?;
    let suite = Suite::read(&source)?;
    let info = case_search::unique(&[&suite], name)?;
    let case = single_case::reduced(&source, &info.id)?.is_some().then_some(info.id.as_str());
    let command = rerun::suite_command(&source, &suite, None, case, "./mine");
    Ok(CaseExplanation { suite: &suite, info, result: None, command }.text())
}
