//! `positions check`: position files verified by endgame tables, search and the rules.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::args::{Jobs, TablesOption};
use crate::commands::generator::{bar, tables};
use crate::exit::Exit;
use crate::input::built_in::{self, BuiltIn, Category};
use crate::input::by_name;
use crate::streams;
use threefold_mining::check::{self, CheckProgress, FileKind};
use threefold_player::visible::visible;
use threefold_suites::SourceFile;

/// `threefold positions check`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold positions check\n  threefold positions check mates my.epd")]
pub struct CheckArgs {
    /// Position files, or names of built-in ones [default: all built-in files]
    #[arg(value_name = "FILE|NAME")]
    pub files: Vec<PathBuf>,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
    /// Worker threads
    #[command(flatten)]
    pub jobs: Jobs,
}

/// Verifies position files.
pub fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let source_files = if args.files.is_empty() { shipped() } else { given(&args.files)? };
    let files = source_files.into_iter().map(|source_file| Ok((kind_of(&source_file.file)?, source_file)));
    let files: Vec<(&FileKind, SourceFile)> = files.collect::<anyhow::Result<_>>()?;
    let mut tables = tables(&args.tables, args.jobs);
    let bar = bar(0, "checking");
    let results = check::check(&files, &mut tables, &mut |progress| match progress {
        CheckProgress::Made(table) => bar.set_message(format!("built {}", table.material())),
        CheckProgress::Checked { file, done, of } => {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
            bar.set_message(visible(&files[file].1.file));
        }
    })?;
    bar.finish_and_clear();
    let mut exit = Exit::Fine;
    for ((_, source_file), result) in files.iter().zip(results) {
        match result {
            Ok(checked) => streams::result(&format!(
                "{}: {} verified: {} by tables, {} by exhaustive search, {} by the rules",
                source_file.file,
                checked.by_tables + checked.by_search + checked.by_rules,
                checked.by_tables,
                checked.by_search,
                checked.by_rules
            ))?,
            Err(refused) => {
                exit = Exit::Worse;
                streams::notice(&refused.to_string());
            }
        }
    }
    Ok(exit)
}

/// The files on the command line.
fn given(files: &[PathBuf]) -> anyhow::Result<Vec<SourceFile>> {
    files.iter().map(|file| by_name::source_file(file, Category::Positions)).collect()
}

/// Every built-in position file except signatures, which have node counts of an engine and no proof.
fn shipped() -> Vec<SourceFile> {
    built_in::all(Category::Positions)
        .filter(|file| file.name() != "signature")
        .map(BuiltIn::source_file)
        .collect()
}

/// The kind of a file, by its name.
fn kind_of(file: &str) -> anyhow::Result<&'static FileKind> {
    let name = Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    FileKind::for_file(name).with_context(|| {
        let kinds: Vec<&str> = check::KINDS.iter().map(|kind| kind.name).collect();
        format!(
            "{file}: unknown kind of file; the name must end in .csv or .epd and hold one of {}",
            kinds.join(", ")
        )
    })
}
