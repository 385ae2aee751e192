//! `survey`: the plan of `init` for many engines, twice each.

use std::fs;
use std::path::Path;

use anyhow::Context;

use super::commit_pairs::program;
use crate::args::SurveyArgs;
use threefold::exit::Exit;
use threefold::{files, streams};
use threefold_lab::survey::{self, SurveyList, SurveyRun};

/// Runs what is missing, and writes the pages.
///
/// # Errors
/// If the list can't be read, or a page can't be written. An engine that gives no result is named, and the others go on.
pub fn run(args: &SurveyArgs) -> anyhow::Result<Exit> {
    let programs = args.programs.as_deref().or(args.list.parent()).unwrap_or(Path::new(""));
    let SurveyList(engines) = SurveyList::parse(&args.list, &files::text(&args.list)?, programs)?;
    fs::create_dir_all(&args.out).with_context(|| format!("{}: can't be made", args.out.display()))?;
    let out = args.out.canonicalize().with_context(|| format!("{}: can't be read", args.out.display()))?;
    let threefold = program(args.threefold.as_deref())?;
    let runs = SurveyRun { threefold: &threefold, limit: args.step_limit, out: &out };
    let (mut surveyed, mut exit) = (Vec::new(), Exit::Fine);
    for engine in engines {
        if args.tables_only && !runs.is_done(&engine) {
            continue;
        }
        match runs.result(&engine) {
            Ok(result) => {
                streams::notice(&format!(
                    "{}: {}, {} wrong twice",
                    engine.id,
                    result.name,
                    result.faults.len()
                ));
                surveyed.push((engine, result));
            }
            Err(error) => {
                streams::notice(&format!("{}: {error:#}", engine.id));
                exit = Exit::Misuse;
            }
        }
    }
    let pages = args.pages.as_deref().unwrap_or(&out);
    let folder = pages.join("survey");
    fs::create_dir_all(&folder).with_context(|| format!("{}: can't be made", folder.display()))?;
    for (engine, result) in &surveyed {
        let file = folder.join(format!("{}.md", engine.id));
        files::write_whole(&file, survey::engine_page(engine, result).as_bytes())?;
    }
    let table = pages.join("survey-table.md");
    files::write_whole(&table, survey::table(&surveyed).as_bytes())?;
    streams::result(&format!("{}: {} engines", table.display(), surveyed.len()))?;
    Ok(exit)
}
