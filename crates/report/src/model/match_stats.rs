//! Statistics of two engines' games: of a match with a fixed number of games, and of a sequential test.
//!
//! Which interval is right depends on why the games ended. A match whose length was settled beforehand has
//! the usual one, *fixed-N*. A test stopped because of its results, which that interval doesn't allow for: it
//! gets the median-unbiased estimate of its stopping rule instead. The *anytime* interval and the evidence of
//! the bets hold for both, at any time.

use crate::format;
use threefold_games::pairing::EncounterLength;
use threefold_run::distinct_pairs::CountedTrial;
use threefold_stats::anytime::{EValue, Esprt, mixture};
use threefold_stats::pentanomial::LEAST_UNEQUAL_PAIRS;
use threefold_stats::stopping::Statistic;
use threefold_stats::{
    AnyRule, AnyTest, Bounds, EloHypotheses, Estimate, GameResult, Judgement, Logistic, Normalized,
    Pentanomial, Scoresheet, StoppedEstimate, Trial, elo,
};

/// The chance that an interval misses: they are all 95 % intervals.
const ALPHA: f64 = 0.05;

/// Two engines' games; all differences are A minus B.
///
/// ```
/// use threefold_report::model::report::Duel;
/// use threefold_stats::GameResult::{Draw, Loss, Win};
///
/// let engines = ["A".to_owned(), "B".to_owned()];
/// let duel = Duel::from_pairs(engines, &[[Win, Draw], [Draw, Draw], [Win, Loss], [Win, Win]]);
/// assert_eq!(duel.sheet.games().counts, [1, 3, 4], "lost, drawn and won by A");
/// assert_eq!(duel.sheet.pairs().counts, [0, 0, 2, 1, 1], "by A's points");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Duel {
    /// The name of A.
    pub ours: String,
    /// The name of B.
    pub theirs: String,
    /// Are they pairs or single games? Two single games in a row count as a pair for the estimates of a
    /// match.
    pub encounter: EncounterLength,
    /// Complete pairs and their games, or single games, by A's points.
    pub sheet: Scoresheet,
    /// The figures for a fixed number of games. `None` without pairs, or if all pairs have the same result,
    /// because the variance is unknown then.
    pub fixed: Option<FixedLength>,
    /// The ends of the anytime-valid 95 % interval of the difference; infinite if unbounded.
    pub anytime: [Logistic; 2],
    /// Games that A and that B lost by a fault: a crash, a time loss, an illegal move. They count as losses.
    pub faults: [u64; 2],
    /// The statistics without the pairs that had an engine fault; `None` if no pair had one.
    pub without_faults: Option<Box<Self>>,
}

/// The figures of a match of fixed length, with 95 % intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedLength {
    /// The difference in logistic Elo.
    pub logistic: Estimate<Logistic>,
    /// The difference in normalized Elo.
    pub normalized: Estimate<Normalized>,
    /// The likelihood that A is the stronger.
    pub superiority: f64,
}

/// A sequential test.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// Who, and how the pairs ended.
    pub duel: Duel,
    /// Its stopping rule.
    pub rule: AnyRule,
    /// The test, after all its pairs.
    pub running: AnyTest,
    /// The statistic after each pair, or after each single game.
    pub path: Vec<f64>,
    /// Its bounds at the same moments; empty if they are always the same.
    pub moving_bounds: Vec<Bounds>,
    /// Its present state.
    pub standing: TestStanding,
    /// The estimate corrected for stopping; `None` while the variance is unknown.
    pub stopped: Option<StoppedEstimate>,
    /// The e-values of the same pairs.
    pub bets: Esprt<5>,
    /// The e-values after each pair, against H0 and against H1.
    pub wealth: Vec<[EValue; 2]>,
    /// The statistics without the pairs that had an engine fault; `None` if no pair had one.
    pub without_faults: Option<Box<Self>>,
}

threefold_named_enum::named_enum! {
    /// The state of a sequential test.
    pub enum TestStanding {
        /// The statistic reached the upper bound.
        AcceptedH1 = "H1 accepted",
        /// The statistic reached the lower bound.
        AcceptedH0 = "H0 accepted",
        /// The games or the time of the test are used up, and the statistic reached no bound.
        BudgetSpent = "budget spent",
        /// It has played every opening, and further games only repeated earlier ones.
        NoNewGames = "no new games",
        /// It accepts one hypothesis with the pairs that had a fault, and the other without them.
        DependsOnFaults = "depends on engine faults",
        /// Another take passed first, so that this one needs no further games.
        AnotherPassed = "another take passed",
        /// It was interrupted before.
        Interrupted = "interrupted",
        /// It goes on.
        Running = "running",
        /// Engines committed more faults than the run allows, so the games do not measure strength.
        TooManyFaults = "stopped by engine faults",
    }
}

impl Duel {
    /// The statistics of A's complete pairs, in the order of the schedule.
    pub fn from_pairs(engines: [String; 2], pairs: &[[GameResult; 2]]) -> Self {
        Self::of_trials(engines, &trials(pairs))
    }

    fn of_trials([ours, theirs]: [String; 2], trials: &[CountedTrial]) -> Self {
        let mut sheet = Scoresheet::default();
        for trial in trials {
            sheet.record_trial(trial.results);
        }
        let fixed = FixedLength::from_pairs(sheet.pairs());
        let encounter = match trials.first().map(|trial| trial.results) {
            Some(Trial::Game(_)) => EncounterLength::Single,
            Some(Trial::Pair(_)) | None => EncounterLength::Pair,
        };
        Self {
            ours,
            theirs,
            encounter,
            sheet,
            fixed,
            anytime: mixture::elo(sheet.pairs(), ALPHA),
            faults: [0, 0],
            without_faults: None,
        }
    }

    /// The statistics of the pairs or single games that count, with and without those that had a fault.
    pub fn of_counted(engines: [String; 2], counted: &[CountedTrial]) -> Self {
        let without =
            without_faults(counted).map(|trials| Box::new(Self::of_trials(engines.clone(), &trials)));
        Self { without_faults: without, ..Self::of_trials(engines, counted) }
    }

    /// The number of games, as text: `20 games`.
    pub(crate) fn counted_games(&self) -> String {
        format::count(self.sheet.games().trials() as usize, "game")
    }

    /// Adds the numbers of games that A and B lost by an engine fault.
    #[must_use]
    pub fn with_faults(self, faults: [u64; 2]) -> Self {
        Self { faults, ..self }
    }

    /// The root mean square of the advantage that an opening gives a side, and the ratio of the variance of
    /// pairs to that of single games. `None` if all games ended alike.
    pub fn openings(&self) -> Option<(Logistic, f64)> {
        // With one class of results both variances come from the prior alone, and so would their ratio.
        let scattered = self.sheet.games().classes_seen() > 1;
        self.sheet.opening_bias().zip(self.sheet.variance_ratio()).filter(|_| scattered)
    }
}

fn trials(pairs: &[[GameResult; 2]]) -> Vec<CountedTrial> {
    let trial = |pair| CountedTrial { results: Trial::Pair(pair), has_fault: false, share: 0.0 };
    pairs.iter().copied().map(trial).collect()
}

/// The trials without a fault; `None` if that is all of them.
fn without_faults(counted: &[CountedTrial]) -> Option<Vec<CountedTrial>> {
    let without: Vec<CountedTrial> = counted.iter().filter(|trial| !trial.has_fault).copied().collect();
    (without.len() < counted.len()).then_some(without)
}

impl FixedLength {
    fn from_pairs(pairs: &Pentanomial) -> Option<Self> {
        // One class of results has no variance, so an interval would have no width.
        if pairs.classes_seen() < 2 {
            return None;
        }
        Some(Self {
            logistic: elo::logistic(pairs)?,
            normalized: elo::normalized(pairs)?,
            superiority: elo::superiority(pairs)?,
        })
    }
}

impl Test {
    /// What a test of these pairs, in the order of the schedule, has come to.
    pub fn from_pairs(
        engines: [String; 2],
        pairs: &[[GameResult; 2]],
        rule: &AnyRule,
        standing: TestStanding,
    ) -> Self {
        Self::of_trials(engines, &trials(pairs), rule, standing)
    }

    fn of_trials(
        engines: [String; 2],
        trials: &[CountedTrial],
        rule: &AnyRule,
        standing: TestStanding,
    ) -> Self {
        let duel = Duel::of_trials(engines, trials);
        let mut running = rule.start();
        let mut bets = Esprt::new(rule.hypotheses());
        let (mut path, mut moving_bounds, mut wealth) = (Vec::new(), Vec::new(), Vec::new());
        let mut sheet = Scoresheet::default();
        let mut waits = false;
        for trial in trials {
            // Precedes the recording: the test waits if it needs a trial although it is beyond a bound.
            let has_few = sheet.pairs().unequal() < LEAST_UNEQUAL_PAIRS;
            waits |= has_few && running.judgement() != Judgement::Continue;
            // The journal has results, not states of tests: the test is repeated here, pair by pair.
            running.set_share(trial.share);
            running.record(trial.results);
            path.push(running.value());
            if rule.has_deadline() {
                moving_bounds.push(running.bounds());
            }
            // Bets are placed on pairs, so of single games only every second one completes an observation.
            if let Some(pair) = sheet.record_trial(trial.results) {
                bets.record(Pentanomial::class(pair));
                wealth.push(bets.evidence());
            }
        }
        // Results of one class have no variance, and without one there is no estimate.
        let stopped = duel.fixed.and_then(|fixed| {
            let waited = waits.then(|| after_waiting(&duel, &fixed, &running)).flatten();
            waited.or_else(|| running.estimate(ALPHA))
        });
        Self {
            duel,
            rule: rule.clone(),
            running,
            path,
            moving_bounds,
            standing,
            stopped,
            bets,
            wealth,
            without_faults: None,
        }
    }

    /// What a test of the pairs or single games that count has come to, with and without those that had a
    /// fault.
    pub fn of_counted(
        engines: [String; 2],
        counted: &[CountedTrial],
        rule: &AnyRule,
        standing: TestStanding,
    ) -> Self {
        let without = without_faults(counted)
            .map(|trials| Box::new(Self::of_trials(engines.clone(), &trials, rule, standing)));
        Self { without_faults: without, ..Self::of_trials(engines, counted, rule, standing) }
    }

    /// The test's hypotheses and error rates.
    pub fn hypotheses(&self) -> &EloHypotheses {
        self.rule.hypotheses()
    }

    /// What the test compares with its bounds.
    pub fn statistic(&self) -> Statistic {
        self.rule.kind().statistic
    }

    /// Expected number of further pairs if the estimate is true; `None` if the test is decided or there is no
    /// estimate.
    pub fn expected_pairs(&self) -> Option<f64> {
        Some(self.rule.games_left(&self.duel.sheet, self.stopped?.elo.value)? / 2.0)
    }
}

/// The estimate of a test that was beyond a bound and waited for pairs that are not level; `None` if no interval is known.
///
/// The correction for stopping assumes that the way to a bound decided when the test ended, so it would say far too little of
/// these pairs. If the test ended with the last pair that it waited for, no earlier pair could end it, and in the order of
/// outcomes by stages its interval is that of a fixed length. Else the interval that is valid at any time holds here, too.
fn after_waiting(duel: &Duel, fixed: &FixedLength, running: &AnyTest) -> Option<StoppedEstimate> {
    let is_over = running.judgement() != Judgement::Continue;
    let elo = if is_over && duel.sheet.pairs().unequal() == LEAST_UNEQUAL_PAIRS {
        fixed.logistic
    } else {
        let [low, high] = duel.anytime;
        Estimate { low, value: fixed.logistic.value, high }
    };
    let is_known = elo.low.0.is_finite() && elo.high.0.is_finite();
    is_known.then_some(StoppedEstimate { elo, superiority: fixed.superiority })
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameResult::{Draw, Loss, Win};
    use threefold_stats::{EloModel, Risks, Sprt};

    fn rule() -> AnyRule {
        Sprt::new(EloModel::Logistic, -10.0, 10.0, Risks::USUAL).expect("sound").into()
    }

    /// A test of these pairs, up to the first at which it may end.
    fn ended_test(pairs: impl Iterator<Item = [GameResult; 2]>) -> Test {
        let mut running = rule().start();
        let mut trials = Vec::new();
        for results in pairs {
            let judgement = running.record(results.into());
            trials.push(CountedTrial { results: results.into(), has_fault: false, share: 0.0 });
            let may_end = running.results().pairs().unequal() >= LEAST_UNEQUAL_PAIRS;
            if may_end && judgement != Judgement::Continue {
                break;
            }
        }
        let names = ["New", "Old"].map(str::to_owned);
        Test::of_counted(names, &trials, &rule(), TestStanding::AcceptedH0)
    }

    /// A test of pairs of which one of 61 is not level, with at most this many of these.
    fn coupled_test(most_unequal: u64) -> Test {
        let pairs = (0..most_unequal).flat_map(|index| {
            let decided = if index % 4 == 3 { [Win, Win] } else { [Loss, Loss] };
            [vec![[Win, Loss]; 60], vec![decided]].concat()
        });
        ended_test(pairs)
    }

    #[test]
    fn test_that_waited_for_unequal_pairs_has_the_interval_of_its_pairs() {
        let waited = coupled_test(100);
        assert_eq!(waited.duel.sheet.pairs().unequal(), LEAST_UNEQUAL_PAIRS);
        let (stopped, fixed) = (waited.stopped.expect("pairs"), waited.duel.fixed.expect("pairs"));
        assert_eq!((stopped.elo, stopped.superiority), (fixed.logistic, fixed.superiority));
        // The way to the bound alone, which was reached long before, would say much less.
        let short = waited.running.estimate(ALPHA).expect("pairs").elo;
        assert!(
            short.high.0 - short.low.0 > 1.5 * (fixed.logistic.high.0 - fixed.logistic.low.0),
            "{short:?}"
        );
    }

    #[test]
    fn test_that_still_waits_has_the_interval_that_is_valid_at_any_time() {
        let undecided = coupled_test(LEAST_UNEQUAL_PAIRS - 1);
        assert_eq!(undecided.duel.sheet.pairs().unequal(), LEAST_UNEQUAL_PAIRS - 1);
        let elo = undecided.stopped.expect("pairs").elo;
        assert_eq!([elo.low, elo.high], undecided.duel.anytime);
        assert_eq!(elo.value, undecided.duel.fixed.expect("pairs").logistic.value);
    }

    #[test]
    fn test_that_ends_at_its_bound_is_corrected_for_that() {
        let pairs = [[Loss, Loss], [Win, Win], [Loss, Loss], [Win, Win], [Loss, Draw]].into_iter().cycle();
        let ended = ended_test(pairs.take(1_000));
        assert!(ended.duel.sheet.pairs().unequal() > LEAST_UNEQUAL_PAIRS, "{:?}", ended.duel);
        assert_eq!(ended.stopped, ended.running.estimate(ALPHA));
    }
}
