//! `positions`: mine them from a seed, or prove the shipped ones again.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{
    BestMoveArgs, CheckArgs, ConversionArgs, DefenceArgs, Finished, JudgedArgs, MateArgs, Mined, OpeningArgs,
    PerpetualArgs, RuleArgs, SignatureArgs, TrapArgs, UnderpromotionArgs,
};
use crate::built_in::{self, BuiltIn, Category};
use crate::exit::Exit;
use crate::tables::table;
use crate::{files, inputs, streams};
use threefold_chess::clock::{Pace, Stop};
use threefold_chess::score::Ply;
use threefold_harness::output_file::{self, IfThere};
use threefold_harness::player::{LaunchOptions, launch};
use threefold_harness::suite::SourceFile;
use threefold_harness::suite::epd;
use threefold_harness::suite::trap;
use threefold_harness::visible::visible;
use threefold_mining::check::{self, CheckProgress, FileKind};
use threefold_mining::trap::TrapClass;
use threefold_mining::trap::counts::{self, TrapCounts};
use threefold_mining::{
    best_moves, conversions, defences, mates, middlegame, openings, perpetual_draws, rules, signatures,
    traps, underpromotions,
};
use threefold_oracle::{Material, Tables};

/// Mines traps.
pub fn traps(args: &TrapArgs) -> anyhow::Result<Exit> {
    try_place(&args.mined)?;
    let tables = made(&args.shelf, &traps::materials())?;
    let (seed, per_class) = (args.mined.seed, args.per_class.get());
    let bar = bar(per_class * TrapClass::ALL.len(), "mining traps");
    let mined = traps::mine_all(&tables, seed, per_class, threads(), &|| bar.inc(1));
    bar.finish_and_clear();
    for TrapCounts { header, rows } in [counts::by_ending(&mined), counts::by_difficulty(&mined)] {
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        streams::notice(&table(&header, rows));
    }
    deliver(&args.mined, &traps::file(&mined, seed, per_class))
}

/// Mines mates.
pub fn mates(args: &MateArgs) -> anyhow::Result<Exit> {
    try_place(&args.mined)?;
    let tables = made(&args.shelf, &mates::materials())?;
    let want = mates::MateQuota { longest: args.longest, each: args.each };
    let bar = bar(2 * usize::from(args.longest) * args.each.get(), "mining mates");
    let text = mates::file(&tables, args.mined.seed, want, threads(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.mined, &text)
}

/// Mines mates by underpromotion.
pub fn underpromotions(args: &UnderpromotionArgs) -> anyhow::Result<Exit> {
    try_place(&args.mined)?;
    let tables = made(&args.shelf, &underpromotions::materials())?;
    let (seed, count) = (args.mined.seed, args.count.get());
    let bar = bar(count, "mining underpromotions");
    let text = underpromotions::file(&tables, seed, count, threads(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.mined, &text)
}

/// Takes draws by perpetual check out of a file of traps.
pub fn perpetuals(args: &PerpetualArgs) -> anyhow::Result<Exit> {
    if let Some(file) = &args.out {
        output_file::check(file, IfThere::forced(args.force))?;
    }
    let traps = trap::read(&files::page(&args.traps)?)?;
    let text = perpetual_draws::file(&traps, &args.traps.display().to_string());
    match &args.out {
        Some(file) => files::write_whole(file, text.as_bytes())?,
        None => streams::results(&text)?,
    }
    Ok(Exit::Fine)
}

/// Mines won endings.
pub fn conversions(args: &ConversionArgs) -> anyhow::Result<Exit> {
    try_place(&args.mined)?;
    let tables = made(&args.shelf, &conversions::materials())?;
    let (seed, count) = (args.mined.seed, args.count.get());
    let bar = bar(count, "mining conversions");
    let text = conversions::file(&tables, seed, count, threads(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.mined, &text)
}

/// Mines endings to defend.
pub fn defences(args: &DefenceArgs) -> anyhow::Result<Exit> {
    try_place(&args.mined)?;
    let tables = made(&args.shelf, &defences::materials())?;
    let (seed, count) = (args.mined.seed, args.count.get());
    let bar = bar(count, "mining defences");
    let text = defences::file(&tables, seed, count, threads(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.mined, &text)
}

/// Mines moves that the rules make a draw, and moves that only look like it.
pub fn rules(args: &RuleArgs) -> anyhow::Result<Exit> {
    try_place(&args.mined)?;
    let tables = made(&args.shelf, &rules::materials())?;
    let (seed, per_class) = (args.mined.seed, args.per_class.get());
    let bar = bar(per_class * rules::RuleClass::ALL.len(), "mining rules");
    let text = rules::file(&tables, seed, per_class, threads(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.mined, &text)
}

/// Mines moves to find.
pub fn best_moves(args: &BestMoveArgs) -> anyhow::Result<Exit> {
    try_place(&args.mined)?;
    let tables = made(&args.shelf, &best_moves::materials())?;
    deliver(&args.mined, &best_moves::file(&tables, args.mined.seed, args.count.get()))
}

/// Writes down what an engine spends on positions.
pub fn signature(args: &SignatureArgs) -> anyhow::Result<Exit> {
    if let Some(file) = &args.out {
        output_file::check(file, IfThere::forced(args.force))?;
    }
    let (mut picked, mut named) = (Vec::new(), Vec::new());
    for file in &args.positions {
        named.push(file.display().to_string());
        picked.extend(
            epd::read(&inputs::page(file, Category::Positions)?)?.into_iter().step_by(args.every.get()),
        );
    }
    let engine = files::engine(&args.engine, &[])?;
    let mut player = launch(&engine, &LaunchOptions::new(Pace::Wall, Stop::default()))?;
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

/// Makes openings that Echo finds even.
pub fn openings(args: &OpeningArgs) -> anyhow::Result<Exit> {
    try_place(&args.mined)?;
    let (seed, count) = (args.mined.seed, args.count.get());
    let bar = bar(count, "judging openings");
    let text = openings::file(seed, count, args.nodes, threads(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.mined, &text)
}

/// Mines traps of the middlegame.
pub fn judged(args: &JudgedArgs) -> anyhow::Result<Exit> {
    try_place(&args.mined)?;
    let bar = bar(args.count.get(), "judging moments of Echo's games");
    let text = middlegame::file(args.mined.seed, args.count.get(), threads(), &mut |games, traps| {
        bar.set_position(traps as u64);
        bar.set_message(format!("{games} games"));
    });
    bar.finish_and_clear();
    deliver(&args.mined, &text)
}

/// Proves positions again.
pub fn check(args: &CheckArgs) -> anyhow::Result<Exit> {
    let pages = if args.files.is_empty() { shipped() } else { given(&args.files)? };
    let files = pages.into_iter().map(|page| Ok((kind_of(&page.file)?, page)));
    let files: Vec<(&FileKind, SourceFile)> = files.collect::<anyhow::Result<_>>()?;
    let mut tables = tables(&args.shelf);
    let bar = bar(0, "checking");
    let results = check::check(&files, &mut tables, &mut |progress| match progress {
        CheckProgress::Made(table) => bar.set_message(format!("made the table {}", table.material())),
        CheckProgress::Checked { file, done, of } => {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
            bar.set_message(visible(&files[file].1.file));
        }
    })?;
    bar.finish_and_clear();
    let mut exit = Exit::Fine;
    for ((_, page), result) in files.iter().zip(results) {
        match result {
            Ok(checked) => streams::result(&format!(
                "{}: {} proven again, {} by tables, {} by exhaustive search, {} by the rules",
                page.file,
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

/// The files that were named.
fn given(files: &[PathBuf]) -> anyhow::Result<Vec<SourceFile>> {
    files.iter().map(|file| inputs::page(file, Category::Positions)).collect()
}

/// Every file of positions that is built in, but for signatures: these say what an engine is, and no proof can tell
/// whether that is right. Their suite does.
fn shipped() -> Vec<SourceFile> {
    built_in::all(Category::Positions).filter(|file| file.name() != "signature").map(BuiltIn::page).collect()
}

/// What a file holds, by its name.
fn kind_of(file: &str) -> anyhow::Result<&'static FileKind> {
    let name = Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    FileKind::of(name).with_context(|| {
        let kinds: Vec<&str> = check::KINDS.iter().map(|kind| kind.name).collect();
        format!("{file}: holds none of {}: it ends neither in .csv nor in .epd", kinds.join(", "))
    })
}

/// Tables that know of the finished ones.
fn tables(shelf: &Finished) -> Tables {
    shelf
        .tables
        .as_ref()
        .map_or_else(|| Tables::new(threads()), |folder| Tables::with_folder(threads(), folder))
}

/// The tables of these materials.
fn made(shelf: &Finished, materials: &[Material]) -> anyhow::Result<Tables> {
    let mut tables = tables(shelf);
    let bar = bar(0, "making tables");
    tables.make(materials, &mut |table| {
        bar.inc(1);
        bar.set_message(format!("made the table {}", table.material()));
    })?;
    bar.finish_and_clear();
    Ok(tables)
}

fn threads() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// A bar, or a spinner where nobody knows how many there will be; nothing off a terminal.
fn bar(length: usize, what: &str) -> ProgressBar {
    let bar = if length == 0 { ProgressBar::new_spinner() } else { ProgressBar::new(length as u64) };
    if !Term::stderr().is_term() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = "{spinner} {prefix} {pos}/{len} {elapsed} {wide_msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is ours"));
    bar.set_prefix(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// Hours of mining are not to end with a file that can't be written.
fn try_place(mined: &Mined) -> anyhow::Result<()> {
    if let Some(file) = &mined.out {
        output_file::check(file, IfThere::forced(mined.force))?;
    }
    Ok(())
}

fn deliver(mined: &Mined, text: &str) -> anyhow::Result<Exit> {
    match &mined.out {
        Some(file) => files::write_whole(file, text.as_bytes())?,
        None => streams::results(text)?,
    }
    Ok(Exit::Fine)
}
