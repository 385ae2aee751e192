//! The verdict of a whole run in one or two sentences: what the suites say, what the tests say, and what is
//! not compared.

use crate::format;
use crate::model::match_stats::{Test, TestStanding};
use crate::model::report::{Baseline, FailureKind, MatchResult, Report};
use crate::words::headline::Acceptance;
use threefold_run::regress::Loss;

/// Suites that the headline of a regression names.
const NAMED_SUITES: usize = 4;

impl Report {
    /// The result of the whole run; `None` as long as it goes on without a reason against it.
    pub(crate) fn verdict(&self) -> Option<String> {
        let has = |kind| self.failure_reasons.iter().any(|reason| reason.kind == kind);
        Some(match self.acceptance() {
            Acceptance::Running => return None,
            Acceptance::Refused if self.is_stopped_by_failed_cases() => {
                let lost = (!self.worse.is_empty()).then(|| self.regression());
                lost.into_iter().chain([self.early_stop()]).collect::<Vec<_>>().join(" ")
            }
            Acceptance::Refused if has(FailureKind::Regression) || has(FailureKind::WorseSuite) => {
                self.both_halves(Some(self.regression()))
            }
            Acceptance::Refused if has(FailureKind::Threshold) => {
                self.both_halves(Some("A suite missed its threshold.".to_owned()))
            }
            Acceptance::Refused if has(FailureKind::RefusedBaseline) => {
                "The baseline is not written.".to_owned()
            }
            Acceptance::Refused => {
                let strict = has(FailureKind::Warning).then(|| "Warnings count against the run.".to_owned());
                let compared = self.basis().compared.cases > 0;
                let halves = self.both_halves(compared.then(|| self.accepted()));
                std::iter::once(halves)
                    .chain(self.disputed())
                    .chain(strict)
                    .filter(|it| !it.is_empty())
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            Acceptance::Unfinished | Acceptance::Stopped => {
                format!("Unfinished: the run was interrupted after {}.", self.done())
            }
            Acceptance::NotCompared => self.not_compared(),
            Acceptance::Accepted => self.both_halves(Some(self.accepted())),
        })
    }

    /// The verdict on the suites, that of each test, and what is not compared.
    fn both_halves(&self, suites: Option<String>) -> String {
        let tests = self.test_sentences();
        let is_about_tests_alone = self.suites.is_empty() && !tests.is_empty();
        let suites = suites
            .filter(|_| !is_about_tests_alone)
            .map(|said| if tests.is_empty() { said } else { format!("Suites: {}", uncapitalized(&said)) });
        suites.into_iter().chain(tests).chain(self.basis().gap_sentence()).collect::<Vec<_>>().join(" ")
    }

    /// `The run stopped after 3 failed cases (--stop-after); 12 of 1 040 cases done.` A comparison stops after `lost cases`.
    fn early_stop(&self) -> String {
        let stops = self.failure_reasons.iter().filter(|reason| reason.kind == FailureKind::Stopped);
        let why: Vec<&str> = stops.map(|reason| reason.what.as_str()).collect();
        format!("The run {}; {} done.", why.join(", "), self.done())
    }

    fn not_compared(&self) -> String {
        let basis = self.basis();
        basis.gap_sentence().unwrap_or_else(|| "Not compared: nothing decides on this run.".to_owned())
    }

    /// `Regression: 16 cases are worse than in the baseline (repetition 14, rule 2).`
    fn regression(&self) -> String {
        let mut suites: Vec<(&str, usize)> = Vec::new();
        for name in &self.worse {
            match suites.iter_mut().find(|(suite, _)| *suite == name.suite) {
                Some((_, count)) => *count += 1,
                None => suites.push((&name.suite, 1)),
            }
        }
        suites.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let named: Vec<String> =
            suites.iter().take(NAMED_SUITES).map(|(suite, count)| format!("{suite} {count}")).collect();
        let more = suites.len().saturating_sub(NAMED_SUITES);
        let more = if more > 0 { format!(", {}", format::count(more, "more suite")) } else { String::new() };
        let (cases, are) = (self.worse.len(), if self.worse.len() == 1 { "is" } else { "are" });
        let cases = format!(
            "{} {are} worse than in the baseline ({}{more})",
            format::count(cases, "case"),
            named.join(", ")
        );
        let whole = self.failure_reasons.iter().filter(|reason| reason.kind == FailureKind::WorseSuite);
        let whole =
            whole.map(|reason| format!("suite {} is worse as a whole", format::visible(&reason.part)));
        let found: Vec<String> = (!self.worse.is_empty()).then_some(cases).into_iter().chain(whole).collect();
        format!("Regression: {}.", found.join("; "))
    }

    /// `3 lost cases are solved at other search limits, 1 lost case is flaky, 1 lost case is not decided`; `None` without
    /// such cases.
    fn not_counted_sentence(&self) -> Option<String> {
        let losses = || self.not_counted.values();
        let later = losses().filter(|loss| matches!(loss, Loss::Later(_))).count();
        let flaky = losses().filter(|loss| matches!(loss, Loss::Flaky)).count();
        let undecided = self.not_counted.len() - later - flaky;
        let sentence = |cases: usize, what: &str| {
            let are = if cases == 1 { "is" } else { "are" };
            (cases > 0).then(|| format!("{} {are} {what}", format::count(cases, "lost case")))
        };
        let later = sentence(later, "solved at other search limits");
        let flaky = sentence(flaky, "flaky");
        let undecided = sentence(undecided, "not decided");
        let parts: Vec<String> = later.into_iter().chain(flaky).chain(undecided).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The verdict on the suites of an accepted run.
    fn accepted(&self) -> String {
        let basis = self.basis();
        match &self.baseline {
            _ if self.becomes_baseline => "The results are the new baseline.".to_owned(),
            Baseline::Compared { .. } if basis.compared.cases > 0 => {
                let again = self.not_counted_sentence().map(|said| format!("; {said}")).unwrap_or_default();
                format!("No regression ({}{again}).", basis.describe())
            }
            _ if basis.thresholds == 0 => "Finished.".to_owned(),
            _ if self.skips() > 0 => {
                format!("All requirements are met; {} skipped.", format::count(self.skips(), "case"))
            }
            _ => "All requirements are met.".to_owned(),
        }
    }

    /// The headline of each test that is over, with its name if there are several.
    fn test_sentences(&self) -> Vec<String> {
        let tests: Vec<(&str, &Test)> = self
            .matches
            .iter()
            .filter_map(|part| match &part.result {
                MatchResult::Test(test) if has_ended(test) => Some((part.name.as_str(), &**test)),
                _ => None,
            })
            .collect();
        let is_alone = tests.len() == 1;
        let sentences = tests.into_iter().map(|(name, test)| {
            let of = if is_alone { String::new() } else { format!(" of {name}") };
            format!("Games{of}: {}", uncapitalized(&test.headline()))
        });
        sentences.collect()
    }
}

/// Is the test decided, or its budget used up?
fn has_ended(test: &Test) -> bool {
    match test.standing {
        TestStanding::AcceptedH1
        | TestStanding::AcceptedH0
        | TestStanding::BudgetSpent
        | TestStanding::NoNewGames
        | TestStanding::DependsOnFaults
        | TestStanding::AnotherPassed => true,
        TestStanding::Interrupted | TestStanding::Running | TestStanding::TooManyFaults => false,
    }
}

/// The sentence as the continuation of another; `H1 accepted` and the like stay as they are.
fn uncapitalized(sentence: &str) -> String {
    let mut characters = sentence.chars();
    match (characters.next(), characters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => sentence.to_owned(),
    }
}
