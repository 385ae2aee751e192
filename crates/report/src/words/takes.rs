//! The conclusion of a run of several takes, in sentences.

use crate::format;
use crate::model::report::{Report, TestStanding};
use crate::model::take_table::{Take, alpha};
use threefold_stats::takes::Guarantee;

impl Report {
    /// Which take passes, what became of the others, and what the error probability is; `None` for a run that
    /// is none of several takes.
    pub(crate) fn takes_conclusion(&self) -> Option<String> {
        let rule = self.takes.as_ref()?.rule;
        let takes = self.take_list();
        let of = |standings: &[TestStanding]| -> Vec<String> {
            let those = takes.iter().filter(|take| standings.contains(&take.test.standing));
            those.map(|take| take.name.to_owned()).collect()
        };
        let games: u64 = takes.iter().map(|take| take.games).sum();
        let after = format!("after {}", format::count(games as usize, "game"));
        let is_open = takes
            .iter()
            .any(|take| matches!(take.test.standing, TestStanding::Interrupted | TestStanding::Running));
        let passed = of(&[TestStanding::AcceptedH1]);
        let base = takes.first().map_or("the base", |take| &take.test.duel.theirs);
        let first = match (&passed[..], is_open) {
            ([], true) => format!("No take has passed so far, {after}"),
            ([], false) => format!("No take passes against {base}, {after}"),
            (_, open) => {
                let passing = takes.iter().filter(|take| take.test.standing == TestStanding::AcceptedH1);
                let named = passing.map(|take| format!("{} ({})", take.name, take.figures()));
                let pass = if passed.len() == 1 { "passes" } else { "pass" };
                let so_far = if open { ", so far" } else { "" };
                format!(
                    "{} {pass} against {base}{so_far}, {after}",
                    format::listed(&named.collect::<Vec<_>>())
                )
            }
        };
        let others = [
            (of(&[TestStanding::AcceptedH0]), "rejected"),
            (of(&[TestStanding::BudgetSpent]), "undecided at the end of the games"),
            (of(&[TestStanding::NoNewGames]), "without new games"),
            (of(&[TestStanding::TooManyFaults]), "left because of engine faults"),
            (of(&[TestStanding::DependsOnFaults]), "not decided because of engine faults"),
            (of(&[TestStanding::AnotherPassed]), "not decided when another take passed"),
        ];
        let others = others.into_iter().filter(|(names, _)| !names.is_empty());
        let others = others.map(|(names, what)| format!("; {what}: {}", format::first_of(&names, NAMED)));
        Some(format!("{first}{}. {}", others.collect::<String>(), level(rule.guarantee, &takes)))
    }
}

/// The names of takes that a sentence has.
const NAMED: usize = 8;

impl Take<'_> {
    /// `Elo +12.1 ± 8.3, LLR 4.41 of 4.33`.
    fn figures(&self) -> String {
        format!("Elo {}, {} {}", self.test.elo(), self.test.statistic().name, self.of_bound())
    }
}

/// What the error probability is about.
fn level(guarantee: Guarantee, takes: &[Take<'_>]) -> String {
    let asked = alpha(guarantee, takes);
    match guarantee {
        Guarantee::Family => format!(
            "The probability that any of the {} takes passes although H0 is true for it is about {} at most.",
            takes.len(),
            format::percent(asked)
        ),
        Guarantee::Each => format!(
            "Each take passes by error with a probability of about {} at most; that any of the {} does can be as likely as {}.",
            format::percent(asked),
            takes.len(),
            // The probability for independent tests.
            format::percent(1.0 - (1.0 - asked).powi(i32::try_from(takes.len()).unwrap_or(i32::MAX)))
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;
    use crate::model::report::{Baseline, MatchPart, MatchResult, Takes};
    use threefold_run::TakesRule;
    use threefold_run::job::ComparisonUse;
    use threefold_stats::takes::TakesEnd;

    /// A run of takes with these names and states.
    fn report(takes: &[(&str, TestStanding)], guarantee: Guarantee) -> Report {
        let mut report = fixture::report();
        let part = report.matches[0].clone();
        report.suites.clear();
        report.failure_reasons.clear();
        (report.baseline, report.comparison) = (Baseline::Absent("none".to_owned()), ComparisonUse::Optional);
        report.matches = takes
            .iter()
            .map(|&(name, standing)| {
                let MatchResult::Test(test) = &part.result else { panic!("it is a test") };
                let mut test = test.clone();
                test.standing = standing;
                MatchPart { name: name.to_owned(), result: MatchResult::Test(test), ..part.clone() }
            })
            .collect();
        let rule = TakesRule::new(TakesEnd::FirstPass, guarantee);
        report.takes = Some(Takes { rule, games: vec![(1..=60).collect(); takes.len()] });
        report
    }

    #[test]
    fn conclusion_says_who_passes_and_what_became_of_the_others() {
        let takes = [
            ("a", TestStanding::AcceptedH0),
            ("b", TestStanding::AcceptedH1),
            ("c", TestStanding::AnotherPassed),
            ("d", TestStanding::TooManyFaults),
        ];
        let said = report(&takes, Guarantee::Family).takes_conclusion().expect("takes");
        for text in [
            "b (Elo ",
            ") passes against old, after 8 games; rejected: a; left because of engine faults: d; not decided when another \
             take passed: c. The probability that any of the 4 takes passes although H0 is true for it is about 20.0 % at most.",
        ] {
            assert!(said.contains(text), "{text}: {said}");
        }
        let none = [("a", TestStanding::AcceptedH0), ("b", TestStanding::BudgetSpent)];
        assert_eq!(
            report(&none, Guarantee::Each).takes_conclusion().expect("takes"),
            "No take passes against old, after 4 games; rejected: a; undecided at the end of the games: b. Each take \
             passes by error with a probability of about 5.0 % at most; that any of the 2 does can be as likely as 9.8 %."
        );
        let open = [("a", TestStanding::Interrupted), ("b", TestStanding::AcceptedH0)];
        let said = report(&open, Guarantee::Family).takes_conclusion().expect("takes");
        assert!(said.starts_with("No take has passed so far, after 4 games; rejected: b. "), "{said}");
        assert_eq!(fixture::report().takes_conclusion(), None);
    }

    #[test]
    fn every_format_has_the_takes() {
        let takes = [("first-take", TestStanding::AcceptedH1), ("second-take", TestStanding::AnotherPassed)];
        let report = report(&takes, Guarantee::Family);
        for name in ["html", "markdown", "json"] {
            let format = crate::FORMATS.iter().find(|format| format.name == name).expect("a format");
            let text = String::from_utf8((format.render)(&report).expect("renders")).expect("UTF-8");
            for part in ["first-take", "second-take", "passes", "another take passed"] {
                assert!(text.contains(part), "{name}: {part}: {text}");
            }
        }
    }
}
