//! `positions`: generates the positions of suites from a seed.

use crate::args::{
    AnecdoteArgs, BestMoveArgs, ConversionArgs, DefenceArgs, FiftyArgs, MateArgs, MiddlegameArgs,
    PerpetualArgs, PerpetualBonusArgs, RootReturnArgs, RuleArgs, SpecialMoveArgs, SymmetryArgs, TrapArgs,
    UnderpromotionArgs, ValueArgs,
};
use threefold::command_table;
use threefold::commands::generator::{bar, check_place, deliver, finish, made};
use threefold::exit::Exit;
use threefold::output::tables::table;
use threefold::{files, streams};
use threefold_mining::trap::TrapClass;
use threefold_mining::trap::counts::{self, TrapCounts};
use threefold_mining::{
    anecdotes, best_moves, conversions, defences, fifty, mates, middlegame, perpetual_bonus, perpetual_draws,
    root_returns, rules, special_moves, symmetry, traps, underpromotions, values,
};
use threefold_player::output_file::{self, IfThere};
use threefold_suites::trap;

command_table! {
    /// `threefold-lab positions`
    pub enum PositionsCommand {
        /// Generate repetition traps, proven by endgame tables.
        Traps(TrapArgs) => traps;
        /// Generate cases of the three anecdotes of Moreland's page on repetition detection, proven by
        /// endgame tables.
        Anecdotes(AnecdoteArgs) => anecdotes;
        /// Generate mates with a proven distance.
        Mates(MateArgs) => mates;
        /// Generate mates that need an underpromotion.
        Underpromotions(UnderpromotionArgs) => underpromotions;
        /// Select proven draws by perpetual check from a file of traps.
        Perpetuals(PerpetualArgs) => perpetuals;
        /// Generate won endings for playouts.
        Conversions(ConversionArgs) => conversions;
        /// Generate drawn and lost endings to defend in playouts.
        Defences(DefenceArgs) => defences;
        /// Generate moves that draw by the rules, and moves that only seem to.
        Rules(RuleArgs) => rules;
        /// Generate positions whose value the rules or small tables prove within a few plies.
        Values(ValueArgs) => values;
        /// Generate positions that castling, en passant captures, promotions and evasions decide at once.
        SpecialMoves(SpecialMoveArgs) => special_moves;
        /// Generate positions that must have the same score when they are reflected.
        Symmetry(SymmetryArgs) => symmetry;
        /// Generate moves that win, though the opponent can bring the position back.
        RootReturns(RootReturnArgs) => root_returns;
        /// Generate moves whose result depends on the fifty-move counter, with the counter of an earlier
        /// search.
        Fifty(FiftyArgs) => fifty;
        /// Generate positions in which a bonus for perpetual checks changes Echo's move, judged by deep
        /// searches.
        PerpetualBonus(PerpetualBonusArgs) => perpetual_bonus;
        /// Generate best-move positions with points for each move.
        BestMoves(BestMoveArgs) => best_moves;
        /// Generate middlegame traps from Echo's games, verified by deep searches.
        Middlegame(MiddlegameArgs) => middlegame;
    }
}

/// Generates traps.
fn traps(args: &TrapArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &traps::materials())?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let bar = bar(per_class * TrapClass::ALL.len(), "generating traps");
    let mined = traps::mine_all(&tables, seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    for TrapCounts { header, rows } in [counts::by_ending(&mined), counts::by_difficulty(&mined)] {
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        streams::notice(&table(&header, rows));
    }
    deliver(&args.options, &traps::file(&mined, seed, per_class))
}

/// Generates cases of the anecdotes.
fn anecdotes(args: &AnecdoteArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &anecdotes::materials())?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let bar = bar(per_class * anecdotes::Anecdote::ALL.len(), "generating anecdotes");
    let cases = anecdotes::mine_all(&tables, seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    deliver(&args.options, &anecdotes::file(&cases, seed, per_class))
}

/// Generates mates.
fn mates(args: &MateArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &mates::materials())?;
    let want = mates::MateQuota { longest: args.longest, each: args.per_distance };
    let bar = bar(2 * usize::from(args.longest) * args.per_distance.get(), "generating mates");
    let text = mates::file(&tables, args.options.seed, want, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    deliver(&args.options, &text)
}

/// Generates mates by underpromotion.
fn underpromotions(args: &UnderpromotionArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &underpromotions::materials())?;
    let (seed, count) = (args.options.seed, args.count.get());
    let bar = bar(count, "generating underpromotions");
    let text = underpromotions::file(&tables, seed, count, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    deliver(&args.options, &text)
}

/// Selects draws by perpetual check from a file of traps.
fn perpetuals(args: &PerpetualArgs) -> anyhow::Result<Exit> {
    if let Some(file) = &args.out {
        output_file::check(file, IfThere::forced(args.force))?;
    }
    let traps = trap::parse_traps(&files::positions(&args.traps)?)?;
    let text = perpetual_draws::file(&traps, &args.traps.display().to_string());
    match &args.out {
        Some(file) => files::write_whole(file, text.as_bytes())?,
        None => streams::results(&text)?,
    }
    Ok(Exit::Fine)
}

/// Generates won endings.
fn conversions(args: &ConversionArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let materials = if args.material.is_empty() { conversions::materials() } else { args.material.clone() };
    let tables = made(&args.tables, args.options.jobs, &materials)?;
    let (seed, count) = (args.options.seed, args.count.get());
    let bar = bar(count, "generating conversions");
    let text = conversions::file(&tables, &materials, seed, count, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    deliver(&args.options, &text)
}

/// Generates endings to defend.
fn defences(args: &DefenceArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &defences::materials())?;
    let (seed, count) = (args.options.seed, args.count.get());
    let bar = bar(count, "generating defences");
    let text = defences::file(&tables, seed, count, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    deliver(&args.options, &text)
}

/// Generates moves that draw by the rules, and moves that only seem to.
fn rules(args: &RuleArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &rules::materials())?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let bar = bar(per_class * rules::RuleClass::ALL.len(), "generating rules");
    let text = rules::file(&tables, seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    deliver(&args.options, &text)
}

/// Generates positions with a proven value.
fn values(args: &ValueArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &values::materials())?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let classes = if args.class.is_empty() { values::ValueClass::ALL } else { &args.class };
    let bar = bar(per_class * classes.len(), "generating values");
    let text = values::file(&tables, classes, seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    deliver(&args.options, &text)
}

/// Generates positions that special moves decide.
fn special_moves(args: &SpecialMoveArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let bar = bar(per_class * special_moves::SpecialMove::ALL.len(), "generating special moves");
    let text = special_moves::file(seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    deliver(&args.options, &text)
}

/// Generates positions that must have the same score when they are reflected.
fn symmetry(args: &SymmetryArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    deliver(&args.options, &symmetry::file(args.options.seed, args.per_class.get()))
}

/// Generates moves that win, though the opponent can bring the position back.
fn root_returns(args: &RootReturnArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &root_returns::materials())?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let bar = bar(per_class * root_returns::materials().len(), "generating returns to the root");
    let text = root_returns::file(&tables, seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    deliver(&args.options, &text)
}

/// Generates moves whose result depends on the fifty-move counter.
fn fifty(args: &FiftyArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &fifty::materials())?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let bar = bar(per_class * fifty::FiftyClass::ALL.len(), "generating fifty-move counters");
    let text = fifty::file(&tables, seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    deliver(&args.options, &text)
}

/// Generates positions in which a bonus for perpetual checks changes Echo's move.
fn perpetual_bonus(args: &PerpetualBonusArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let (seed, per_class) = (args.options.seed, args.per_class.get());
    let bar = bar(per_class * perpetual_bonus::BonusClass::ALL.len(), "generating perpetual checks");
    let text = perpetual_bonus::file(seed, per_class, args.options.jobs.count(), &|| bar.inc(1));
    finish(&bar);
    deliver(&args.options, &text)
}

/// Generates best-move positions.
fn best_moves(args: &BestMoveArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
    let tables = made(&args.tables, args.options.jobs, &best_moves::materials())?;
    deliver(&args.options, &best_moves::file(&tables, args.options.seed, args.count.get()))
}

/// Generates middlegame traps.
fn middlegame(args: &MiddlegameArgs) -> anyhow::Result<Exit> {
    check_place(&args.options)?;
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
    finish(&bar);
    deliver(&args.options, &text)
}
