//! Significant changes since an earlier calibration, in strength and in errors of each level.
//!
//! Many figures are compared at once, so p-values are adjusted for their number (Holm). A level that was not
//! measured then is compared with the curve through its neighbours. Scales with different anchors have no
//! common zero: a common shift of all levels cannot be detected, and the remaining differences are compared.

use std::collections::BTreeMap;

use serde::Deserialize;
use statrs::distribution::{ContinuousCDF, Discrete, Hypergeometric, Normal};

use super::error_profile::ErrorProfile;
use super::ratings::RatingSurvey;
use super::strength_option::AnchorRating;
use threefold_stats::elo::Z95;
use threefold_stats::interval::Rate;
use threefold_stats::isotonic::{Measurements, MonotoneCurve};
use threefold_stats::multiplicity::Correction;

/// The significance level of a change.
const ALPHA: f64 = 0.05;
/// Probabilities with a smaller relative difference are equal up to rounding.
const SAME: f64 = 1e-9;

/// A player's row in the figures of a calibration.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct LevelRow {
    kind: String,
    player: String,
    asked: f64,
    here: Option<f64>,
    elo: f64,
    error: f64,
    judged: Option<u64>,
    #[serde(rename = "over 100")]
    over_100: Option<u64>,
    #[serde(rename = "over 300")]
    over_300: Option<u64>,
}

/// An earlier calibration.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlierCalibration {
    /// The levels, lowest first.
    levels: Vec<LevelRow>,
    /// The curve through them; `None` if their errors are unusable.
    curve: Option<MonotoneCurve>,
    /// The anchors by name, with their ratings on the scale.
    anchors: BTreeMap<String, f64>,
}

/// Why a text is not an earlier calibration.
#[derive(Debug, thiserror::Error)]
pub enum EarlierCalibrationError {
    /// It is not such a table.
    #[error("{0}; give the `calibration.csv` that an earlier calibration wrote")]
    Csv(#[from] csv::Error),
    /// It has no levels.
    #[error("no line is of a level; give the `calibration.csv` that an earlier calibration wrote")]
    Empty,
}

/// A figure then and now.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelChange {
    /// The value of the strength option.
    pub level: u32,
    /// Which figure.
    pub figure: LevelFigure,
    /// The earlier value; Elo are on the present scale.
    pub then: f64,
    /// The present value.
    pub now: f64,
    /// The adjusted p-value: the probability of such a difference in any figure if nothing changed.
    pub p: f64,
}

/// A figure that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelFigure {
    /// Elo.
    Elo,
    /// The share of moves that lose more than 100 centipawns.
    Over100,
    /// The share of moves that lose more than 300 centipawns.
    Over300,
}

impl LevelChange {
    /// Is the change significant?
    pub fn is_significant(&self) -> bool {
        self.p <= ALPHA
    }
}

impl EarlierCalibration {
    /// Reads the figures of a calibration.
    ///
    /// # Errors
    /// If the text is not such a table, or has no levels.
    pub fn parse(text: &str) -> Result<Self, EarlierCalibrationError> {
        let lines = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
        let players: Vec<LevelRow> = lines.collect::<Result<_, _>>()?;
        let (mut levels, anchors): (Vec<LevelRow>, Vec<LevelRow>) =
            players.into_iter().partition(|player| player.kind == "level");
        levels.sort_by(|one, other| one.asked.total_cmp(&other.asked));
        if levels.is_empty() {
            return Err(EarlierCalibrationError::Empty);
        }
        let anchors = anchors.into_iter().map(|anchor| (anchor.player, anchor.here.unwrap_or(anchor.asked)));
        Ok(Self { curve: curve(&levels), anchors: anchors.collect(), levels })
    }

    /// The differences of all figures that both have, lowest level first.
    pub fn changes(&self, survey: &RatingSurvey, profiles: &[ErrorProfile]) -> Vec<LevelChange> {
        let mut changes = Vec::new();
        let shift = self.shift(survey);
        for (at, level) in survey.levels() {
            let now = &survey.players[at];
            if let Some(((elo, error), shift)) = self.elo(f64::from(level)).zip(shift) {
                let then = elo + shift;
                // Independent errors add in squares; both are half-widths of 95 % intervals.
                let p = p_of_difference(now.elo - then, now.error.hypot(error) / Z95);
                changes.push(LevelChange { level, figure: LevelFigure::Elo, then, now: now.elo, p });
            }
            let profile = profiles.iter().find(|profile| profile.level == level);
            let then = self.levels.iter().find(|then| then.asked as u32 == level);
            let Some((profile, then)) = profile.zip(then) else { continue };
            let of_moves = [
                (LevelFigure::Over100, then.over_100, profile.errors),
                (LevelFigure::Over300, then.over_300, profile.blunders),
            ];
            for (figure, then, now) in of_moves.map(|(figure, lost, now)| (figure, then.rate(lost), now)) {
                let shares = then.and_then(|then| Some((then, then.share()?, now.share()?)));
                let Some((then, before, after)) = shares else { continue };
                changes.push(LevelChange {
                    level,
                    figure,
                    then: before,
                    now: after,
                    p: p_of_rates(then, now),
                });
            }
        }
        let adjusted = Correction::Holm.adjust(&changes.iter().map(|change| change.p).collect::<Vec<_>>());
        for (change, p) in changes.iter_mut().zip(adjusted) {
            change.p = p;
        }
        changes
    }

    /// The earlier rating of a level, and half of its 95 % interval; `None` outside the earlier levels.
    fn elo(&self, level: f64) -> Option<(f64, f64)> {
        let at = self.levels.partition_point(|then| then.asked < level);
        let to = self.levels.get(at)?;
        if to.asked <= level {
            return Some((to.elo, to.error));
        }
        let from = &self.levels[at.checked_sub(1)?];
        let share = (level - from.asked) / (to.asked - from.asked);
        Some((self.curve.as_ref()?.value_at(level), from.error + share * (to.error - from.error)))
    }

    /// The offset of the present scale from the earlier one. It is zero if both use the same anchors;
    /// otherwise it is the mean change of the levels measured in both, or `None` without any. The error of
    /// that mean is neglected.
    fn shift(&self, survey: &RatingSurvey) -> Option<f64> {
        let anchor = |(at, rated): (usize, AnchorRating)| (survey.players[at].name.clone(), rated.on_scale());
        let anchors: BTreeMap<String, f64> = survey.anchors().map(anchor).collect();
        if !anchors.is_empty() && anchors == self.anchors {
            return Some(0.0);
        }
        let changed = |(at, level): (usize, u32)| {
            let then = self.levels.iter().find(|then| then.asked as u32 == level)?;
            Some(survey.players[at].elo - then.elo)
        };
        let changed: Vec<f64> = survey.levels().filter_map(changed).collect();
        (!changed.is_empty()).then(|| changed.iter().sum::<f64>() / changed.len() as f64)
    }
}

fn curve(levels: &[LevelRow]) -> Option<MonotoneCurve> {
    let column = |of: fn(&LevelRow) -> f64| levels.iter().map(of).collect::<Vec<f64>>();
    let measured = Measurements::independent(&column(|then| then.elo), &column(|then| then.error / Z95));
    MonotoneCurve::through(&column(|then| then.asked), &measured.ok()?)
}

impl LevelRow {
    fn rate(&self, lost: Option<u64>) -> Option<Rate> {
        let (lost, judged) = lost.zip(self.judged)?;
        Some(Rate { successes: lost, failures: judged.checked_sub(lost)? })
    }
}

/// Two-sided p-value of a normal difference.
fn p_of_difference(difference: f64, deviation: f64) -> f64 {
    // The lower tail, since 1 − cdf loses the digits of a small p-value by cancellation.
    2.0 * Normal::standard().cdf(-(difference / deviation).abs())
}

/// Two-sided p-value of Fisher's exact test: the sum over all tables with these margins that are no more
/// likely than the observed one.
fn p_of_rates(one: Rate, other: Rate) -> f64 {
    let successes = one.successes + other.successes;
    let all = one.trials() + other.trials();
    let Ok(distribution) = Hypergeometric::new(all, successes, one.trials()) else { return 1.0 };
    let seen = distribution.pmf(one.successes) * (1.0 + SAME);
    let fewest = successes.saturating_sub(other.trials());
    (fewest..=successes.min(one.trials())).map(|count| distribution.pmf(count)).filter(|&p| p <= seen).sum()
}

#[cfg(test)]
mod tests {
    use super::super::allocation::tests::survey;
    use super::super::player_role::PlayerRole;
    use super::super::ratings::RatedPlayer;
    use super::*;
    use threefold_stats::Estimate;

    const HEAD: &str =
        "kind,player,asked,here,elo,error,games,points,seconds,judged,over 100,over 300,mean loss\n";

    fn earlier(lines: &str) -> EarlierCalibration {
        EarlierCalibration::parse(&format!("{HEAD}{lines}")).expect("a table")
    }

    fn profile(level: u32, [errors, blunders]: [u64; 2]) -> ErrorProfile {
        let rate = |lost: u64| Rate { successes: lost, failures: 200 - lost };
        let mean = Estimate { low: 0.0, value: 10.0, high: 20.0 };
        ErrorProfile { level, errors: rate(errors), blunders: rate(blunders), mean }
    }

    #[test]
    fn significant_changes_are_named() {
        let then = earlier(
            "level,Echo 600,600,,500,20,100,50,1,200,40,10,30\nanchor,Fish,700,,700,20,100,50,1,,,,\n\
             level,Echo 1000,1000,,900,20,100,50,1,200,20,4,20\n",
        );
        let now = survey(&[(600, 510.0, 20.0, 1.0), (800, 800.0, 20.0, 1.0), (1000, 905.0, 20.0, 1.0)]);
        let changes = then.changes(&now, &[profile(600, [42, 11]), profile(1000, [60, 5])]);
        let reported: Vec<_> =
            changes.iter().map(|change| (change.level, change.figure, change.is_significant())).collect();
        assert_eq!(
            reported,
            [
                (600, LevelFigure::Elo, false),
                (600, LevelFigure::Over100, false),
                (600, LevelFigure::Over300, false),
                // Halfway between its earlier neighbours: 700.
                (800, LevelFigure::Elo, true),
                (1000, LevelFigure::Elo, false),
                // It errs three times as often as before.
                (1000, LevelFigure::Over100, true),
                (1000, LevelFigure::Over300, false),
            ]
        );
        // Scales without anchors have no common zero: 600 and 1000 rose by 7.5 on average.
        assert!(
            (changes[3].then - 707.5).abs() < 1e-6 && (changes[3].now - 800.0).abs() < 1e-6,
            "{:?}",
            changes[3]
        );
        let raised = survey(&[(600, 1_510.0, 20.0, 1.0), (1000, 1_905.0, 20.0, 1.0)]);
        assert!(then.changes(&raised, &[]).iter().all(|change| !change.is_significant()), "all by as much");
        assert!(then.changes(&survey(&[(500, 1.0, 1.0, 1.0), (1100, 1.0, 1.0, 1.0)]), &[]).is_empty());
    }

    #[test]
    fn scales_with_the_same_anchors_are_compared_unshifted() {
        let fish = |here: Option<f64>| RatedPlayer {
            name: "Fish".to_owned(),
            role: PlayerRole::Anchor(AnchorRating { listed: 700.0, measured: here }),
            ..survey(&[(600, 0.0, 20.0, 1.0)]).players.remove(0)
        };
        let then = "level,Echo 600,600,,500,20,100,50,1,,,,\nlevel,Echo 1000,1000,,900,20,100,50,1,,,,\n";
        let raised = |anchor: RatedPlayer| {
            let mut now = survey(&[(600, 600.0, 20.0, 1.0), (1000, 1_000.0, 20.0, 1.0)]);
            now.players.push(anchor);
            now
        };
        let shown = |anchor_then: &str, now: &RatingSurvey| {
            let then = earlier(&format!("{then}{anchor_then}"));
            then.changes(now, &[]).iter().filter(|change| change.is_significant()).count()
        };
        assert_eq!(shown("anchor,Fish,700,,690,20,100,50,1,,,,\n", &raised(fish(None))), 2);
        assert_eq!(shown("anchor,Fish,650,700,690,20,100,50,1,,,,\n", &raised(fish(None))), 2);
        assert_eq!(shown("anchor,Fish,700,,690,20,100,50,1,,,,\n", &raised(fish(Some(800.0)))), 0);
        assert_eq!(shown("anchor,Cod,700,,690,20,100,50,1,,,,\n", &raised(fish(None))), 0);
    }

    #[test]
    fn p_values_match_published_examples() {
        // Fisher's tea-tasting example: 3 of 4 against 1 of 4.
        let rate = |successes, failures| Rate { successes, failures };
        assert!((p_of_rates(rate(3, 1), rate(1, 3)) - 34.0 / 70.0).abs() < 1e-9);
        assert!((p_of_rates(rate(4, 0), rate(0, 4)) - 2.0 / 70.0).abs() < 1e-9);
        assert!((p_of_rates(rate(0, 9), rate(0, 7)) - 1.0).abs() < 1e-9);
        assert!((p_of_difference(-Z95, 1.0) - 0.05).abs() < 1e-9);
    }

    #[test]
    fn invalid_calibration_files_are_refused() {
        for (text, part) in [
            ("elo,level\n600,700\n", "missing field"),
            (HEAD, "no line is of a level"),
            (&format!("{HEAD}level,Echo 600,soon,,500,20,100,50,1,200,40,10,30\n"), "line: 2"),
        ] {
            let error = EarlierCalibration::parse(text).expect_err(text).to_string();
            assert!(error.contains(part) && error.contains("give the `calibration.csv`"), "{error}");
        }
    }
}
