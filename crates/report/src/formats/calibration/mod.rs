//! The report of a calibration: requested and measured Elo, the curve, and the consistency of the anchors.
//!
//! A calibration has one run for each round, so these formats are functions of all rounds, not of one run.

mod csv;
mod html;
mod text;

pub use self::csv::{curve, figures};
pub use self::html::page;
pub use self::text::calibration_text;

use crate::format;
use threefold_run::calibration::{
    AnchorRating, EloCurve, ErrorProfile, LevelChange, LevelFigure, PlayerRole, RatedPlayer, RatingSurvey,
};
use threefold_stats::Estimate;
use threefold_stats::elo::Z95;
use threefold_stats::isotonic::{self, Measurements};

/// A calibration, finished or not.
pub struct CalibrationReport {
    /// Title of the report.
    pub title: String,
    /// The option that sets the strength.
    pub option: String,
    /// Is its value a number of Elo?
    pub called_by_elo: bool,
    /// The command and the machine.
    pub provenance: Provenance,
    /// Conditions of the games, in words.
    pub terms: String,
    /// The reason for the end, in a sentence.
    pub ending: String,
    /// Number of rounds.
    pub rounds: usize,
    /// Games that count.
    pub games: usize,
    /// The ratings of levels and anchors.
    pub ratings: RatingSurvey,
    /// The curve; `None` if fewer than two levels were measured.
    pub elo_curve: Option<EloCurve>,
    /// Error profiles of the levels, lowest first.
    pub error_profiles: Vec<ErrorProfile>,
    /// Comparison with an earlier calibration.
    pub since: Option<ChangesSince>,
}

/// Comparison with an earlier calibration.
pub struct ChangesSince {
    /// The path of the earlier calibration, as given.
    pub file: String,
    /// Every figure that both have.
    pub changes: Vec<LevelChange>,
}

impl ChangesSince {
    /// The figures with a significant change.
    pub fn shown(&self) -> impl Iterator<Item = &LevelChange> {
        self.changes.iter().filter(|change| change.is_significant())
    }

    /// The result of the comparison, in a sentence.
    fn describe(&self) -> String {
        let (all, file) = (format::count(self.changes.len(), "figure"), &self.file);
        match self.shown().count() {
            0 => format!("No significant change since {file} in {all}."),
            1 => format!("One significant change since {file} in {all}."),
            number => format!("{number} significant changes since {file} in {all}."),
        }
    }
}

/// The origin of a calibration.
pub struct Provenance {
    /// The command line.
    pub command: String,
    /// The machine, in words.
    pub machine: String,
    /// The bench of the Echo that wrote the report.
    pub bench: u64,
}

/// The seed of the simulation behind the typical error: equal games have equal reports.
const SIMULATION: u64 = 1;
const ALPHA: f64 = 0.05;

impl CalibrationReport {
    /// The levels with their requested values.
    fn levels(&self) -> impl Iterator<Item = Shown<'_>> {
        let smoothed = self.ratings.smoothed();
        self.ratings.levels().enumerate().map(move |(number, (at, level))| {
            let on_the_curve = smoothed.as_ref().map(|smoothed| {
                // Rounding can make a variance of 0 negative, whose root would be NaN.
                let error = smoothed.covariance()[(number, number)].max(0.0).sqrt();
                (smoothed.values()[number], Z95 * error)
            });
            let (asked, player) = (f64::from(level), &self.ratings.players[at]);
            let elo = on_the_curve.map_or(player.elo, |(elo, _)| elo);
            Shown { asked, player, on_the_curve, off: self.called_by_elo.then_some(elo - asked) }
        })
    }

    /// The anchors with their listed ratings.
    fn anchors(&self) -> impl Iterator<Item = Shown<'_>> {
        let shown = |(at, rated): (usize, AnchorRating)| {
            let (player, asked): (&RatedPlayer, f64) = (&self.ratings.players[at], rated.listed);
            Shown { asked, player, on_the_curve: None, off: Some(player.elo - asked) }
        };
        self.ratings.anchors().map(shown)
    }

    /// RMS difference of requested Elo and the Elo of the levels' own games, as measured and without the part
    /// that is due to chance, in a sentence.
    fn typical_error(&self) -> Option<String> {
        let asked: Vec<f64> = self.levels().map(|shown| shown.asked).collect();
        describe_rms(&asked, &self.ratings.measured().ok()?)
    }

    /// Is there a curve, and no two levels that are significantly out of order?
    pub fn rises(&self) -> bool {
        self.elo_curve.as_ref().is_some_and(|elo_curve| !elo_curve.band.crosses())
    }

    /// Games lost by faults, in a sentence.
    fn faults(&self) -> Option<String> {
        let faulty = self.ratings.players.iter().filter(|player| player.faults > 0);
        let text: Vec<String> = faulty
            .map(|RatedPlayer { name, faults, machine_time_losses: by_the_machine, .. }| match by_the_machine
            {
                0 => format!("{name} {faults}"),
                number => format!("{name} {faults} (time losses caused by the machine: {number})"),
            })
            .collect();
        (!text.is_empty()).then(|| {
            format!("Time losses, crashes and illegal moves count as lost games: {}.", format::listed(&text))
        })
    }

    /// The level with the largest error, in a sentence.
    fn furthest_off(&self) -> Option<String> {
        let off = self.levels().filter_map(|Shown { player, on_the_curve, off, .. }| {
            let (_, error) = on_the_curve?;
            Some((off?, error, player.name.as_str()))
        });
        let furthest = off.max_by(|one, other| one.0.abs().total_cmp(&other.0.abs()));
        furthest.map(|(off, error, name)| format!("Largest error: {name}, {off:+.0} ± {error:.0} Elo."))
    }

    /// Whether each level measures above the one below it, and the least certain pair, in a sentence.
    fn least_certain_order(&self) -> Option<String> {
        let (at, sure) = isotonic::least_certain_order(&self.ratings.smoothed()?)?;
        let [below, above] = [at, at + 1].map(|at| &self.ratings.players[at].name);
        let p = format::p_value(1.0 - sure);
        Some(if sure > 0.5 {
            format!(
                "Every level measures above the next lower one; least certain is {above} above {below} ({p})."
            )
        } else {
            format!(
                "Not every level measures above the next lower one: {above} does not measure above {below} ({p})."
            )
        })
    }

    /// How well the games agree with the anchors' ratings.
    fn agreement_with_anchors(&self) -> String {
        let rated = if self.ratings.anchors().any(|(_, rated)| rated.measured.is_some()) {
            "their earlier measurements at this time control"
        } else {
            "their listed ratings"
        };
        match self.ratings.disagreement_here {
            Some(off) if off > 0.0 => format!(
                "beyond chance, these games differ from {rated} by {off:.0} Elo (one standard deviation), so their mean counts \
                 more than each rating"
            ),
            _ => format!("these games agree with {rated} within chance"),
        }
    }

    /// Notes for the use of the figures, in sentences.
    fn describe(&self) -> Vec<String> {
        let mut sentences = vec![self.ending.clone()];
        sentences.push(match self.ratings.anchors().count() {
            0 => "There is no anchor: the mean of the levels is set to the mean of their requested values."
                .to_owned(),
            1 => "One anchor fixes the scale. Only further anchors could check its rating.".to_owned(),
            number => format!("{number} anchors fix the scale: {}.", self.agreement_with_anchors()),
        });
        if !self.ratings.left_out.is_empty() {
            sentences.push(format!(
                "Excluded, because they won or lost every game: {}.",
                format::listed(&self.ratings.left_out)
            ));
        }
        if let Some(disagreement) = &self.ratings.disagreement {
            sentences.push(format!(
                "From these games alone, the anchors differ from their listed ratings by {:.0} Elo (one standard deviation), \
                 by {:.0} Elo beyond chance{}.",
                disagreement.spread,
                disagreement.beyond_chance,
                if disagreement.beyond_chance > 0.0 {
                    ". This is a systematic error of every rating here, in addition to the intervals"
                } else {
                    ""
                }
            ));
            sentences.extend(disagreement.stretch.map(|Estimate { low, value, high }| {
                format!(
                    "One Elo between their listed ratings is {value:.2} ({low:.2} to {high:.2}) Elo in these games: {}.",
                    if low <= 1.0 && 1.0 <= high {
                        "the two scales are consistent"
                    } else {
                        "the two scales differ, more so for ratings far from the anchors' mean"
                    }
                )
            }));
        }
        sentences.extend(self.typical_error().filter(|_| self.called_by_elo));
        sentences.extend(self.furthest_off());
        sentences.extend(self.least_certain_order());
        if self.elo_curve.is_some() && !self.rises() {
            sentences.push(
                "A higher level is significantly weaker than a lower one: look for a fault before you use the curve."
                    .to_owned(),
            );
        }
        sentences.extend(self.faults());
        sentences.extend(self.since.as_ref().map(ChangesSince::describe));
        sentences
    }
}

/// The RMS difference between levels and their values, and what is left of it without the errors'
/// contribution.
fn describe_rms(asked: &[f64], measured: &Measurements) -> Option<String> {
    let Estimate { low, value, high } = isotonic::rms_error(asked, measured, ALPHA, SIMULATION)?;
    let squares = asked.iter().zip(measured.values()).map(|(asked, elo)| (elo - asked).powi(2));
    let all = (squares.sum::<f64>() / asked.len() as f64).sqrt();
    Some(format!(
        "Elo by own games and requested Elo differ by {all:.0} Elo RMS, errors of measurement included; without their share, by \
         {value:.0} ({low:.0} to {high:.0})."
    ))
}

/// The head of a table of changes.
const CHANGES: [&str; 5] = ["level", "figure", "before", "now", "p"];

/// A row of the table; the p-value is corrected for the number of figures.
fn change(change: &LevelChange) -> Vec<String> {
    let (figure, text): (_, fn(f64) -> String) = match change.figure {
        LevelFigure::Elo => ("Elo", |elo| format!("{elo:.0}")),
        LevelFigure::Over100 => ("errors (over 100 cp)", format::percent),
        LevelFigure::Over300 => ("blunders (over 300 cp)", format::percent),
    };
    vec![
        change.level.to_string(),
        figure.to_owned(),
        text(change.then),
        text(change.now),
        format!("{:.3}", change.p),
    ]
}

/// A player, as tables show it.
struct Shown<'g> {
    /// The requested level, or the listed rating of an anchor.
    asked: f64,
    player: &'g RatedPlayer,
    /// A level's rating on the fitted curve, and half of its 95 % interval, in Elo.
    on_the_curve: Option<(f64, f64)>,
    /// Measured minus requested Elo; `None` if the option is not a number of Elo.
    off: Option<f64>,
}

/// The head of a table of players.
const HEAD: [&str; 8] =
    ["player", "requested", "own games, ± 95 %", "on the curve, ± 95 %", "error", "games", "score", "draws"];

/// A row of the table.
fn row(Shown { asked, player, on_the_curve, off }: Shown<'_>) -> Vec<String> {
    let share = |points: f64| format::percent(points / player.games.max(1) as f64);
    vec![
        player.name.clone(),
        format!("{asked:.0}"),
        format!("{:.0} ± {:.0}", player.elo, player.error),
        on_the_curve.map_or_else(String::new, |(elo, error)| format!("{elo:.0} ± {error:.0}")),
        off.map_or_else(String::new, |off| format!("{off:+.0}")),
        format::grouped(player.games),
        share(player.points),
        share(player.drawn as f64),
    ]
}

/// The head and the rows of the table of error profiles.
fn error_profiles(report: &CalibrationReport) -> ([&'static str; 5], impl Iterator<Item = [String; 5]>) {
    let head = ["level", "moves", "errors (> 100 cp)", "blunders (> 300 cp)", "mean loss, cp"];
    let rows = report.error_profiles.iter().map(|character| {
        let Estimate { low, value, high } = character.mean;
        [
            character.level.to_string(),
            format::grouped(character.errors.trials()),
            format::rate(character.errors),
            format::rate(character.blunders),
            format!("{value:.0} ({low:.0} to {high:.0})"),
        ]
    });
    (head, rows)
}

/// The kind of a player, in a word.
const fn kind(role: PlayerRole) -> &'static str {
    match role {
        PlayerRole::Level(_) => "level",
        PlayerRole::Anchor(_) => "anchor",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rms_is_that_of_the_table_and_the_rest_is_named() {
        let asked = [800.0, 1000.0, 1200.0, 1400.0];
        let described = |off: [f64; 4], error: f64| {
            let values: Vec<f64> = asked.iter().zip(off).map(|(asked, off)| asked + off).collect();
            let measured = Measurements::independent(&values, &[error; 4]).expect("sound");
            describe_rms(&asked, &measured).expect("levels for all")
        };
        let exact = described([60.0, -60.0, 60.0, -60.0], 0.01);
        assert!(exact.contains(" by 60 Elo RMS, ") && exact.ends_with(" by 60 (60 to 60)."), "{exact}");
        // Chance alone would explain more.
        let noisy = described([30.0, -40.0, 0.0, 50.0], 60.0);
        assert!(noisy.contains(" by 35 Elo RMS, ") && noisy.contains(" by 0 (0 to 1"), "{noisy}");
    }
}
