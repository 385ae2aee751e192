//! The level for each Elo, by a smooth monotone curve through the measured levels.

use super::ratings::RatingSurvey;
use threefold_stats::isotonic::{Band, MonotoneCurve};

const ALPHA: f64 = 0.05;
/// The distance between marks, in Elo.
const STEP: i32 = 100;

/// A round number of Elo and its level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloMark {
    /// The Elo. It may be negative if no anchor fixes the scale.
    pub elo: i32,
    /// The level with that rating.
    pub level: u32,
    /// The lower end of the simultaneous 95 % band there, in Elo.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The curve of Elo over levels.
#[derive(Debug, Clone, PartialEq)]
pub struct EloCurve {
    /// The measured levels, lowest first.
    pub levels: Vec<u32>,
    /// The band at the measured levels.
    pub band: Band,
    curve: MonotoneCurve,
}

impl EloCurve {
    /// From ratings; `None` with fewer than two measured levels.
    pub fn from_survey(survey: &RatingSurvey) -> Option<Self> {
        let levels: Vec<u32> = survey.levels().map(|(_, level)| level).collect();
        let smoothed = survey.smoothed().filter(|smoothed| smoothed.levels() > 1)?;
        let places: Vec<f64> = levels.iter().copied().map(f64::from).collect();
        Some(Self {
            curve: MonotoneCurve::through(&places, &smoothed)?,
            band: Band::simulated(&smoothed, ALPHA),
            levels,
        })
    }

    /// The rating of a level, in Elo.
    pub fn elo(&self, level: f64) -> f64 {
        self.curve.value_at(level)
    }

    /// The lowest and the highest Elo on the curve.
    pub fn elo_range(&self) -> (f64, f64) {
        let (first, last) = self.curve.domain();
        (self.curve.value_at(first), self.curve.value_at(last))
    }

    /// The marks on the curve, lowest first.
    pub fn marks(&self) -> impl Iterator<Item = EloMark> + '_ {
        let (lowest, highest) = self.elo_range();
        let first = (lowest / f64::from(STEP)).ceil() as i32;
        let last = (highest / f64::from(STEP)).floor() as i32;
        (first..=last).filter_map(move |hundreds| {
            let elo = hundreds * STEP;
            self.curve.inverse(f64::from(elo)).map(|level| self.mark(elo, level))
        })
    }

    /// The marks and both ends of the curve, lowest first. If the lowest or highest levels cannot be
    /// distinguished, the curve ends in their middle.
    pub fn marks_and_ends(&self) -> Vec<EloMark> {
        let end = |level: f64| self.mark(self.elo(level).round() as i32, level);
        let (lowest, highest) = self.curve.domain();
        let (lowest, highest) = (end(lowest), end(highest));
        let between = self.marks().filter(|mark| lowest.elo < mark.elo && mark.elo < highest.elo);
        std::iter::once(lowest).chain(between).chain([highest]).collect()
    }

    fn mark(&self, elo: i32, level: f64) -> EloMark {
        let (low, high) = self.around(level);
        EloMark { elo, level: level.round() as u32, low, high }
    }

    /// The band between measured levels: its distances from the curve are interpolated linearly.
    fn around(&self, level: f64) -> (f64, f64) {
        let above = self.levels.partition_point(|&measured| f64::from(measured) <= level);
        // At the last level, and outside of all levels, both neighbours are the same one.
        let (below, above) = (above.saturating_sub(1), above.min(self.levels.len() - 1));
        let [from, to] = [below, above].map(|at| f64::from(self.levels[at]));
        let share = if to > from { (level - from) / (to - from) } else { 0.0 };
        let from_the_curve = |ends: &[f64]| {
            let [from, to] = [below, above].map(|at| ends[at] - self.elo(f64::from(self.levels[at])));
            from + share * (to - from)
        };
        let elo = self.elo(level);
        (elo + from_the_curve(&self.band.low), elo + from_the_curve(&self.band.high))
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::*;
    use crate::calibration::player_role::PlayerRole;
    use crate::calibration::ratings::RatedPlayer;

    fn survey(levels: &[(u32, f64)]) -> RatingSurvey {
        let player = |&(level, elo): &(u32, f64)| RatedPlayer {
            name: format!("Echo {level}"),
            role: PlayerRole::Level(level),
            elo,
            error: 10.0,
            games: 100,
            points: 50.0,
            drawn: 30,
            faults: 0,
            machine_time_losses: 0,
            cost: 0.1,
        };
        RatingSurvey {
            players: levels.iter().map(player).collect(),
            covariance: DMatrix::identity(levels.len(), levels.len()),
            white_advantage: 20.0,
            disagreement: None,
            disagreement_here: None,
            left_out: Vec::new(),
        }
    }

    #[test]
    fn axis_marks_are_where_the_curve_reaches_them() {
        let ratings =
            survey(&[(600, 350.0), (1000, 750.0), (1400, 1_350.0), (1800, 1_360.0), (2200, 1_905.0)]);
        let curve = EloCurve::from_survey(&ratings).expect("five levels");
        let marks: Vec<EloMark> = curve.marks().collect();
        assert_eq!(
            marks.iter().map(|mark| mark.elo).collect::<Vec<_>>(),
            (4..=19).map(|n| 100 * n).collect::<Vec<_>>()
        );
        for mark in &marks {
            assert!((curve.elo(f64::from(mark.level)) - f64::from(mark.elo)).abs() < 3.0, "{mark:?}");
            assert!(mark.low < f64::from(mark.elo) && f64::from(mark.elo) < mark.high, "{mark:?}");
        }
        assert!(marks.windows(2).all(|pair| pair[0].level < pair[1].level));
        let (lowest, highest) = curve.elo_range();
        assert!((lowest - 350.0).abs() < 1.0 && (highest - 1_905.0).abs() < 1.0, "{lowest} {highest}");
        let ends = ends(&curve);
        assert_eq!((ends[0], ends[1].0, ends[ends.len() - 1]), ((350, 600), 400, (1_905, 2200)));
        assert_eq!(EloCurve::from_survey(&survey(&[(600, 350.0)])), None);
    }

    /// The marks and the ends in rising order.
    fn ends(curve: &EloCurve) -> Vec<(i32, u32)> {
        let ends: Vec<(i32, u32)> =
            curve.marks_and_ends().iter().map(|mark| (mark.elo, mark.level)).collect();
        assert!(ends.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1), "{ends:?}");
        ends
    }

    #[test]
    fn scale_without_anchors_is_centred_at_zero() {
        let ratings = survey(&[(0, -390.0), (50, -200.0), (100, 20.0), (150, 210.0), (200, 410.0)]);
        let ends = ends(&EloCurve::from_survey(&ratings).expect("five levels"));
        let elos: Vec<i32> = ends.iter().map(|(elo, _)| *elo).collect();
        assert_eq!(elos, [-390, -300, -200, -100, 0, 100, 200, 300, 400, 410]);
    }
}
