//! `positions`: generate positions from a seed, or verify position files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{
    AnecdoteArgs, BestMoveArgs, CheckArgs, ConversionArgs, DefenceArgs, FiftyArgs, GeneratorOptions, Jobs,
    MateArgs, MiddlegameArgs, OpeningArgs, PerpetualArgs, PerpetualBonusArgs, RuleArgs, SignatureArgs,
    TablesOption, TrapArgs, UnderpromotionArgs,
};
use crate::exit::Exit;
use crate::input::built_in::{self, BuiltIn, Category};
use crate::input::by_name;
use crate::output::tables::table;
use crate::{files, streams};
use threefold_chess::clock::{ClockSource, Stop};
use threefold_chess::score::Ply;
use threefold_mining::check::{self, CheckProgress, FileKind};
use threefold_mining::trap::TrapClass;
use threefold_mining::trap::counts::{self, TrapCounts};
use threefold_mining::{
    anecdotes, best_moves, conversions, defences, fifty, mates, middlegame, openings, perpetual_bonus,
    perpetual_draws, rules, signatures, traps, underpromotions,
};
use threefold_oracle::{Material, Tables};
use threefold_player::output_file::{self, IfThere};
use threefold_player::visible::visible;
use threefold_player::{LaunchOptions, launch};
use threefold_suites::SourceFile;
use threefold_suites::epd;
use threefold_suites::trap;

/// Generates traps.
pub fn traps(args: &TrapArgs) -> anyhow::Result<Exit> {
    try_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &traps::materials())?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let bar = bar(per_class * TrapClass::ALL.len(), "generating traps");
    let mined = traps::mine_all(&tables, seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    bar.finish_and_clear();
    for TrapCounts { header, rows } in [counts::by_ending(&mined), counts::by_difficulty(&mined)] {
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        streams::notice(&table(&header, rows));
    }
    deliver(&args.options, &traps::file(&mined, seed, per_class))
}

/// Generates cases of the anecdotes.
pub fn anecdotes(args: &AnecdoteArgs) -> anyhow::Result<Exit> {
    try_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &anecdotes::materials())?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let bar = bar(per_class * anecdotes::Anecdote::ALL.len(), "generating anecdotes");
    let cases = anecdotes::mine_all(&tables, seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.options, &anecdotes::file(&cases, seed, per_class))
}

/// Generates mates.
pub fn mates(args: &MateArgs) -> anyhow::Result<Exit> {
    try_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &mates::materials())?;
    let want = mates::MateQuota { longest: args.longest, each: args.per_distance };
    let bar = bar(2 * usize::from(args.longest) * args.per_distance.get(), "generating mates");
    let text = mates::file(&tables, args.options.seed, want, args.options.jobs.count(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.options, &text)
}

/// Generates mates by underpromotion.
pub fn underpromotions(args: &UnderpromotionArgs) -> anyhow::Result<Exit> {
    try_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &underpromotions::materials())?;
    let (seed, count) = (args.options.seed, args.count.get());
    let bar = bar(count, "generating underpromotions");
    let text = underpromotions::file(&tables, seed, count, args.options.jobs.count(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.options, &text)
}

/// Selects draws by perpetual check from a file of traps.
pub fn perpetuals(args: &PerpetualArgs) -> anyhow::Result<Exit> {
    if let Some(file) = &args.out {
        output_file::check(file, IfThere::forced(args.force))?;
    }
    let traps = trap::read(&files::positions(&args.traps)?)?;
    let text = perpetual_draws::file(&traps, &args.traps.display().to_string());
    match &args.out {
        Some(file) => files::write_whole(file, text.as_bytes())?,
        None => streams::results(&text)?,
    }
    Ok(Exit::Fine)
}

/// Generates won endings.
pub fn conversions(args: &ConversionArgs) -> anyhow::Result<Exit> {
    try_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &conversions::materials())?;
    let (seed, count) = (args.options.seed, args.count.get());
    let bar = bar(count, "generating conversions");
    let text = conversions::file(&tables, seed, count, args.options.jobs.count(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.options, &text)
}

/// Generates endings to defend.
pub fn defences(args: &DefenceArgs) -> anyhow::Result<Exit> {
    try_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &defences::materials())?;
    let (seed, count) = (args.options.seed, args.count.get());
    let bar = bar(count, "generating defences");
    let text = defences::file(&tables, seed, count, args.options.jobs.count(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.options, &text)
}

/// Generates moves that draw by the rules, and moves that only seem to.
pub fn rules(args: &RuleArgs) -> anyhow::Result<Exit> {
    try_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &rules::materials())?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let bar = bar(per_class * rules::RuleClass::ALL.len(), "generating rules");
    let text = rules::file(&tables, seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.options, &text)
}

/// Generates moves whose result depends on the fifty-move counter.
pub fn fifty(args: &FiftyArgs) -> anyhow::Result<Exit> {
    try_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &fifty::materials())?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let bar = bar(per_class * fifty::FiftyClass::ALL.len(), "generating fifty-move counters");
    let text = fifty::file(&tables, seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.options, &text)
}

/// Generates positions in which a bonus for perpetual checks changes Echo's move.
pub fn perpetual_bonus(args: &PerpetualBonusArgs) -> anyhow::Result<Exit> {
    try_place(&args.options)?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let bar = bar(per_class * perpetual_bonus::BonusClass::ALL.len(), "generating perpetual checks");
    let text = perpetual_bonus::file(seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.options, &text)
}

/// Generates best-move positions.
pub fn best_moves(args: &BestMoveArgs) -> anyhow::Result<Exit> {
    try_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &best_moves::materials())?;
    deliver(&args.options, &best_moves::file(&tables, args.options.seed, args.count.get()))
}

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
    try_place(&args.options)?;
    let (seed, count) = (args.options.seed, args.count.get());
    let bar = bar(count, "checking openings");
    let text = openings::file(seed, count, args.nodes, args.options.jobs.count(), &|| bar.inc(1));
    bar.finish_and_clear();
    deliver(&args.options, &text)
}

/// Generates middlegame traps.
pub fn middlegame(args: &MiddlegameArgs) -> anyhow::Result<Exit> {
    try_place(&args.options)?;
    let bar = bar(args.count.get(), "checking positions of Echo's games");
    let text = middlegame::file(
        args.options.seed,
        args.count.get(),
        args.options.jobs.count(),
        &mut |games, traps| {
            bar.set_position(traps as u64);
            bar.set_message(format!("{games} games"));
        },
    );
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

/// Tables, with the folder of finished ones.
fn tables(option: &TablesOption, jobs: Jobs) -> Tables {
    let threads = jobs.count();
    option.tables.as_ref().map_or_else(|| Tables::new(threads), |folder| Tables::with_folder(threads, folder))
}

/// Builds or loads the tables of these materials.
fn made(option: &TablesOption, jobs: Jobs, materials: &[Material]) -> anyhow::Result<Tables> {
    let mut tables = tables(option, jobs);
    let bar = bar(0, "building tables");
    tables.make(materials, &mut |table| {
        bar.inc(1);
        bar.set_message(format!("built {}", table.material()));
    })?;
    bar.finish_and_clear();
    Ok(tables)
}

/// A progress bar, or a spinner for an unknown length; hidden without a terminal.
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

/// Checks that the output can be written before hours of work.
fn try_place(options: &GeneratorOptions) -> anyhow::Result<()> {
    if let Some(file) = &options.out {
        output_file::check(file, IfThere::forced(options.force))?;
    }
    Ok(())
}

fn deliver(options: &GeneratorOptions, text: &str) -> anyhow::Result<Exit> {
    match &options.out {
        Some(file) => files::write_whole(file, text.as_bytes())?,
        None => streams::results(text)?,
    }
    Ok(Exit::Fine)
}
