//! The study of repetitions: what each answer costs and is worth, gathered from a run of `study repetition`.

mod advice;
mod csv;
mod html;
mod variant;

pub use variant::{Variant, Worth};

use super::Format;
use super::model::{Duel, MatchResult, Report, SuitePart};
use threefold_harness::suite::kinds::effort::{CUT_SHORT, MICROSECONDS, NODES};
use threefold_stats::interval::Rate;

/// The page and its figures.
pub(super) const FORMATS: [Format; 2] = [html::FORMAT, csv::FORMAT];

/// What the run says of every variant.
struct Study<'r> {
    report: &'r Report,
    /// Answers to the traps.
    traps: Vec<(Variant, &'r SuitePart)>,
    costs: Vec<Cost>,
    worths: Vec<(Worth, &'r Duel)>,
}

/// What a variant's searches cost.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cost {
    variant: Variant,
    /// Nodes a second, as a share of those without detection in the same round: lowest, median, highest.
    speed: Option<[f64; 3]>,
    /// Searches that the limit of nodes ended before that depth, of so many.
    cut_short: Option<[usize; 2]>,
    /// Nodes to the same depth, as a share of those of the plain variant.
    nodes: Option<f64>,
    /// Time to the same depth, likewise, by the medians.
    time: Option<f64>,
    /// Of the nodes met, those whose value hung on a repetition above.
    hanging: Option<f64>,
    /// Of what was stored, what came without a value.
    bare: Option<f64>,
    /// Repetitions overlooked and imagined, a million nodes.
    wrong: Option<[f64; 2]>,
}

/// One variant's searches in one round.
#[derive(Debug, Clone, Copy, Default)]
struct Effort {
    nodes: f64,
    microseconds: f64,
}

impl<'r> Study<'r> {
    fn of(report: &'r Report) -> Self {
        let named = |prefix: &str, variant: Variant| {
            let name = format!("{prefix} {variant}");
            report.suites.iter().find(|part| part.name == name)
        };
        let traps = Variant::grid().into_iter();
        let traps = traps.filter_map(|variant| Some((variant, named("traps", variant)?))).collect();
        let worths = Worth::all().into_iter().filter_map(|worth| {
            let part = report.matches.iter().find(|part| part.name == worth.to_string())?;
            match &part.result {
                MatchResult::Duel(duel) => Some((worth, duel)),
                MatchResult::Test(_) | MatchResult::Ratings(_) | MatchResult::Table => None,
            }
        });
        let round = |number: usize| -> Vec<(Variant, Effort)> {
            let prefix = format!("effort {number}");
            let efforts = Variant::measured().into_iter();
            efforts.filter_map(|variant| Some((variant, effort(named(&prefix, variant)?)?))).collect()
        };
        let rounds: Vec<_> =
            (1..=report.suites.len()).map(round).take_while(|round| !round.is_empty()).collect();
        let cost = |variant| Cost::of(variant, &rounds, named("effort 0", variant));
        let costs = Variant::measured().into_iter().map(cost).collect();
        Self { report, traps, costs, worths: worths.collect() }
    }

    /// How a variant did on the traps, of one class or of all.
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

    fn worth(&self, new: Variant) -> Option<&'r Duel> {
        self.worths.iter().find(|(worth, _)| worth.new == new).map(|(_, duel)| *duel)
    }
}

/// What a kind of suite counted, summed over its cases.
fn sum(part: &SuitePart, name: &str) -> f64 {
    let measures = part.cases.iter().flat_map(|case| &case.verdict.measures);
    measures.filter(|measure| measure.name == name).map(|measure| measure.amount as f64).sum()
}

/// `None` as long as cases are missing.
fn effort(part: &SuitePart) -> Option<Effort> {
    let whole = part.cases.len() == part.planned && part.planned > 0;
    whole.then(|| Effort { nodes: sum(part, NODES), microseconds: sum(part, MICROSECONDS) })
}

impl Cost {
    fn of(variant: Variant, rounds: &[Vec<(Variant, Effort)>], census: Option<&SuitePart>) -> Self {
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
            speed: against(Variant::BLIND, |it, base| {
                (it.nodes / it.microseconds) / (base.nodes / base.microseconds)
            }),
            cut_short: census.map(|part| [sum(part, CUT_SHORT) as usize, part.cases.len()]),
            nodes: against(Variant::PLAIN, |it, base| it.nodes / base.nodes).map(|[_, median, _]| median),
            time: against(Variant::PLAIN, |it, base| it.microseconds / base.microseconds)
                .map(|[_, median, _]| median),
            hanging: share("nodes that hang", "nodes met"),
            bare: share("stores without a value", "stores"),
            wrong: a_million("repetitions overlooked")
                .and_then(|overlooked| Some([overlooked, a_million("repetitions imagined")?])),
        }
    }
}

/// Lowest, median and highest.
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
