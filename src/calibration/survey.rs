//! What the games of all rounds come to: every player's rating on one scale, how sure it is, and what its games cost.
//!
//! The unit is logistic Elo: 100 more means an expected score of 64 %, whatever the share of draws, which is small among
//! weak players and large among strong ones. The scale is as long as the games say. Where it stands, the anchors say,
//! each as loud as the other: their ratings, as they were won elsewhere, and as the games see them, have the same mean.
//! How far they disagree among themselves is told beside the errors of chance, not mixed into them.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};
use shakmaty::Color;

use super::dial::{Anchor, Dial};
use super::fit::{self, Unrated};
use crate::stats::Estimate;
use crate::stats::isotonic::{self, Measurements};
use crate::stats::rating::{Crosstable, Model, Seat};
use crate::work::PartRecord;
use crate::work::job::white_result;

/// Half of a 95 % interval, in standard errors.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;
const ALPHA: f64 = 0.05;
/// What a game costs beside its thinking, in seconds.
const SETTING_UP: f64 = 0.02;

/// Who was rated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Role {
    /// The engine at a level of its dial.
    Level(u32),
    /// An anchor with this rating from elsewhere.
    Anchor(f64),
}

/// A player's rating.
#[derive(Debug, Clone, PartialEq)]
pub struct Surveyed {
    /// Its name.
    pub name: String,
    /// Who it is.
    pub role: Role,
    /// Its rating, in logistic Elo.
    pub elo: f64,
    /// Half of the 95 % interval that chance leaves, in Elo, from the mean of the anchors, or of all where there are none.
    pub error: f64,
    /// Games played.
    pub games: u64,
    /// Points from them.
    pub points: f64,
    /// Its own share of what a game costs, in seconds on the game's clock.
    pub cost: f64,
}

/// All ratings.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// The levels, lowest first, then the anchors.
    pub players: Vec<Surveyed>,
    /// How their errors hang together, in Elo squared.
    pub covariance: DMatrix<f64>,
    /// What the white pieces are worth, in Elo.
    pub white_advantage: f64,
    /// How far the anchors disagree; `None` with fewer than two.
    pub disagreement: Option<Disagreement>,
}

/// How far anchors disagree with each other: what is wrong with the scale that no number of games mends.
#[derive(Debug, Clone, PartialEq)]
pub struct Disagreement {
    /// The standard deviation of what their ratings here are above those from elsewhere, in Elo.
    pub spread: f64,
    /// Elo here for an Elo there, with its 95 % interval by chance; 1 where both scales are as long.
    pub stretch: Option<Estimate<f64>>,
}

/// Results and costs by name.
#[derive(Debug, Default)]
struct Ledger {
    cost: BTreeMap<String, (f64, u64)>,
}

impl Survey {
    /// Of the games of these parts.
    ///
    /// # Errors
    /// Where results leave a rating unmeasured.
    pub fn of(dial: &Dial, anchors: &[Anchor], parts: &[PartRecord<'_>]) -> Result<Self, Unrated> {
        let roles = roles(dial, anchors, parts);
        let names: Vec<&str> = roles.iter().map(|(name, _)| name.as_str()).collect();
        let mut table = Crosstable::new(names.iter().copied());
        let mut ledger = Ledger::default();
        for part in parts {
            record(part, &names, &mut table);
            ledger.enter(part);
        }
        let scale = fit::rate(&table, Model::Ordo)?;
        let elos = DVector::from_iterator(roles.len(), scale.ratings.iter().map(|rating| rating.elo));
        let reference = Reference::of(&roles);
        let shift = reference.level - reference.weights.dot(&elos);
        let covariance = relative_to(&scale.covariance, &reference.weights);
        let players: Vec<Surveyed> = (roles.into_iter().zip(scale.ratings).enumerate())
            .map(|(at, ((name, role), rating))| Surveyed {
                elo: rating.elo + shift,
                error: TWO_SIDED_95 * covariance[(at, at)].max(0.0).sqrt(),
                games: rating.games,
                points: rating.points,
                cost: ledger.mean(&name),
                name,
                role,
            })
            .collect();
        let disagreement = disagreement(&players, &covariance);
        Ok(Self { players, covariance, white_advantage: scale.white_advantage, disagreement })
    }

    /// The levels with their places, lowest first.
    pub fn levels(&self) -> impl Iterator<Item = (usize, u32)> {
        self.players.iter().enumerate().filter_map(|(at, player)| match player.role {
            Role::Level(level) => Some((at, level)),
            Role::Anchor(_) => None,
        })
    }

    /// The anchors with their places and what they are rated elsewhere.
    pub fn anchors(&self) -> impl Iterator<Item = (usize, f64)> {
        self.players.iter().enumerate().filter_map(|(at, player)| match player.role {
            Role::Anchor(rating) => Some((at, rating)),
            Role::Level(_) => None,
        })
    }

    /// The ratings of the levels as measurements, lowest level first.
    pub fn measured(&self) -> Result<Measurements, isotonic::Unmeasured> {
        let places: Vec<usize> = self.levels().map(|(at, _)| at).collect();
        let values: Vec<f64> = places.iter().map(|&at| self.players[at].elo).collect();
        Measurements::joint(&values, among(&self.covariance, &places))
    }
}

/// Everybody who played, levels first.
fn roles(dial: &Dial, anchors: &[Anchor], parts: &[PartRecord<'_>]) -> Vec<(String, Role)> {
    let mut levels = BTreeMap::new();
    let mut outside = BTreeMap::new();
    for engine in parts.iter().filter_map(PartRecord::games_ordered).flat_map(|task| &task.engines) {
        if let Some(place) = anchors.iter().position(|anchor| anchor.engine.name == engine.name) {
            outside.insert(place, (engine.name.clone(), Role::Anchor(anchors[place].rating)));
        } else if let Some(level) = dial.level(&engine.name) {
            levels.insert(level, (engine.name.clone(), Role::Level(level)));
        }
    }
    levels.into_values().chain(outside.into_values()).collect()
}

/// Counts the games of a part of two players.
fn record(part: &PartRecord<'_>, names: &[&str], table: &mut Crosstable) {
    let Some(task) = part.games_ordered() else { return };
    let seat = |engine: usize| names.iter().position(|name| *name == task.engines[engine].name).map(Seat);
    let games: Vec<_> = part.games().collect();
    for pair in games.chunks(2) {
        let (fixture, game) = pair[0];
        let (Some(white), Some(black)) = (seat(fixture.white), seat(fixture.black)) else { continue };
        match pair {
            [(_, first), (_, second)] => {
                table.record_pair(white, black, [white_result(first), white_result(second).reversed()]);
            }
            _ => table.record_game(white, black, white_result(game)),
        }
    }
}

impl Ledger {
    fn enter(&mut self, part: &PartRecord<'_>) {
        for (_, game) in part.games() {
            for (color, name) in [Color::White, Color::Black].into_iter().zip(&game.players) {
                let used = game.moves_of(color).filter_map(|played| played.used);
                let (sum, games) = self.cost.entry(name.clone()).or_default();
                *sum += used.map(|used| used.as_secs_f64()).sum::<f64>();
                *games += 1;
            }
        }
    }

    fn mean(&self, name: &str) -> f64 {
        self.cost.get(name).map_or(0.0, |(sum, games)| sum / *games as f64) + SETTING_UP / 2.0
    }
}

/// What ratings are measured from: a mean of some players, and the Elo that it is to have.
struct Reference {
    weights: DVector<f64>,
    level: f64,
}

impl Reference {
    /// The anchors; where there are none the levels, as if they were what they are called.
    fn of(roles: &[(String, Role)]) -> Self {
        let outside = |role: &Role| matches!(role, Role::Anchor(_));
        let anchored = roles.iter().any(|(_, role)| outside(role));
        let counted: Vec<Option<f64>> = roles
            .iter()
            .map(|(_, role)| match *role {
                Role::Anchor(rating) => Some(rating),
                Role::Level(level) => (!anchored).then(|| f64::from(level)),
            })
            .collect();
        let number = counted.iter().flatten().count().max(1) as f64;
        let weights = counted.iter().map(|rating| if rating.is_some() { 1.0 / number } else { 0.0 });
        Self {
            weights: DVector::from_iterator(roles.len(), weights),
            level: counted.iter().flatten().sum::<f64>() / number,
        }
    }
}

/// Errors of the differences from a mean.
fn relative_to(covariance: &DMatrix<f64>, weights: &DVector<f64>) -> DMatrix<f64> {
    let with_mean = covariance * weights;
    let of_mean = weights.dot(&with_mean);
    DMatrix::from_fn(covariance.nrows(), covariance.ncols(), |a, b| {
        covariance[(a, b)] - with_mean[a] - with_mean[b] + of_mean
    })
}

/// The errors of some players.
fn among(covariance: &DMatrix<f64>, places: &[usize]) -> DMatrix<f64> {
    DMatrix::from_fn(places.len(), places.len(), |a, b| covariance[(places[a], places[b])])
}

fn disagreement(players: &[Surveyed], covariance: &DMatrix<f64>) -> Option<Disagreement> {
    let (places, ratings): (Vec<usize>, Vec<f64>) = (players.iter().enumerate())
        .filter_map(|(at, player)| match player.role {
            Role::Anchor(rating) => Some((at, rating)),
            Role::Level(_) => None,
        })
        .unzip();
    if places.len() < 2 {
        return None;
    }
    let elos: Vec<f64> = places.iter().map(|&at| players[at].elo).collect();
    let off: f64 = elos.iter().zip(&ratings).map(|(elo, rating)| (elo - rating).powi(2)).sum();
    let measured = Measurements::joint(&elos, among(covariance, &places)).ok();
    Some(Disagreement {
        spread: (off / (places.len() - 1) as f64).sqrt(),
        stretch: measured.and_then(|measured| isotonic::slope(&ratings, &measured, ALPHA)),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::arena::game::{Adjudication, End, GameRecord, Outcome, Played};
    use crate::arena::opening::Opening;
    use crate::arena::pairing::{Fixture, Format};
    use crate::clock::{Control, Pace};
    use crate::line::Line;
    use crate::player::EngineSpec;
    use crate::score::Ply;
    use crate::work::{Ending, Finding, MatchTask, Part, Progress, Purpose, Task};

    /// A match between two players, and its games as chance has them by their true Elo.
    pub(in crate::calibration) struct Simulated {
        part: Part,
        findings: Vec<Finding>,
    }

    impl Simulated {
        pub(in crate::calibration) fn play(
            players: [(&EngineSpec, f64); 2],
            pairs: usize,
            seed: u64,
        ) -> Self {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let task = MatchTask {
                engines: players.map(|(engine, _)| engine.clone()).to_vec(),
                openings: vec![Opening { line: Line::start_position(), name: None }],
                format: Format::RoundRobin,
                pairs,
                control: Control::default(),
                pace: Pace::Wall,
                adjudication: Adjudication::default(),
                purpose: Purpose::Match,
            };
            let game = |fixture: Fixture| {
                let seats = [fixture.white, fixture.black];
                let [white, black] = seats.map(|seat| players[seat].1);
                let chance = 1.0 / (1.0 + 10_f64.powf((black - white) / 400.0));
                let outcome = if random.random_bool(chance) { Outcome::White } else { Outcome::Black };
                Finding::Game(GameRecord {
                    players: seats.map(|seat| players[seat].0.name.clone()),
                    opening: Line::start_position(),
                    played: vec![played(), played()],
                    outcome,
                    end: End::Checkmate,
                })
            };
            let findings = task.schedule().fixtures().map(game).collect();
            let part = Part { name: "simulated".to_owned(), task: Task::Match(task) };
            Self { part, findings }
        }

        pub(in crate::calibration) fn record(&self) -> PartRecord<'_> {
            let jobs = self.findings.len();
            let ending = Some(Ending::Complete);
            PartRecord {
                part: &self.part,
                suite: None,
                progress: Progress { found: jobs, counted: jobs, jobs, ending, evidence: None },
                findings: self.findings.iter().collect(),
                slots: vec![None; jobs],
            }
        }
    }

    fn played() -> Played {
        Played {
            mv: "e2e4".parse().expect("a move"),
            score: None,
            depth: Ply(1),
            nodes: 10,
            used: Some(Duration::from_secs(2)),
            left: None,
            account: None,
        }
    }

    pub(in crate::calibration) fn dial() -> Dial {
        Dial::new("echo,name=Echo".parse().expect("sound"), "UCI_Elo".to_owned())
    }

    /// Levels 600, 1000 and 1400 that are worth 450, 900 and 1500, and two anchors of 700 and 1300.
    fn surveyed(anchored: [f64; 2], with_anchors: bool) -> Survey {
        let levels = [(600, 450.0), (1000, 900.0), (1400, 1500.0)]
            .map(|(level, elo)| (dial().at(level, 1).expect("sound"), elo));
        let anchors: Vec<Anchor> = (["A", "B"].into_iter().zip(anchored))
            .map(|(name, rating)| Anchor {
                engine: format!("./{name},name={name}").parse().expect("sound"),
                rating,
            })
            .collect();
        let truth = [700.0, 1300.0];
        let pair =
            |one: usize, other: usize| [(&levels[one].0, levels[one].1), (&levels[other].0, levels[other].1)];
        let mut games = vec![Simulated::play(pair(0, 1), 400, 1), Simulated::play(pair(1, 2), 400, 2)];
        for (number, (anchor, truth)) in anchors.iter().zip(truth).enumerate().filter(|_| with_anchors) {
            for level in [number, number + 1] {
                let met = [(&anchor.engine, truth), (&levels[level].0, levels[level].1)];
                games.push(Simulated::play(met, 300, 10 + level as u64 + 2 * number as u64));
            }
        }
        let records: Vec<PartRecord<'_>> = games.iter().map(Simulated::record).collect();
        Survey::of(&dial(), &anchors, &records).expect("connected and mixed")
    }

    #[test]
    fn ratings_stand_where_the_anchors_say() {
        let survey = surveyed([700.0, 1300.0], true);
        let truth = [450.0, 900.0, 1500.0, 700.0, 1300.0];
        for (player, truth) in survey.players.iter().zip(truth) {
            assert!((player.elo - truth).abs() < 1.5 * player.error + 1e-9, "{player:?} is {truth}");
            assert!(player.error > 1.0 && player.error < 60.0, "{player:?}");
            assert!((player.cost - 2.01).abs() < 1e-9, "{player:?}");
        }
        let mean: f64 = survey.anchors().map(|(at, rating)| survey.players[at].elo - rating).sum();
        assert!(mean.abs() < 1e-9, "the anchors' mean is kept");
        let Disagreement { spread, stretch } = survey.disagreement.expect("two anchors");
        let stretch = stretch.expect("two ratings");
        assert!(spread < 60.0 && stretch.low < 1.0 && 1.0 < stretch.high, "{spread} {stretch:?}");
    }

    #[test]
    fn anchors_that_disagree_are_told_and_do_not_bend_the_scale() {
        let (agreed, apart) = (surveyed([700.0, 1300.0], true), surveyed([900.0, 1100.0], true));
        for (one, other) in agreed.players.iter().zip(&apart.players) {
            assert!(
                (one.elo - other.elo).abs() < 1e-6 && (one.error - other.error).abs() < 1e-6,
                "{one:?} {other:?}"
            );
        }
        let Disagreement { spread, stretch } = apart.disagreement.expect("two anchors");
        assert!(spread > 200.0 && stretch.expect("two ratings").low > 1.5, "{spread}");
    }

    #[test]
    fn without_anchors_the_levels_are_on_average_what_they_are_called() {
        let survey = surveyed([0.0, 0.0], false);
        assert_eq!((survey.players.len(), survey.disagreement), (3, None));
        let mean: f64 = survey.players.iter().map(|player| player.elo).sum::<f64>() / 3.0;
        assert!((mean - 1000.0).abs() < 1e-6, "{mean}");
        assert!(survey.players.windows(2).all(|pair| pair[0].elo + 100.0 < pair[1].elo));
    }
}
