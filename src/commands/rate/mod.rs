//! `rate`: a rating list of all players in files of games.

mod args;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use anyhow::Context;

pub use self::args::RateArgs;
use self::args::{BrokenOff, ErrorsBy};
use crate::exit::Exit;
use crate::input::known_ratings::{FixedRating, Prior};
use crate::input::pgn;
use crate::input::pgn_issues::Complaints;
use crate::input::rating_files;
use crate::input::rating_files::{Anchors, Relation, Synonyms, unknown_player};
use crate::{files, streams};
use threefold_games::pgn_results::{BrokenOffGames, Draws, PlayerFilter, ResultCounter, Results};
use threefold_player::output_file::{self, IfThere};
use threefold_report::formats::ratings::{
    self, Errors, InputSummary, ListedPlayers, Listing, RatingUnit, Shown,
};
use threefold_stats::rating::{
    Crosstable, GapPolicy, PlayerIndex, RatingAnchor, RatingError, RatingList, RatingModel, RatingPoints,
    RatingRelation, RatingScale, RatingSettings, RatingSimulation, ReplayEstimates, Uncertainty, rate,
    rate_in_elo,
};

/// Reads the games, fits the ratings, prints the list.
pub fn run(args: &RateArgs) -> anyhow::Result<Exit> {
    let threads = args.jobs.count();
    let files = [&args.csv, &args.json, &args.html, &args.warnings].into_iter().flatten();
    for file in files.filter(|file| file.as_path() != Path::new("-")) {
        output_file::check(file, IfThere::forced(args.force))?;
    }
    anyhow::ensure!(
        args.scale.is_none() || args.unit == RatingUnit::Points,
        "--scale: the unit `elo` has a fixed scale; use --unit points, or omit --scale"
    );
    let known = KnownFiles::read(args)?;
    let (input, results) = read(args, &known.synonyms, threads)?;
    // Written before --strict can fail, since the warnings show what to correct.
    if let Some(file) = &args.warnings {
        let lines: String = input.notes.iter().map(|note| note.line() + "\n").collect();
        files::write_whole(file, lines.as_bytes())?;
    }
    anyhow::ensure!(
        !args.strict || input.reasons.is_empty(),
        "--strict: the files have problems ({}); correct them, or omit --strict",
        input.reasons()
    );
    anyhow::ensure!(results.counts.counted > 0, "no game counts; a game needs two player names and a result");
    let listing = listing(args, &known, threads, input, &results)?;
    deliver(args, &listing)?;
    Ok(Exit::Fine)
}

/// The contents of the files of anchors, relations and synonyms.
struct KnownFiles {
    anchors: Anchors,
    relations: Vec<Relation>,
    synonyms: Synonyms,
}

impl KnownFiles {
    fn read(args: &RateArgs) -> anyhow::Result<Self> {
        Ok(Self {
            anchors: args.anchor_file.as_deref().map(rating_files::anchors).transpose()?.unwrap_or_default(),
            relations: args
                .relations
                .as_deref()
                .map(rating_files::relations)
                .transpose()?
                .unwrap_or_default(),
            synonyms: args.synonyms.as_deref().map(rating_files::synonyms).transpose()?.unwrap_or_default(),
        })
    }

    /// The main name of a name.
    fn main_name<'n>(&'n self, name: &'n str) -> &'n str {
        self.synonyms.get(name).map_or(name, String::as_str)
    }
}

/// Reads all files and prints warnings on standard error.
fn read(
    args: &RateArgs,
    synonyms: &Synonyms,
    threads: NonZeroUsize,
) -> anyhow::Result<(InputSummary, Results)> {
    let set = |names: &[String]| -> BTreeSet<String> {
        names.iter().map(|name| synonyms.get(name).unwrap_or(name).clone()).collect()
    };
    let (only, exclude) = (rating_files::names(&args.only)?, rating_files::names(&args.exclude)?);
    let choice = match (&only[..], &exclude[..]) {
        ([], []) => PlayerFilter::All,
        ([], except) => PlayerFilter::Except(set(except)),
        (only, _) => PlayerFilter::Only(set(only)),
    };
    let mut counter = ResultCounter::new(choice)
        .with_synonyms(synonyms.clone())
        .with_repeats(args.repeats())
        .with_draws(if args.ignore_draws { Draws::Ignored } else { Draws::Counted });
    let mut input = InputSummary::default();
    let mut complaints = Complaints { keep: args.json.is_some() || args.warnings.is_some(), shown: 0 };
    for path in &rating_files::paths(&args.files)? {
        let file = if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() };
        pgn::read_blocks(path, threads, broken_off(args), |block_results| {
            counter.count(block_results);
            complaints.take(&file, block_results, &mut input);
        })?;
        input.files.push(file);
    }
    let results = counter.close();
    input.census = results.counts;
    complaints.summarize(&input);
    // Only the games say which players there are, so names are checked after the reading.
    let known: BTreeSet<&String> = results.table.names().iter().chain(&results.left_out).collect();
    for name in only.iter().chain(&exclude) {
        anyhow::ensure!(
            known.contains(synonyms.get(name).unwrap_or(name)),
            unknown_player(name, known.iter().map(|name| name.as_str()))
        );
    }
    Ok((input, results))
}

/// Ordo reads no moves, so its models count games without a result after the moves unless an option says
/// otherwise.
fn broken_off(args: &RateArgs) -> BrokenOffGames {
    let is_ordo = matches!(args.model, RatingModel::Ordo | RatingModel::OrdoWdl);
    match args.broken_off {
        Some(BrokenOff::Ignore) => BrokenOffGames::Ignored,
        None if !is_ordo => BrokenOffGames::Ignored,
        Some(BrokenOff::Count) | None => BrokenOffGames::Counted,
    }
}

fn listing(
    args: &RateArgs,
    known: &KnownFiles,
    threads: NonZeroUsize,
    input: InputSummary,
    results: &Results,
) -> anyhow::Result<Listing> {
    let table = &results.table;
    let mut terms = terms(args, known, table)?;
    let fitted = match args.unit {
        // This sets the scale in `terms`, which the simulation and the listing use.
        RatingUnit::Elo => rate_in_elo(table, &mut terms),
        RatingUnit::Points => rate(table, &terms),
    };
    let list = fitted.map_err(|unfit| {
        let remedy = match (&unfit, args.groups) {
            (RatingError::Unconnected(..), false) => "; --groups rates each group on its own scale",
            (RatingError::Swept { .. }, false) => "; --groups lists such players separately",
            (RatingError::OneColour { .. }, _) => "; --white 0 gives no advantage",
            (RatingError::Endless, _) => "; see --white and --draw-rate",
            _ => "",
        };
        anyhow::anyhow!("{unfit}{remedy}")
    })?;
    let errors = match args.errors {
        ErrorsBy::Analysis => (Errors::Analytic, list.clustered.clone()),
        ErrorsBy::Simulation(runs) => simulate(&terms, &list, args.seed, runs, threads)?,
    };
    let shown = Shown { unit: args.unit, confidence: args.confidence, decimals: args.decimals };
    let older = terms.relations.iter().map(|relation| relation.players[1]);
    let listed = ListedPlayers {
        min_games: args.min_games,
        hidden: if args.hide_older { older.collect() } else { BTreeSet::new() },
    };
    let listing = Listing::new(input, table, terms, list, errors, shown, &listed);
    anyhow::ensure!(
        !listing.lines.is_empty(),
        "--min-games and --hide-older leave no player to list; lower --min-games, or omit them"
    );
    Ok(listing)
}

fn terms(args: &RateArgs, known: &KnownFiles, table: &Crosstable) -> anyhow::Result<RatingSettings> {
    let mut terms = RatingSettings::new(args.model);
    terms.advantage = args.white.0;
    terms.draw_rate = args.draw_rate.0;
    if let Some(at_76) = args.scale {
        terms.scale = RatingScale { at_76 };
    }
    if let Some(average) = args.average {
        terms.centre = RatingPoints(average);
    }
    if args.groups {
        terms.gaps = GapPolicy::Split;
    }
    let seat = |name: &str| {
        let name = known.main_name(name);
        let seat = table.names().iter().position(|known| known == name).map(PlayerIndex);
        seat.with_context(|| unknown_player(name, table.names().iter().map(String::as_str)))
    };
    for FixedRating { name, rating } in args.anchors.iter().chain(&known.anchors.fixed) {
        terms.anchors.push(RatingAnchor::fixed(seat(name)?, RatingPoints(*rating)));
    }
    for Prior { name, mean, sd } in args.priors.iter().chain(&known.anchors.priors) {
        terms.anchors.push(RatingAnchor::gaussian(seat(name)?, RatingPoints(*mean), *sd));
    }
    for Relation { players: [a, b], difference, sd } in &known.relations {
        let (players, difference) = ([seat(a)?, seat(b)?], RatingPoints(*difference));
        terms.relations.push(RatingRelation { players, difference, sd: *sd });
    }
    Ok(terms)
}

/// Simulates all games on several threads; the runs are merged in the order of their numbers.
fn simulate(
    terms: &RatingSettings,
    list: &RatingList,
    seed: u64,
    runs: u64,
    threads: NonZeroUsize,
) -> anyhow::Result<(Errors, Uncertainty)> {
    let simulation = RatingSimulation::new(terms, list);
    let share = runs.div_ceil(threads.get() as u64);
    let replays: Vec<ReplayEstimates> = thread::scope(|scope| {
        let parts: Vec<_> = (0..threads.get() as u64)
            // With more threads than runs the last ranges are empty.
            .map(|part| (part * share).min(runs)..((part + 1) * share).min(runs))
            .map(|runs| scope.spawn(move || simulation.replay(seed, runs)))
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("a replay fails only by a bug")).collect()
    });
    let simulated = simulation.errors(&replays).context(
        "--errors simulated: fewer than two simulations could be fitted; use --errors analytic, or more games",
    )?;
    let errors = Errors::Simulated { seed, fitted: simulated.fitted, unfit: simulated.unfit };
    Ok((errors, simulated.uncertainty))
}

/// Writes the files and prints the list.
fn deliver(args: &RateArgs, listing: &Listing) -> anyhow::Result<()> {
    if let Some(file) = &args.csv {
        files::write_whole(file, &ratings::csv(listing)?)?;
    }
    if let Some(file) = &args.html {
        files::write_whole(file, ratings::page(listing).as_bytes())?;
    }
    match &args.json {
        Some(file) if file == Path::new("-") => return streams::results(&ratings::json(listing)?),
        Some(file) => files::write_whole(file, ratings::json(listing)?.as_bytes())?,
        None => {}
    }
    let mut text = ratings::listing_text(listing);
    if args.head_to_head {
        text.push_str(&ratings::head_to_head(listing));
    }
    if args.los {
        text.push_str(&ratings::superiority(listing));
    }
    streams::results(&text)
}
