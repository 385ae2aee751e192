//! The findings of a run, for CI servers: faults of engines, cases that count against the run, wrong lines,
//! and warnings.
//!
//! SARIF, GitLab's code quality report and GitHub's annotations have the same findings. A failure that the
//! baseline has as well is none, unless the engine's own output is wrong: a bad principal variation or mate
//! score.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::format;
use crate::model::case_standing::CaseStanding;
use crate::model::faults;
use crate::model::report::{FailureKind, MatchPart, Report, SuitePart};
use crate::model::sources::SourcePlace;
use crate::model::warnings::WarningGroup;
use crate::words::page_link;
use threefold_games::warning::WarningRule;
use threefold_suites::{CaseRecord, Cause, FailCause, VerdictKind};

/// How bad a finding is, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// The run is refused or stopped because of it.
    Error,
    /// An engine fault that the run allows.
    Warning,
    /// A wrong line or score that counts as little as before.
    Note,
}

/// A finding.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    /// How bad it is.
    pub(crate) severity: Severity,
    pub(crate) rule: FindingRule,
    /// What it is about, in a few words: `repetition: dawdle`.
    pub(crate) title: String,
    /// What happened.
    pub(crate) message: String,
    /// The file that it belongs to.
    pub(crate) place: SourcePlace,
    /// Where the page of the report has it.
    pub(crate) link: String,
    /// Names the same finding in every run: SHA-256 of its cause, part, case and engine.
    pub(crate) fingerprint: String,
    /// How often it happened.
    pub(crate) occurrences: usize,
}

/// What a finding is counted under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FindingRule {
    /// The cause of a verdict or of a lost game.
    Cause(Cause),
    /// A warning about an engine's output in games.
    Warning(WarningRule),
}

impl FindingRule {
    /// Its name: `fault/crash`, `failed/bad-pvs`, `warning/no-score`.
    pub(crate) fn id(self) -> String {
        match self {
            Self::Cause(cause) => rule(cause),
            Self::Warning(rule) => format!("warning/{rule}"),
        }
    }

    /// Its name in words.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Cause(cause) => cause.name(),
            Self::Warning(rule) => rule.name(),
        }
    }

    /// What it is about.
    pub(crate) fn summary(self) -> &'static str {
        match self {
            Self::Cause(cause) => cause.summary(),
            Self::Warning(rule) => rule.summary(),
        }
    }
}

/// The name of a cause's rule.
fn rule(cause: Cause) -> String {
    let words: Vec<&str> = cause.name().split(|it: char| !it.is_ascii_alphanumeric()).collect();
    let name = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    format!("{}/{}", cause.kind(), name.to_ascii_lowercase())
}

impl Report {
    /// The findings, the worst first; findings of the same severity are in the order of the run.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let suites = self.suites.iter();
        let cases = suites.flat_map(|part| part.cases.iter().filter_map(|case| self.of_case(part, case)));
        let games = self.matches.iter().flat_map(|part| self.of_games(part));
        let warnings = self.warnings().into_iter().map(|group| self.of_warning(&group));
        let mut findings: Vec<Finding> = cases.chain(games).chain(warnings).collect();
        findings.sort_by_key(|finding| finding.severity);
        findings
    }

    fn of_case(&self, part: &SuitePart, case: &CaseRecord) -> Option<Finding> {
        let verdict = &case.verdict;
        let counts = CaseStanding::judge(self, part, case) == CaseStanding::Counts;
        let severity = match (verdict.kind(), counts) {
            (VerdictKind::Passed, _) | (VerdictKind::Skipped, false) => return None,
            (_, true) => Severity::Error,
            (VerdictKind::Fault, false) => Severity::Warning,
            (VerdictKind::Failed, false) if is_wrong_output(verdict.cause) => Severity::Note,
            (VerdictKind::Failed, false) => return None,
        };
        let mut message = format!("{}: {}", verdict.kind(), verdict.reason());
        for (what, value) in [("played", &verdict.played), ("accepted", &case.accepted)] {
            if !value.is_empty() {
                // Writing to text never fails.
                _ = write!(message, "; {what} {value}");
            }
        }
        _ = write!(message, "; position {}", case.line);
        Some(Finding {
            severity,
            rule: FindingRule::Cause(verdict.cause),
            title: format::visible(&format!("{}: {}", part.name, case.id)),
            message: format::visible(&message),
            place: self.sources.of_case(case),
            link: page_link::case(part, &case.id),
            fingerprint: fingerprint([&rule(verdict.cause), &part.name, &case.id, &part.engine]),
            occurrences: 1,
        })
    }

    fn of_games(&self, part: &MatchPart) -> Vec<Finding> {
        let is_stop = self.stopped.as_ref().is_some_and(|stop| stop.part == part.name);
        let groups = faults::grouped(faults::of_games(part)).into_iter();
        let findings = groups.map(|group| {
            let cause = Cause::Fault(group.cause);
            Finding {
                severity: if is_stop { Severity::Error } else { Severity::Warning },
                rule: FindingRule::Cause(cause),
                title: format::visible(&format!("{}: {}", part.name, group.engine)),
                message: format::visible(&group.to_string()),
                place: self.sources.of_engine(&group.engine),
                link: page_link::PAGE.to_owned(),
                fingerprint: fingerprint([&rule(cause), &part.name, "games", &group.engine]),
                occurrences: group.count,
            }
        });
        findings.collect()
    }

    fn of_warning(&self, group: &WarningGroup) -> Finding {
        let counts = self
            .failure_reasons
            .iter()
            .any(|reason| reason.kind == FailureKind::Warning && reason.part == group.part);
        let rule = FindingRule::Warning(group.rule);
        Finding {
            severity: if counts { Severity::Error } else { Severity::Note },
            rule,
            title: format::visible(&format!("{}: {}", group.part, group.engine)),
            message: format::visible(&group.to_string()),
            place: self.sources.of_engine(&group.engine),
            link: page_link::PAGE.to_owned(),
            fingerprint: fingerprint([&rule.id(), &group.part, "games", &group.engine]),
            occurrences: usize::try_from(group.count).unwrap_or(usize::MAX),
        }
    }
}

/// Is the engine's own output wrong, whatever the case asks?
fn is_wrong_output(cause: Cause) -> bool {
    matches!(
        cause,
        Cause::Failed(
            FailCause::BadPv
                | FailCause::WrongMate
                | FailCause::InvalidMate
                | FailCause::UnexpectedMate
                | FailCause::BetterMate
                | FailCause::WrongTablebaseScore
                | FailCause::UnexpectedTablebaseScore
        )
    )
}

/// SHA-256 in hexadecimal digits, with the version of the recipe.
pub(crate) fn fingerprint(parts: [&str; 4]) -> String {
    // The zero byte separates the parts: without it `ab`, `c` and `a`, `bc` would be equal.
    let text = format!("threefold/1\0{}", parts.join("\0"));
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        // Writing to text never fails.
        _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::baseline_fixture::fail_in_the_baseline;
    use crate::model::fixture;
    use crate::model::report::FailureReason;

    #[test]
    fn findings_are_the_cases_that_count_and_the_faults() {
        let findings = fixture::report().findings();
        let found: Vec<(Severity, String, &str)> =
            findings.iter().map(|it| (it.severity, it.rule.id(), it.title.as_str())).collect();
        let expected = [
            (Severity::Error, "failed/history".to_owned(), "repetition: dawdle"),
            (Severity::Error, "fault/crash".to_owned(), "repetition: perpetual"),
            (Severity::Warning, "fault/illegal-move".to_owned(), "policies: old"),
            (Severity::Note, "warning/illegal-pv-move".to_owned(), "policies: new"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn strict_warning_is_an_error() {
        let mut report = fixture::report();
        let severity = |report: &Report, part: &str| {
            let mut report = report.clone();
            let (kind, part) = (FailureKind::Warning, part.to_owned());
            report.failure_reasons.push(FailureReason { kind, part, what: String::new() });
            report.findings().iter().find(|it| it.rule.id().starts_with("warning/")).map(|it| it.severity)
        };
        assert_eq!(severity(&report, "policies"), Some(Severity::Error));
        assert_eq!(severity(&report, "another part"), Some(Severity::Note));
        report.matches.clear();
        assert_eq!(severity(&report, "policies"), None);
    }

    #[test]
    fn a_known_failure_is_no_finding_unless_the_output_is_wrong() {
        let mut report = fixture::report();
        fail_in_the_baseline(&mut report);
        report
            .matches
            .iter_mut()
            .flat_map(|part| &mut part.games)
            .for_each(|game| game.record.warnings.clear());
        let of = |report: &Report| report.findings().iter().filter(|it| it.title.ends_with("dawdle")).count();
        assert_eq!(of(&report), 0);
        report.suites[0].cases[1].verdict.cause = FailCause::BadPv.into();
        assert_eq!(of(&report), 1);
        assert_eq!(report.findings().last().map(|it| it.severity), Some(Severity::Note));
    }

    #[test]
    fn fingerprints_are_unique_and_the_same_in_every_run() {
        let [one, other] = [fixture::report(), fixture::report()].map(|mut report| {
            report.suites[0].cases[3].verdict.detail = format!("it ended after {:p}", &raw const report);
            report.findings()
        });
        let prints =
            |findings: &[Finding]| findings.iter().map(|it| it.fingerprint.clone()).collect::<Vec<_>>();
        assert_eq!(prints(&one), prints(&other));
        let unique: BTreeSet<String> = prints(&one).into_iter().collect();
        assert_eq!(unique.len(), one.len());
        assert!(unique.iter().all(|it| it.len() == 64), "{unique:?}");
    }

    #[test]
    fn every_rule_has_a_name_of_its_own() {
        let causes = VerdictKind::ALL.iter().flat_map(|&kind| Cause::with_kind(kind));
        let rules: Vec<String> = causes.map(rule).collect();
        assert_eq!(rules.iter().collect::<BTreeSet<_>>().len(), rules.len());
        assert!(rules.iter().all(|rule| {
            rule.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || "-/".contains(it))
        }));
    }
}
