//! `regress --review`: the differences of the last run from the baseline, one by one.
//!
//! No engine runs. Each accepted case is written at once, so that a review can end at any moment. The differences are
//! those from the present baseline, so a later review goes on where this one ended.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use console::{Style, Term};

use super::RegressArgs;
use crate::commands::explain;
use crate::exit::Exit;
use crate::files;
use crate::input::case_search;
use crate::keys::{Keys, Pressed};
use crate::output::tables::terminal_width;
use crate::session::{baselines, outcome};
use crate::streams;
use threefold_player::visible::visible_lines;
use threefold_player::{EngineBuild, EngineSpec, short_commit};
use threefold_report::Registry;
use threefold_report::format::{count, wrapped};
use threefold_run::job::BaselineText;
use threefold_run::regress::baseline::{BaselineCase, CaseName};
use threefold_run::regress::review::{
    self, ACCEPTED, AcceptedCase, CaseDifference, DifferenceKind, Differences,
};
use threefold_run::regress::{self, AskedAgain, Baseline, Comparison, Loss};
use threefold_run::{RunRecord, Task};

/// A review with its decisions so far.
struct Review {
    run: RunRecord,
    /// The length and the time of the file of the run before it was read.
    journal: FileState,
    /// The results of the run.
    now: Baseline,
    /// The folder of the baseline.
    folder: PathBuf,
    /// The baseline with what was accepted.
    baseline: Baseline,
    /// The texts in its folder, as they were read or written last.
    texts: BaselineText,
    /// The lines of `accepted.csv`.
    accepted: Vec<AcceptedCase>,
    /// What became of the lost cases that were asked again.
    losses: BTreeMap<CaseName, Loss>,
}

/// A file as it was at a moment.
struct FileState {
    file: PathBuf,
    length: u64,
    changed: SystemTime,
}

impl FileState {
    fn of_file(file: &Path) -> anyhow::Result<Self> {
        let state = || fs::metadata(file).and_then(|found| Ok((found.len(), found.modified()?)));
        let (length, changed) = state().with_context(|| format!("{}: can't be read", file.display()))?;
        Ok(Self { file: file.to_owned(), length, changed })
    }

    fn is_unchanged(&self) -> anyhow::Result<bool> {
        let now = Self::of_file(&self.file)?;
        Ok((now.length, now.changed) == (self.length, self.changed))
    }
}

/// What the user decides on a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// The baseline takes it over.
    Accept,
    /// It takes over this and all that follow of the suite.
    AcceptSuite,
    /// The baseline does not change.
    Reject,
    /// The review ends.
    Quit,
}

/// The number of decided differences.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    accepted: usize,
    rejected: usize,
    /// Those that the baseline cannot have, such as one with an engine fault.
    refused: usize,
}

/// The keys, for the prompt.
const KEYS: &str = "a: accept   r: reject   A: accept the rest of this suite   q: quit";

/// Goes through the differences, and returns the exit code of the run compared with the reviewed baseline.
///
/// # Errors
/// If there is no terminal, no finished run or no baseline, or if the engine has changed since the run.
pub(super) fn run(args: &RegressArgs) -> anyhow::Result<Exit> {
    anyhow::ensure!(
        io::stdin().is_terminal() && io::stdout().is_terminal(),
        "--review asks for a key at each difference, and this is no terminal; read {} instead, and store all results with \
         `threefold regress --accept`",
        args.out.join("summary.md").display()
    );
    let journal = args.out.join("run.sqlite");
    let mut review = Review::open(&journal, args.baseline.as_deref())?;
    let differences = Differences::new(&review.baseline, &review.now);
    let (folder, all) = (review.folder.display().to_string(), differences.cases.len());
    streams::result(&format!(
        "{}: {} from {folder}",
        journal.display(),
        if all == 0 { "no difference".to_owned() } else { count(all, "difference") }
    ))?;
    if let Some(engine) = differences.cases.first().and_then(|difference| review.engine(difference)) {
        streams::result(&format!("engine: {engine}"))?;
    }
    let tally = review.decide(&differences.cases)?;
    for suite in &differences.other_limits {
        streams::result(&format!("not reviewed: {suite}; `threefold regress --accept` stores all results"))?;
    }
    if all > 0 {
        let Tally { accepted, rejected, refused } = tally;
        let never = if refused > 0 { format!("{refused} that cannot be accepted, ") } else { String::new() };
        streams::result(&format!(
            "\n{accepted} accepted, {rejected} rejected, {never}{} not decided",
            all - accepted - rejected - refused
        ))?;
    }
    if tally.accepted > 0 {
        let list = review.folder.join(ACCEPTED);
        streams::result(&format!("baseline: {folder}\naccepted cases: {}", list.display()))?;
    }
    review.exit(&journal)
}

impl Review {
    /// The finished run of a journal, and the baseline.
    fn open(journal: &Path, named: Option<&Path>) -> anyhow::Result<Self> {
        let file = journal.display();
        anyhow::ensure!(
            journal.exists(),
            "{file}: there is no run to review; run `threefold regress` first, or name its folder with --out"
        );
        // Taken before the run is read: a change during the reading is noticed later.
        let state = FileState::of_file(journal)?;
        let run = RunRecord::read(journal)?;
        if let Some(shard) = run.spec().shard {
            anyhow::bail!("{file}: is shard {shard} of a run; merge all of them with `threefold merge`");
        }
        anyhow::ensure!(run.is_done(), "{file}: the run is not finished; `threefold regress` continues it");
        anyhow::ensure!(
            !run.is_stopped_by_faults(),
            "{file}: engine faults stopped the run; fix the engine, and run `threefold regress` again"
        );
        check_engines(&run, journal)?;
        let (folder, baseline) = baselines::required(named)?;
        let texts = files::baseline(&folder)?.unwrap_or_else(|| baseline.to_text());
        let list = files::text_if_there(&folder.join(ACCEPTED))?.unwrap_or_default();
        let accepted =
            review::read_accepted(&list).map_err(|error| anyhow::anyhow!("{}/{error}", folder.display()))?;
        let now = Baseline::from_run(&run);
        let losses = losses(&regress::compare(&baseline, &now, &AskedAgain::from_run(&run)));
        Ok(Self { journal: state, run, now, folder, baseline, texts, accepted, losses })
    }

    /// Asks about each difference until the user quits.
    fn decide(&mut self, differences: &[CaseDifference]) -> anyhow::Result<Tally> {
        let (mut tally, mut whole_suite) = (Tally::default(), None);
        for (index, difference) in differences.iter().enumerate() {
            let name = &difference.name;
            let is_asked = whole_suite != Some(&name.suite);
            let refusal = difference.refusal();
            let heading = heading(difference);
            if is_asked || refusal.is_some() {
                self.show(difference)?;
                print_bold(&format!("\n{} of {}  {heading}", index + 1, differences.len()))?;
            }
            if let Some(why) = refusal {
                streams::result(&format!("not accepted: {why}"))?;
                tally.refused += 1;
                continue;
            }
            let decision = if is_asked { ask()? } else { Decision::Accept };
            match decision {
                Decision::Accept | Decision::AcceptSuite => {
                    self.accept(difference)?;
                    streams::result(&format!("accepted: {heading}"))?;
                    tally.accepted += 1;
                }
                Decision::Reject => {
                    streams::result(&format!("rejected: {heading}"))?;
                    tally.rejected += 1;
                }
                Decision::Quit => break,
            }
            if decision == Decision::AcceptSuite {
                whole_suite = Some(&name.suite);
            }
        }
        Ok(tally)
    }

    /// Prints a difference with its board.
    fn show(&self, difference: &CaseDifference) -> anyhow::Result<()> {
        let width = terminal_width();
        streams::result("")?;
        let full_name = format!("{}/{}", difference.name.suite, difference.name.id);
        if difference.now.is_none() {
            let was = difference.was.as_ref().map(answer).unwrap_or_default();
            return streams::result(&format!(
                "{full_name}\nthe run does not have this case\nbaseline   {was}"
            ));
        }
        for found in case_search::in_run(&self.run, &full_name)? {
            streams::results(&explain::of_case(found, Some(&self.baseline))?.to_text(width))?;
        }
        let loss = self.losses.get(&difference.name);
        let line = |loss: &Loss| wrapped(&format!("lost case  {loss}"), "           ", width);
        loss.map_or(Ok(()), |loss| streams::result(&line(loss)))
    }

    /// Takes a case over into the baseline, and writes it.
    fn accept(&mut self, difference: &CaseDifference) -> anyhow::Result<()> {
        self.check_unchanged()?;
        self.baseline.accept(difference, &self.now);
        let engine = self.engine(difference).unwrap_or_default();
        let accepted = difference.accepted(self.build(difference), &engine);
        let list = review::write_accepted(&self.accepted, &accepted);
        // Read back, so that the next case is added to what the file has.
        self.accepted = review::read_accepted(&list)?;
        self.texts = self.baseline.to_text();
        files::write_baseline(&self.folder, &self.texts, Some(&list))
    }

    /// Another program may have written the baseline or the run since the review began. What it wrote must not be lost, and
    /// not be accepted unseen.
    fn check_unchanged(&self) -> anyhow::Result<()> {
        let remedy = "start the review again; what was accepted so far is kept";
        anyhow::ensure!(
            files::baseline(&self.folder)?.as_ref() == Some(&self.texts),
            "{}: the baseline has changed since the review began; {remedy}",
            self.folder.display()
        );
        anyhow::ensure!(self.journal.is_unchanged()?, "the run has changed since the review began; {remedy}");
        Ok(())
    }

    /// The specification of the engine that played a case; `None` if the run lacks its suite.
    fn engine(&self, difference: &CaseDifference) -> Option<String> {
        let parts = self.run.planned_parts();
        let part = parts.iter().find(|part| part.part.name == difference.name.suite)?;
        part.part.task.engines().first().map(|engine| engine.text.clone())
    }

    /// The commit of the build that played a case, or its name and checksum.
    fn build(&self, difference: &CaseDifference) -> Option<String> {
        let parts = self.run.planned_parts();
        let part = parts.iter().find(|part| part.part.name == difference.name.suite)?;
        let index = part.cases().position(|case| case.id == difference.name.id)?;
        let build = part.build(index, part.part.task.engines().first()?)?;
        build.commit.as_deref().map(short_commit).or_else(|| build.tag())
    }

    /// The exit code of the run, compared with the baseline.
    fn exit(&self, journal: &Path) -> anyhow::Result<Exit> {
        let set = outcome::report_set(self.run.spec(), journal, &Registry::built_in())?;
        let report = outcome::compare(&self.run, &set, Some(&self.baseline.to_text()))?;
        Ok(outcome::exit(&set, &report))
    }
}

fn losses(comparison: &Comparison) -> BTreeMap<CaseName, Loss> {
    let of_suites = comparison.suites.iter().flat_map(|suite| suite.losses.iter().map(move |it| (suite, it)));
    let named = of_suites
        .map(|(suite, (id, loss))| (CaseName { suite: suite.suite.clone(), id: id.clone() }, loss.clone()));
    named.collect()
}

/// `worse: repetition/dawdle (passed, now failed)`.
fn heading(difference: &CaseDifference) -> String {
    let CaseDifference { name, kind, was, now } = difference;
    let verdict = |case: &Option<BaselineCase>| case.as_ref().map(|case| case.kind().to_string());
    let change = match (verdict(was), verdict(now)) {
        (Some(was), Some(now)) if was != now => format!("{was}, now {now}"),
        (None, Some(now)) => format!("now {now}"),
        (Some(was), _) if *kind == DifferenceKind::Gone => format!("was {was}"),
        (Some(verdict), _) => verdict,
        (None, None) => String::new(),
    };
    format!("{kind}: {}/{} ({change})", name.suite, name.id)
}

/// A verdict of a baseline with its reason and what was played.
fn answer(case: &BaselineCase) -> String {
    let played = if case.played.is_empty() { String::new() } else { format!(", played {}", case.played) };
    format!("{}: {}{played}", case.kind(), case.reason())
}

fn print_bold(text: &str) -> anyhow::Result<()> {
    // Not by `streams::result`, which would replace the escape sequences of the style.
    let line = Style::new().bold().apply_to(visible_lines(text)).to_string();
    Term::stdout().write_line(&line).context("standard output can't be written")
}

/// Waits for a key with a meaning.
fn ask() -> anyhow::Result<Decision> {
    /// A key ends the wait; this is only how often the terminal is looked at.
    const INTERVAL: Duration = Duration::from_secs(1);
    streams::result(KEYS)?;
    // Only for this wait: in this mode a line break does not return to the first column.
    let keys = Keys::listen()?;
    loop {
        if let Some(decision) = keys.next(INTERVAL)?.and_then(decision) {
            return Ok(decision);
        }
    }
}

/// The meaning of a key. Ctrl-C quits; what was accepted is written.
const fn decision(pressed: Pressed) -> Option<Decision> {
    match pressed {
        Pressed::Char('a') => Some(Decision::Accept),
        Pressed::Char('A') => Some(Decision::AcceptSuite),
        Pressed::Char('r') => Some(Decision::Reject),
        Pressed::Char('q') | Pressed::Escape | Pressed::Interrupt => Some(Decision::Quit),
        Pressed::Char(_) => None,
    }
}

/// Fails if an engine of the suites is another program than in the run: its results would be accepted unseen.
fn check_engines(run: &RunRecord, journal: &Path) -> anyhow::Result<()> {
    let suites = run.spec().parts.iter().filter(|part| matches!(part.task, Task::Suite(_)));
    let engines: Vec<&EngineSpec> = suites.flat_map(|part| part.task.engines()).collect();
    let Some(known) = run.sessions().last() else { return Ok(()) };
    let known = known.iter().filter_map(|build| {
        let spec = engines.iter().find(|engine| engine.text == build.engine)?;
        Some((build, ((*spec).clone(), build.engine_id.clone())))
    });
    let (known, specs): (Vec<&EngineBuild>, Vec<_>) = known.unzip();
    for (known, now) in known.into_iter().zip(EngineBuild::of_all(&specs)) {
        let changes = known.changes(&now);
        anyhow::ensure!(
            changes.is_empty(),
            "engine `{}` has changed since the run in {}: {}; run `threefold regress` again",
            known.engine,
            journal.display(),
            changes.join("; ")
        );
    }
    Ok(())
}
