//! What the cases of one engine's run of a suite add up to.
//!
//! Rates count the cases that were asked. What an engine lacks is told beside them and counts neither way.

use std::collections::BTreeMap;

use super::model::SuitePart;
use super::phrase;
use threefold_harness::suite::{CaseRecord, Mark};
use threefold_stats::interval::Rate;

impl SuitePart {
    /// How many cases the engine lacks something for; no rate counts them.
    pub fn skips(&self) -> usize {
        self.cases.iter().filter(|case| case.verdict.mark == Mark::Skipped).count()
    }

    /// Was no case put to the engine, since it lacks what each needs?
    pub fn is_skipped(&self) -> bool {
        !self.cases.is_empty() && self.skips() == self.cases.len()
    }

    /// What the engine lacks, and how many cases each lack takes out, by the lack's name.
    pub fn lacks(&self) -> Vec<(&str, usize)> {
        let mut lacks: BTreeMap<&str, usize> = BTreeMap::new();
        for case in self.cases.iter().filter(|case| case.verdict.mark == Mark::Skipped) {
            *lacks.entry(&case.verdict.reason).or_default() += 1;
        }
        lacks.into_iter().collect()
    }

    /// Cases passed of those asked, and how many were not: `41/44`, `41/44, 3 skipped`, `all 44 skipped`.
    pub fn tally(&self) -> String {
        match self.skips() {
            0 => phrase::fraction(self.rate()),
            skips if skips == self.cases.len() => format!("all {skips} skipped"),
            skips => format!("{}, {skips} skipped", phrase::fraction(self.rate())),
        }
    }

    /// How many of the cases asked passed; one that was skipped was not asked.
    pub fn rate(&self) -> Rate {
        rate_of(&self.cases)
    }

    /// The pass rate of every class, by name; numbers in names count as numbers, so that `mate-in-2` comes before
    /// `mate-in-10`.
    pub fn classes(&self) -> Vec<(&str, Rate)> {
        let mut classes: BTreeMap<&str, Vec<&CaseRecord>> = BTreeMap::new();
        for case in &self.cases {
            classes.entry(&case.class).or_default().push(case);
        }
        let mut classes: Vec<(&str, Rate)> =
            classes.into_iter().map(|(class, cases)| (class, rate_of(cases))).collect();
        classes.sort_by(|(one, _), (other, _)| alphanumeric_sort::compare_str(one, other));
        classes
    }

    /// How often each reason was given, details left out; passes first, then by name.
    pub fn reasons(&self) -> Vec<(Mark, String, usize)> {
        let mut reasons: BTreeMap<(Mark, String), usize> = BTreeMap::new();
        for case in &self.cases {
            *reasons.entry((case.verdict.mark, gist(&case.verdict.reason))).or_default() += 1;
        }
        reasons.into_iter().map(|((mark, reason), count)| (mark, reason, count)).collect()
    }

    /// Did the wall's clock limit a search of any case?
    pub fn is_timed(&self) -> bool {
        self.cases.iter().any(|case| case.verdict.time.is_some())
    }

    /// The cases that were asked and did not pass, in order.
    pub fn unpassed(&self) -> impl Iterator<Item = &CaseRecord> {
        self.cases.iter().filter(|case| matches!(case.verdict.mark, Mark::Failed | Mark::Fault))
    }
}

/// A reason without what is only true of one case: what follows a colon, a semicolon, a bracket or a
/// number.
fn gist(reason: &str) -> String {
    let general = reason.split([':', ';', '(']).next().unwrap_or_default().trim();
    let words: Vec<&str> = general
        .split_whitespace()
        .take_while(|word| !word.contains(|character: char| character.is_ascii_digit()))
        .collect();
    let gist = words.join(" ");
    if gist.is_empty() {
        return "each its own".to_owned();
    }
    if gist.len() < general.len() { format!("{gist} …") } else { gist }
}

fn rate_of<'a>(cases: impl IntoIterator<Item = &'a CaseRecord>) -> Rate {
    let mut rate = Rate { successes: 0, failures: 0 };
    for case in cases {
        match case.verdict.mark {
            Mark::Passed => rate.successes += 1,
            Mark::Failed | Mark::Fault => rate.failures += 1,
            Mark::Skipped => {}
        }
    }
    rate
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_harness::suite::Verdict;

    #[test]
    fn skipped_cases_are_told_apart_from_failed_ones() {
        let mut part = super::super::specimen::report().suites.remove(0);
        let lacking = || Verdict::skipped("the engine lacks option UCI_Chess960");
        part.cases[3].verdict = lacking();
        assert_eq!((part.tally().as_str(), part.is_skipped()), ("2/3, 1 skipped", false));
        assert_eq!(part.unpassed().count(), 1);
        for case in &mut part.cases {
            case.verdict = lacking();
        }
        assert_eq!((part.tally().as_str(), part.is_skipped()), ("all 4 skipped", true));
        assert_eq!(part.lacks(), [("the engine lacks option UCI_Chess960", 4)]);
        assert_eq!((part.unpassed().count(), part.rate().trials()), (0, 0));
    }

    #[test]
    fn classes_are_in_the_order_of_their_numbers() {
        let mut part = super::super::specimen::report().suites.remove(0);
        for (case, class) in part.cases.iter_mut().zip(["mate-in-10", "mate-in-2", "draw", "mate-in-1"]) {
            class.clone_into(&mut case.class);
        }
        let names: Vec<&str> = part.classes().into_iter().map(|(class, _)| class).collect();
        assert_eq!(names, ["draw", "mate-in-1", "mate-in-2", "mate-in-10"]);
    }

    #[test]
    fn reasons_are_counted_without_their_details() {
        let table = [
            ("optimal", "optimal"),
            ("longer: #5 instead of #3", "longer"),
            ("it ended (signal: 11) while searching", "it ended"),
            ("illegal move e7e8 at ply 2", "illegal move …"),
            ("800 is 210 Elo above 600", "each its own"),
            ("", "each its own"),
            ("Threefold after 8 plies; used 42.9 %", "Threefold after …"),
        ];
        for (reason, expected) in table {
            assert_eq!(gist(reason), expected);
        }
    }
}
