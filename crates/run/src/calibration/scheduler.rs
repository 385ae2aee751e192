//! The scheduler of a calibration: a pure function of its design and of the games played.
//!
//! A calibration is a series of rounds. In the first round every pairing has a few pairs, because the cost of
//! games is not known yet. Later rounds allocate games by gain in precision per second; a round has at most
//! as many games as all rounds before it. When all levels are roughly known, players are added at round
//! numbers of Elo. The calibration ends when all levels reach the required precision and the curve has not
//! moved. Each round is an ordinary run with its own journal. So an interrupted calibration continues from
//! the journals that exist, and a larger budget continues a finished one.

use std::collections::HashSet;

use super::allocation::{self, GameBudget, PAIRS_PER_STEP};
use super::elo_curve::{EloCurve, EloMark};
use super::fit::Unrated;
use super::pairings::{self, PairedPlayer, Pairing};
use super::player_role::PlayerRole;
use super::precision::PrecisionTarget;
use super::ratings::RatingSurvey;
use super::strength_option::{AnchorEngine, StrengthOption};
use crate::{Labels, MatchTask, Part, PartResult, RunRecord, RunSpec, Task};
use threefold_chess::clock::{ClockSource, Control};
use threefold_chess::position::GamePosition;
use threefold_games::game::Adjudication;
use threefold_games::opening::Opening;
use threefold_player::{EngineSpec, SpecError};

/// The settings of a calibration.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationDesign {
    /// The strength option to calibrate.
    pub option: StrengthOption,
    /// The initial levels, lowest first.
    pub levels: Vec<u32>,
    /// Engines with known ratings.
    pub anchors: Vec<AnchorEngine>,
    /// The time control of the games.
    pub control: Control,
    /// The source of the levels' clocks.
    pub clock_source: ClockSource,
    /// When games end early.
    pub adjudication: Adjudication,
    /// The openings, in playing order.
    pub openings: Vec<Opening>,
    /// The required precision.
    pub precision: PrecisionTarget,
    /// The largest number of games.
    pub games: usize,
    /// The largest thinking time by the games' clocks, summed over all players, in seconds.
    pub seconds: f64,
    /// The seed of all random choices.
    pub seed: u32,
}

/// The next step of a calibration.
#[derive(Debug)]
pub enum NextRound {
    /// Play this round.
    Play(Box<RunSpec>),
    /// Finished: every level reaches the required precision.
    Known,
    /// Finished: the remaining games or seconds are too few for another round.
    Spent,
}

/// Why a calibration cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    /// The games determine no ratings.
    #[error("the games so far give no ratings")]
    Unrated(#[from] Unrated),
    /// A level cannot be written in a spec.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// The label of a pairing with the number of its round.
const ROUND_LABEL: &str = "round";
/// The largest share of all games and of all seconds that one round allocates to known players.
const LARGEST_ROUND: f64 = 0.12;
/// Players are added at round numbers as soon as all half-widths are within this multiple of the required
/// ones.
const ROUGH_FACTOR: f64 = 3.0;
/// A player within this distance of a round number, in Elo, represents it.
const NEAR_ROUND_NUMBER: f64 = 25.0;
/// The largest distance at which a level counts as near another.
const LEAST_DISTANCE: u32 = 20;

impl CalibrationDesign {
    /// The step after these rounds.
    pub fn next(&self, rounds: &[RunRecord]) -> Result<NextRound, CalibrationError> {
        let at_first = || pairings::first_round(&self.levels, &self.anchors);
        if rounds.is_empty() {
            return Ok(NextRound::Play(Box::new(self.round_spec(1, 0, &at_first())?)));
        }
        let parts: Vec<PartResult<'_>> = rounds.iter().flat_map(RunRecord::parts).collect();
        let played: usize = parts.iter().map(|part| part.progress.counted).sum();
        let left = self.games.saturating_sub(played) / 2;
        let seconds = self.seconds - allocation::thinking(&parts);
        let most = (self.games as f64 * LARGEST_ROUND) as usize;
        // At most as many games as before: the estimates that allocate them are no better than the games so
        // far.
        let batch = left.min(most.min(played) / 2).max(PAIRS_PER_STEP);
        let budget = GameBudget { pairs: batch, seconds: seconds.min(self.seconds * LARGEST_ROUND) };
        let mut pairings = match self.survey(rounds) {
            // Games with identical results determine no errors.
            Ok(survey) if survey.known().is_none() => at_first(),
            Ok(survey) => match (self.of_new(&survey, batch), survey.is_known(&self.precision, 1.0)) {
                (new, true) if new.is_empty() => return Ok(NextRound::Known),
                (new, false) if new.is_empty() => self.allocated(&survey, budget),
                (new, _) => new,
            },
            Err(unrated) => {
                pairings::bridge_pairings(&self.option.levels(&parts), &self.levels, &self.anchors, &unrated)
                    .ok_or(unrated)?
            }
        };
        pairings::cut(&mut pairings, left);
        if pairings.is_empty() || left < PAIRS_PER_STEP || seconds <= 0.0 {
            return Ok(NextRound::Spent);
        }
        Ok(NextRound::Play(Box::new(self.round_spec(rounds.len() + 1, played / 2, &pairings)?)))
    }

    /// Pairings of requested levels and anchors that have not played yet. If all have played and all levels
    /// are roughly known: pairings of levels at round numbers. Levels get at most this number of pairs.
    fn of_new(&self, survey: &RatingSurvey, pairs: usize) -> Vec<Pairing> {
        let mut new = pairings::of_new(survey, &self.levels_unplayed(survey), pairs);
        new.extend(self.anchors_unplayed(survey));
        if new.is_empty() && survey.is_known(&self.precision, ROUGH_FACTOR) {
            new = pairings::of_new(survey, &self.levels_to_add(survey), pairs);
        }
        new
    }

    /// Requested levels that have not played. The existing rounds may belong to a calibration of other
    /// levels.
    fn levels_unplayed(&self, survey: &RatingSurvey) -> Vec<u32> {
        let unplayed = |level: &u32| survey.levels().all(|(_, played)| played != *level);
        self.levels.iter().copied().filter(unplayed).collect()
    }

    /// Pairings of the anchors without games, each with the levels of the nearest ratings.
    fn anchors_unplayed(&self, survey: &RatingSurvey) -> Vec<Pairing> {
        let played = |name: &str| {
            survey.players.iter().any(|player| player.name == name)
                || survey.left_out.iter().any(|out| out == name)
        };
        let unplayed = self.anchors.iter().enumerate().filter(|(_, anchor)| !played(&anchor.engine.name));
        let levels: Vec<(u32, f64)> =
            survey.levels().map(|(at, level)| (level, survey.players[at].elo)).collect();
        unplayed.flat_map(|(place, anchor)| pairings::of_anchor(place, anchor, &levels)).collect()
    }

    /// Could this be that round of this calibration, possibly with another budget or precision, or with other
    /// levels of the same option? Pairings and numbers of games do not matter: what was played counts.
    pub fn has_round(&self, round: usize, spec: &RunSpec) -> bool {
        let openings: HashSet<&GamePosition> = self.openings.iter().map(|opening| &opening.history).collect();
        let is_player = |engine: &EngineSpec| {
            let anchors = self.anchors.iter().filter_map(|anchor| anchor.player().ok());
            let level = self.option.level(engine);
            let level = level.and_then(|level| self.engine_spec(PairedPlayer::Level(level), round).ok());
            anchors.chain(level).any(|player| player == *engine)
        };
        let is_ours = |part: &Part| match &part.task {
            Task::Suite(_) => false,
            Task::Match(task) => {
                let terms = (task.control, task.clock_source, &task.adjudication);
                terms == (self.control, self.clock_source, &self.adjudication)
                    && task.engines.iter().all(is_player)
                    && task.openings.iter().all(|opening| openings.contains(&opening.history))
            }
        };
        spec.seed == u64::from(self.seed) && !spec.parts.is_empty() && spec.parts.iter().all(is_ours)
    }

    /// New levels have at least this distance from existing ones.
    fn least_distance(&self) -> u32 {
        let steps = self.levels.windows(2).map(|pair| pair[1] - pair[0]);
        (steps.min().unwrap_or(0) / 8).clamp(1, LEAST_DISTANCE)
    }

    /// Levels at round numbers of Elo, by the curve, in the range of the required precision, that have not
    /// played yet.
    fn levels_to_add(&self, survey: &RatingSurvey) -> Vec<u32> {
        let Some(curve) = EloCurve::from_survey(survey) else { return Vec::new() };
        let mut played: Vec<u32> = survey.levels().map(|(_, level)| level).collect();
        let has_level = |mark: &EloMark| {
            let off = |level: &u32| (curve.elo(f64::from(*level)) - f64::from(mark.elo)).abs();
            curve.levels.iter().map(off).any(|off| off < NEAR_ROUND_NUMBER)
        };
        let in_range = |mark: &EloMark| self.precision.range.contains(&f64::from(mark.elo));
        let mut added = Vec::new();
        for EloMark { level, .. } in curve.marks().filter(|mark| in_range(mark) && !has_level(mark)) {
            if played.iter().all(|other| other.abs_diff(level) >= self.least_distance()) {
                // The added levels must keep the distance from each other, too.
                played.push(level);
                added.push(level);
            }
        }
        added
    }

    /// The ratings from the games of these rounds.
    pub fn survey(&self, rounds: &[RunRecord]) -> Result<RatingSurvey, Unrated> {
        let parts: Vec<PartResult<'_>> = rounds.iter().flat_map(RunRecord::parts).collect();
        RatingSurvey::from_games(&self.option, &self.anchors, &parts)
    }

    /// The games of the first round: the smallest possible budget.
    pub fn least_games(&self) -> usize {
        let first = pairings::first_round(&self.levels, &self.anchors);
        first.iter().map(|pairing| 2 * pairing.pairs.min(self.openings.len())).sum()
    }

    /// Allocates the budget by gain in precision.
    fn allocated(&self, survey: &RatingSurvey, budget: GameBudget) -> Vec<Pairing> {
        let share = |(places, pairs): ([usize; 2], usize)| Pairing {
            players: places.map(|place| self.player(survey, place)),
            pairs,
        };
        allocation::allocate(survey, budget, &self.precision).into_iter().map(share).collect()
    }

    fn player(&self, survey: &RatingSurvey, place: usize) -> PairedPlayer {
        let player = &survey.players[place];
        match player.role {
            PlayerRole::Level(level) => PairedPlayer::Level(level),
            PlayerRole::Anchor(_) => {
                let of_that_name = |anchor: &AnchorEngine| anchor.engine.name == player.name;
                PairedPlayer::Anchor(
                    self.anchors.iter().position(of_that_name).expect("it was surveyed as one"),
                )
            }
        }
    }

    /// A round as a run: one part per pairing. Openings continue where the previous rounds ended, and none
    /// occurs twice in a pairing: with the same seed the games would be identical.
    fn round_spec(
        &self,
        round: usize,
        pairs_before: usize,
        pairings: &[Pairing],
    ) -> Result<RunSpec, SpecError> {
        let mut used = pairs_before;
        let mut parts = Vec::new();
        for pairing in pairings {
            let engines: Vec<EngineSpec> = pairing
                .players
                .into_iter()
                .map(|player| self.engine_spec(player, round))
                .collect::<Result<_, _>>()?;
            let openings = self.openings.iter().cycle().skip(used % self.openings.len().max(1));
            let pairs = pairing.pairs.min(self.openings.len());
            used += pairs;
            parts.push(Part {
                name: format!("{} – {}", engines[0].name, engines[1].name),
                labels: Labels::NONE.with(ROUND_LABEL, round),
                task: Task::Match(MatchTask {
                    control: self.control,
                    clock_source: self.clock_source,
                    adjudication: self.adjudication.clone(),
                    ..MatchTask::new(engines, openings.take(pairs).cloned().collect(), pairs)
                }),
            });
        }
        let title = format!("Calibration of {}, round {round}", self.option.engine().name);
        Ok(RunSpec { title, seed: u64::from(self.seed), parts, ..RunSpec::default() })
    }

    fn engine_spec(&self, player: PairedPlayer, round: usize) -> Result<EngineSpec, SpecError> {
        match player {
            // Another seed in each round, because an opening may occur again in a later one.
            PairedPlayer::Level(level) => self.option.engine_at(level, self.seed.wrapping_add(round as u32)),
            PairedPlayer::Anchor(place) => self.anchors[place].player(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::allocation::tests::survey;
    use super::super::simulated::{everywhere, option};
    use super::*;

    fn design(anchors: &[&str]) -> CalibrationDesign {
        CalibrationDesign {
            option: option(),
            levels: vec![600, 1000, 1400, 1800],
            anchors: anchors.iter().map(|text| text.parse().expect("sound")).collect(),
            control: "1+0.01".parse().expect("sound"),
            clock_source: "virtual:1000".parse().expect("sound"),
            adjudication: Adjudication::default(),
            openings: ["k7/8/8/8/8/8/8/K6R w - - 0 1", "k7/8/8/8/8/8/8/K6Q w - - 0 1"]
                .map(|fen| Opening {
                    history: GamePosition::parse(fen, "").expect("sound"),
                    eco: None,
                    name: None,
                })
                .to_vec(),
            precision: everywhere(20.0),
            games: 1_000,
            seconds: 1_000.0,
            seed: 7,
        }
    }

    #[test]
    fn first_round_has_pairings_of_equal_length() {
        let Ok(NextRound::Play(order)) = design(&["./fish,name=Fish=1100", "echo,name=Full=3000"]).next(&[])
        else {
            panic!("a round")
        };
        let parts: Vec<&str> = order.parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(
            parts[..5],
            [
                "Echo 600 – Echo 1000",
                "Echo 1000 – Echo 1400",
                "Echo 1400 – Echo 1800",
                "Echo 600 – Echo 1400",
                "Echo 1000 – Echo 1800"
            ]
        );
        assert_eq!(parts[5..7], ["Fish – Echo 1000", "Fish – Echo 1400"]);
        let tasks: Vec<&MatchTask> = order
            .parts
            .iter()
            .map(|part| match &part.task {
                Task::Match(task) => task,
                Task::Suite(_) => panic!("games"),
            })
            .collect();
        let pairs: Vec<usize> = tasks.iter().map(|task| task.encounters).collect();
        assert_eq!(pairs, [2; 13], "a handful, but there are two openings");
        assert_eq!(design(&["./fish,name=Fish=1100", "echo,name=Full=3000"]).least_games(), 13 * 2 * 2);
        let paces = |task: &MatchTask| [task.clock_source(0), task.clock_source(1)];
        let ours = design(&[]).clock_source;
        assert_eq!(paces(tasks[0]), [ours, ours]);
        assert_eq!(
            paces(tasks[5]),
            [ClockSource::Wall, ours],
            "a process reads the wall's clock, the level its own"
        );
        assert_eq!(paces(tasks[9]), [ours, ours], "this anchor is built in");
        assert!(tasks[0].engines[0].text.ends_with("UCI_Elo=600,UCI_LimitStrength=true,StrengthSeed=8"));
        assert_eq!(tasks[6].openings, design(&[]).openings);
    }

    #[test]
    fn existing_round_is_used_even_if_the_plan_changed() {
        let fish = ["./fish,name=Fish=1100"];
        let Ok(NextRound::Play(order)) = design(&fish).next(&[]) else { panic!("a round") };
        let ours = design(&fish);
        let fewer_openings = ours.openings[..1].to_vec();
        let table = [
            (ours.clone(), true),
            (CalibrationDesign { games: 9, seconds: 1.0, precision: everywhere(5.0), ..ours.clone() }, true),
            (CalibrationDesign { levels: vec![700, 900], ..ours.clone() }, true),
            (design(&["./fish,name=Fish=1100@900", "./cod,name=Cod=700"]), true),
            (design(&[]), false),
            (design(&["./cod,name=Fish=1100"]), false),
            (CalibrationDesign { seed: 8, ..ours.clone() }, false),
            (CalibrationDesign { control: "2+0.01".parse().expect("sound"), ..ours.clone() }, false),
            (CalibrationDesign { clock_source: ClockSource::Wall, ..ours.clone() }, false),
            (CalibrationDesign { openings: fewer_openings, ..ours.clone() }, false),
        ];
        for (number, (design, is_ours)) in table.iter().enumerate() {
            assert_eq!(design.has_round(1, &order), *is_ours, "row {number}");
        }
        assert!(!ours.has_round(2, &order), "other chance");
        assert!(!ours.has_round(1, &RunSpec { parts: Vec::new(), ..*order }), "nothing");
    }

    #[test]
    fn precise_calibration_adds_levels_at_round_elo_numbers() {
        let known = survey(&[(600, 500.0, 10.0, 1.0), (1000, 1000.0, 10.0, 1.0), (1400, 1300.0, 10.0, 1.0)]);
        assert!(known.is_known(&everywhere(20.0), 1.0) && !known.is_known(&everywhere(9.0), 1.0));
        assert!(known.is_known(&everywhere(9.0), 3.0));
        let part = PrecisionTarget { precision: 9.0, range: 600.0..=900.0 };
        assert!(known.is_known(&part, 1.0), "outside the precise range the target is wider");
        let added = design(&[]).levels_to_add(&known);
        assert!(!added.is_empty() && added.windows(2).all(|pair| pair[0] < pair[1]), "{added:?}");
        let fewer = CalibrationDesign { precision: part, ..design(&[]) }.levels_to_add(&known);
        assert!(!fewer.is_empty() && added.starts_with(&fewer) && fewer.len() < added.len(), "{fewer:?}");
        let near = |one: u32, other: u32| one.abs_diff(other) < LEAST_DISTANCE;
        assert!(added.iter().all(|&level| ![600, 1000, 1400].iter().any(|&known| near(level, known))));
    }
}
