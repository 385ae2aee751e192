//! The study of repetitions: search cost and Elo of each option value, from a run of `study repetition`.

mod advice;
mod csv;
mod html;
mod question;
mod variant;

pub use question::Question;
pub use variant::{Variant, VariantMatch};

use threefold_report::ReportSet;
use threefold_report::model::report::{Duel, MatchResult, Report, SuitePart};
use threefold_stats::interval::Rate;
use threefold_suites::kinds::search_cost::{CUT_SHORT, MICROSECONDS, NODES};

/// The reports of `study repetition`: the HTML page and its figures, without the thousands of cases.
pub const REPORTS: ReportSet = ReportSet {
    name: "repetition",
    printed: csv::FORMAT,
    files: &[html::FORMAT, csv::FORMAT],
    is_measurement: true,
    needs_moves: false,
    derive_labels: Some(question::derived),
};

/// The results of every variant.
struct Study<'r> {
    report: &'r Report,
    /// Answers to the traps.
    traps: Vec<(Variant, &'r SuitePart)>,
    costs: Vec<Cost>,
    matches: Vec<(VariantMatch, &'r Duel)>,
}

/// The search cost of a variant.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cost {
    variant: Variant,
    /// Nodes per second relative to no detection in the same round: lowest, median, highest.
    speed: Option<[f64; 3]>,
    /// Searches that the node limit ended before the depth, and all searches.
    cut_short: Option<[usize; 2]>,
    /// Nodes to the same depth, relative to the reference variant.
    nodes: Option<f64>,
    /// Time to the same depth, likewise, by the medians.
    time: Option<f64>,
    /// The share of nodes whose score depends on a repetition above.
    hanging: Option<f64>,
    /// The share of stores without a score.
    bare: Option<f64>,
    /// Missed and false repetitions, for each million nodes.
    wrong: Option<[f64; 2]>,
}

/// One variant's searches in one round.
#[derive(Debug, Clone, Copy, Default)]
struct Effort {
    nodes: f64,
    microseconds: f64,
}

impl<'r> Study<'r> {
    fn new(report: &'r Report) -> Self {
        let asked: Vec<(Question, &SuitePart)> = report
            .suites
            .iter()
            .filter_map(|part| Some((Question::from_labels(&part.labels)?, part)))
            .collect();
        let traps = asked.iter().filter_map(|&(question, part)| match question {
            Question::Traps(variant) => Some((variant, part)),
            Question::Cost { .. } | Question::Match(_) => None,
        });
        let searches = |variant: Variant, round: usize| {
            let wanted = Question::Cost { variant, round };
            asked.iter().find(|(question, _)| *question == wanted).map(|(_, part)| *part)
        };
        let matches = report.matches.iter().filter_map(|part| {
            match (Question::from_labels(&part.labels)?, &part.result) {
                (Question::Match(pairing), MatchResult::Duel(duel)) => Some((pairing, duel)),
                _ => None,
            }
        });
        let round = |number: usize| -> Vec<(Variant, Effort)> {
            let efforts = Variant::measured().into_iter();
            efforts.filter_map(|variant| Some((variant, effort(searches(variant, number)?)?))).collect()
        };
        // The number of rounds is not recorded, but it is at most that of the suites.
        let rounds: Vec<_> =
            (1..=report.suites.len()).map(round).take_while(|round| !round.is_empty()).collect();
        let cost = |variant| Cost::new(variant, &rounds, searches(variant, 0));
        let costs = Variant::measured().into_iter().map(cost).collect();
        Self { report, traps: traps.collect(), costs, matches: matches.collect() }
    }

    /// A variant's pass rate on the traps of one class, or of all.
    fn rate(&self, variant: Variant, class: Option<&str>) -> Option<Rate> {
        let (_, part) = self.traps.iter().find(|(asked, _)| *asked == variant)?;
        match class {
            None => Some(part.rate()),
            Some(class) => part.classes().into_iter().find(|(name, _)| *name == class).map(|(_, rate)| rate),
        }
    }

    /// The classes of traps.
    fn classes(&self) -> Vec<&'r str> {
        self.traps
            .first()
            .map(|(_, part)| part.classes().iter().map(|(class, _)| *class).collect())
            .unwrap_or_default()
    }

    fn cost(&self, variant: Variant) -> Option<&Cost> {
        self.costs.iter().find(|cost| cost.variant == variant)
    }

    fn duel(&self, new: Variant) -> Option<&'r Duel> {
        self.matches.iter().find(|(pairing, _)| pairing.new == new).map(|(_, duel)| *duel)
    }
}

/// A count of a suite, summed over its cases.
fn sum(part: &SuitePart, name: &str) -> f64 {
    let measures = part.cases.iter().flat_map(|case| &case.verdict.measures);
    measures.filter(|measure| measure.name == name).map(|measure| measure.amount as f64).sum()
}

/// `None` while cases are missing.
fn effort(part: &SuitePart) -> Option<Effort> {
    let whole = part.cases.len() == part.planned && part.planned > 0;
    whole.then(|| Effort { nodes: sum(part, NODES), microseconds: sum(part, MICROSECONDS) })
}

impl Cost {
    fn new(variant: Variant, rounds: &[Vec<(Variant, Effort)>], census: Option<&SuitePart>) -> Self {
        let in_round = |round: &[(Variant, Effort)], wanted: Variant| {
            round.iter().find(|(variant, _)| *variant == wanted).map(|(_, effort)| *effort)
        };
        let against = |base: Variant, ratio: fn(Effort, Effort) -> f64| {
            let ratios = rounds
                .iter()
                .filter_map(|round| Some(ratio(in_round(round, variant)?, in_round(round, base)?)));
            spread(ratios.collect())
        };
        let counted = |name: &str| census.map(|part| sum(part, name));
        let share = |part: &str, whole: &str| {
            let (part, whole) = (counted(part)?, counted(whole)?);
            (whole > 0.0).then(|| part / whole)
        };
        let a_million = |name: &str| share(name, "nodes met").map(|share| 1e6 * share);
        Self {
            variant,
            speed: against(Variant::NO_DETECTION, |it, base| {
                (it.nodes / it.microseconds) / (base.nodes / base.microseconds)
            }),
            cut_short: census.map(|part| [sum(part, CUT_SHORT) as usize, part.cases.len()]),
            nodes: against(Variant::REFERENCE, |it, base| it.nodes / base.nodes).map(|[_, median, _]| median),
            time: against(Variant::REFERENCE, |it, base| it.microseconds / base.microseconds)
                .map(|[_, median, _]| median),
            hanging: share("nodes that hang", "nodes met"),
            bare: share("stores without a value", "stores"),
            wrong: a_million("repetitions overlooked")
                .and_then(|overlooked| Some([overlooked, a_million("repetitions imagined")?])),
        }
    }
}

/// Lowest, median and highest value.
fn spread(mut ratios: Vec<f64>) -> Option<[f64; 3]> {
    ratios.sort_by(f64::total_cmp);
    let (&low, &high) = (ratios.first()?, ratios.last()?);
    let middle = ratios.len() / 2;
    let median = if ratios.len() % 2 == 1 {
        ratios[middle]
    } else {
        f64::midpoint(ratios[middle - 1], ratios[middle])
    };
    Some([low, median, high])
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use threefold_echo::repetition::{Detector, RepetitionPolicy};
    use threefold_report::model::report::MatchPart;
    use threefold_run::Labels;
    use threefold_stats::GameResult::{Draw, Win};
    use threefold_suites::Measure;

    /// A part with a number of passed traps, or with searches of a given speed. Its name is arbitrary.
    fn suite(labels: Labels, passed: usize, nodes: u64) -> SuitePart {
        let measures = vec![Measure::count(NODES, nodes), Measure::count(MICROSECONDS, 1_000_000)];
        fixture::suite(labels, [passed, 10 - passed], &measures)
    }

    fn duel(pairing: VariantMatch) -> MatchPart {
        fixture::duel(Question::Match(pairing).labels(), ["A", "B"], &[[Win, Draw]])
    }

    #[test]
    fn labels_identify_the_study() {
        let with_base = |variant| [Variant::NO_DETECTION, variant];
        let other = Variant { policy: RepetitionPolicy::HistoryDraw, ..Variant::REFERENCE };
        let slower = Variant { detector: Detector::HashSet, ..Variant::REFERENCE };
        let mut suites = vec![
            suite(Question::Traps(other).labels(), 7, 0),
            suite(Question::Traps(Variant::REFERENCE).labels(), 4, 0),
            suite(Labels::NONE, 9, 0),
        ];
        for round in 0..3 {
            for (variant, nodes) in with_base(slower).into_iter().zip([1024, 256 + 256 * round]) {
                suites.push(suite(Question::Cost { variant, round: round as usize }.labels(), 10, nodes));
            }
        }
        let matches = vec![
            duel(VariantMatch { new: other, base: Variant::REFERENCE }),
            fixture::duel(Labels::NONE, ["A", "B"], &[]),
        ];
        let report = fixture::report(suites, matches);
        let study = Study::new(&report);
        let passed = |variant| study.rate(variant, None).map(|rate| rate.successes);
        assert_eq!([other, Variant::REFERENCE, slower].map(passed), [Some(7), Some(4), None]);
        let speed = study.cost(slower).and_then(|cost| cost.speed);
        // Round 0 counts what is met; its time says nothing.
        assert_eq!(speed, Some([0.5, 0.625, 0.75]));
        assert_eq!(study.matches.len(), 1);
        assert!(study.duel(other).is_some_and(|duel| duel.sheet.pairs().trials() == 1));
        for format in REPORTS.files {
            let text = String::from_utf8((format.render)(&report).expect("renders")).expect("UTF-8");
            assert!(text.contains("HistoryDraw against HistoryIgnored"), "{}", format.name);
        }
    }
}
