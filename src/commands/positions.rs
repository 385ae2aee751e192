//! `positions`: generates openings, records node counts, and verifies position files.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::args::{CheckArgs, OpeningArgs, SignatureArgs};
use crate::commands::generator::{bar, check_place, deliver, tables};
use crate::exit::Exit;
use crate::input::built_in::{self, BuiltIn, Category};
use crate::input::by_name;
use crate::{files, streams};
use threefold_chess::clock::{ClockSource, Stop};
use threefold_chess::score::Ply;
use threefold_mining::check::{self, CheckProgress, FileKind};
use threefold_mining::{openings, signatures};
use threefold_player::output_file::{self, IfThere};
use threefold_player::visible::visible;
use threefold_player::{LaunchOptions, launch};
use threefold_suites::SourceFile;
use threefold_suites::epd;

/// Records an engine's node counts.
pub fn signature(args: &SignatureArgs) -> anyhow::Result<Exit> {
    if let Some(file) = &args.out {
        output_file::check(file, IfThere::forced(args.force))?;
    }
    let (mut picked, mut named) = (Vec::new(), Vec::new());
    for file in &args.positions {
        named.push(file.display().to_string());
        picked.extend(
            epd::read(&by_name::source_file(file, Category::Positions)?)?
                .into_iter()
                .step_by(args.every.get()),
        );
    }
    let engine = files::engine(&args.engine, &[])?;
    let mut player = launch(&engine, &LaunchOptions::new(ClockSource::Wall, Stop::default()))?;
    let command = format!(
        "threefold positions signature --engine {} --positions {} --every {} --depth {}",
        args.engine,
        named.join(" --positions "),
        args.every,
        args.depth
    );
    let text = signatures::file(player.as_mut(), &picked, Ply(args.depth), &command)?;
    match &args.out {
        Some(file) => files::write_whole(file, text.as_bytes())?,
        None => streams::results(&text)?,
    }
    Ok(Exit::Fine)
}

/// Generates openings that Echo scores as balanced.
pub fn openings(args: &OpeningArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let (seed, count) = (args.options.seed, args.count.get());
    let bar = bar(count, "checking openings");
    let text = openings::file(seed, count, args.nodes, args.options.jobs.count(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.options, &text)
}

/// Verifies position files.
pub fn check(args: &CheckArgs) -> anyhow::Result<Exit> {
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
    FileKind::of(name).with_context(|| {
        let kinds: Vec<&str> = check::KINDS.iter().map(|kind| kind.name).collect();
        format!(
            "{file}: unknown kind of file; the name must end in .csv or .epd and hold one of {}",
            kinds.join(", ")
        )
    })
}
