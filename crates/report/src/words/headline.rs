//! The headline: is the run accepted, and if not, why.
//!
//! The exit code, the first line of every format and the failing test cases of `junit.xml` all come from the
//! same list of failure reasons, which `regress` draws up, so that they can't contradict each other. A run
//! that is a single match has the result of the match as its headline.

use crate::format;
use crate::model::match_stats::{Duel, Test, TestStanding};
use crate::model::report::{
    Activity, Baseline, FailureKind, FaultStop, MatchPart, MatchResult, PairedComparison, Report, SuitePart,
    TournamentRounds,
};
use threefold_suites::VerdictKind;

/// The most parts that a line names.
const NAMED_PARTS: usize = 6;

threefold_named_enum::named_enum! {
    /// The result of the run as a whole.
    pub enum Acceptance {
        /// Everything is done and accepted.
        Accepted = "accepted",
        /// It was interrupted; there is no reason against it so far.
        Unfinished = "unfinished",
        /// It goes on; there is no reason against it so far.
        Running = "running",
        /// There is nothing to compare its results with, so that nothing decides on it.
        NotCompared = "not-compared",
        /// There is a reason against it.
        Refused = "refused",
        /// It stopped, because engines committed more faults than it allows.
        Stopped = "stopped",
    }
}

impl Report {
    /// The result of the run as a whole.
    pub fn acceptance(&self) -> Acceptance {
        if self.stopped.is_some() {
            Acceptance::Stopped
        } else if !self.failure_reasons.is_empty() {
            Acceptance::Refused
        } else if self.unfinished().is_empty() {
            if self.becomes_baseline || self.basis().decides {
                Acceptance::Accepted
            } else {
                Acceptance::NotCompared
            }
        } else if self.activity == Activity::Running {
            Acceptance::Running
        } else {
            Acceptance::Unfinished
        }
    }

    /// The headline, in a sentence or two. Engine faults and warnings are always named.
    pub fn headline(&self) -> String {
        // For several takes the conclusion below names those that ended because of faults.
        if let Some(stop) = self.stopped.as_ref().filter(|_| self.takes.is_none()) {
            let test = self.matches.iter().find(|part| part.name == stop.part);
            let both = test.and_then(MatchPart::with_and_without_faults);
            return stop.headline(&self.fault_summary().unwrap_or_default(), both.as_deref());
        }
        if let Some(why) = self.failed_start() {
            return format!("Not started: {why}.");
        }
        let running =
            (self.activity == Activity::Running).then(|| format!("The run goes on: {}.", self.done()));
        // If the run is not accepted, the verdict below says why.
        let champion = self.tournament.as_ref().filter(|_| self.acceptance() == Acceptance::Accepted);
        let champion = champion.and_then(TournamentRounds::headline);
        let result = champion
            .or_else(|| self.takes_conclusion())
            .or_else(|| self.tune_conclusion())
            .or_else(|| self.only_match())
            .or_else(|| self.verdict());
        let faults = self.fault_summary().map(|faults| format!("{faults}."));
        let warnings = self.warning_summary().map(|warnings| format!("{warnings}."));
        let named = [running, result, self.repeat_note(), faults].into_iter().flatten();
        named.chain(self.exceeded_limits()).chain(warnings).collect::<Vec<_>>().join(" ")
    }

    /// How far the run is: `120 of 400 games`. A part that is over counts with what it did, not with what was
    /// planned.
    pub fn done(&self) -> String {
        let suites = self.suites.iter().map(|suite| [suite.cases.len(), suite.planned]);
        let matches = self.matches.iter().map(|part| {
            let games = part.games.len();
            [games, if part.ending.is_some() { games } else { part.planned }]
        });
        let later = self.tournament.iter().map(|tournament| [0, tournament.later_games()]);
        let [done, planned] = suites
            .chain(matches)
            .chain(later)
            .fold([0, 0], |[done, planned], part| [done + part[0], planned + part[1]]);
        let unit = match (self.suites.is_empty(), self.matches.is_empty()) {
            (false, false) => "cases and games",
            (false, true) => "cases",
            (true, _) => "games",
        };
        format!("{} of {} {unit}", format::grouped(done as u64), format::grouped(planned as u64))
    }

    /// The result of a run that is one match or one test and nothing else.
    fn only_match(&self) -> Option<String> {
        match &self.matches[..] {
            [part] if self.suites.is_empty() && self.tournament.is_none() && self.basis().gaps.is_empty() => {
                match &part.result {
                    MatchResult::Test(test) => Some(test.headline()),
                    MatchResult::Duel(duel) if part.ending.is_some() => Some(duel.headline()),
                    MatchResult::Table | MatchResult::Ratings(_) if part.ending.is_some() => {
                        part.result_headline()
                    }
                    MatchResult::Duel(_)
                    | MatchResult::Table
                    | MatchResult::Ratings(_)
                    | MatchResult::Tuning(_) => None,
                }
            }
            _ => None,
        }
    }

    /// Are its matches the encounters of a Swiss tournament?
    pub(crate) fn is_swiss(&self) -> bool {
        self.tournament.as_ref().and_then(TournamentRounds::swiss).is_some()
    }

    /// Did it stop because as many cases as it was to stop after did not pass?
    pub(crate) fn is_stopped_by_failed_cases(&self) -> bool {
        self.failure_reasons.iter().any(|reason| reason.kind == FailureKind::Stopped)
    }

    /// Why the run was to become the baseline and does not: `not written, because …`.
    pub fn refused_baseline(&self) -> Option<&str> {
        let reason = self.failure_reasons.iter().find(|reason| reason.kind == FailureKind::RefusedBaseline);
        reason.map(|reason| reason.what.as_str())
    }

    /// Does it leave something open though it is accepted: an undecided test, tuned values without a test,
    /// engine faults, a suite that is not compared?
    pub fn is_doubtful(&self) -> bool {
        let is_open = |part: &MatchPart| match &part.result {
            MatchResult::Test(test) => test.is_open(),
            MatchResult::Tuning(tuning) => tuning.is_untested(),
            MatchResult::Table | MatchResult::Duel(_) | MatchResult::Ratings(_) => false,
        };
        self.matches.iter().any(is_open) || !self.faults().is_empty() || !self.basis().gaps.is_empty()
    }

    /// Number of skipped cases, over all suites.
    pub fn skips(&self) -> usize {
        self.suites.iter().map(SuitePart::skips).sum()
    }

    /// The comparisons with the baseline; empty without a baseline.
    pub fn comparisons(&self) -> &[PairedComparison] {
        match &self.baseline {
            Baseline::Absent(_) => &[],
            Baseline::Compared { suites, .. } => suites,
        }
    }

    /// The parts that are not over, with what is done and what was planned.
    pub fn unfinished(&self) -> Vec<(&str, usize, usize)> {
        let suites = self.suites.iter().map(|suite| (suite.name.as_str(), suite.cases.len(), suite.planned));
        // The number of games does not say whether a match is over, since a test ends early.
        let open = self.matches.iter().filter(|part| part.ending.is_none());
        let later = self.tournament.iter().map(TournamentRounds::later_games).filter(|games| *games > 0);
        suites
            .filter(|(_, done, planned)| done < planned)
            .chain(open.map(|part| (part.name.as_str(), part.games.len(), part.planned)))
            .chain(later.map(|games| ("later rounds", 0, games)))
            .collect()
    }

    /// The same in words: `traps: 3 of 9 done` for a part that has begun, and one line for the others.
    pub(crate) fn unfinished_lines(&self) -> Vec<String> {
        let (untouched, begun): (Vec<_>, Vec<_>) =
            self.unfinished().into_iter().partition(|(_, done, _)| *done == 0);
        let mut lines: Vec<String> =
            begun.iter().map(|(part, done, planned)| format!("{part}: {done} of {planned} done")).collect();
        let names: Vec<String> = untouched.iter().map(|(part, ..)| (*part).to_owned()).collect();
        lines.extend(
            (!names.is_empty()).then(|| format!("not begun: {}", format::first_of(&names, NAMED_PARTS))),
        );
        lines
    }

    /// Numbers of cases passed and run, over all suites; skipped cases did not run.
    pub fn cases(&self) -> (usize, usize) {
        let all = self.suites.iter().flat_map(|suite| &suite.cases);
        let all = all.filter(|case| case.verdict.kind() != VerdictKind::Skipped);
        all.fold((0, 0), |(passed, asked), case| {
            (passed + usize::from(case.verdict.kind() == VerdictKind::Passed), asked + 1)
        })
    }
}

impl FaultStop {
    /// `Stopped by engine faults: 4 engine faults (Base 4) in 60 games of match, 3 allowed (--max-faults).`
    fn headline(&self, summary: &str, both: Option<&str>) -> String {
        let Self { part, allowed, jobs, unit, is_test } = self;
        let undecided = match (is_test, both) {
            (true, Some(both)) => format!(" The test is not decided: {both}."),
            (true, None) => " The test is not decided.".to_owned(),
            (false, _) => String::new(),
        };
        format!(
            "Stopped by engine faults: {summary}; {allowed} allowed in the first {} of {part} (--max-faults).{undecided}",
            format::count(*jobs, unit)
        )
    }
}

impl Test {
    /// Did it end without a decision?
    fn is_open(&self) -> bool {
        matches!(self.standing, TestStanding::BudgetSpent | TestStanding::NoNewGames)
    }

    /// Elo, statistic and conclusion: `Elo +12.3 ± 4.1, LLR 2.98 (-2.94, 2.94) [0, 5]; H1 accepted: …`.
    pub(crate) fn line(&self) -> String {
        if self.not_decided().is_some() {
            return self.conclusion();
        }
        let conclusion = match self.standing {
            TestStanding::AcceptedH1 | TestStanding::AcceptedH0 => {
                format!("{}: {}", self.standing, self.conclusion())
            }
            TestStanding::BudgetSpent
            | TestStanding::NoNewGames
            | TestStanding::DependsOnFaults
            | TestStanding::AnotherPassed
            | TestStanding::Interrupted
            | TestStanding::Running
            | TestStanding::TooManyFaults => self.conclusion(),
        };
        format!("Elo {}, {}; {conclusion}", self.elo(), self.evidence())
    }

    /// The estimate that allows for the stop: `+12.3 ± 4.1`.
    pub(crate) fn elo(&self) -> String {
        self.stopped.map_or_else(|| "unknown".to_owned(), |stopped| format::plus_minus(stopped.elo))
    }

    /// `H1 accepted: … Elo +86.0 ± 52.1 after 336 games.`, `Undecided after 20 games: Elo +12.0 ± 40.1, LLR
    /// 0.20 (-2.94, 2.94) [0, 5].`
    pub(crate) fn headline(&self) -> String {
        let games = self.duel.counted_games();
        let elo = self.elo();
        if let Some(why) = self.not_decided() {
            return why;
        }
        match self.standing {
            TestStanding::AcceptedH1 | TestStanding::AcceptedH0 => {
                format!("{}: {} Elo {elo} after {games}.", self.standing, self.conclusion())
            }
            TestStanding::BudgetSpent => {
                format!("Undecided after {games}: Elo {elo}, {}.", self.evidence())
            }
            TestStanding::Interrupted => {
                format!("Interrupted after {games}: Elo {elo}, {}.", self.evidence())
            }
            TestStanding::Running => format!("After {games}: Elo {elo}, {}.", self.evidence()),
            TestStanding::TooManyFaults
            | TestStanding::NoNewGames
            | TestStanding::DependsOnFaults
            | TestStanding::AnotherPassed => self.conclusion(),
        }
    }
}

impl Duel {
    /// `20 games: New scored 12.5 points against Base. Elo +87.0 ± 120.1, nElo …, LOS 92.1 %, Ptnml(0-2) [0,
    /// 1, 4, 4, 1].`
    pub(crate) fn headline(&self) -> String {
        let sheet = self.sheet.games();
        let games = self.counted_games();
        let points = format::points(sheet.points());
        let noun = if points == "1" { "point" } else { "points" };
        let estimates = self.fixed.map_or_else(
            || "Elo unknown".to_owned(),
            |fixed| {
                let [elo, normalized] =
                    [format::plus_minus(fixed.logistic), format::plus_minus_normalized(fixed.normalized)];
                format!("Elo {elo}, nElo {normalized}, LOS {}", format::percent(fixed.superiority))
            },
        );
        let dispute = self.fault_dispute().map(|both| format!("Not decided: {both}. ")).unwrap_or_default();
        format!(
            "{dispute}{games}: {} scored {points} {noun} against {}. {estimates}, Ptnml(0-2) {}.",
            self.ours,
            self.theirs,
            self.pentanomial()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::case_standing::CaseStanding;
    use crate::model::fixture;
    use crate::model::report::FailureReason;
    use crate::words::run_notice::NoticeKind;

    /// A run that is one test, with 20 of 60 games played.
    fn unfinished() -> Report {
        let mut report = fixture::report();
        report.failure_reasons.clear();
        report.suites.clear();
        report.baseline = Baseline::Absent("there is no baseline".to_owned());
        report.matches.truncate(1);
        let part = &mut report.matches[0];
        (part.ending, part.planned) = (None, 60);
        part.games = std::iter::repeat_n(part.games[0].clone(), 20).collect();
        let MatchResult::Test(test) = &mut part.result else { panic!("it is a test") };
        test.standing = TestStanding::Interrupted;
        report
    }

    #[test]
    fn run_that_goes_on_says_how_far_it_is() {
        let mut report = unfinished();
        assert_eq!(report.acceptance(), Acceptance::Unfinished);
        assert!(report.headline().starts_with("Interrupted after "), "{}", report.headline());
        report.mark_running();
        assert_eq!(report.acceptance(), Acceptance::Running);
        let headline = report.headline();
        assert!(headline.starts_with("The run goes on: 20 of 60 games. After "), "{headline}");
        for format in crate::FORMATS {
            let bytes = (format.render)(&report).expect("renders");
            let text = String::from_utf8(bytes).expect("text").to_lowercase();
            assert!(!text.contains("interrupted"), "{}: {text}", format.name);
        }
    }

    #[test]
    fn reason_against_a_run_that_goes_on_is_in_its_headline() {
        let mut report = fixture::report();
        report.suites[0].planned = 9;
        report.mark_running();
        assert_eq!(report.acceptance(), Acceptance::Refused);
        let headline = report.headline();
        assert!(headline.starts_with("The run goes on: "), "{headline}");
        assert!(headline.contains(" cases and games. Suites: regression: 2 cases are worse "), "{headline}");
    }

    #[test]
    fn run_that_failed_cases_stopped_is_no_success() {
        let mut report = fixture::report();
        report.suites[0].planned = 9;
        let reason = |report: &Report, cases: &str| {
            let what = format!("stopped after 2 {cases} (--stop-after)");
            FailureReason { kind: FailureKind::Stopped, part: report.suites[0].name.clone(), what }
        };
        report.failure_reasons = vec![reason(&report, "lost cases")];
        let compared = report.headline();
        let start = "Regression: 2 cases are worse than in the baseline (repetition 2). The run stopped after 2 lost \
                     cases (--stop-after); ";
        assert!(compared.starts_with(start), "{compared}");
        report.failure_reasons = vec![reason(&report, "failed cases")];
        report.worse.clear();
        report.baseline = Baseline::Absent("no baseline is given".to_owned());
        assert_eq!(report.acceptance(), Acceptance::Refused);
        let mut ahead = report.suites[0].clone();
        (ahead.name, ahead.cases, ahead.planned) = ("later".to_owned(), Vec::new(), 3);
        report.suites.push(ahead);
        let unfinished = ["repetition: 4 of 9 done", "mate, old: 1 of 3 done", "not begun: later"];
        assert_eq!(report.unfinished_lines(), unfinished);
        let headline = report.headline();
        let (start, end) =
            ("The run stopped after 2 failed cases (--stop-after); ", " cases and games done.");
        assert!(headline.starts_with(start) && headline.contains(end), "{headline}");
        assert_eq!(report.run_notices()[0].kind, NoticeKind::Stopped);
        let failed = report.suites[0].cases.iter().find(|case| case.verdict.kind() == VerdictKind::Failed);
        let standing = CaseStanding::judge(&report, &report.suites[0], failed.expect("a failed case"));
        assert_eq!(standing, CaseStanding::Counts);
    }

    #[test]
    fn finished_run_does_not_go_on() {
        let mut report = fixture::report();
        for suite in &mut report.suites {
            suite.planned = suite.cases.len();
        }
        let before = report.clone();
        assert_eq!(report.unfinished(), []);
        report.mark_running();
        assert_eq!(report, before);
    }
}
