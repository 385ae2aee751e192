//! `study dawdling`: every repetition policy plays the same won endings.

use anyhow::Context;

use crate::args::DawdlingArgs;
use crate::report_sets;
use threefold::exit::Exit;
use threefold::files;
use threefold::input::by_name;
use threefold::session::Session;
use threefold::session::journal_path::JournalPath;
use threefold_chess::clock::Limits;
use threefold_echo::repetition::RepetitionPolicy;
use threefold_lab::studies::dawdling;
use threefold_run::job::Outputs;
use threefold_run::{Part, RunSpec, SuiteTask, Task};
use threefold_suites::kinds::conversion;

/// Plays the endings, and writes the reports.
pub fn run(args: &DawdlingArgs) -> anyhow::Result<Exit> {
    let echo = files::engine("echo", &args.each)?;
    let endings = by_name::suite(&args.suite).context("--suite")?;
    anyhow::ensure!(
        endings.kind_name()? == conversion::KIND.name,
        "--suite {}: only suites of kind `{}` have a dawdling index",
        args.suite.display(),
        conversion::KIND.name
    );
    let mut parts = Vec::new();
    for &nodes in &args.nodes {
        for &policy in RepetitionPolicy::ALL {
            let engine = echo.with(&[("name", policy.name()), ("RepetitionPolicy", policy.name())])?;
            let task = SuiteTask {
                limits: Some(Box::new(Limits::nodes(nodes))),
                per_class: args.per_class,
                ..SuiteTask::new(engine, endings.clone())
            };
            parts.push(Part {
                name: format!("{policy} with {nodes} nodes"),
                labels: dawdling::labels(policy, nodes),
                task: Task::Suite(task),
            });
        }
    }
    let spec = RunSpec {
        title: "Dawdling index of each repetition policy".to_owned(),
        parts,
        outputs: Outputs {
            reports: args.out.clone(),
            report_set: dawdling::REPORTS.name.into(),
            ..Outputs::default()
        },
        ..RunSpec::default()
    };
    let path = JournalPath::of(args.run.as_ref(), "dawdling");
    Session::open(&args.run_options)?.run(spec, &path)?.finish(&report_sets::registry())
}
