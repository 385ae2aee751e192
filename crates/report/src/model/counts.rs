//! Counts of a suite, summed over its cases: found and best mates, points, moves used.

use crate::model::report::SuitePart;

/// One count over the cases of a suite that have it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Count {
    /// The name that the suite kind gives the count.
    pub name: String,
    /// The sum over the cases.
    pub amount: u64,
    /// Cases with a count above 0.
    pub cases: usize,
    /// The maximum sum, and the mean share over the cases.
    pub of: Option<(u64, f64)>,
}

impl Count {
    /// `best mates: 60`, `bad PVs: 3 (from 2 cases)`, `points: 312 of 400, mean 0.78`.
    pub(crate) fn describe(&self) -> String {
        let Self { name, amount, cases, of } = self;
        match of {
            Some((of, mean)) => format!("{name}: {amount} of {of}, mean {mean:.2}"),
            None if *amount == *cases as u64 => format!("{name}: {amount}"),
            None => format!("{name}: {amount} (from {cases} cases)"),
        }
    }
}

/// Every count of a suite, in the order of first appearance.
pub(crate) fn suite_counts(part: &SuitePart) -> Vec<Count> {
    let mut counts: Vec<Count> = Vec::new();
    let mut with_base: Vec<usize> = Vec::new();
    for measure in part.cases.iter().flat_map(|case| &case.verdict.measures) {
        let index = counts.iter().position(|count| count.name == measure.name).unwrap_or_else(|| {
            counts.push(Count { name: measure.name.clone(), amount: 0, cases: 0, of: None });
            with_base.push(0);
            counts.len() - 1
        });
        let count = &mut counts[index];
        count.amount += measure.amount;
        count.cases += usize::from(measure.amount > 0);
        if let Some(of) = measure.of.filter(|&of| of > 0) {
            // The second value is a sum until the loop below divides it by the number of cases.
            let (sum, shares) = count.of.unwrap_or_default();
            count.of = Some((sum + of, shares + measure.amount as f64 / of as f64));
            with_base[index] += 1;
        }
    }
    for (count, cases) in counts.iter_mut().zip(with_base) {
        count.of = count.of.map(|(sum, shares)| (sum, shares / cases as f64));
    }
    counts
}

/// All counts in one line; `None` if the suite has none.
pub(crate) fn describe(part: &SuitePart) -> Option<String> {
    let counts = suite_counts(part);
    (!counts.is_empty()).then(|| counts.iter().map(Count::describe).collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;
    use threefold_suites::Measure;

    #[test]
    fn counts_are_summed_with_their_cases_and_shares() {
        let mut part = fixture::report().suites.remove(0);
        assert_eq!(describe(&part), None);
        let measures = [
            vec![Measure::count("found mates", 1), Measure::share("points", 10, 10)],
            vec![Measure::count("found mates", 0), Measure::share("points", 2, 8)],
            vec![Measure::count("found mates", 1), Measure::count("bad PVs", 3)],
        ];
        for (case, measures) in part.cases.iter_mut().zip(measures) {
            case.verdict.measures = measures;
        }
        let said = "found mates: 2; points: 12 of 18, mean 0.62; bad PVs: 3 (from 1 cases)";
        assert_eq!(describe(&part).as_deref(), Some(said));
    }
}
