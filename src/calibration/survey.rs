//! What the games of all rounds come to: every player's rating on one scale, how sure it is, and what its games cost.
//!
//! The unit is logistic Elo: 100 more means an expected score of 64 %, whatever the share of draws, which is small among
//! weak players and large among strong ones. Anchors keep the ratings that they have elsewhere and so say where the
//! scale stands, here and there; games say the rest. Where there are none, the levels' mean is what they are called. What
//! the anchors would be if the games alone decided is told beside, and how far that disagrees with their ratings: it is
//! not mixed into the errors of chance.
//!
//! Levels are measured one by one, and together (`smoothed`): their curve is smooth, so that neighbours know of each
//! other.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use super::dial::{Anchor, Dial};
use super::fit::{self, Unrated};
use super::ledger::{Account, Ledger};
use super::standing::{Disagreement, Standing, among};
use crate::stats::elo::Z95;
use crate::stats::isotonic::{self, Measurements, Unmeasured};
use crate::stats::rating::{Crosstable, Model, Seat, Strength};
use crate::work::PartRecord;
use crate::work::job::white_result;

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
    /// How their errors hang together, in Elo squared; anchors keep their ratings and have none.
    pub covariance: DMatrix<f64>,
    /// What the white pieces are worth, in Elo.
    pub white_advantage: f64,
    /// How far the anchors disagree; `None` with fewer than two.
    pub disagreement: Option<Disagreement>,
    /// Anchors that won or lost every single one of many games, which says nothing of the scale.
    pub left_out: Vec<String>,
}

impl Survey {
    /// Of the games of these parts.
    ///
    /// # Errors
    /// Where results leave a rating unmeasured.
    pub fn of(dial: &Dial, anchors: &[Anchor], parts: &[PartRecord<'_>]) -> Result<Self, Unrated> {
        let ledger = Ledger::of(parts);
        let out_of_reach =
            |(name, role): &(String, Role)| role.rating().is_some() && ledger.account(name).is_out_of_reach();
        let (left_out, roles): (Vec<_>, Vec<_>) =
            roles(dial, anchors, parts).into_iter().partition(out_of_reach);
        let names: Vec<&str> = roles.iter().map(|(name, _)| name.as_str()).collect();
        let mut table = Crosstable::new(names.iter().copied());
        for part in parts {
            record(part, &names, &mut table);
        }
        let (names, roles): (Vec<String>, Vec<Role>) = roles.into_iter().unzip();
        let free = Standing::free(&fit::rate(&table, Model::Ordo, &[])?, &roles);
        let held: Vec<(Seat, Strength)> = (roles.iter().enumerate())
            .filter_map(|(at, role)| role.rating().map(|rating| (Seat(at), Strength(rating))))
            .collect();
        let scale = fit::rate(&table, Model::Ordo, &held)?;
        let told = if held.is_empty() { free.clone() } else { Standing::held(&scale) };
        let player = |at: usize, name: String, role: Role| {
            let Standing { elos, covariance } = if role.rating().is_some() { &free } else { &told };
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
            disagreement: free.disagreement(&roles),
            covariance: told.covariance,
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

    /// The anchors with their places and what they are rated elsewhere.
    pub fn anchors(&self) -> impl Iterator<Item = (usize, f64)> {
        self.players.iter().enumerate().filter_map(|(at, player)| match player.role {
            Role::Anchor(rating) => Some((at, rating)),
            Role::Level(_) => None,
        })
    }

    /// The ratings of the levels as measurements, each by its own games, lowest level first.
    pub fn measured(&self) -> Result<Measurements, Unmeasured> {
        let places: Vec<usize> = self.levels().map(|(at, _)| at).collect();
        let values: Vec<f64> = places.iter().map(|&at| self.players[at].elo).collect();
        Measurements::joint(&values, among(&self.covariance, &places))
    }

    /// The same, known that they lie on a smooth curve; `None` where there is nothing to measure.
    pub fn smoothed(&self) -> Option<Measurements> {
        let levels: Vec<f64> = self.levels().map(|(_, level)| f64::from(level)).collect();
        isotonic::smooth(&levels, &self.measured().ok()?)
    }

    /// How far the 95 % interval of the least known level reaches to either side, in Elo, known that all lie on a smooth
    /// curve.
    pub fn widest(&self) -> Option<f64> {
        Some(Z95 * self.smoothed()?.covariance().diagonal().max().max(0.0).sqrt())
    }

    /// Does no such interval reach further than so many Elo?
    pub fn is_known_within(&self, precision: f64) -> bool {
        self.widest().is_some_and(|widest| widest <= precision)
    }
}

impl Role {
    /// What it is rated elsewhere.
    pub const fn rating(self) -> Option<f64> {
        match self {
            Self::Level(_) => None,
            Self::Anchor(rating) => Some(rating),
        }
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
            End::TimeForfeit { over: millis(5), waited: Some(millis(9)) },
            End::TimeForfeit { over: millis(5), waited: Some(millis(4)) },
            End::IllegalMove("e2e5".to_owned()),
            End::EngineFault("it crashed".to_owned()),
        ];
        let mut lost = [0, 0];
        for (finding, fault) in games.findings.iter_mut().zip(ends) {
            let Finding::Game(game) = finding else { panic!("games alone") };
            game.end = fault;
            let loser = &game.players[usize::from(game.outcome == Outcome::White)];
            lost[usize::from(*loser == levels[1].name)] += 1;
        }
        let survey = Survey::of(&dial(), &[], &[games.record()]).expect("connected and mixed");
        assert_eq!([0, 1].map(|at: usize| survey.players[at].faults), lost);
        assert_eq!(survey.players.iter().map(|player| player.by_the_machine).sum::<u64>(), 1);
        assert!(survey.players.iter().all(|player| player.drawn == 0));
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
    fn anchors_keep_their_ratings_and_what_they_disagree_by_is_told() {
        let agreed = surveyed([700.0, 1300.0], true);
        let elos = |survey: &Survey| survey.players.iter().map(|player| player.elo).collect::<Vec<_>>();
        let shifted = elos(&surveyed([800.0, 1400.0], true));
        assert!(elos(&agreed).iter().zip(shifted).all(|(one, other)| (one + 100.0 - other).abs() < 1e-6));
        assert!(agreed.covariance[(3, 3)] == 0.0 && agreed.covariance[(0, 3)] == 0.0);
        let apart = surveyed([900.0, 1100.0], true);
        // Each level goes with the anchor that it met, the one in the middle with both.
        let moved: Vec<f64> =
            elos(&agreed).iter().zip(elos(&apart)).map(|(one, other)| other - one).collect();
        assert!(moved[0] > moved[1] + 50.0 && moved[1] > moved[2] + 50.0, "{moved:?}");
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
