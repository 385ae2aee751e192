//! The queue with what its tests have come to, as their journals say.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;

use crate::input::test_queue::{QueueContents, QueueFolder, StoredTest};
use crate::session::outcome;
use threefold_report::Registry;
use threefold_report::model::report::{MatchResult, Test, TestStanding};
use threefold_report::queue::{Queue, QueueResult, QueueState, QueuedTest};
use threefold_report::words::rerun::shell_word;
use threefold_run::{RunRecord, journal};

/// The size and the time of the last change of a journal and of its write-ahead log.
type Stamp = Vec<Option<(u64, SystemTime)>>;

/// What the journals of finished tests have said. A long journal takes seconds to read.
#[derive(Debug, Default)]
pub(super) struct KnownResults(BTreeMap<u32, (Stamp, QueueState, QueueResult)>);

impl KnownResults {
    /// The queue with its results.
    ///
    /// # Errors
    /// If the level of the queue is none.
    pub(super) fn queue(&mut self, folder: &QueueFolder, contents: &QueueContents) -> anyhow::Result<Queue> {
        let online = contents.online().context("the queue has no level")?;
        Ok(Queue { online, tests: contents.tests.iter().map(|test| self.test(folder, test)).collect() })
    }

    /// A test with its result.
    pub(super) fn test(&mut self, folder: &QueueFolder, stored: &StoredTest) -> QueuedTest {
        let journal = folder.journal(stored.number);
        let found = journal.exists().then(|| self.of_journal(stored.number, &journal));
        let (state, result, problem) = match found {
            None => (QueueState::Waiting, None, None),
            Some(Err(error)) => (QueueState::Fault, None, Some(format!("{error:#}"))),
            Some(Ok((state, result))) => (state, result, None),
        };
        let problem = problem.or_else(|| stored.problem.clone().filter(|_| state.is_open()));
        let state = match state {
            _ if stored.is_withdrawn => QueueState::Withdrawn,
            _ if problem.is_some() => QueueState::Fault,
            state => state,
        };
        let of_fault = || result.as_ref().filter(|_| state == QueueState::Fault);
        let page = QueueFolder::of_test(stored.number).join("index.html");
        let words = stored.words.iter().map(|word| shell_word(word));
        QueuedTest {
            number: stored.number,
            name: stored.name.clone(),
            priority: stored.priority,
            state,
            place: stored.place,
            command: words.fold("threefold".to_owned(), |line, word| format!("{line} {word}")),
            problem: problem.or_else(|| of_fault().map(|result: &QueueResult| result.conclusion.clone())),
            result,
            journal: journal.exists().then(|| journal.display().to_string()),
            page: folder.root().join(&page).exists().then(|| page.display().to_string()),
        }
    }

    fn of_journal(
        &mut self,
        number: u32,
        journal: &Path,
    ) -> anyhow::Result<(QueueState, Option<QueueResult>)> {
        let stamp = stamp(journal);
        if let Some((_, state, result)) = self.0.get(&number).filter(|(known, ..)| *known == stamp) {
            return Ok((*state, Some(result.clone())));
        }
        let (state, result) = read(journal)?;
        if let Some(result) = result.as_ref().filter(|_| state.is_finished()) {
            // Reading may write the log back.
            self.0.insert(number, (self::stamp(journal), state, result.clone()));
        }
        Ok((state, result))
    }
}

fn stamp(journal: &Path) -> Stamp {
    let log = PathBuf::from(format!("{}-wal", journal.display()));
    let of = |path: &Path| {
        let found = fs::metadata(path).ok()?;
        Some((found.len(), found.modified().ok()?))
    };
    vec![of(journal), of(&log)]
}

/// The state of a journal's test, and what its games have shown.
fn read(journal: &Path) -> anyhow::Result<(QueueState, Option<QueueResult>)> {
    // Asked before the journal is read: a test that ends in between is not shown as interrupted.
    let is_running = journal::is_in_use(journal);
    let run = RunRecord::read(journal)?;
    let set = outcome::report_set(run.spec(), journal, &Registry::built_in())?;
    let report = outcome::build_report(&run, &set)?;
    let test = report.matches.first().map(|part| &part.result);
    let Some(MatchResult::Test(test)) = test else {
        anyhow::bail!("{}: is not the journal of a test", journal.display())
    };
    let state = state(test.standing);
    let state = if is_running && !state.is_finished() { QueueState::Running } else { state };
    Ok((state, Some(result(test, report.headline()))))
}

fn result(test: &Test, conclusion: String) -> QueueResult {
    QueueResult {
        games: test.duel.sheet.games().trials(),
        elo: test.stopped.map(|stopped| stopped.elo),
        e_value: test.bets.bets().map(|bets| bets.against_h0().now),
        alpha: test.hypotheses().risks().alpha,
        conclusion,
    }
}

const fn state(standing: TestStanding) -> QueueState {
    match standing {
        TestStanding::AcceptedH1 => QueueState::Accepted,
        TestStanding::AcceptedH0 => QueueState::Rejected,
        TestStanding::BudgetSpent | TestStanding::NoNewGames | TestStanding::AnotherPassed => {
            QueueState::Undecided
        }
        TestStanding::DependsOnFaults | TestStanding::TooManyFaults => QueueState::Fault,
        // The journal does not say whether a process still uses it; the caller finds out.
        TestStanding::Interrupted | TestStanding::Running => QueueState::Interrupted,
    }
}
