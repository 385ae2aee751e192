//! What the games of all rounds come to: every player's rating on one scale, how sure it is, and what its games cost.
//!
//! The unit is logistic Elo: 100 more means an expected score of 64 %, whatever the share of draws, which is small among
//! weak players and large among strong ones. Anchors say where the scale stands: as far as they agree, each where it is;
//! as far as they don't, all by their mean. Games say the rest. Where there are none, the levels' mean is what they are
//! called. What the anchors would be if the games alone decided is told beside, and how far that disagrees with their
//! ratings: it is not mixed into the errors of chance.
//!
//! Levels are measured one by one, and together (`smoothed`): their curve is smooth, so that neighbours know of each
//! other.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use super::aim::Aim;
use super::dial::{Anchor, Dial, Rated};
use super::fit::{self, Unrated};
use super::ledger::{Account, Ledger};
use super::standing::{Disagreement, Standing, among};
use crate::player::EngineSpec;
use crate::work::PartResult;
use threefold_stats::elo::Z95;
use threefold_stats::isotonic::{self, MeasurementError, Measurements};
use threefold_stats::rating::{Crosstable, PlayerIndex, RatingModel};

/// Who was rated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Role {
    /// The engine at a level of its dial.
    Level(u32),
    /// An anchor of this rating.
    Anchor(Rated),
}

/// A player's rating.
#[derive(Debug, Clone, PartialEq)]
pub struct Surveyed {
    /// Its name.
    pub name: String,
    /// Who it is.
    pub role: Role,
    /// Its rating, in logistic Elo: a level's by its own games on the anchors' scale, an anchor's as if the games alone
    /// said how far the anchors are apart.
    pub elo: f64,
    /// Half of the 95 % interval that chance leaves, in Elo.
    pub error: f64,
    /// Games played.
    pub games: u64,
    /// Points from them.
    pub points: f64,
    /// Games drawn.
    pub drawn: u64,
    /// Games that it lost by a flag, an illegal move, or what else an engine must not do: they count as lost.
    pub faults: u64,
    /// Of these, flags that fell by the machine's doing.
    pub by_the_machine: u64,
    /// Its own share of what a game costs, in seconds on the game's clock.
    pub cost: f64,
}

/// All ratings.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// The levels, lowest first, then the anchors.
    pub players: Vec<Surveyed>,
    /// How their errors by chance hang together, in Elo squared.
    pub covariance: DMatrix<f64>,
    /// What the white pieces are worth, in Elo.
    pub white_advantage: f64,
    /// How far the anchors disagree with their ratings from elsewhere; `None` with fewer than two.
    pub disagreement: Option<Disagreement>,
    /// How far they disagree beyond chance with where the scale has them, in Elo; `None` with fewer than two.
    pub off_here: Option<f64>,
    /// Anchors that won or lost every single one of many games, which says nothing of the scale.
    pub left_out: Vec<String>,
}

impl Survey {
    /// Of the games of these parts.
    ///
    /// # Errors
    /// Where results leave a rating unmeasured.
    pub fn of(dial: &Dial, anchors: &[Anchor], parts: &[PartResult<'_>]) -> Result<Self, Unrated> {
        let ledger = Ledger::of(parts);
        let out_of_reach =
            |(name, role): &(String, Role)| role.is_anchor() && ledger.account(name).is_out_of_reach();
        let (left_out, roles): (Vec<_>, Vec<_>) =
            roles(dial, anchors, parts).into_iter().partition(out_of_reach);
        let names: Vec<&str> = roles.iter().map(|(name, _)| name.as_str()).collect();
        let mut table = Crosstable::new(names.iter().copied());
        for part in parts {
            record(part, &names, &mut table);
        }
        let (names, roles): (Vec<String>, Vec<Role>) = roles.into_iter().unzip();
        let scale = fit::rate(&table, RatingModel::Ordo)?;
        let by_games = Standing::of_games(&scale, &roles);
        let anchored = by_games.clone().anchored(&roles);
        let player = |at: usize, name: String, role: Role| {
            let Standing { elos, covariance } = if role.is_anchor() { &by_games } else { &anchored };
            let account = ledger.account(&name);
            let Account { drawn, faults, by_the_machine, .. } = account;
            Surveyed {
                elo: elos[at],
                error: Z95 * covariance[(at, at)].max(0.0).sqrt(),
                games: scale.ratings[at].games,
                points: scale.ratings[at].points,
                cost: account.cost(),
                drawn,
                faults,
                by_the_machine,
                name,
                role,
            }
        };
        let players = names.into_iter().zip(&roles).enumerate();
        Ok(Self {
            players: players.map(|(at, (name, role))| player(at, name, *role)).collect(),
            disagreement: by_games.disagreement(&roles, |rated| rated.elsewhere),
            off_here: by_games.disagreement(&roles, Rated::stands_at).map(|found| found.beyond_chance),
            covariance: anchored.covariance,
            left_out: left_out.into_iter().map(|(name, _)| name).collect(),
            white_advantage: scale.white_advantage,
        })
    }

    /// The levels with their places, lowest first.
    pub fn levels(&self) -> impl Iterator<Item = (usize, u32)> {
        self.players.iter().enumerate().filter_map(|(at, player)| match player.role {
            Role::Level(level) => Some((at, level)),
            Role::Anchor(_) => None,
        })
    }

    /// The anchors with their places and what they are rated.
    pub fn anchors(&self) -> impl Iterator<Item = (usize, Rated)> {
        self.players.iter().enumerate().filter_map(|(at, player)| match player.role {
            Role::Anchor(rated) => Some((at, rated)),
            Role::Level(_) => None,
        })
    }

    /// The ratings of the levels as measurements, each by its own games, lowest level first.
    pub fn measured(&self) -> Result<Measurements, MeasurementError> {
        let places: Vec<usize> = self.levels().map(|(at, _)| at).collect();
        let values: Vec<f64> = places.iter().map(|&at| self.players[at].elo).collect();
        Measurements::joint(&values, among(&self.covariance, &places))
    }

    /// The same, known that they lie on a smooth curve; `None` where there is nothing to measure.
    pub fn smoothed(&self) -> Option<Measurements> {
        let levels: Vec<f64> = self.levels().map(|(_, level)| f64::from(level)).collect();
        isotonic::smooth(&levels, &self.measured().ok()?)
    }

    /// Of each level, where it is and how far its 95 % interval reaches to either side, in Elo, known that all lie on a
    /// smooth curve; lowest level first.
    pub(super) fn known(&self) -> Option<Vec<(f64, f64)>> {
        let smoothed = self.smoothed()?;
        let errors = smoothed.covariance().diagonal().map(|variance| Z95 * variance.max(0.0).sqrt());
        Some(smoothed.values().iter().copied().zip(errors.iter().copied()).collect())
    }

    /// The widest of these intervals among the levels that are to be known well, in Elo to either side.
    pub fn widest(&self, aim: &Aim) -> Option<f64> {
        let known = self.known()?;
        known
            .iter()
            .filter(|(elo, _)| aim.within.contains(elo))
            .map(|(_, error)| *error)
            .max_by(f64::total_cmp)
    }

    /// Is every level known as well as it is to be, or so many times as badly at most?
    pub fn is_known(&self, aim: &Aim, times: f64) -> bool {
        self.known().is_some_and(|known| known.iter().all(|&(elo, error)| error <= times * aim.at(elo)))
    }
}

impl Role {
    /// Is it an anchor?
    pub const fn is_anchor(self) -> bool {
        matches!(self, Self::Anchor(_))
    }
}

/// Everybody who played, levels first.
pub(super) fn roles(dial: &Dial, anchors: &[Anchor], parts: &[PartResult<'_>]) -> Vec<(String, Role)> {
    let mut levels = BTreeMap::new();
    let mut outside = BTreeMap::new();
    for engine in parts.iter().filter_map(PartResult::match_task).flat_map(|task| &task.engines) {
        if let Some(place) = anchors.iter().position(|anchor| anchor.engine.name == engine.name) {
            outside.insert(place, (engine.name.clone(), Role::Anchor(anchors[place].rated)));
        } else if let Some(level) = dial.level(engine) {
            levels.insert(level, (engine.name.clone(), Role::Level(level)));
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

    use super::super::simulated::{Simulated, dial};
    use super::*;
    use crate::arena::game::{GameEnd, GameOutcome};
    use crate::player::{FaultCause, RecordedFault};
    use crate::work::JobResult;

    /// Levels 600, 1000 and 1400 that are worth 450, 900 and 1500, and two anchors of 700 and 1300.
    fn surveyed(anchored: [f64; 2]) -> Survey {
        surveyed_by(&anchored.map(|elsewhere| (elsewhere, None)), [300, 300])
    }

    /// The same with any of the two, rated elsewhere and here, and with so many pairs against each at each of its levels.
    fn surveyed_by(anchored: &[(f64, Option<f64>)], pairs: [usize; 2]) -> Survey {
        let levels = [(600, 450.0), (1000, 900.0), (1400, 1500.0)]
            .map(|(level, elo)| (dial().at(level, 1).expect("sound"), elo));
        let anchors: Vec<Anchor> = (["A", "B"].into_iter().zip(anchored))
            .map(|(name, &(elsewhere, here))| Anchor {
                engine: format!("./{name},name={name}").parse().expect("sound"),
                rated: Rated { elsewhere, here },
            })
            .collect();
        let truth = [700.0, 1300.0];
        let pair =
            |one: usize, other: usize| [(&levels[one].0, levels[one].1), (&levels[other].0, levels[other].1)];
        let mut games = vec![Simulated::play(pair(0, 1), 400, 1), Simulated::play(pair(1, 2), 400, 2)];
        for (number, (anchor, truth)) in anchors.iter().zip(truth).enumerate() {
            for level in [number, number + 1] {
                let met = [(&anchor.engine, truth), (&levels[level].0, levels[level].1)];
                games.push(Simulated::play(met, pairs[number], 10 + level as u64 + 2 * number as u64));
            }
        }
        let records: Vec<PartResult<'_>> = games.iter().map(Simulated::record).collect();
        Survey::of(&dial(), &anchors, &records).expect("connected and mixed")
    }

    #[test]
    fn an_anchor_out_of_reach_is_left_out() {
        let levels = [600, 1000].map(|level| dial().at(level, 1).expect("sound"));
        let fish: Anchor = "./fish,name=Fish=700".parse().expect("sound");
        let own = Simulated::play([(&levels[0], 450.0), (&levels[1], 500.0)], 100, 1);
        let surveyed = |pairs| {
            let lost = Simulated::play([(&fish.engine, -9_000.0), (&levels[0], 450.0)], pairs, 2);
            Survey::of(&dial(), std::slice::from_ref(&fish), &[own.record(), lost.record()])
        };
        assert!(matches!(surveyed(31), Err(Unrated::Swept { .. })), "62 games may be bad luck");
        let survey = surveyed(32).expect("connected and mixed");
        assert_eq!((survey.left_out, survey.players.len()), (vec!["Fish".to_owned()], 2));
    }

    #[test]
    fn faults_are_counted_with_their_loser() {
        let levels = [600, 1000].map(|level| dial().at(level, 1).expect("sound"));
        let mut games = Simulated::play([(&levels[0], 450.0), (&levels[1], 500.0)], 100, 1);
        let millis = Duration::from_millis;
        let ends = [
            GameEnd::TimeForfeit { over: millis(5), waited: Some(millis(9)) },
            GameEnd::TimeForfeit { over: millis(5), waited: Some(millis(4)) },
            GameEnd::IllegalMove("e2e5".to_owned()),
            GameEnd::EngineFault(RecordedFault { cause: FaultCause::Crash, detail: "it crashed".to_owned() }),
        ];
        let mut lost = [0, 0];
        for (finding, fault) in games.findings.iter_mut().zip(ends) {
            let JobResult::Game(game) = finding else { panic!("games alone") };
            game.end = fault;
            let loser = &game.players[usize::from(game.outcome == GameOutcome::White)];
            lost[usize::from(*loser == levels[1].name)] += 1;
        }
        let survey = Survey::of(&dial(), &[], &[games.record()]).expect("connected and mixed");
        assert_eq!([0, 1].map(|at: usize| survey.players[at].faults), lost);
        assert_eq!(survey.players.iter().map(|player| player.by_the_machine).sum::<u64>(), 1);
        assert!(survey.players.iter().all(|player| player.drawn == 0));
    }

    #[test]
    fn ratings_stand_where_the_anchors_say() {
        let survey = surveyed([700.0, 1300.0]);
        let truth = [450.0, 900.0, 1500.0, 700.0, 1300.0];
        for (player, truth) in survey.players.iter().zip(truth) {
            assert!((player.elo - truth).abs() < 1.5 * player.error + 1e-9, "{player:?} is {truth}");
            assert!(player.error > 1.0 && player.error < 60.0, "{player:?}");
            assert!((player.cost - 2.01).abs() < 1e-9, "{player:?}");
        }
        let mean: f64 = survey.anchors().map(|(at, rated)| survey.players[at].elo - rated.elsewhere).sum();
        assert!(mean.abs() < 1e-9, "the anchors' mean is kept");
        let Disagreement { spread, stretch, .. } = survey.disagreement.expect("two anchors");
        let stretch = stretch.expect("two ratings");
        assert!(spread < 60.0 && stretch.low < 1.0 && 1.0 < stretch.high, "{spread} {stretch:?}");
    }

    #[test]
    fn anchors_that_agree_keep_their_ratings_and_others_their_mean() {
        let agreed = surveyed([700.0, 1300.0]);
        let elos = |survey: &Survey| survey.players.iter().map(|player| player.elo).collect::<Vec<_>>();
        let shifted = elos(&surveyed([800.0, 1400.0]));
        assert!(elos(&agreed).iter().zip(shifted).all(|(one, other)| (one + 100.0 - other).abs() < 1e-3));
        assert_eq!(agreed.disagreement.as_ref().map(|found| found.beyond_chance), Some(0.0));
        let [own, with_a_level] = [(3, 3), (0, 3)].map(|at| agreed.covariance[at]);
        assert!(own.abs() < 1e-3 && with_a_level.abs() < 1e-3, "{own} {with_a_level}");
        let apart = surveyed([900.0, 1100.0]);
        // Their mean is where it was, and nobody is drawn towards the anchor that it met.
        let moved: Vec<f64> =
            elos(&agreed).iter().zip(elos(&apart)).map(|(one, other)| other - one).collect();
        let middle = moved[..3].iter().sum::<f64>() / 3.0;
        assert!(moved[..3].iter().all(|moved| (moved - middle).abs() < 25.0), "{moved:?}");
        assert!(apart.covariance[(0, 0)] > agreed.covariance[(0, 0)], "they tell less");
        let Disagreement { spread, beyond_chance, stretch } = apart.disagreement.expect("two anchors");
        assert!(spread > 200.0 && (200.0..spread).contains(&beyond_chance), "{spread} {beyond_chance}");
        assert!(stretch.expect("two ratings").low > 1.5);
    }

    #[test]
    fn what_anchors_were_measured_to_be_here_counts_before_what_they_are_elsewhere() {
        let agreed = surveyed([700.0, 1300.0]);
        let here = surveyed_by(&[(900.0, Some(700.0)), (1100.0, Some(1300.0))], [300, 300]);
        let elos = |survey: &Survey| survey.players.iter().map(|player| player.elo).collect::<Vec<_>>();
        assert!(elos(&agreed).iter().zip(elos(&here)).all(|(one, other)| (one - other).abs() < 1e-6));
        assert_eq!((agreed.off_here, here.off_here), (Some(0.0), Some(0.0)));
        assert!(here.disagreement.expect("two anchors").beyond_chance > 200.0, "what lists say is told");
    }

    #[test]
    fn a_single_anchor_keeps_its_rating() {
        let survey = surveyed_by(&[(750.0, None)], [300, 300]);
        let (at, _) = survey.anchors().next().expect("one");
        assert!((survey.players[at].elo - 750.0).abs() < 1e-6 && survey.disagreement.is_none());
        assert!(
            (survey.players[0].elo - 500.0).abs() < 1.5 * survey.players[0].error,
            "fifty above the truth"
        );
    }

    #[test]
    fn where_anchors_disagree_it_does_not_matter_who_meets_them_more() {
        let levels = |pairs| {
            let survey = surveyed_by(&[(850.0, None), (1150.0, None)], pairs);
            survey.levels().map(|(at, _)| survey.players[at].elo).collect::<Vec<_>>()
        };
        for (one, other) in levels([1000, 100]).iter().zip(levels([100, 1000])) {
            assert!((one - other).abs() < 45.0, "{one} {other}");
        }
    }

    #[test]
    fn without_anchors_the_levels_are_on_average_what_they_are_called() {
        let survey = surveyed_by(&[], [0, 0]);
        assert_eq!((survey.players.len(), survey.disagreement), (3, None));
        let mean: f64 = survey.players.iter().map(|player| player.elo).sum::<f64>() / 3.0;
        assert!((mean - 1000.0).abs() < 1e-6, "{mean}");
        assert!(survey.players.windows(2).all(|pair| pair[0].elo + 100.0 < pair[1].elo));
    }
}
