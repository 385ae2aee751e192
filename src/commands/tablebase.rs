//! `tablebase`: makes tables into a folder, looks positions up there, and holds the tables against the rules,
//! against known facts and against Syzygy's.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use console::Term;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position};

use crate::args::{BuildArgs, ProbeArgs, Shelf, VerifyArgs};
use crate::built_in::Category;
use crate::exit::Exit;
use crate::{files, inputs, streams};
use threefold_chess::score::MateDistance;
use threefold_harness::suite::epd;
use threefold_harness::visible::visible_json;
use threefold_oracle::index::PositionIndex;
use threefold_oracle::syzygy::Syzygy;
use threefold_oracle::table::Table;
use threefold_oracle::{Material, Tables, published_statistics, tables};

/// Makes tables and writes them.
pub fn build(args: &BuildArgs) -> anyhow::Result<Exit> {
    let threads = args.threads.unwrap_or_else(cores);
    let mut wanted = args.materials.clone();
    wanted
        .extend((3..=args.men.unwrap_or(0)).flat_map(|men| published_statistics::endings(usize::from(men))));
    let plan = Tables::new(threads).missing(&wanted)?.concat();
    let sizes = plan.iter().map(|&material| PositionIndex::new(material).addresses() as u64);
    let bar = bar(sizes.clone().sum(), "making tables", "{bytes}/{total_bytes}");
    // A table in the making takes a byte for an address, and at most another when it is packed.
    let room = HumanBytes(2 * sizes.max().unwrap_or(0));
    bar.println(format!("{} tables, the largest in about {room} of memory", plan.len()));
    let mut bytes = 0;
    for material in plan {
        bar.set_message(material.to_string());
        // Each table is made from mapped files, so that no more than one of them is in memory.
        let mut tables = Tables::with_folder(threads, &args.shelf.dir);
        tables.make(&[material], &mut |_| {})?;
        let table = tables.table(material).context("a table was made and is not there")?;
        let file = args.shelf.dir.join(Tables::file_name(material));
        let done = if file.exists() {
            "is there already"
        } else {
            files::write_whole(&file, table.bytes())?;
            "made"
        };
        bytes += table.bytes().len() as u64;
        bar.inc(table.addresses() as u64);
        bar.suspend(|| streams::result(&format!("{material:8} {done}, {}", outline(table))))?;
    }
    bar.finish_and_clear();
    streams::result(&format!("{} in {}", HumanBytes(bytes), args.shelf.dir.display()))?;
    Ok(Exit::Fine)
}

/// What a line says of a table.
fn outline(table: &Table) -> String {
    let longest = |winner| match table.longest_win(winner) {
        Some(mate) => format!("{winner} mates in {} at most", mate.moves()),
        None => format!("{winner} never mates"),
    };
    let bytes = HumanBytes(table.bytes().len() as u64);
    format!("{bytes}; {}, {}", longest(Color::White), longest(Color::Black))
}

/// A position and its value, as a line of JSON.
#[derive(Serialize)]
struct Probed<'p> {
    fen: &'p str,
    wdl: &'static str,
    /// In moves; negative or nought, the side to move is mated.
    dtm: Option<i32>,
}

/// Looks positions up.
pub fn probe(args: &ProbeArgs) -> anyhow::Result<Exit> {
    let mut tables = Tables::with_folder(cores(), &args.shelf.dir);
    for (fen, position) in asked(args)? {
        if !position.castles().is_empty() {
            anyhow::bail!(
                "`{fen}`: somebody may still castle, and no table knows that; clear the third field"
            );
        }
        tables.map(&needed(&position)).with_context(|| format!("`{fen}`"))?;
        let fact = tables.probe(&position).context("every table that is needed was mapped")?;
        let dtm = fact.mate().map(MateDistance::moves);
        let line = Probed { fen: &fen, wdl: fact.wdl().name(), dtm };
        streams::result(&visible_json(&serde_json::to_string(&line)?))?;
    }
    Ok(Exit::Fine)
}

/// The positions that were given, each with its FEN.
fn asked(args: &ProbeArgs) -> anyhow::Result<Vec<(String, Chess)>> {
    let fens = match &args.epd {
        Some(file) => epd::read(&inputs::page(file, Category::Positions)?)?
            .into_iter()
            .map(|record| record.line.start.to_string())
            .collect(),
        None => args.fens.clone(),
    };
    fens.into_iter()
        .map(|fen| {
            let position = fen
                .parse::<Fen>()
                .with_context(|| format!("`{fen}` is not a FEN"))?
                .into_position(CastlingMode::Standard)
                .with_context(|| format!("`{fen}`: no legal position"))?;
            Ok((fen, position))
        })
        .collect()
}

/// The tables that answer for a position: its own and, where a pawn may be captured en passant, its moves'.
fn needed(position: &Chess) -> Vec<Material> {
    let mut needed = vec![Material::of(position.board())];
    if position.ep_square(EnPassantMode::Legal).is_some() {
        needed.extend(position.legal_moves().into_iter().map(|mv| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            Material::of(after.board())
        }));
    }
    needed
}

/// Holds tables against everything at hand.
pub fn verify(args: &VerifyArgs) -> anyhow::Result<Exit> {
    let materials = if args.materials.is_empty() { shelved(&args.shelf)? } else { args.materials.clone() };
    let syzygy = args.syzygy.as_deref().map(Syzygy::open).transpose()?;
    let mut tables = Tables::with_folder(args.threads.unwrap_or_else(cores), &args.shelf.dir);
    tables.map(&tables.missing(&materials)?.concat())?;
    let looks = 1 + u64::from(syzygy.is_some());
    let sizes = materials.iter().filter_map(|&material| tables.table(material)).map(Table::addresses);
    let bar = bar(looks * sizes.sum::<usize>() as u64, "verifying", "{human_pos}/{human_len}");
    let mut wrong = 0;
    for &material in &materials {
        bar.set_message(material.to_string());
        match held(&tables, material, syzygy.as_ref(), &bar) {
            Ok(line) => bar.suspend(|| streams::result(&line))?,
            Err(error) => {
                wrong += 1;
                bar.suspend(|| streams::notice(&format!("{error:#}")));
            }
        }
    }
    bar.finish_and_clear();
    Ok(if wrong == 0 { Exit::Fine } else { Exit::Worse })
}

/// What a line says of a table that holds.
fn held(
    tables: &Tables,
    material: Material,
    syzygy: Option<&Syzygy>,
    bar: &ProgressBar,
) -> anyhow::Result<String> {
    let heard = |addresses: usize| bar.inc(addresses as u64);
    let table = tables.table(material).context("every table was mapped")?;
    let positions = tables
        .verify_with_progress(material, NonZeroUsize::MIN, &heard)
        .context("every table was mapped")??;
    let known = match published_statistics::check(table)? {
        0 => "nothing is known of it".to_owned(),
        known => format!("{known} known facts hold"),
    };
    let line =
        format!("{material:8} {} positions follow from their moves; {known}", HumanCount(positions as u64));
    let Some(syzygy) = syzygy else { return Ok(line) };
    let alike =
        tables.compare(material, syzygy, NonZeroUsize::MIN, &heard).context("every table was mapped")??;
    Ok(format!("{line}; {} results as Syzygy's", HumanCount(alike as u64)))
}

/// The tables in a folder, few men first.
fn shelved(shelf: &Shelf) -> anyhow::Result<Vec<Material>> {
    let folder = &shelf.dir;
    let unreadable = || format!("{}: can't be read; name the tables' folder with --dir", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(unreadable)? {
        let file = entry.with_context(unreadable)?.path();
        found.extend(material_of(&file));
    }
    found.sort_unstable_by_key(|material| (material.piece_count(), material.pawns(), *material));
    if found.is_empty() {
        anyhow::bail!(
            "{}: holds no tables; make some with `threefold tablebase build --men 4`",
            folder.display()
        );
    }
    Ok(found)
}

fn material_of(file: &Path) -> Option<Material> {
    let name =
        file.file_stem().filter(|_| file.extension().is_some_and(|ending| ending == tables::ENDING))?;
    name.to_str()?.parse().ok()
}

fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// A bar; nothing off a terminal.
fn bar(length: u64, what: &str, how_far: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if !Term::stderr().is_term() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = format!("{{spinner}} {{prefix}} {{bar:32.cyan/dim}} {how_far} {{elapsed}} {{wide_msg}}");
    bar.set_style(ProgressStyle::with_template(&style).expect("the template is ours"));
    bar.set_prefix(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
