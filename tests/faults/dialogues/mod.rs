//! Every shipped dialogue fails for an engine with a fault of its kind.
//!
//! The engine is Echo with one fault in what it reads or writes ([`engine`]). The table says which cases fail for which
//! fault; together they are all cases of the suites `dialogue`, `output` and `clock`.

pub(crate) mod engine;
mod fault;
mod go;
mod line;
mod table;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use libtest_mimic::{Failed, Trial};

use self::fault::Fault;
use self::table::TABLE;
use crate::WORKSPACE;
use crate::sandbox::Sandbox;
use threefold_suites::{SourceFile, Suite, SuiteSource};

const SUITES: [&str; 3] = ["dialogue", "output", "clock"];

/// The tests. Only the first is short; the others hold some hundred dialogues, most of which wait.
pub(crate) fn trials() -> Vec<Trial> {
    let of_fault = |&(fault, cases): &'static (Fault, &[&str])| {
        let name = format!("dialogues::{}", fault.name());
        Trial::test(name, move || check(fault, cases)).with_ignored_flag(true)
    };
    let all = Trial::test("dialogues::each_has_a_fault", each_has_a_fault);
    let sound = Trial::test("dialogues::sound", sound_engine_passes).with_ignored_flag(true);
    let clocks = Trial::test("dialogues::on_clocks", engine_that_keeps_clocks_alone_passes_on_clocks);
    TABLE.iter().map(of_fault).chain([all, sound, clocks.with_ignored_flag(true)]).collect()
}

/// Does a pattern of the table mean this case? `stop` means `stop` and `stop.early`, `*.words` what ends in `.words`.
fn means(pattern: &str, case: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(ending) => case.ends_with(ending),
        None => case.strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
    }
}

/// A shipped suite, cut at the beginning of each dialogue. The first part is what comes before.
fn parts_of(suite: &str) -> Vec<String> {
    let file = Path::new(WORKSPACE).join("suites").join(format!("{suite}.toml"));
    let text = fs::read_to_string(file).expect("a shipped suite");
    text.split("[[settings.dialogues]]").map(str::to_owned).collect()
}

/// The names of the cases of one dialogue, below the head of its suite.
fn cases_of(head: &str, dialogue: &str) -> Vec<String> {
    let text = format!("{head}[[settings.dialogues]]{dialogue}");
    let suite_file = SourceFile { file: "suite.toml".to_owned(), text };
    let suite = Suite::read(&SuiteSource { suite_file, positions: Vec::new() }).expect("a shipped suite");
    suite.definitions.into_iter().map(|case| case.info.id).collect()
}

/// The names of all cases of a shipped suite.
fn all_cases(suite: &str) -> Vec<String> {
    let parts = parts_of(suite);
    let (head, dialogues) = parts.split_first().expect("a head");
    dialogues.iter().flat_map(|dialogue| cases_of(head, dialogue)).collect()
}

fn each_has_a_fault() -> Result<(), Failed> {
    let cases: Vec<String> = SUITES.iter().flat_map(|suite| all_cases(suite)).collect();
    let patterns: Vec<&str> = TABLE.iter().flat_map(|(_, patterns)| patterns.iter().copied()).collect();
    let without = cases.iter().filter(|case| !patterns.iter().any(|pattern| means(pattern, case)));
    let without: Vec<&String> = without.collect();
    let unused = patterns.iter().filter(|pattern| !cases.iter().any(|case| means(pattern, case)));
    let unused: Vec<&&str> = unused.collect();
    let twice = Fault::ALL.iter().find(|&&fault| {
        fault != Fault::Sound && TABLE.iter().filter(|(known, _)| *known == fault).count() != 1
    });
    if without.is_empty() && unused.is_empty() && twice.is_none() {
        return Ok(());
    }
    Err(format!("no fault: {without:?}; no case: {unused:?}; not one row: {twice:?}").into())
}

/// Holds the dialogues with some of these cases, with options of the command line: the cases, and whether each one failed.
fn held(fault: Fault, patterns: &[&str], options: &[&str]) -> Result<Vec<(String, String)>, Failed> {
    let sandbox = Sandbox::new();
    let mut files = Vec::new();
    for suite in SUITES {
        let parts = parts_of(suite);
        let (head, dialogues) = parts.split_first().expect("a head");
        let asked = |dialogue: &&String| {
            cases_of(head, dialogue).iter().any(|case| patterns.iter().any(|pattern| means(pattern, case)))
        };
        let dialogues: Vec<&str> = dialogues.iter().filter(asked).map(String::as_str).collect();
        if !dialogues.is_empty() {
            let file = format!("{suite}.toml");
            let parts: Vec<&str> = std::iter::once(head.as_str()).chain(dialogues).collect();
            sandbox.write(&file, parts.join("[[settings.dialogues]]"));
            files.push(file);
        }
    }
    let program = std::env::current_exe().expect("this program");
    let spec = format!("\"{}\" dialogue {},name=e,Hash=4", program.display(), fault.name());
    let mut words = vec!["suite"];
    words.extend(files.iter().map(String::as_str));
    words.extend(["--engine", &spec, "--out", "new", "--max-faults", "100%", "--jobs", "2"]);
    words.extend(options);
    let output = sandbox.run_words(&words);
    let text =
        fs::read_to_string(sandbox.path("new/cases.csv")).map_err(|error| format!("{error}: {output:#?}"))?;
    let verdicts = text.lines().skip(1).filter_map(|line| {
        let mut fields = line.split(',');
        let (_, id) = (fields.next()?, fields.next()?);
        let verdict = fields.find(|field| ["passed", "failed", "fault", "skipped"].contains(field))?;
        Some((id.to_owned(), format!("{verdict}: {line}")))
    });
    Ok(verdicts.collect())
}

fn check(fault: Fault, patterns: &[&str]) -> Result<(), Failed> {
    let held = held(fault, patterns, &[])?;
    if let Some(absent) = patterns.iter().find(|pattern| !held.iter().any(|(id, _)| means(pattern, id))) {
        return Err(format!("no case of {absent} was run").into());
    }
    let asked = held.iter().filter(|(id, _)| patterns.iter().any(|pattern| means(pattern, id)));
    let is_found = |verdict: &str| verdict.starts_with("failed") || verdict.starts_with("fault");
    let missed: Vec<&str> =
        asked.filter(|(_, verdict)| !is_found(verdict)).map(|(_, verdict)| verdict.as_str()).collect();
    if missed.is_empty() { Ok(()) } else { Err(format!("not failed:\n{}", missed.join("\n")).into()) }
}

fn sound_engine_passes() -> Result<(), Failed> {
    let held = held(Fault::Sound, &["*"], &[])?;
    let failed: BTreeSet<&str> = held
        .iter()
        .filter(|(_, verdict)| !verdict.starts_with("passed"))
        .map(|(_, it)| it.as_str())
        .collect();
    if failed.is_empty() && !held.is_empty() { Ok(()) } else { Err(format!("not passed: {failed:?}").into()) }
}

/// With a clock as the limit, dialogues ask for nothing else, and hold most of what they hold otherwise.
fn engine_that_keeps_clocks_alone_passes_on_clocks() -> Result<(), Failed> {
    let held = held(Fault::ClocksAlone, &["*"], &["--tc", "2"])?;
    let is_skipped = |verdict: &str| verdict.contains("limits that are no clocks");
    let (skipped, held): (Vec<_>, Vec<_>) = held.into_iter().partition(|(_, verdict)| is_skipped(verdict));
    let failed: Vec<&String> =
        held.iter().map(|(_, verdict)| verdict).filter(|verdict| !verdict.starts_with("passed")).collect();
    if failed.is_empty() && skipped.len() < held.len() {
        return Ok(());
    }
    Err(format!("{} of {} skipped; not passed: {failed:?}", skipped.len(), skipped.len() + held.len()).into())
}
