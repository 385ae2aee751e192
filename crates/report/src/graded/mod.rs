//! What a calibration came to: asked against measured, the curve between them, and how far anchors disagree.
//!
//! A calibration is a run a round, so these are no formats of one run's report: each is a function of what all rounds
//! came to.

mod csv;
mod html;
mod text;

pub use self::csv::{curve, figures};
pub use self::html::page;
pub use self::text::text;

use super::phrase;
use threefold_harness::calibration::{
    AnchorRating, EloCurve, ErrorProfile, LevelChange, LevelFigure, PlayerRole, RatedPlayer, RatingSurvey,
};
use threefold_stats::Estimate;
use threefold_stats::elo::Z95;
use threefold_stats::isotonic;

/// A calibration, finished or not.
pub struct Graded {
    /// What was calibrated, as a heading.
    pub title: String,
    /// The option that sets the strength.
    pub option: String,
    /// Is what it asks for a number of Elo?
    pub called_by_elo: bool,
    /// How it was asked for, and the machine.
    pub made: Made,
    /// Under what games were played, in words.
    pub terms: String,
    /// Why it ended, in a sentence.
    pub ending: String,
    /// Rounds that were played.
    pub rounds: usize,
    /// Games that count.
    pub games: usize,
    /// The ratings.
    pub survey: RatingSurvey,
    /// The curve; `None` where fewer than two levels were measured.
    pub graduation: Option<EloCurve>,
    /// How the levels play, lowest first.
    pub characters: Vec<ErrorProfile>,
    /// What an earlier calibration is compared with, if one is.
    pub since: Option<Since>,
}

/// What differs from an earlier calibration.
pub struct Since {
    /// Its file.
    pub file: String,
    /// Every figure that both have.
    pub changes: Vec<LevelChange>,
}

impl Since {
    /// The figures that changed by more than chance explains.
    pub fn shown(&self) -> impl Iterator<Item = &LevelChange> {
        self.changes.iter().filter(|change| change.is_significant())
    }

    /// What came out of the comparison, in a sentence.
    fn told(&self) -> String {
        let (all, file) = (phrase::count(self.changes.len(), "figure"), &self.file);
        match self.shown().count() {
            0 => format!("Of {all} none changed since {file} by more than chance explains."),
            1 => format!("Of {all} one changed since {file} by more than chance explains."),
            number => format!("Of {all} {number} changed since {file} by more than chance explains."),
        }
    }
}

/// Where a calibration comes from.
pub struct Made {
    /// The command line.
    pub command: String,
    /// The machine, in words.
    pub machine: String,
    /// The signature of the Echo that wrote the report: who played is what the commands say.
    pub bench: u64,
}

/// The seed of the simulation behind the typical error: equal games have equal reports.
const SIMULATION: u64 = 1;
const ALPHA: f64 = 0.05;

impl Graded {
    /// The levels with what was asked of each.
    fn levels(&self) -> impl Iterator<Item = Shown<'_>> {
        let smoothed = self.survey.smoothed();
        self.survey.levels().enumerate().map(move |(number, (at, level))| {
            let on_the_curve = smoothed.as_ref().map(|smoothed| {
                let error = smoothed.covariance()[(number, number)].max(0.0).sqrt();
                (smoothed.values()[number], Z95 * error)
            });
            let (asked, player) = (f64::from(level), &self.survey.players[at]);
            let elo = on_the_curve.map_or(player.elo, |(elo, _)| elo);
            Shown { asked, player, on_the_curve, off: self.called_by_elo.then_some(elo - asked) }
        })
    }

    /// The anchors with what each is rated elsewhere.
    fn anchors(&self) -> impl Iterator<Item = Shown<'_>> {
        let shown = |(at, rated): (usize, AnchorRating)| {
            let (player, asked): (&RatedPlayer, f64) = (&self.survey.players[at], rated.listed);
            Shown { asked, player, on_the_curve: None, off: Some(player.elo - asked) }
        };
        self.survey.anchors().map(shown)
    }

    /// How far what is measured typically lies from what was asked, freed of what chance adds, in Elo.
    fn typical_error(&self) -> Option<Estimate<f64>> {
        let asked: Vec<f64> = self.levels().map(|shown| shown.asked).collect();
        isotonic::rms_error(&asked, &self.survey.measured().ok()?, ALPHA, SIMULATION)
    }

    /// Is there a curve, and no two levels that are surely out of order?
    pub fn rises(&self) -> bool {
        self.graduation.as_ref().is_some_and(|graduation| !graduation.band.crosses())
    }

    /// Who lost how many games by a fault, in a sentence.
    fn faults(&self) -> Option<String> {
        let faulty = self.survey.players.iter().filter(|player| player.faults > 0);
        let told: Vec<String> = faulty
            .map(|RatedPlayer { name, faults, machine_time_losses: by_the_machine, .. }| match by_the_machine
            {
                0 => format!("{name} {faults}"),
                number => format!("{name} {faults} (flags by the machine's doing: {number})"),
            })
            .collect();
        (!told.is_empty()).then(|| {
            format!("Flags, crashes and illegal moves count as lost games: {}.", phrase::listed(&told))
        })
    }

    /// The level furthest from what was asked of it, in a sentence.
    fn furthest_off(&self) -> Option<String> {
        let off = self.levels().filter_map(|Shown { player, on_the_curve, off, .. }| {
            let (_, error) = on_the_curve?;
            Some((off?, error, player.name.as_str()))
        });
        let furthest = off.max_by(|one, other| one.0.abs().total_cmp(&other.0.abs()));
        furthest.map(|(off, error, name)| {
            format!("Furthest from what is asked measures {name}, by {off:+.0} ± {error:.0} Elo.")
        })
    }

    /// Whether each level stands above the one below it, and how sure that is where it is least so, in a sentence.
    fn least_in_order(&self) -> Option<String> {
        let (at, sure) = isotonic::least_in_order(&self.survey.smoothed()?)?;
        let [below, above] = [at, at + 1].map(|at| &self.survey.players[at].name);
        let p = phrase::p_value(1.0 - sure);
        Some(if sure > 0.5 {
            format!("Every level measures above the one below it, least surely {above} above {below} ({p}).")
        } else {
            format!("Not every level measures above the one below it: {above} does not above {below} ({p}).")
        })
    }

    /// How anchors say where the scale stands.
    fn where_anchors_stand(&self) -> String {
        let rated = if self.survey.anchors().any(|(_, rated)| rated.measured.is_some()) {
            "what they were measured to be worth at this time control before"
        } else {
            "their ratings"
        };
        match self.survey.disagreement_here {
            Some(off) if off > 0.0 => format!(
                "these games put them off {rated} by {off:.0} Elo beyond chance (one standard deviation), so that their mean \
                 counts more than each"
            ),
            _ => format!("these games agree with {rated} within chance, so that each keeps its own"),
        }
    }

    /// What is to be known before the figures are used, in sentences.
    fn told(&self) -> Vec<String> {
        let mut sentences = vec![self.ending.clone()];
        sentences.push(match self.survey.anchors().count() {
            0 => "No anchor says where the scale stands: it is as long as the games say, and stands where the levels' mean is \
                  what they are called."
                .to_owned(),
            1 => "One anchor says where the scale stands; how far to trust it, only others could tell.".to_owned(),
            number => format!("{number} anchors say where the scale stands: {}.", self.where_anchors_stand()),
        });
        if !self.survey.left_out.is_empty() {
            sentences.push(format!(
                "Won or lost every single game, which says nothing of the scale, and left out: {}.",
                phrase::listed(&self.survey.left_out)
            ));
        }
        if let Some(disagreement) = &self.survey.disagreement {
            sentences.push(format!(
                "By the games alone they are off their ratings from elsewhere by {:.0} Elo (one standard deviation), by {:.0} beyond \
                 chance{}.",
                disagreement.spread,
                disagreement.beyond_chance,
                if disagreement.beyond_chance > 0.0 {
                    ": that is a systematic error of every rating here, beside the intervals, which hold chance alone"
                } else {
                    ""
                }
            ));
            sentences.extend(disagreement.stretch.map(|Estimate { low, value, high }| {
                format!(
                    "An Elo between them elsewhere is {value:.2} ({low:.2} to {high:.2}) Elo by these games: {}.",
                    if low <= 1.0 && 1.0 <= high {
                        "the scales may be as long as each other"
                    } else {
                        "the scales are not of one length, and the further from their mean the less they agree"
                    }
                )
            }));
        }
        if let Some(Estimate { low, value, high }) = self.typical_error().filter(|_| self.called_by_elo) {
            sentences.push(format!(
                "What is measured differs from what is asked by {value:.0} ({low:.0} to {high:.0}) Elo, root mean square."
            ));
        }
        sentences.extend(self.furthest_off());
        sentences.extend(self.least_in_order());
        if self.graduation.is_some() && !self.rises() {
            sentences.push(
                "A higher level is weaker somewhere, beyond chance: look for a fault before using the curve."
                    .to_owned(),
            );
        }
        sentences.extend(self.faults());
        sentences.extend(self.since.as_ref().map(Since::told));
        sentences
    }
}

/// The head of a table of changes.
const CHANGES: [&str; 5] = ["level", "figure", "then", "now", "chance"];

/// A change's row in it; the chance is that of such a difference among all figures.
fn change(change: &LevelChange) -> Vec<String> {
    let (figure, told): (_, fn(f64) -> String) = match change.figure {
        LevelFigure::Elo => ("Elo", |elo| format!("{elo:.0}")),
        LevelFigure::Over100 => ("moves that lose over 100", phrase::percent),
        LevelFigure::Over300 => ("moves that lose over 300", phrase::percent),
    };
    vec![
        change.level.to_string(),
        figure.to_owned(),
        told(change.then),
        told(change.now),
        format!("{:.3}", change.p),
    ]
}

/// A player, as tables show it.
struct Shown<'g> {
    /// What was asked of it, or is known of it elsewhere, in Elo.
    asked: f64,
    player: &'g RatedPlayer,
    /// A level's rating with what its neighbours' games say of it, and half of its 95 % interval, in Elo.
    on_the_curve: Option<(f64, f64)>,
    /// How far it measures above what was asked, in Elo; `None` where something else than Elo was.
    off: Option<f64>,
}

/// The head of a table of players.
const HEAD: [&str; 8] =
    ["player", "asked", "by its games, ± 95 %", "on the curve, ± 95 %", "off by", "games", "score", "draws"];

/// A player's row in it.
fn row(Shown { asked, player, on_the_curve, off }: Shown<'_>) -> Vec<String> {
    let share = |points: f64| phrase::percent(points / player.games.max(1) as f64);
    vec![
        player.name.clone(),
        format!("{asked:.0}"),
        format!("{:.0} ± {:.0}", player.elo, player.error),
        on_the_curve.map_or_else(String::new, |(elo, error)| format!("{elo:.0} ± {error:.0}")),
        off.map_or_else(String::new, |off| format!("{off:+.0}")),
        phrase::grouped(player.games),
        share(player.points),
        share(player.drawn as f64),
    ]
}

/// The head and the rows of the table of characters.
fn characters(graded: &Graded) -> ([&'static str; 5], impl Iterator<Item = [String; 5]>) {
    let head = ["level", "moves", "lose over 100", "lose over 300", "mean loss, centipawns"];
    let rows = graded.characters.iter().map(|character| {
        let Estimate { low, value, high } = character.mean;
        [
            character.level.to_string(),
            phrase::grouped(character.errors.trials()),
            phrase::rate(character.errors),
            phrase::rate(character.blunders),
            format!("{value:.0} ({low:.0} to {high:.0})"),
        ]
    });
    (head, rows)
}

/// Who a player is, in a word.
const fn kind(role: PlayerRole) -> &'static str {
    match role {
        PlayerRole::Level(_) => "level",
        PlayerRole::Anchor(_) => "anchor",
    }
}
