//! When and how a test with a deadline ends, for any true difference.
//!
//! The score is a Brownian motion whose drift is the true difference, in standard errors at the deadline. Its
//! course without drift is computed once, on a grid of scores at `LOOKS` times. With drift θ, an end at the
//! time t and the score b is exp(θ b - θ² t / 2) times as likely (Girsanov), so one course answers for all
//! differences.

use super::deadline_test::DeadlineBounds;
use crate::elo::normal_cdf;
use crate::{Bounds, Judgement};

/// The number of times at which the bounds are checked; a test checks them after each pair.
const LOOKS: u32 = 200;

/// The distance of two scores of the grid. A sum over such a grid is exact for the normal density of a step.
const GRID: f64 = 0.04;

/// The expected excess of a walk over a bound, in standard deviations of a step: between two looks the motion
/// may have been beyond a bound that is this much further out (Siegmund, "Sequential Analysis", section 10.3).
const OVERSHOOT: f64 = 0.583;

/// Steps are at most this number of their standard deviations long.
const LONGEST: f64 = 8.0;

/// Where a test ended or was last observed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ending {
    /// The share of the games or of the time that was used, above 0 and at most 1.
    pub share: f64,
    /// The score.
    pub place: f64,
    /// Its decision.
    pub judgement: Judgement,
}

/// The probabilities of the ends of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EndChances {
    /// The probability of accepting H1.
    pub passed: f64,
    /// The probability of accepting H0.
    pub failed: f64,
    /// The expected share of the games that is played.
    pub share: f64,
}

/// The course of a test.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Early ends without drift, each with its probability.
    early: Vec<(Ending, f64)>,
    /// The scores at the last look before the deadline, with their probabilities.
    open: Vec<(f64, f64)>,
    /// The bounds at the deadline.
    last: Bounds,
}

impl Course {
    /// The course of a test with these bounds.
    pub fn new(bounds: &DeadlineBounds) -> Self {
        let step = (1.0 / f64::from(LOOKS)).sqrt();
        let reach = (LONGEST * step / GRID).ceil() as usize;
        let density = |cells: f64| {
            let z = cells * GRID / step;
            (-z * z / 2.0).exp() * GRID / (step * std::f64::consts::TAU.sqrt())
        };
        let kernel: Vec<f64> = (0..=2 * reach).map(|cell| density(cell as f64 - reach as f64)).collect();
        let mut course = Self { early: Vec::new(), open: vec![(0.0, 1.0)], last: bounds.at(1.0) };
        for look in 1..LOOKS {
            let share = f64::from(look) / f64::from(LOOKS);
            let Bounds { lower, upper } = bounds.at(share);
            let now = Bounds { lower: lower + OVERSHOOT * step, upper: upper - OVERSHOOT * step };
            let spread = spread(&course.open, &kernel, reach);
            course.open.clear();
            for (place, chance) in spread {
                match now.judge(place) {
                    Judgement::Continue => course.open.push((place, chance)),
                    judgement => course.early.push((Ending { share, place, judgement }, chance)),
                }
            }
        }
        course
    }

    /// The probabilities of its ends if the true difference is `drift` standard errors at the deadline above
    /// H0.
    pub fn chances(&self, drift: f64) -> EndChances {
        let mut chances = EndChances { passed: 0.0, failed: 0.0, share: 0.0 };
        for (end, chance) in &self.early {
            let chance = chance * likelihood(drift, end.share, end.place);
            match end.judgement {
                Judgement::AcceptH1 => chances.passed += chance,
                Judgement::AcceptH0 => chances.failed += chance,
                Judgement::Continue => {}
            }
            chances.share += chance * end.share;
        }
        let rest = 1.0 / f64::from(LOOKS);
        // The step to the deadline is not on the grid: the tails of a normal step have a closed form.
        for &(place, chance) in &self.open {
            let chance = chance * likelihood(drift, 1.0 - rest, place);
            let beyond = |bound: f64| normal_cdf((place + drift * rest - bound) / rest.sqrt());
            chances.passed += chance * beyond(self.last.upper);
            chances.failed += chance * (1.0 - beyond(self.last.lower));
            chances.share += chance;
        }
        chances
    }

    /// The probability of a worse end with this drift. The order from worst to best: H0 accepted early, sooner
    /// is worse; not ended early, by score; H1 accepted early, later is worse.
    pub fn chance_of_worse(&self, drift: f64, outcome: Ending) -> f64 {
        let before = |judgement| -> f64 {
            let same = self.early.iter().filter(|(end, _)| end.judgement == judgement);
            // An end at a look happened at any time since the look before.
            let sooner = |share: f64| ((outcome.share - share) * f64::from(LOOKS) + 1.0).clamp(0.0, 1.0);
            same.map(|(end, chance)| chance * sooner(end.share) * likelihood(drift, end.share, end.place))
                .sum()
        };
        let chance = match outcome.judgement {
            Judgement::AcceptH0 if outcome.share < 1.0 => before(Judgement::AcceptH0),
            Judgement::AcceptH1 if outcome.share < 1.0 => 1.0 - before(Judgement::AcceptH1),
            // Of early decisions one in a hundred would be undone, so their scores would be on the same side.
            _ => normal_cdf((outcome.place - drift * outcome.share) / outcome.share.sqrt()),
        };
        chance.clamp(0.0, 1.0)
    }
}

/// The likelihood of a score at a time with drift, relative to that without.
fn likelihood(drift: f64, share: f64, place: f64) -> f64 {
    (drift * place - drift * drift * share / 2.0).exp()
}

/// The scores one look later. All are multiples of [`GRID`], in ascending order without gaps.
fn spread(open: &[(f64, f64)], kernel: &[f64], reach: usize) -> Vec<(f64, f64)> {
    let Some(&(first, _)) = open.first() else { return Vec::new() };
    let lowest = (first / GRID).round() - reach as f64;
    let mut chances = vec![0.0; open.len() + 2 * reach];
    for (index, (_, chance)) in open.iter().enumerate() {
        for (cell, weight) in chances[index..].iter_mut().zip(kernel) {
            *cell += chance * weight;
        }
    }
    chances
        .into_iter()
        .enumerate()
        .map(|(index, chance)| ((lowest + index as f64) * GRID, chance))
        .filter(|(_, chance)| *chance > 0.0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Risks;
    use crate::elo::normal_quantile;

    fn course(separation: f64) -> Course {
        Course::new(&DeadlineBounds::new(Risks::USUAL, separation))
    }

    /// The standard errors between the hypotheses at which the fixed test has this power.
    fn separation(power: f64) -> f64 {
        normal_quantile(0.95) + normal_quantile(power)
    }

    #[test]
    fn deadline_test_keeps_its_error_and_the_power_of_the_fixed_test() {
        for power in [0.15, 0.5, 0.8, 0.9, 0.95, 0.99] {
            let at = separation(power);
            let course = course(at);
            let (null, alternative) = (course.chances(0.0), course.chances(at));
            assert!((0.048..=0.0501).contains(&null.passed), "{power}: {null:?}");
            assert!((power - 0.01..=power).contains(&alternative.passed), "{power}: {alternative:?}");
            // Below a power of 95 %, H0 is accepted only with its own error probability.
            let failed = alternative.failed;
            let expected = if power < 0.95 { 0.048..=0.0501 } else { 0.0..=0.0515 };
            assert!(expected.contains(&failed), "{power}: {alternative:?}");
            assert!(alternative.share < 1.0 && null.share < 1.0, "{power}");
        }
    }

    /// Every end of a test has a probability, with any drift.
    #[test]
    fn chances_add_up() {
        let course = course(separation(0.96));
        for drift in [-3.0, 0.0, 1.7, 3.3, 6.0] {
            let EndChances { passed, failed, .. } = course.chances(drift);
            assert!((passed + failed - 1.0).abs() < 1e-6, "{drift}: {passed} {failed}");
        }
        let [weak, strong] = [-5.0, 8.0].map(|drift| course.chances(drift).share);
        assert!(weak < 0.5 && strong < 0.5, "a large difference ends the test early: {weak} {strong}");
    }

    #[test]
    fn worse_ends_become_rarer_with_the_drift() {
        let course = course(separation(0.9));
        let ends = [
            Ending { share: 0.5, place: -3.0, judgement: Judgement::AcceptH0 },
            Ending { share: 1.0, place: 0.4, judgement: Judgement::AcceptH0 },
            Ending { share: 0.6, place: 1.0, judgement: Judgement::Continue },
            Ending { share: 1.0, place: 2.0, judgement: Judgement::AcceptH1 },
            Ending { share: 0.5, place: 3.4, judgement: Judgement::AcceptH1 },
        ];
        for drift in [0.0, 1.5, 3.0] {
            for two in [[0, 1], [1, 3], [3, 4]] {
                let [worse, better] = two.map(|end| course.chance_of_worse(drift, ends[end]));
                assert!(worse < better, "{drift}: {two:?}");
            }
        }
        for end in ends {
            let falling: Vec<f64> =
                (-4..=8).map(|drift| course.chance_of_worse(f64::from(drift), end)).collect();
            assert!(falling.windows(2).all(|two| two[1] <= two[0] + 1e-9), "{end:?}: {falling:?}");
        }
    }
}
