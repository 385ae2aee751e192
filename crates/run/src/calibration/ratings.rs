//! Every player's rating on one scale from the games of all rounds, with its error, and the cost of its
//! games.
//!
//! The unit is logistic Elo: a difference of 100 is an expected score of 64 %, whatever the share of draws,
//! which is small among weak players and large among strong ones. Anchors fix the scale: each keeps its
//! rating if they agree, and their mean is kept if they do not. Without anchors, the mean of the levels is
//! that of their nominal values. The anchors' ratings by the games alone, and their disagreement with the
//! listed ones, are reported separately and are not part of the random errors.
//!
//! Levels are measured individually, and jointly (`smoothed`): their curve is smooth, so that neighbours
//! improve each other's estimates.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use super::anchoring::{AnchorDisagreement, AnchoredRatings, among};
use super::fit::{self, Unrated};
use super::game_stats::{GameStats, PlayerStats};
use super::player_role::PlayerRole;
use super::precision::PrecisionTarget;
use super::strength_option::{AnchorEngine, AnchorRating, StrengthOption};
use crate::PartResult;
use threefold_player::EngineSpec;
use threefold_stats::elo::Z95;
use threefold_stats::isotonic::{self, MeasurementError, Measurements};
use threefold_stats::rating::{Crosstable, PlayerIndex, RatingModel};

/// A player's rating.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedPlayer {
    /// The name of the player.
    pub name: String,
    /// Whether it is a level or an anchor.
    pub role: PlayerRole,
    /// Its rating, in logistic Elo: for a level by its own games on the anchors' scale, for an anchor by the
    /// games alone.
    pub elo: f64,
    /// Half of the 95 % confidence interval for random error, in Elo.
    pub error: f64,
    /// Games played.
    pub games: u64,
    /// Points from them.
    pub points: f64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost by a fault: a time loss, an illegal move, a crash.
    pub faults: u64,
    /// Time losses among these that a busy machine caused.
    pub machine_time_losses: u64,
    /// Its own share of a game's cost, in seconds on the game's clock.
    pub cost: f64,
}

/// All ratings.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingSurvey {
    /// The levels, lowest first, then the anchors.
    pub players: Vec<RatedPlayer>,
    /// The covariance of their random errors, in Elo squared.
    pub covariance: DMatrix<f64>,
    /// The advantage of White, in Elo.
    pub white_advantage: f64,
    /// How far the anchors disagree with their listed ratings; `None` with fewer than two.
    pub disagreement: Option<AnchorDisagreement>,
    /// How far they disagree, beyond chance, with the ratings used for the scale, in Elo; `None` with fewer
    /// than two.
    pub disagreement_here: Option<f64>,
    /// Anchors that won or lost every one of many games, which gives no information on the scale.
    pub left_out: Vec<String>,
}

impl RatingSurvey {
    /// From the games of these parts.
    ///
    /// # Errors
    /// If the results leave a rating undetermined.
    pub fn from_games(
        option: &StrengthOption,
        anchors: &[AnchorEngine],
        parts: &[PartResult<'_>],
    ) -> Result<Self, Unrated> {
        let stats = GameStats::from_parts(parts);
        let out_of_reach =
            |(name, role): &(String, PlayerRole)| role.is_anchor() && stats.account(name).is_out_of_reach();
        let (left_out, roles): (Vec<_>, Vec<_>) =
            roles(option, anchors, parts).into_iter().partition(out_of_reach);
        let names: Vec<&str> = roles.iter().map(|(name, _)| name.as_str()).collect();
        let mut table = Crosstable::new(names.iter().copied());
        for part in parts {
            record(part, &names, &mut table);
        }
        let (names, roles): (Vec<String>, Vec<PlayerRole>) = roles.into_iter().unzip();
        // Davidson's model has one share of draws for all players, and strong levels draw far more than weak
        // ones.
        let scale = fit::rate(&table, RatingModel::Ordo)?;
        let by_games = AnchoredRatings::of_games(&scale, &roles);
        let anchored = by_games.clone().anchored(&roles);
        let player = |at: usize, name: String, role: PlayerRole| {
            let AnchoredRatings { elos, covariance } = if role.is_anchor() { &by_games } else { &anchored };
            let account = stats.account(&name);
            let PlayerStats { drawn, faults, machine_time_losses: by_the_machine, .. } = account;
            RatedPlayer {
                elo: elos[at],
                // Rounding can make a variance near zero negative.
                error: Z95 * covariance[(at, at)].max(0.0).sqrt(),
                games: scale.ratings[at].games,
                points: scale.ratings[at].points,
                cost: account.cost(),
                drawn,
                faults,
                machine_time_losses: by_the_machine,
                name,
                role,
            }
        };
        let players = names.into_iter().zip(&roles).enumerate();
        Ok(Self {
            players: players.map(|(at, (name, role))| player(at, name, *role)).collect(),
            disagreement: by_games.disagreement(&roles, |rated| rated.listed),
            disagreement_here: by_games
                .disagreement(&roles, AnchorRating::on_scale)
                .map(|found| found.beyond_chance),
            covariance: anchored.covariance,
            left_out: left_out.into_iter().map(|(name, _)| name).collect(),
            white_advantage: scale.white_advantage,
        })
    }

    /// The levels with their indices, lowest first.
    pub fn levels(&self) -> impl Iterator<Item = (usize, u32)> {
        self.players.iter().enumerate().filter_map(|(at, player)| match player.role {
            PlayerRole::Level(level) => Some((at, level)),
            PlayerRole::Anchor(_) => None,
        })
    }

    /// The anchors with their indices and ratings.
    pub fn anchors(&self) -> impl Iterator<Item = (usize, AnchorRating)> {
        self.players.iter().enumerate().filter_map(|(at, player)| match player.role {
            PlayerRole::Anchor(rated) => Some((at, rated)),
            PlayerRole::Level(_) => None,
        })
    }

    /// The ratings of the levels as measurements, each by its own games, lowest level first.
    pub fn measured(&self) -> Result<Measurements, MeasurementError> {
        let places: Vec<usize> = self.levels().map(|(at, _)| at).collect();
        let values: Vec<f64> = places.iter().map(|&at| self.players[at].elo).collect();
        Measurements::joint(&values, among(&self.covariance, &places))
    }

    /// The measured ratings, smoothed along a monotone curve; `None` without measurements.
    pub fn smoothed(&self) -> Option<Measurements> {
        let levels: Vec<f64> = self.levels().map(|(_, level)| f64::from(level)).collect();
        isotonic::smooth(&levels, &self.measured().ok()?)
    }

    /// The smoothed rating of each level and the half-width of its 95 % interval, in Elo, lowest level first.
    pub(super) fn known(&self) -> Option<Vec<(f64, f64)>> {
        let smoothed = self.smoothed()?;
        let errors = smoothed.covariance().diagonal().map(|variance| Z95 * variance.max(0.0).sqrt());
        Some(smoothed.values().iter().copied().zip(errors.iter().copied()).collect())
    }

    /// The widest half-width among the levels with a required precision, in Elo.
    pub fn widest(&self, precision: &PrecisionTarget) -> Option<f64> {
        let known = self.known()?;
        known
            .iter()
            .filter(|(elo, _)| precision.range.contains(elo))
            .map(|(_, error)| *error)
            .max_by(f64::total_cmp)
    }

    /// Does every level reach the required precision, or this multiple of it?
    pub fn is_known(&self, precision: &PrecisionTarget, times: f64) -> bool {
        self.known()
            .is_some_and(|known| known.iter().all(|&(elo, error)| error <= times * precision.half_width(elo)))
    }
}

/// Everyone who played, levels first.
pub(super) fn roles(
    option: &StrengthOption,
    anchors: &[AnchorEngine],
    parts: &[PartResult<'_>],
) -> Vec<(String, PlayerRole)> {
    let mut levels = BTreeMap::new();
    let mut outside = BTreeMap::new();
    for engine in parts.iter().filter_map(PartResult::match_task).flat_map(|task| &task.engines) {
        if let Some(place) = anchors.iter().position(|anchor| anchor.engine.name == engine.name) {
            outside.insert(place, (engine.name.clone(), PlayerRole::Anchor(anchors[place].rated)));
        } else if let Some(level) = option.level(engine) {
            levels.insert(level, (engine.name.clone(), PlayerRole::Level(level)));
        }
    }
    levels.into_values().chain(outside.into_values()).collect()
}

/// Counts the games of a part, unless one of its players is left out.
fn record(part: &PartResult<'_>, names: &[&str], table: &mut Crosstable) {
    let Some(task) = part.match_task() else { return };
    let seat = |engine: &EngineSpec| names.iter().position(|name| *name == engine.name).map(PlayerIndex);
    let seats: Option<Vec<PlayerIndex>> = task.engines.iter().map(seat).collect();
    if let Some(seats) = seats {
        fit::record(table, &seats, part.games());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::simulated::{SimulatedMatch, option};
    use super::*;
    use crate::JobResult;
    use threefold_chess::clock::Delays;
    use threefold_games::game::{GameEnd, GameOutcome};
    use threefold_player::{FaultCause, RecordedFault};

    /// Levels 600, 1000 and 1400 with true ratings 450, 900 and 1500, and two anchors of 700 and 1300.
    fn surveyed(anchored: [f64; 2]) -> RatingSurvey {
        surveyed_by(&anchored.map(|elsewhere| (elsewhere, None)), [300, 300])
    }

    /// A survey with either or both anchors, with listed and measured ratings, and this number of pairs
    /// against each at each level.
    fn surveyed_by(anchored: &[(f64, Option<f64>)], pairs: [usize; 2]) -> RatingSurvey {
        let levels = [(600, 450.0), (1000, 900.0), (1400, 1500.0)]
            .map(|(level, elo)| (option().engine_at(level, 1).expect("sound"), elo));
        let anchors: Vec<AnchorEngine> = (["A", "B"].into_iter().zip(anchored))
            .map(|(name, &(elsewhere, here))| AnchorEngine {
                engine: format!("./{name},name={name}").parse().expect("sound"),
                rated: AnchorRating { listed: elsewhere, measured: here },
            })
            .collect();
        let truth = [700.0, 1300.0];
        let pair =
            |one: usize, other: usize| [(&levels[one].0, levels[one].1), (&levels[other].0, levels[other].1)];
        let mut games =
            vec![SimulatedMatch::play(pair(0, 1), 400, 1), SimulatedMatch::play(pair(1, 2), 400, 2)];
        for (number, (anchor, truth)) in anchors.iter().zip(truth).enumerate() {
            for level in [number, number + 1] {
                let met = [(&anchor.engine, truth), (&levels[level].0, levels[level].1)];
                games.push(SimulatedMatch::play(met, pairs[number], 10 + level as u64 + 2 * number as u64));
            }
        }
        let records: Vec<PartResult<'_>> = games.iter().map(SimulatedMatch::record).collect();
        RatingSurvey::from_games(&option(), &anchors, &records).expect("connected and mixed")
    }

    #[test]
    fn distant_anchor_is_left_out() {
        let levels = [600, 1000].map(|level| option().engine_at(level, 1).expect("sound"));
        let fish: AnchorEngine = "./fish,name=Fish=700".parse().expect("sound");
        let own = SimulatedMatch::play([(&levels[0], 450.0), (&levels[1], 500.0)], 100, 1);
        let surveyed = |pairs| {
            let lost = SimulatedMatch::play([(&fish.engine, -9_000.0), (&levels[0], 450.0)], pairs, 2);
            RatingSurvey::from_games(&option(), std::slice::from_ref(&fish), &[own.record(), lost.record()])
        };
        assert!(matches!(surveyed(31), Err(Unrated::Swept { .. })), "62 games may be bad luck");
        let survey = surveyed(32).expect("connected and mixed");
        assert_eq!((survey.left_out, survey.players.len()), (vec!["Fish".to_owned()], 2));
    }

    #[test]
    fn faults_are_counted_with_their_loser() {
        let levels = [600, 1000].map(|level| option().engine_at(level, 1).expect("sound"));
        let mut games = SimulatedMatch::play([(&levels[0], 450.0), (&levels[1], 500.0)], 100, 1);
        let millis = Duration::from_millis;
        let ends = [
            GameEnd::TimeForfeit {
                over: millis(5),
                margin: Duration::ZERO,
                delays: Some(Delays { engine: millis(9), runner: millis(0) }),
            },
            GameEnd::TimeForfeit {
                over: millis(5),
                margin: Duration::ZERO,
                delays: Some(Delays { engine: millis(4), runner: millis(0) }),
            },
            GameEnd::IllegalMove("e2e5".to_owned()),
            GameEnd::EngineFault(RecordedFault { cause: FaultCause::Crash, detail: "it crashed".to_owned() }),
        ];
        let mut lost = [0, 0];
        for (result, fault) in games.results.iter_mut().zip(ends) {
            let JobResult::Game(game) = result else { panic!("games alone") };
            game.end = fault;
            let loser = &game.players[usize::from(game.outcome == GameOutcome::White)];
            lost[usize::from(*loser == levels[1].name)] += 1;
        }
        let survey =
            RatingSurvey::from_games(&option(), &[], &[games.record()]).expect("connected and mixed");
        assert_eq!([0, 1].map(|at: usize| survey.players[at].faults), lost);
        assert_eq!(survey.players.iter().map(|player| player.machine_time_losses).sum::<u64>(), 1);
        assert!(survey.players.iter().all(|player| player.drawn == 0));
    }

    #[test]
    fn anchors_determine_the_ratings() {
        let survey = surveyed([700.0, 1300.0]);
        let truth = [450.0, 900.0, 1500.0, 700.0, 1300.0];
        for (player, truth) in survey.players.iter().zip(truth) {
            assert!((player.elo - truth).abs() < 1.5 * player.error + 1e-9, "{player:?} is {truth}");
            assert!(player.error > 1.0 && player.error < 60.0, "{player:?}");
            assert!((player.cost - 2.01).abs() < 1e-9, "{player:?}");
        }
        let mean: f64 = survey.anchors().map(|(at, rated)| survey.players[at].elo - rated.listed).sum();
        assert!(mean.abs() < 1e-9, "the anchors' mean is kept");
        let AnchorDisagreement { spread, stretch, .. } = survey.disagreement.expect("two anchors");
        let stretch = stretch.expect("two ratings");
        assert!(spread < 60.0 && stretch.low < 1.0 && 1.0 < stretch.high, "{spread} {stretch:?}");
    }

    #[test]
    fn agreeing_anchors_keep_their_ratings_and_others_their_mean() {
        let agreed = surveyed([700.0, 1300.0]);
        let elos = |survey: &RatingSurvey| survey.players.iter().map(|player| player.elo).collect::<Vec<_>>();
        let shifted = elos(&surveyed([800.0, 1400.0]));
        assert!(elos(&agreed).iter().zip(shifted).all(|(one, other)| (one + 100.0 - other).abs() < 1e-3));
        assert_eq!(agreed.disagreement.as_ref().map(|found| found.beyond_chance), Some(0.0));
        let [own, with_a_level] = [(3, 3), (0, 3)].map(|at| agreed.covariance[at]);
        assert!(own.abs() < 1e-3 && with_a_level.abs() < 1e-3, "{own} {with_a_level}");
        let apart = surveyed([900.0, 1100.0]);
        // Their mean is unchanged, and no level is pulled towards the anchor that it met.
        let moved: Vec<f64> =
            elos(&agreed).iter().zip(elos(&apart)).map(|(one, other)| other - one).collect();
        let middle = moved[..3].iter().sum::<f64>() / 3.0;
        assert!(moved[..3].iter().all(|moved| (moved - middle).abs() < 25.0), "{moved:?}");
        assert!(apart.covariance[(0, 0)] > agreed.covariance[(0, 0)], "they give less information");
        let AnchorDisagreement { spread, beyond_chance, stretch } = apart.disagreement.expect("two anchors");
        assert!(spread > 200.0 && (200.0..spread).contains(&beyond_chance), "{spread} {beyond_chance}");
        assert!(stretch.expect("two ratings").low > 1.5);
    }

    #[test]
    fn measured_anchor_ratings_take_precedence_over_listed_ones() {
        let agreed = surveyed([700.0, 1300.0]);
        let here = surveyed_by(&[(900.0, Some(700.0)), (1100.0, Some(1300.0))], [300, 300]);
        let elos = |survey: &RatingSurvey| survey.players.iter().map(|player| player.elo).collect::<Vec<_>>();
        assert!(elos(&agreed).iter().zip(elos(&here)).all(|(one, other)| (one - other).abs() < 1e-6));
        assert_eq!((agreed.disagreement_here, here.disagreement_here), (Some(0.0), Some(0.0)));
        assert!(
            here.disagreement.expect("two anchors").beyond_chance > 200.0,
            "the disagreement of the listed ratings is reported"
        );
    }

    #[test]
    fn single_anchor_keeps_its_rating() {
        let survey = surveyed_by(&[(750.0, None)], [300, 300]);
        let (at, _) = survey.anchors().next().expect("one");
        assert!((survey.players[at].elo - 750.0).abs() < 1e-6 && survey.disagreement.is_none());
        assert!(
            (survey.players[0].elo - 500.0).abs() < 1.5 * survey.players[0].error,
            "fifty above the truth"
        );
    }

    #[test]
    fn disagreeing_anchors_do_not_depend_on_the_pairings() {
        let levels = |pairs| {
            let survey = surveyed_by(&[(850.0, None), (1150.0, None)], pairs);
            survey.levels().map(|(at, _)| survey.players[at].elo).collect::<Vec<_>>()
        };
        for (one, other) in levels([1000, 100]).iter().zip(levels([100, 1000])) {
            assert!((one - other).abs() < 45.0, "{one} {other}");
        }
    }

    #[test]
    fn levels_without_anchors_have_the_mean_of_their_names() {
        let survey = surveyed_by(&[], [0, 0]);
        assert_eq!((survey.players.len(), survey.disagreement), (3, None));
        let mean: f64 = survey.players.iter().map(|player| player.elo).sum::<f64>() / 3.0;
        assert!((mean - 1000.0).abs() < 1e-6, "{mean}");
        assert!(survey.players.windows(2).all(|pair| pair[0].elo + 100.0 < pair[1].elo));
    }
}
