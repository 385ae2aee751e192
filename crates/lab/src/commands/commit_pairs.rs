//! `real-bugs` and `ordinary-commits`: the plan of `init` on pairs of real commits. `regression-rules`: other rules on the
//! same runs.

use std::fs;
use std::path::{self, Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use anyhow::Context;

use super::bench_runner::write_book;
use crate::args::{CommitPairsArgs, OrdinaryCommitsArgs, RealBugsArgs, RegressionRulesArgs};
use threefold::exit::Exit;
use threefold::output::tables::table;
use threefold::{files, streams};
use threefold_lab::commit_pairs::{
    self, CommitPair, Experiment, Interrupted, Judgement, Measurement, Outcome, PairFolder, PairList,
    PairRow, PeerGames, Peers, RulePairs,
};

/// `real-bugs`: does the plan find bugs that were fixed later?
///
/// # Errors
/// If the list can't be read, or a pair can't be measured.
pub fn real_bugs(args: &RealBugsArgs) -> anyhow::Result<Exit> {
    run(Experiment::RealBugs, &args.pairs)
}

/// `ordinary-commits`: does the plan let accepted patches through?
///
/// # Errors
/// If the list can't be read, or a pair can't be measured.
pub fn ordinary_commits(args: &OrdinaryCommitsArgs) -> anyhow::Result<Exit> {
    run(Experiment::OrdinaryCommits, &args.pairs)
}

/// `regression-rules`: what would other rules say of the same runs?
///
/// # Errors
/// If the results of an experiment can't be read.
pub fn regression_rules(args: &RegressionRulesArgs) -> anyhow::Result<Exit> {
    let pairs = RulePairs {
        bugs: commit_pairs::rule_pairs(Experiment::RealBugs, &args.bugs)?,
        patches: commit_pairs::rule_pairs(Experiment::OrdinaryCommits, &args.patches)?,
    };
    fs::create_dir_all(&args.out).with_context(|| format!("{}: can't be made", args.out.display()))?;
    files::write_whole(&args.out.join("rules.csv"), pairs.csv()?.as_bytes())?;
    files::write_whole(&args.out.join("rules.md"), pairs.markdown().as_bytes())?;
    let rows: Vec<_> = pairs.rows().into_iter().map(Vec::from).collect();
    streams::result(&table(&["red is", "red parents", "false alarms"], rows))?;
    streams::notice(&format!(
        "tables: {} and rules.csv in the same folder",
        args.out.join("rules.md").display()
    ));
    Ok(Exit::Fine)
}

fn run(experiment: Experiment, args: &CommitPairsArgs) -> anyhow::Result<Exit> {
    let list = read_list(experiment, args)?;
    let default = match experiment {
        Experiment::RealBugs => "reports/real-bugs",
        Experiment::OrdinaryCommits => "reports/ordinary-commits",
    };
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(default));
    fs::create_dir_all(&out).with_context(|| format!("{}: can't be made", out.display()))?;
    // The steps run in other folders.
    let out = out.canonicalize().with_context(|| format!("{}: can't be read", out.display()))?;
    let measured = if args.tables_only { Ok(()) } else { measure(experiment, args, &list.pairs, &out) };
    // The tables are written after an error or an interruption, too: finished pairs are not lost.
    let rows = rows(experiment, &list, &out)?;
    files::write_whole(&out.join("pairs.csv"), commit_pairs::csv(experiment, &rows)?.as_bytes())?;
    files::write_whole(&out.join("pairs.md"), commit_pairs::markdown(experiment, &rows).as_bytes())?;
    let header = ["rate", "pairs", "of", "share", "95 % interval"];
    streams::result(&table(&header, commit_pairs::rates(experiment, &rows)))?;
    streams::notice(&format!("tables: {} and pairs.csv in the same folder", out.join("pairs.md").display()));
    match measured {
        Err(error) if error.is::<Interrupted>() => Ok(Exit::Interrupted),
        other => other.map(|()| Exit::Fine),
    }
}

/// The pairs of a file or of a folder.
fn read_list(experiment: Experiment, args: &CommitPairsArgs) -> anyhow::Result<PairList> {
    let mut list = if args.list.is_dir() {
        let programs = args.programs.as_deref().unwrap_or(&args.list);
        PairList::of_folders(experiment, subfolders(&args.list)?, programs)
    } else {
        let list_folder = args.list.parent().unwrap_or(Path::new(""));
        let programs = args.programs.as_deref().unwrap_or(list_folder);
        PairList::parse(experiment, &args.list, &files::text(&args.list)?, programs)?
    };
    if let Some(file) = &args.judgements {
        list.judgements.extend(commit_pairs::judgements(file, &files::text(file)?)?);
    }
    for pair in &mut list.pairs {
        for program in [&mut pair.first_program, &mut pair.second_program] {
            // The steps run in other folders.
            *program = path::absolute(&*program).context("the current folder can't be read")?;
        }
    }
    for id in &args.only {
        anyhow::ensure!(
            list.pairs.iter().any(|pair| pair.id == *id),
            "--only: {} has no pair `{id}`",
            args.list.display()
        );
    }
    Ok(list)
}

fn subfolders(folder: &Path) -> anyhow::Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{}: can't be read", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    let mut names: Vec<String> =
        paths.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
    names.sort();
    Ok(names)
}

/// Measures the pairs that have programs and no record.
fn measure(
    experiment: Experiment,
    args: &CommitPairsArgs,
    pairs: &[CommitPair],
    out: &Path,
) -> anyhow::Result<()> {
    let threefold = program(args.threefold.as_deref())?;
    let measurement = Measurement {
        threefold: &threefold,
        step_limit: args.step_limit,
        suites: &args.suites,
        regress_options: &args.regress_options,
    };
    let book = out.join("book.epd");
    let peers = match &args.peers {
        None => None,
        Some(fastchess) => {
            let fastchess = fastchess.canonicalize();
            let fastchess = fastchess.context("--peers: the program can't be read; check the path")?;
            write_book(&book)?;
            let games = PeerGames { games: args.peer_games, jobs: args.jobs.get() };
            Some(Peers { fastchess, games, book: &book, step_limit: args.step_limit })
        }
    };
    let is_asked = |pair: &&CommitPair| args.only.is_empty() || args.only.contains(&pair.id);
    let wanted: Vec<&CommitPair> =
        pairs.iter().filter(is_asked).filter(|pair| missing_program(experiment, pair).is_none()).collect();
    let (next, stop, failure) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(None));
    thread::scope(|scope| {
        for _ in 0..args.jobs.get().min(wanted.len()) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed)
                    && let Some(pair) = wanted.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    if let Err(error) = measure_pair(experiment, &measurement, peers.as_ref(), pair, out) {
                        stop.store(true, Ordering::Relaxed);
                        let error = error.context(pair.id.clone());
                        failure.lock().expect("no worker panics").get_or_insert(error);
                    }
                }
            });
        }
    });
    failure.into_inner().expect("no worker panics").map_or(Ok(()), Err)
}

fn measure_pair(
    experiment: Experiment,
    measurement: &Measurement<'_>,
    peers: Option<&Peers<'_>>,
    pair: &CommitPair,
    out: &Path,
) -> anyhow::Result<()> {
    let folder = PairFolder::new(out, pair);
    let (mut record, is_new) = match folder.record()? {
        Some(record) => (record, false),
        None => (measurement.run(pair, &folder)?, true),
    };
    if let Some(peers) = peers
        && record.peers.is_none()
    {
        // The record without the peers is on disk already, so an interruption loses no run of `regress`.
        record.peers = Some(peers.ask(experiment, pair, &folder)?);
        folder.write(&record)?;
    }
    if is_new {
        let row = PairRow::measured(experiment, pair.clone(), record, &Judgement::default());
        streams::notice(&format!("{}: {}: {}", pair.id, row.outcome.words(experiment), row.why));
    }
    Ok(())
}

/// The shipped program, by a path that is valid in every folder.
pub(super) fn program(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    let in_own_folder = || {
        let own = std::env::current_exe().context("the path of this program is not known")?;
        anyhow::Ok(own.with_file_name(format!("threefold{}", std::env::consts::EXE_SUFFIX)))
    };
    let program = given.map_or_else(in_own_folder, |given| Ok(given.to_owned()))?;
    program.canonicalize().with_context(|| {
        format!("{}: can't be read; build it, or name the program with --threefold", program.display())
    })
}

/// The version of a pair whose program does not exist.
fn missing_program(experiment: Experiment, pair: &CommitPair) -> Option<&'static str> {
    let programs = [(&pair.first_program, experiment.first()), (&pair.second_program, experiment.second())];
    programs.into_iter().find(|(program, _)| !program.exists()).map(|(_, version)| version)
}

fn rows(experiment: Experiment, list: &PairList, out: &Path) -> anyhow::Result<Vec<PairRow>> {
    let row = |pair: &CommitPair| {
        let judgement = list.judgements.get(&pair.id).cloned().unwrap_or_default();
        Ok(match (PairFolder::new(out, pair).record()?, missing_program(experiment, pair)) {
            (Some(record), _) => PairRow::measured(experiment, pair.clone(), record, &judgement),
            (None, Some(program)) => {
                let why = format!("the program of the {program} is missing");
                PairRow::without_record(pair.clone(), Outcome::NotBuilt, why)
            }
            (None, None) => PairRow::without_record(pair.clone(), Outcome::NotRun, judgement.why),
        })
    };
    list.pairs.iter().map(row).collect()
}
