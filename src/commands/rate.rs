//! `rate`: a rating list of all players in files of games.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use anyhow::Context;

use crate::args::{ErrorsBy, Held, Loose, RateArgs};
use crate::exit::Exit;
use crate::{files, reading, streams};
use threefold_harness::arena::pgn_results::{BlockResults, PlayerFilter, ResultCounter, Results};
use threefold_harness::output_file::{self, IfThere};
use threefold_report::ratings::{self, Errors, Listing, Note, Survey};
use threefold_stats::rating::{
    Anchor, Crosstable, Gaps, RatingList, Replay, Scale, Seat, Simulation, Strength, Terms, Uncertainty,
    Unfit, rate,
};

/// Complaints shown on a terminal.
const SHOWN: u64 = 20;

/// Reads, fits, and prints.
pub fn run(args: &RateArgs) -> anyhow::Result<Exit> {
    let threads =
        args.concurrency.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let files = [&args.csv, &args.json, &args.warnings].into_iter().flatten();
    for file in files.filter(|file| file.as_path() != Path::new("-")) {
        output_file::check(file, IfThere::forced(args.force))?;
    }
    let (survey, results) = read(args, threads)?;
    if let Some(file) = &args.warnings {
        let lines: String = survey.notes.iter().map(|note| note.line() + "\n").collect();
        files::write_whole(file, lines.as_bytes())?;
    }
    anyhow::ensure!(
        !args.strict || survey.reasons.is_empty(),
        "--strict: the files are not sound ({}); mend them, or rate without --strict",
        survey.reasons()
    );
    anyhow::ensure!(
        results.counts.counted > 0,
        "no game counts; give files with games of two named players and a result"
    );
    let listing = listing(args, threads, survey, &results)?;
    deliver(args, &listing)?;
    Ok(Exit::Fine)
}

/// Reads all files and says on standard error what is wrong with them.
fn read(args: &RateArgs, threads: NonZeroUsize) -> anyhow::Result<(Survey, Results)> {
    let set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<_>>();
    let choice = match (&args.only[..], &args.exclude[..]) {
        ([], []) => PlayerFilter::All,
        ([], except) => PlayerFilter::Except(set(except)),
        (only, _) => PlayerFilter::Only(set(only)),
    };
    let mut ledger = ResultCounter::of(choice);
    let mut survey = Survey::default();
    let mut complaints = Complaints { keep: args.json.is_some() || args.warnings.is_some(), told: 0 };
    for path in &args.files {
        let file = if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() };
        reading::pages(path, threads, |page| {
            ledger.count(page);
            complaints.take(&file, page, &mut survey);
        })?;
        survey.files.push(file);
    }
    let results = ledger.close();
    survey.census = results.counts;
    complaints.tell_rest(&survey);
    let known: BTreeSet<&String> = results.table.names().iter().chain(&results.left_out).collect();
    for name in args.only.iter().chain(&args.exclude) {
        anyhow::ensure!(known.contains(name), unknown(name, known.iter().map(|name| name.as_str())));
    }
    Ok((survey, results))
}

/// Tells complaints as they come, the first ones in full.
struct Complaints {
    keep: bool,
    told: u64,
}

impl Complaints {
    fn take(&mut self, file: &str, page: &BlockResults, survey: &mut Survey) {
        for complaint in &page.issues {
            *survey.reasons.entry(complaint.reason).or_default() += 1;
            if self.told >= SHOWN && !self.keep {
                continue;
            }
            let note = Note { file: file.to_owned(), complaint: complaint.clone() };
            if self.told < SHOWN {
                self.told += 1;
                streams::notice(&format!("warning: {}", note.line()));
            }
            if self.keep {
                survey.notes.push(note);
            }
        }
    }

    fn tell_rest(&self, survey: &Survey) {
        let all: u64 = survey.reasons.values().sum();
        if all > self.told {
            let remedy = if self.keep { "" } else { "; --warnings FILE has them all" };
            streams::notice(&format!("warning: … and {} more{remedy}", all - self.told));
        }
        streams::notice(&survey.summary());
    }
}

fn listing(
    args: &RateArgs,
    threads: NonZeroUsize,
    survey: Survey,
    results: &Results,
) -> anyhow::Result<Listing> {
    let table = &results.table;
    let terms = terms(args, table)?;
    let list = rate(table, &terms).map_err(|unfit| {
        let remedy = match (&unfit, args.groups) {
            (Unfit::Unconnected(..), false) => "; with --groups each group is rated on a scale of its own",
            (Unfit::Swept { .. }, false) => "; with --groups each is rated as far as its games allow",
            _ => "",
        };
        anyhow::anyhow!("{unfit}{remedy}")
    })?;
    let errors = match args.errors {
        ErrorsBy::Analysis => (Errors::Analytic, list.clustered.clone()),
        ErrorsBy::Simulation(runs) => simulate(&terms, &list, args.seed, runs, threads)?,
    };
    Ok(Listing::new(survey, table, terms, list, errors))
}

fn terms(args: &RateArgs, table: &Crosstable) -> anyhow::Result<Terms> {
    let mut terms = Terms::new(args.model);
    terms.advantage = args.white.0;
    terms.draw_rate = args.draw_rate.0;
    if let Some(at_76) = args.scale {
        terms.scale = Scale { at_76 };
    }
    if let Some(average) = args.average {
        terms.centre = Strength(average);
    }
    if args.groups {
        terms.gaps = Gaps::Split;
    }
    let seat = |name: &str| {
        let seat = table.names().iter().position(|known| known == name).map(Seat);
        seat.with_context(|| unknown(name, table.names().iter().map(String::as_str)))
    };
    for Held { name, rating } in &args.anchors {
        terms.anchors.push(Anchor::fixed(seat(name)?, Strength(*rating)));
    }
    for Loose { name, mean, sd } in &args.loose {
        terms.anchors.push(Anchor::loose(seat(name)?, Strength(*mean), *sd));
    }
    Ok(terms)
}

/// Says that a name is nobody's, and whose it may have been meant to be.
fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let mut near: Vec<(f64, &str)> = known
        .map(|known| (-strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase()), known))
        .collect();
    near.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let near: Vec<String> = near.iter().take(3).map(|(_, known)| format!("`{known}`")).collect();
    format!("no player is called `{name}`; the closest are {}", near.join(", "))
}

/// Replays all games on every thread; the runs count in the order of their numbers.
fn simulate(
    terms: &Terms,
    list: &RatingList,
    seed: u64,
    runs: u64,
    threads: NonZeroUsize,
) -> anyhow::Result<(Errors, Uncertainty)> {
    let simulation = Simulation::new(terms, list);
    let share = runs.div_ceil(threads.get() as u64);
    let replays: Vec<Replay> = thread::scope(|scope| {
        let parts: Vec<_> = (0..threads.get() as u64)
            .map(|part| (part * share).min(runs)..((part + 1) * share).min(runs))
            .map(|runs| scope.spawn(move || simulation.replay(seed, runs)))
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("a replay fails only by a bug")).collect()
    });
    let simulated = simulation.errors(&replays).context(
        "--errors simulated: fewer than two replays could be fitted; use --errors analytic, or play more games",
    )?;
    let errors = Errors::Simulated { seed, fitted: simulated.fitted, unfit: simulated.unfit };
    Ok((errors, simulated.uncertainty))
}

/// Writes and prints what was asked for.
fn deliver(args: &RateArgs, listing: &Listing) -> anyhow::Result<()> {
    if let Some(file) = &args.csv {
        files::write_whole(file, &ratings::csv(listing)?)?;
    }
    match &args.json {
        Some(file) if file == Path::new("-") => return streams::results(&ratings::json(listing)?),
        Some(file) => files::write_whole(file, ratings::json(listing)?.as_bytes())?,
        None => {}
    }
    let mut text = ratings::text(listing);
    if args.head_to_head {
        text.push_str(&ratings::head_to_head(listing));
    }
    if args.superiority {
        text.push_str(&ratings::superiority(listing));
    }
    streams::results(&text)
}
