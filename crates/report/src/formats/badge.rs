//! `badge.svg`: the result of a run in a line, for a README: `1 120 of 1 120 · +12 ± 5 Elo`.
//!
//! It is green only if a comparison, a threshold or a test decided the run, everything was compared, and
//! nothing is undecided or faulty. A run that nothing decided is grey and says so.

use maud::{Markup, html};

use crate::model::report::{FailureKind, MatchPart, MatchResult, Report};
use crate::words::headline::Acceptance;
use crate::{ReportFormat, format};
use threefold_run::regress::plan::BASE_TEST;
use threefold_stats::{Estimate, Logistic};

/// The format's entry in the table of formats.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "badge",
    file: "badge.svg",
    summary: "the result in a line, as an image for a README",
    stream: None,
    render: |report| Ok(Badge::new(report).svg_text().into_bytes()),
};

/// The colour of a badge. White text has a contrast of at least 4.5 to each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Colour {
    /// Accepted by a comparison, a threshold or a test, and nothing is open.
    Green,
    /// Accepted, but something is open.
    Amber,
    /// Refused, or stopped by engine faults.
    Red,
    /// Nothing decided the run, or not yet.
    Grey,
}

impl Colour {
    const fn code(self) -> &'static str {
        match self {
            Self::Green => "#14683a",
            Self::Amber => "#824c00",
            Self::Red => "#b3241a",
            Self::Grey => "#5a6374",
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Badge {
    message: String,
    colour: Colour,
}

/// The text of the left half.
const LABEL: &str = "threefold";
const LABEL_GROUND: &str = "#33373f";

impl Badge {
    fn new(report: &Report) -> Self {
        let (state, colour) = state(report);
        let (passed, total) = report.cases();
        let cases = (total > 0).then(|| {
            let [passed, total] = [passed, total].map(|number| format::grouped(number as u64));
            format!("{passed} of {total}")
        });
        let elo = elo(report).map(elo_text);
        let parts: Vec<String> = state.map(str::to_owned).into_iter().chain(cases).chain(elo).collect();
        let message = if parts.is_empty() { "no result".to_owned() } else { parts.join(" · ") };
        Self { message, colour }
    }

    fn svg_text(&self) -> String {
        /// Pixels.
        const HEIGHT: u32 = 20;
        const MARGIN: u32 = 6;
        let [label, message] = [LABEL, &self.message].map(width);
        let [left, right] = [label, message].map(|text| text + 2 * MARGIN);
        let text = |x: u32, length: u32, text: &str| -> Markup {
            html! { text x=(x) y="14" textLength=(length) lengthAdjust="spacingAndGlyphs" { (text) } }
        };
        let title = format!("{LABEL}: {}", self.message);
        let drawn = html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(left + right) height=(HEIGHT) role="img" aria-label=(title) {
                title { (title) }
                clipPath id="corners" { rect width=(left + right) height=(HEIGHT) rx="3" {} }
                g clip-path="url(#corners)" {
                    rect width=(left) height=(HEIGHT) fill=(LABEL_GROUND) {}
                    rect x=(left) width=(right) height=(HEIGHT) fill=(self.colour.code()) {}
                }
                g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" {
                    (text(MARGIN, label, LABEL))
                    (text(left + MARGIN, message, &self.message))
                }
            }
        };
        drawn.into_string() + "\n"
    }
}

/// The state of the run and its colour; no text if the numbers suffice.
fn state(report: &Report) -> (Option<&'static str>, Colour) {
    let basis = report.basis();
    let is_decided = basis.compared.cases + basis.thresholds + basis.tests > 0;
    match report.acceptance() {
        Acceptance::Accepted if report.becomes_baseline => (Some("new baseline"), Colour::Grey),
        Acceptance::Accepted if report.is_doubtful() => (Some(doubt(report)), Colour::Amber),
        Acceptance::Accepted if is_decided => (None, Colour::Green),
        // A match of fixed length or a calibration decides nothing: its figures are the result.
        Acceptance::Accepted if report.suites.is_empty() => (None, Colour::Grey),
        Acceptance::Accepted | Acceptance::NotCompared => (Some("not compared"), Colour::Grey),
        Acceptance::Unfinished => (Some("unfinished"), Colour::Grey),
        Acceptance::Running => (Some("running"), Colour::Grey),
        Acceptance::Refused => (Some(refusal(report)), Colour::Red),
        Acceptance::Stopped => (Some("stopped by engine faults"), Colour::Red),
    }
}

/// What an accepted run leaves open.
fn doubt(report: &Report) -> &'static str {
    if !report.faults().is_empty() {
        "engine faults"
    } else if !report.basis().gaps.is_empty() {
        "not all compared"
    } else if report.tuning().is_some_and(|(_, tuning)| tuning.is_untested()) {
        "not tested"
    } else {
        "undecided"
    }
}

/// Why a run was refused; of several reasons, the first of this list.
fn refusal(report: &Report) -> &'static str {
    let has = |kind| report.failure_reasons.iter().any(|reason| reason.kind == kind);
    let kinds = [
        (FailureKind::FailedStart, "not started"),
        (FailureKind::Regression, "regression"),
        (FailureKind::WorseSuite, "regression"),
        (FailureKind::Rejection, "H0 accepted"),
        (FailureKind::Threshold, "threshold missed"),
        (FailureKind::Undecided, "undecided"),
    ];
    kinds.into_iter().find(|(kind, _)| has(*kind)).map_or("failed", |(_, words)| words)
}

/// The Elo of the engine under test: in the test against its base version, or else in its first match against
/// one opponent.
fn elo(report: &Report) -> Option<Estimate<Logistic>> {
    let is_tested =
        |name: &str| report.suites.is_empty() || report.suites.iter().any(|suite| suite.engine == name);
    let measured = |part: &MatchPart| match &part.result {
        MatchResult::Test(test) if is_tested(&test.duel.ours) => Some(test.stopped?.elo),
        MatchResult::Duel(duel) if is_tested(&duel.ours) => Some(duel.fixed?.logistic),
        MatchResult::Test(_)
        | MatchResult::Duel(_)
        | MatchResult::Table
        | MatchResult::Ratings(_)
        | MatchResult::Tuning(_) => None,
    };
    let is_base = |part: &&MatchPart| part.name == BASE_TEST;
    let base = report.matches.iter().find(is_base).and_then(measured);
    base.or_else(|| report.matches.iter().find_map(measured))
}

/// `+12 ± 5 Elo`.
fn elo_text(elo: Estimate<Logistic>) -> String {
    let half = (elo.high.0 - elo.low.0) / 2.0;
    // Adding 0.0 turns -0.0 into 0.0, which has no minus sign.
    format!("{:+.0} ± {half:.0} Elo", elo.value.0.round() + 0.0)
}

/// The width of a text in Verdana at 11 pixels, roughly; the image stretches the text to it.
fn width(text: &str) -> u32 {
    let tenths = |character: char| match character {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | '·' | ' ' | '\u{202f}' => 36,
        'f' | 't' | 'r' => 44,
        'm' | 'w' | 'M' | 'W' => 100,
        '+' | '±' | '-' => 90,
        other if other.is_uppercase() => 78,
        _ => 68,
    };
    text.chars().map(tenths).sum::<u32>().div_ceil(10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;
    use crate::model::report::{Baseline, FailureReason, TestStanding};
    use threefold_run::job::ComparisonUse;

    /// A run whose every compared case passes, without matches.
    fn passing() -> Report {
        let mut report = fixture::report();
        report.failure_reasons.clear();
        report.worse.clear();
        report.matches.clear();
        report.suites.truncate(1);
        report.suites[0].cases.truncate(1);
        report.suites[0].planned = 1;
        if let Baseline::Compared { coverage, .. } = &mut report.baseline {
            coverage.retain(|suite| suite.compared.is_ok());
        }
        report
    }

    fn badge(change: impl Fn(&mut Report)) -> (String, Colour) {
        let mut report = passing();
        change(&mut report);
        let Badge { message, colour } = Badge::new(&report);
        (message, colour)
    }

    #[test]
    fn badge_is_green_only_if_something_decided_the_run() {
        let absent = |comparison| {
            move |report: &mut Report| {
                report.baseline = Baseline::Absent("there is no baseline".to_owned());
                report.comparison = comparison;
                report.suites[0].thresholds.clear();
            }
        };
        let refused = |kind| {
            move |report: &mut Report| {
                let (part, what) = ("repetition".to_owned(), "why".to_owned());
                report.failure_reasons.push(FailureReason { kind, part, what });
            }
        };
        let table: [(&str, (String, Colour)); 8] = [
            ("1 of 1", badge(|_| {})),
            ("not compared · 1 of 1", badge(absent(ComparisonUse::Required))),
            ("not compared · 1 of 1", badge(absent(ComparisonUse::Optional))),
            ("new baseline · 1 of 1", badge(|report| report.becomes_baseline = true)),
            ("unfinished · 1 of 1", badge(|report| report.suites[0].planned = 2)),
            ("regression · 1 of 1", badge(refused(FailureKind::Regression))),
            ("threshold missed · 1 of 1", badge(refused(FailureKind::Threshold))),
            ("failed · 1 of 1", badge(refused(FailureKind::Warning))),
        ];
        let colours = [
            Colour::Green,
            Colour::Grey,
            Colour::Grey,
            Colour::Grey,
            Colour::Grey,
            Colour::Red,
            Colour::Red,
            Colour::Red,
        ];
        for ((expected, found), colour) in table.into_iter().zip(colours) {
            assert_eq!(found, (expected.to_owned(), colour));
        }
        let not_started = Report::not_started("mine", "threefold regress", "a machine", "no such file");
        let Badge { message, colour } = Badge::new(&not_started);
        assert_eq!((message.as_str(), colour), ("not started", Colour::Red));
    }

    #[test]
    fn badge_is_amber_if_something_is_open() {
        // Only a part of the suites is compared.
        let gaps = badge(|report| report.baseline = fixture::report().baseline);
        assert_eq!(gaps, ("not all compared · 1 of 1".to_owned(), Colour::Amber));
        let undecided = badge(|report| {
            report.matches = fixture::report().matches[..1].to_vec();
            report.matches[0].games.clear();
            let MatchResult::Test(test) = &mut report.matches[0].result else { panic!("it is a test") };
            assert_eq!(test.standing, TestStanding::BudgetSpent);
            test.duel.ours = report.suites[0].engine.clone();
        });
        assert!(
            undecided.0.starts_with("undecided · 1 of 1 · ") && undecided.0.ends_with(" Elo"),
            "{undecided:?}"
        );
        assert_eq!(undecided.1, Colour::Amber);
    }

    #[test]
    fn elo_has_its_interval_and_is_that_of_the_engine_under_test() {
        let elo =
            |low, value, high| Estimate { low: Logistic(low), value: Logistic(value), high: Logistic(high) };
        assert_eq!(elo_text(elo(7.2, 12.3, 17.4)), "+12 ± 5 Elo");
        assert_eq!(elo_text(elo(-9.0, -0.3, 9.0)), "+0 ± 9 Elo");
        let (message, _) = badge(|report| {
            report.matches = fixture::report().matches[..1].to_vec();
            let MatchResult::Test(test) = &mut report.matches[0].result else { panic!("it is a test") };
            test.duel.ours = "another engine".to_owned();
        });
        assert!(!message.contains("Elo"), "{message}");
    }

    #[test]
    fn image_says_its_text_to_screen_readers_and_loads_nothing() {
        let text = Badge { message: "1 of 1 · <b>".to_owned(), colour: Colour::Green }.svg_text();
        assert!(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{text}");
        assert!(text.contains("role=\"img\" aria-label=\"threefold: 1 of 1 · &lt;b&gt;\""), "{text}");
        assert_eq!(text.matches("http").count(), 1, "{text}");
    }
}
