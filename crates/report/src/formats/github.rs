//! Annotations of GitHub Actions: commands that a job prints, one line each.
//!
//! The commands are described in
//! <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>. GitHub shows at
//! most ten errors, ten warnings and ten notices of a step and drops the rest without a word, so the last
//! line counts them.

use crate::format;
use crate::model::report::{FailureKind, Report};
use crate::words::finding::{Finding, Severity};
use crate::words::headline::Acceptance;

/// Errors, and warnings, that GitHub shows for a step.
const MOST: usize = 10;

/// The most characters of a message.
const MESSAGE: usize = 1_000;

/// An annotation.
struct Annotation {
    level: Level,
    title: String,
    /// File and line.
    place: Option<(String, Option<usize>)>,
    message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Error,
    Warning,
    Notice,
}

impl Level {
    const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

/// The commands that show a run: the headline, the reasons against it, and its findings.
pub fn annotations(report: &Report) -> Vec<String> {
    let mut annotations = vec![headline(report)];
    annotations.extend(failure_reasons(report));
    annotations.extend(report.findings().into_iter().map(of_finding));
    limited(&annotations)
}

/// The command that shows an error.
pub fn error(title: &str, message: &str) -> String {
    let message = message.to_owned();
    command(&Annotation { level: Level::Error, title: title.to_owned(), place: None, message })
}

/// An undecided test and a suite that is not compared are warnings: they are no reason against the run.
fn headline(report: &Report) -> Annotation {
    let level = match report.acceptance() {
        Acceptance::Accepted if report.is_doubtful() => Level::Warning,
        Acceptance::Accepted | Acceptance::Running => Level::Notice,
        Acceptance::Unfinished | Acceptance::Refused | Acceptance::Stopped | Acceptance::NotCompared => {
            Level::Error
        }
    };
    Annotation { level, title: report.title.clone(), place: None, message: report.headline() }
}

/// The reasons against the run that are no cases.
fn failure_reasons(report: &Report) -> impl Iterator<Item = Annotation> {
    let failure_reasons =
        // Each lost case is a finding with an annotation of its own.
        report.failure_reasons.iter().filter(|reason| reason.kind != FailureKind::Regression);
    failure_reasons.map(|reason| Annotation {
        level: Level::Error,
        title: format!("{} in {}", reason.kind, reason.part),
        place: None,
        message: reason.what.clone(),
    })
}

fn of_finding(finding: Finding) -> Annotation {
    let level = match finding.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
        Severity::Note => Level::Notice,
    };
    let place = Some((finding.place.file, finding.place.line));
    Annotation { level, title: finding.title, place, message: finding.message }
}

/// The first of each level, and a line that counts the others.
fn limited(annotations: &[Annotation]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut left_out = Vec::new();
    for level in [Level::Error, Level::Warning, Level::Notice] {
        // One place among the notices is for the line that counts.
        let most = if level == Level::Notice { MOST - 1 } else { MOST };
        let of_level: Vec<&Annotation> = annotations.iter().filter(|it| it.level == level).collect();
        lines.extend(of_level.iter().take(most).map(|it| command(it)));
        if of_level.len() > most {
            left_out.push(format::count(of_level.len() - most, level.name()));
        }
    }
    if !left_out.is_empty() {
        let message =
            format!("Not shown here: {}; the job summary and index.html have them.", left_out.join(", "));
        lines.push(command(&Annotation {
            level: Level::Notice,
            title: "threefold".to_owned(),
            place: None,
            message,
        }));
    }
    lines
}

/// `::error title=…,file=…,line=…::…`
fn command(annotation: &Annotation) -> String {
    let mut properties = vec![format!("title={}", property(&annotation.title))];
    if let Some((file, line)) = &annotation.place {
        properties.push(format!("file={}", property(file)));
        properties.extend(line.map(|line| format!("line={line}")));
    }
    // Clipped before it is escaped, so that no escape sequence is cut.
    let message: String = annotation.message.chars().take(MESSAGE).collect();
    format!("::{} {}::{}", annotation.level.name(), properties.join(","), data(&message))
}

/// A message, escaped as GitHub's own toolkit does it.
fn data(text: &str) -> String {
    // The percent sign comes first, or it would escape the escapes of the others.
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;
    use threefold_suites::{FailCause, Verdict};

    #[test]
    fn a_run_is_annotated_worst_first() {
        insta::assert_snapshot!(annotations(&fixture::report()).join("\n"));
    }

    #[test]
    fn text_from_outside_ends_no_command() {
        let line = error("a: b, c", "50 %\r\n::error::forged");
        assert_eq!(line, "::error title=a%3A b%2C c::50 %25%0D%0A::error::forged");
        assert_eq!(line.lines().count(), 1);
    }

    #[test]
    fn github_shows_ten_of_each_level_and_the_rest_is_counted() {
        let mut report = fixture::report();
        let case = report.suites[0].cases[0].clone();
        for number in 0..30 {
            let mut case = case.clone();
            case.id = format!("case {number}");
            case.verdict = Verdict::unanswered(FailCause::History, "lost");
            report.worse.insert(crate::model::sources::case_name(&case));
            report.suites[0].cases.push(case);
        }
        let lines = annotations(&report);
        let of = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!((of("::error "), of("::warning "), of("::notice ")), (10, 1, 2), "{lines:#?}");
        let last = lines.last().expect("a line");
        // 30 lost cases and 2 of before, the headline and a threshold.
        assert!(last.contains("Not shown here: 24 errors; "), "{last}");
    }

    #[test]
    fn an_undecided_test_is_not_red() {
        let mut report = fixture::report();
        report.suites.clear();
        report.matches.truncate(1);
        report.matches[0].games.clear();
        report.failure_reasons.clear();
        report.baseline = crate::model::report::Baseline::Absent("there is no baseline".to_owned());
        let lines = annotations(&report);
        assert!(
            lines[0].starts_with("::warning title=Regression run::Undecided after 120 games"),
            "{lines:#?}"
        );
        assert_eq!(lines.len(), 1);
    }
}
