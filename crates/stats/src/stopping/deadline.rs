//! A test with a deadline as a stopping rule: see [`crate::deadline`].

use super::parameters::{GivenParameters, Parameter, Parameters};
use super::rule::{AnyRule, AnyTest, RuleKind, RunningTest, Statistic, StoppingRule};
use crate::deadline::{Course, DeadlineBounds, DeadlineLook, DeadlineTest, Ending, UNDONE, deadline_test};
use crate::elo::{Estimate, Logistic};
use crate::pentanomial::{Trial, few_unequal_pairs};
use crate::planning::operating_point::{ExpectedLength, Openings};
use crate::root_finding::decreasing_crossing;
use crate::sample::Sample;
use crate::scoresheet::Scoresheet;
use crate::sequential::{Bounds, EloHypotheses, Judgement, StoppedEstimate, TrialUnit};

pub(super) const KIND: RuleKind = RuleKind {
    name: "deadline",
    title: "Deadline test",
    statistic: Statistic { name: "Z", words: "standard score", key: "z" },
    read: parse_deadline,
};

/// The search for an estimate goes this many of its standard errors beyond the observed difference.
const FURTHEST: f64 = 12.0;

fn parse_deadline(mut given: GivenParameters) -> Result<AnyRule, String> {
    let test = DeadlineTest::new(given.hypotheses()?, given.count("most_pairs")?);
    given.finish()?;
    test.map(Into::into).map_err(|error| error.to_string())
}

impl StoppingRule for DeadlineTest {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn parameters(&self) -> Parameters {
        let own = ("most_pairs", Parameter::Count(self.pairs().get()));
        self.hypotheses().parameters().into_iter().chain([own]).collect()
    }

    fn hypotheses(&self) -> &EloHypotheses {
        self.hypotheses()
    }

    fn counts(&self) -> TrialUnit {
        TrialUnit::Pairs
    }

    fn conditions(&self) -> String {
        String::new()
    }

    fn start(&self) -> AnyTest {
        DeadlineState { test: *self, results: Scoresheet::default(), next_share: 0.0, look: None }.into()
    }

    fn games_left(&self, _: &Scoresheet, _: Logistic) -> Option<f64> {
        // The deadline may be one of time, so the number of games is not known.
        None
    }

    fn expected_length(&self, openings: Openings) -> Option<ExpectedLength> {
        let games = 2.0 * self.pairs().get() as f64;
        let separation = deadline_test::separation(self.hypotheses(), openings.variance_per_game()?, games);
        let course = Course::new(&DeadlineBounds::new(self.hypotheses().risks(), separation));
        let at = |part: f64| games * course.chances(part * separation).share;
        let worst = f64::midpoint(self.hypotheses().elo0(), self.hypotheses().elo1());
        Some(ExpectedLength { at_hypotheses: at(0.0).max(at(1.0)), at_worst: at(0.5), worst })
    }

    fn has_deadline(&self) -> bool {
        true
    }
}

/// A running test with a deadline.
#[derive(Debug, Clone)]
struct DeadlineState {
    test: DeadlineTest,
    results: Scoresheet,
    /// The share of the games or of the time that is used with the next trial; 0 if it was not set.
    next_share: f64,
    /// `None` before the first pair.
    look: Option<DeadlineLook>,
}

impl RunningTest for DeadlineState {
    fn set_share(&mut self, share: f64) {
        self.next_share = share;
    }

    fn record(&mut self, trial: Trial) -> Judgement {
        if self.results.record_trial(trial).is_some() {
            let pairs = self.results.pairs();
            let of_pairs = pairs.trials() as f64 / self.test.pairs().get() as f64;
            // A test may have a limit of pairs and one of time: the one that is closer counts.
            let share = of_pairs.max(self.next_share).min(1.0);
            self.look = DeadlineLook::new(self.test.hypotheses(), pairs, share);
        }
        self.judgement()
    }

    fn results(&self) -> &Scoresheet {
        &self.results
    }

    fn value(&self) -> f64 {
        self.look.map_or(0.0, |look| look.value())
    }

    fn bounds(&self) -> Bounds {
        let risks = self.test.hypotheses().risks();
        let start = || DeadlineBounds::new(risks, DeadlineBounds::decisive(risks)).at(0.0);
        self.look.map_or_else(start, |look| look.bounds())
    }

    fn judgement(&self) -> Judgement {
        self.look.map_or(Judgement::Continue, |look| look.judgement())
    }

    fn estimate(&self, alpha: f64) -> Option<StoppedEstimate> {
        let (look, sample) = (self.look?, Sample::regularised(self.results.pairs())?);
        let end = Ending { share: look.share(), place: look.value(), judgement: look.judgement() };
        let course = Course::new(&look.course());
        // A drift is the expected value at the deadline, in standard errors. The observed drift belongs to
        // the observed mean.
        let (observed, error) = (end.place / end.share, sample.standard_error() * end.share.sqrt());
        let reach = FURTHEST / end.share.sqrt();
        let elo_at = |chance: f64| {
            let excess = |drift| course.chance_of_worse(drift, end) - chance;
            let drift = decreasing_crossing(observed - reach, observed + reach, excess);
            Logistic::of_score_clamped(sample.mean() + (drift - observed) * error)
        };
        let elo = Estimate { low: elo_at(1.0 - alpha / 2.0), value: elo_at(0.5), high: elo_at(alpha / 2.0) };
        let equality = observed + (0.5 - sample.mean()) / error;
        Some(StoppedEstimate { elo, superiority: course.chance_of_worse(equality, end) })
    }

    fn remark(&self) -> Option<String> {
        let look = self.look?;
        let (used, undone) = (100.0 * look.share(), 100.0 * UNDONE);
        let moment = format!("after {used:.0} % of its games or time");
        match look.judgement() {
            Judgement::Continue => (!look.has_unequal_pairs()).then(few_unequal_pairs),
            _ if look.share() >= 1.0 => Some("Decided at the deadline.".to_owned()),
            Judgement::AcceptH1 => Some(format!(
                "Decided early, {moment}: even if H0 were true, the rest would undo this with a probability below {undone:.0} %."
            )),
            Judgement::AcceptH0 => Some(format!(
                "Stopped as futile {moment}: even if H1 were true, the rest would change this with a probability below \
                 {undone:.0} %."
            )),
        }
    }

    fn copy(&self) -> AnyTest {
        self.clone().into()
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;
    use crate::pentanomial::GameResult::{self, Draw, Loss, Win};
    use crate::stopping;
    use crate::{EloModel, Risks};

    fn test(model: EloModel, pairs: u64) -> DeadlineTest {
        let hypotheses = EloHypotheses::new(model, 0.0, 60.0, Risks::USUAL).expect("sound");
        DeadlineTest::new(hypotheses, NonZeroU64::new(pairs).expect("not zero")).expect("sound")
    }

    /// Plays pairs, again and again, until the test decides or ends; `share` is that of the time, by pair.
    fn play(pairs: &[[GameResult; 2]], most: usize, share: impl Fn(usize) -> f64) -> AnyTest {
        let mut running = AnyRule::from(test(EloModel::Normalized, most as u64)).start();
        for (index, &pair) in pairs.iter().cycle().take(most).enumerate() {
            running.set_share(share(index + 1));
            if running.record(Trial::Pair(pair)) != Judgement::Continue {
                break;
            }
        }
        running
    }

    #[test]
    fn rule_is_read_back_from_its_parameters() {
        let rule = AnyRule::from(test(EloModel::Logistic, 700));
        let given = rule.parameters().into_iter().map(|(name, value)| (name.to_owned(), value));
        assert_eq!(stopping::parse_rule("deadline", given.collect()), Ok(rule));
    }

    #[test]
    fn deadline_test_says_how_it_ended() {
        let (won, lost) = ([Win, Draw], [Draw, Loss]);
        // 27 pairs won and 23 lost, 8 times: 1.60 standard errors above H0, where 1.65 accept H1.
        let block = [[won, lost].repeat(5), vec![won]].concat();
        let close = [block.repeat(4), [won, lost].repeat(3)].concat();
        let table: [(&[[GameResult; 2]], Judgement, &str); 4] = [
            (&[won, [Draw, Draw]], Judgement::AcceptH1, "Decided early, after 28 % of its games or time"),
            (&[won, lost], Judgement::AcceptH0, "Stopped as futile after 85 % of its games or time"),
            (&[[Draw, Draw]; 2], Judgement::Continue, "Fewer than 20 pairs are not level"),
            (&close, Judgement::AcceptH0, "Decided at the deadline."),
        ];
        for (pairs, judgement, remark) in table {
            let ended = play(pairs, 400, |_| 0.0);
            assert_eq!(ended.judgement(), judgement, "{pairs:?}: {}", ended.remark().unwrap_or_default());
            let said = ended.remark().unwrap_or_default();
            assert!(said.starts_with(remark), "{pairs:?}: {said}");
        }
    }

    /// A deadline of time that comes after half of the pairs makes the test one of half the length.
    #[test]
    fn deadline_may_be_one_of_time() {
        let results = [[Win, Draw], [Draw, Draw], [Draw, Draw], [Draw, Loss], [Win, Loss], [Win, Draw]];
        let by_time = play(&results, 400, |pairs| pairs as f64 / 200.0);
        let by_pairs = play(&results, 200, |_| 0.0);
        assert_eq!(by_time.results(), by_pairs.results());
        assert_eq!((by_time.value(), by_time.bounds()), (by_pairs.value(), by_pairs.bounds()));
        assert_ne!(by_time.bounds(), play(&results, 400, |_| 0.0).bounds());
    }

    /// The same results in nineteen unequal pairs decide nothing, and in twenty they do.
    #[test]
    fn few_unequal_pairs_decide_nothing() {
        let won = |count: usize| {
            let mut running = AnyRule::from(test(EloModel::Normalized, 400)).start();
            for index in 0..400 {
                running.record(Trial::Pair(if index % 20 < 1 && index / 20 < count {
                    [Win, Win]
                } else {
                    [Draw, Draw]
                }));
            }
            running.judgement()
        };
        assert_eq!([won(19), won(20)], [Judgement::Continue, Judgement::AcceptH1]);
    }

    #[test]
    fn estimate_allows_for_an_early_end() {
        let early = play(&[[Win, Draw], [Draw, Draw]], 400, |_| 0.0);
        let estimate = early.estimate(0.05).expect("pairs of two kinds");
        let fixed = crate::elo::logistic(early.results().pairs()).expect("pairs");
        let (low, value, high) = (estimate.elo.low.0, estimate.elo.value.0, estimate.elo.high.0);
        assert!(0.0 < low && low < value && value < high, "{estimate:?}");
        assert!(value < fixed.value.0, "an early end overestimates: {value} {fixed:?}");
        assert!(estimate.superiority > 0.99, "{estimate:?}");
        // Without an early end it is the usual interval.
        let (won, level, lost) = ([Win, Draw], [Draw, Draw], [Draw, Loss]);
        let pairs = [
            [won, lost, level, won, level, lost, won, level, lost, won],
            [level, won, lost, level, won, level, lost, won, level, level],
        ];
        let late = play(&pairs.concat(), 100, |_| 0.0);
        assert_eq!((late.judgement(), late.results().pairs().trials()), (Judgement::Continue, 100));
        let (estimate, fixed) = (
            late.estimate(0.05).expect("pairs of several kinds"),
            crate::elo::logistic(late.results().pairs()).expect("pairs"),
        );
        for (ours, usual) in [
            (estimate.elo.low, fixed.low),
            (estimate.elo.value, fixed.value),
            (estimate.elo.high, fixed.high),
        ] {
            assert!((ours.0 - usual.0).abs() < 0.7, "{estimate:?} {fixed:?}");
        }
    }
}
