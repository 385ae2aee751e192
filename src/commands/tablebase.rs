//! `tablebase`: builds tables in a folder, looks up positions, and verifies tables against the rules,
//! published statistics and Syzygy tables.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::{Args, value_parser};
use console::Term;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position};

use crate::args::Jobs;
use crate::command_table;
use crate::exit::Exit;
use crate::input::built_in::Category;
use crate::input::by_name;
use crate::{files, machine, streams};
use threefold_chess::score::MateDistance;
use threefold_oracle::index::PositionIndex;
use threefold_oracle::syzygy::Syzygy;
use threefold_oracle::table::Table;
use threefold_oracle::{Material, Tables, published_statistics, tables};
use threefold_player::visible::visible_json;
use threefold_suites::epd;

command_table! {
    /// `threefold tablebase`
    #[command(after_help = "Examples:\n  threefold tablebase build --pieces 4\n  \
        threefold tablebase probe \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\"\n  threefold tablebase verify")]
    pub enum TablebaseCommand {
        /// Build distance-to-mate tables and write them to files.
        Build(BuildArgs) => build;
        /// Look up positions; print one JSON object for each.
        Probe(ProbeArgs) => probe;
        /// Check tables against the rules, against published statistics, and against Syzygy tables.
        Verify(VerifyArgs) => verify;
    }
}

/// Folder of the tables.
#[derive(Debug, Args)]
pub struct TableFolder {
    /// Folder of the table files
    #[arg(long, value_name = "DIR", default_value = "tablebases")]
    pub dir: PathBuf,
}

/// `threefold tablebase build`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold tablebase build --pieces 4    # all endings with three and four pieces\n  \
    threefold tablebase build KRPKR KQPKQ"
)]
pub struct BuildArgs {
    /// Endings such as KRPKR; endings reached by captures and promotions are built too
    #[arg(value_name = "MATERIAL", required_unless_present = "pieces")]
    pub materials: Vec<Material>,
    /// Build all endings with up to this many pieces, kings included
    #[arg(long, value_name = "3|4", value_parser = value_parser!(u8).range(3..=4))]
    pub pieces: Option<u8>,
    /// Folder
    #[command(flatten)]
    pub folder: TableFolder,
    /// Worker threads
    #[command(flatten)]
    pub jobs: Jobs,
}

/// `threefold tablebase probe`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold tablebase probe \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\"\n\n\
    `dtm` is the distance to mate in moves. Positive: the side to move mates. Negative or 0: it is mated. null: a draw.")]
pub struct ProbeArgs {
    /// Positions, each in quotation marks
    #[arg(value_name = "FEN", required_unless_present = "epd")]
    pub fens: Vec<String>,
    /// File of positions in EPD or FEN, one per line
    #[arg(long, value_name = "FILE", conflicts_with = "fens")]
    pub epd: Option<PathBuf>,
    /// Folder
    #[command(flatten)]
    pub folder: TableFolder,
}

/// `threefold tablebase verify`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold tablebase verify\n  threefold tablebase verify KRPKR --syzygy ~/syzygy"
)]
pub struct VerifyArgs {
    /// Endings to verify [default: every table in the folder]
    #[arg(value_name = "MATERIAL")]
    pub materials: Vec<Material>,
    /// Folder
    #[command(flatten)]
    pub folder: TableFolder,
    /// Folder of Syzygy tables (.rtbw) to compare every result with
    #[arg(long, value_name = "DIR")]
    pub syzygy: Option<PathBuf>,
    /// Worker threads
    #[command(flatten)]
    pub jobs: Jobs,
}

/// Builds tables and writes them.
pub fn build(args: &BuildArgs) -> anyhow::Result<Exit> {
    let threads = args.jobs.count();
    let mut wanted = args.materials.clone();
    wanted.extend(
        (3..=args.pieces.unwrap_or(0)).flat_map(|pieces| published_statistics::endings(usize::from(pieces))),
    );
    let plan = Tables::new(threads).missing(&wanted)?.concat();
    let sizes = plan.iter().map(|&material| PositionIndex::new(material).addresses() as u64);
    let bar = bar(sizes.clone().sum(), "building tables", "{bytes}/{total_bytes}");
    // Building takes one byte for each address, and at most another for compression.
    let room = HumanBytes(2 * sizes.max().unwrap_or(0));
    bar.println(format!("{} tables; the largest needs about {room} of memory", plan.len()));
    let mut bytes = 0;
    for material in plan {
        bar.set_message(material.to_string());
        // The other tables are memory-mapped, so only one is in memory.
        let mut tables = Tables::with_folder(threads, &args.folder.dir);
        tables.make(&[material], &mut |_| {})?;
        let table = tables.table(material).context("a table that was just built is missing")?;
        let file = args.folder.dir.join(Tables::file_name(material));
        let done = if file.exists() {
            "exists already"
        } else {
            files::write_whole(&file, table.bytes())?;
            "built"
        };
        bytes += table.bytes().len() as u64;
        bar.inc(table.addresses() as u64);
        // The bar is redrawn in its line and would overwrite the text.
        bar.suspend(|| streams::result(&format!("{material:8} {done}, {}", outline(table))))?;
    }
    bar.finish_and_clear();
    streams::result(&format!("{} in {}", HumanBytes(bytes), args.folder.dir.display()))?;
    Ok(Exit::Fine)
}

/// The line about a table.
fn outline(table: &Table) -> String {
    let longest = |winner| match table.longest_win(winner) {
        Some(mate) => format!("{winner} mates in at most {}", mate.moves()),
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
    /// In moves; 0 or negative if the side to move is mated.
    dtm: Option<i32>,
}

/// Looks positions up.
pub fn probe(args: &ProbeArgs) -> anyhow::Result<Exit> {
    let mut tables = Tables::with_folder(machine::cores(), &args.folder.dir);
    for (fen, position) in asked(args)? {
        if !position.castles().is_empty() {
            anyhow::bail!("`{fen}`: tables do not cover castling rights; set the third field to `-`");
        }
        tables.map(&needed(&position)).with_context(|| format!("`{fen}`"))?;
        let fact = tables.probe(&position).context("every table that is needed was mapped")?;
        let dtm = fact.mate().map(MateDistance::moves);
        let line = Probed { fen: &fen, wdl: fact.wdl().name(), dtm };
        streams::result(&visible_json(&serde_json::to_string(&line)?))?;
    }
    Ok(Exit::Fine)
}

/// The positions to probe, each with its FEN.
fn asked(args: &ProbeArgs) -> anyhow::Result<Vec<(String, Chess)>> {
    let fens = match &args.epd {
        Some(file) => epd::parse_epd(&by_name::source_file(file, Category::Positions)?)?
            .into_iter()
            .map(|record| record.position.start.to_string())
            .collect(),
        None => args.fens.clone(),
    };
    fens.into_iter()
        .map(|fen| {
            let position = fen
                .parse::<Fen>()
                .with_context(|| format!("`{fen}` is not a FEN"))?
                .into_position(CastlingMode::Standard)
                .with_context(|| format!("`{fen}` is not a legal position"))?;
            Ok((fen, position))
        })
        .collect()
}

/// The tables that a position needs: its own and, if an en passant capture is possible, those of its moves.
fn needed(position: &Chess) -> Vec<Material> {
    let mut needed = vec![Material::from_board(position.board())];
    if position.ep_square(EnPassantMode::Legal).is_some() {
        needed.extend(position.legal_moves().into_iter().map(|mv| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            Material::from_board(after.board())
        }));
    }
    needed
}

/// Verifies tables.
pub fn verify(args: &VerifyArgs) -> anyhow::Result<Exit> {
    let materials = if args.materials.is_empty() { shelved(&args.folder)? } else { args.materials.clone() };
    let syzygy = args.syzygy.as_deref().map(Syzygy::open).transpose()?;
    let mut tables = Tables::with_folder(args.jobs.count(), &args.folder.dir);
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

/// The line about a verified table.
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
        0 => "no published statistics".to_owned(),
        known => format!("{known} published statistics match"),
    };
    let line =
        format!("{material:8} {} positions agree with their moves; {known}", HumanCount(positions as u64));
    let Some(syzygy) = syzygy else { return Ok(line) };
    let alike =
        tables.compare(material, syzygy, NonZeroUsize::MIN, &heard).context("every table was mapped")??;
    Ok(format!("{line}; {} results equal Syzygy", HumanCount(alike as u64)))
}

/// The tables in a folder, those with few pieces first.
fn shelved(folder: &TableFolder) -> anyhow::Result<Vec<Material>> {
    let folder = &folder.dir;
    let unreadable =
        || format!("{}: can't be read; give the folder of the tables with --dir", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(unreadable)? {
        let file = entry.with_context(unreadable)?.path();
        found.extend(material_of(&file));
    }
    found.sort_unstable_by_key(|material| (material.piece_count(), material.pawns(), *material));
    if found.is_empty() {
        anyhow::bail!(
            "{}: there are no tables; build some with `threefold tablebase build --pieces 4`",
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

/// A progress bar; hidden without a terminal.
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
