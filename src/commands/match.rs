//! `match`: games between two or more engines.

use std::num::NonZeroUsize;

use anyhow::Context;
use clap::Args;

use super::games::{self, Printed, PrintedFlags, PrintedForm};
use crate::args::{GameArgs, engine_help, from_one, number_of_games};
use crate::exit::Exit;
use crate::files;
use threefold_games::pairing::{ScheduleRules, TournamentFormat};
use threefold_games::swiss;
use threefold_run::Purpose;
use threefold_run::job::Undecided;

/// `threefold match`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold match --engine echo --engine stockfish --tc 2+0.02 --games 20\n  \
    threefold match --engine echo --engine ./old --engine ./new \\\n    --nodes 20000 --games 600 --pgn all.pgn"
)]
pub struct MatchArgs {
    /// Engine; give two for a match, more for a tournament
    #[arg(
        long = "engine",
        value_name = "SPEC",
        required = true,
        long_help = engine_help("Engine; give two for a match, more for a tournament")
    )]
    pub engines: Vec<String>,
    /// Total number of games, rounded up to whole pairs for every pairing; of a knockout or Swiss tournament,
    /// the games of each encounter
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number_of_games, allow_negative_numbers = true)]
    pub games: usize,
    /// Tournament format: `round-robin`, `gauntlet` (the first engine against every other), `pyramid` (every
    /// engine against all before it), `knockout` (the loser of an encounter is out), or `swiss` (engines with
    /// similar points meet); give the best engine first for these two
    #[arg(long, value_name = "FORMAT", default_value = "round-robin")]
    pub tournament: String,
    /// Number of engines of a gauntlet, from the first, that play against every other
    #[arg(long, value_name = "N", default_value = "1", value_parser = from_one::<NonZeroUsize>)]
    pub seeds: NonZeroUsize,
    /// Number of rounds of a Swiss tournament [default: one more than a knockout tournament has]
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    pub rounds: Option<NonZeroUsize>,
    /// The form of the printed result
    #[command(flatten)]
    pub printed: PrintedFlags,
    /// Conditions of the games
    #[command(flatten)]
    pub game: GameArgs,
}

/// Plays a match or a tournament.
pub fn run(args: &MatchArgs) -> anyhow::Result<Exit> {
    let engines = files::engines(&args.engines, &args.game.each)?;
    anyhow::ensure!(engines.len() >= 2, "a match needs two engines; give --engine at least twice");
    anyhow::ensure!(
        !args.printed.markdown || engines.len() == 2,
        "--markdown: the lines are those of two engines; leave it out for a tournament"
    );
    let format: TournamentFormat = args.tournament.parse().context("--tournament")?;
    let is_seeded = matches!(format, TournamentFormat::Knockout | TournamentFormat::Swiss);
    anyhow::ensure!(
        args.seeds == NonZeroUsize::MIN || !is_seeded,
        "--seeds is for gauntlets; the engines of a {format} tournament are seeded in the order of --engine"
    );
    anyhow::ensure!(
        args.seeds == NonZeroUsize::MIN || format == TournamentFormat::Gauntlet,
        "--seeds is for gauntlets; give --tournament gauntlet, too"
    );
    let rules = ScheduleRules {
        seeds: args.seeds,
        rounds: rounds(args, format, engines.len())?,
        ..args.game.rules()
    };
    let task = games::task_with(&args.game, engines, format, rules, args.games, Purpose::Match)?;
    games::play(
        "match",
        &args.game,
        task,
        Printed { form: PrintedForm::of_flags(&args.printed), undecided: Undecided::Pass },
    )
}

/// The rounds of a Swiss tournament; `None` for the other formats.
fn rounds(
    args: &MatchArgs,
    format: TournamentFormat,
    engines: usize,
) -> anyhow::Result<Option<NonZeroUsize>> {
    if format == TournamentFormat::Swiss {
        return Ok(args.rounds.or_else(|| NonZeroUsize::new(swiss::default_rounds(engines))));
    }
    anyhow::ensure!(
        args.rounds.is_none(),
        "--rounds is for Swiss tournaments; give --tournament swiss, too, or the number of games by --games"
    );
    Ok(None)
}
