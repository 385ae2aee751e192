//! What a calibration plays next: a pure function of its design and of the games so far.
//!
//! It goes on in rounds. In the first each meeting is of a handful of pairs, since what games cost is not known yet; after
//! that games go where they tell most, for what they cost, of the levels that are not known well enough, at most as many
//! in a round as were played before it. When every level is roughly known, players are added that stand
//! where the curve says that a round number is; when all of them are known as well as asked and the curve has not moved
//! from under them, there is no more to play. Rounds are ordinary orders with a journal each: whatever was interrupted
//! is found again by asking what comes after the rounds that are there, and so is what was measured with less to spend.

use std::collections::HashSet;

use super::aim::Aim;
use super::allotment::{self, HANDFUL, Purse};
use super::dial::{Anchor, Dial};
use super::fit::Unrated;
use super::graduation::{Graduation, Mark};
use super::meetings::{self, Meeting, Player};
use super::survey::{Role, Survey};
use crate::arena::game::Adjudication;
use crate::arena::opening::Opening;
use crate::arena::pairing::TournamentFormat;
use crate::player::{EngineSpec, SpecError};
use crate::work::{Labels, MatchTask, Part, PartResult, Purpose, RunRecord, RunSpec, Task};
use threefold_chess::clock::{ClockSource, Control};
use threefold_chess::position::GamePosition;

/// Everything that is asked of a calibration.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// What is calibrated.
    pub dial: Dial,
    /// The levels to begin with, lowest first.
    pub levels: Vec<u32>,
    /// Engines whose ratings are known.
    pub anchors: Vec<Anchor>,
    /// Under what games are played.
    pub control: Control,
    /// What makes the levels' clocks run.
    pub pace: ClockSource,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// Where games start, in the order they are played.
    pub openings: Vec<Opening>,
    /// How well levels are to be known.
    pub aim: Aim,
    /// No more games than this.
    pub games: usize,
    /// No more thinking than this by the games' clocks, all players together, in seconds.
    pub seconds: f64,
    /// What is left to chance is drawn from this.
    pub seed: u32,
}

/// How a calibration goes on.
#[derive(Debug)]
pub enum Next {
    /// With this round.
    Play(Box<RunSpec>),
    /// Not at all: every level is known as well as asked.
    Known,
    /// Not at all: what is left of the games or the seconds is too little for another round.
    Spent,
}

/// Why a calibration can't go on.
#[derive(Debug, thiserror::Error)]
pub enum Halt {
    /// The games give no ratings.
    #[error("the games so far give no ratings")]
    Unrated(#[from] Unrated),
    /// A level can't be named in a spec.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// The label of a meeting with the number of its round.
const ROUND_LABEL: &str = "round";
/// What is given out to known players in a round is at most this share of all games and of all seconds.
const ROUND: f64 = 0.12;
/// Players are added at round numbers as soon as all levels are known within so many times what is asked for.
const ROUGHLY: f64 = 3.0;
/// A player this near to a round number, in Elo, stands for it.
const STANDS_FOR: f64 = 25.0;
/// No level counts as near to another that is further from it than this.
const NEAR: u32 = 20;

impl Design {
    /// What comes after these rounds.
    pub fn next(&self, rounds: &[RunRecord]) -> Result<Next, Halt> {
        let at_first = || meetings::at_first(&self.levels, &self.anchors);
        if rounds.is_empty() {
            return Ok(Next::Play(Box::new(self.order(1, 0, &at_first())?)));
        }
        let parts: Vec<PartResult<'_>> = rounds.iter().flat_map(RunRecord::parts).collect();
        let played: usize = parts.iter().map(|part| part.progress.counted).sum();
        let left = self.games.saturating_sub(played) / 2;
        let seconds = self.seconds - allotment::thinking(&parts);
        let most = (self.games as f64 * ROUND) as usize;
        let batch = left.min(most.min(played) / 2).max(HANDFUL);
        let purse = Purse { pairs: batch, seconds: seconds.min(self.seconds * ROUND) };
        let mut meetings = match self.survey(rounds) {
            // Games that all ended alike have no errors to go by.
            Ok(survey) if survey.known().is_none() => at_first(),
            Ok(survey) => match (self.of_new(&survey, batch), survey.is_known(&self.aim, 1.0)) {
                (new, true) if new.is_empty() => return Ok(Next::Known),
                (new, false) if new.is_empty() => self.allotted(&survey, purse),
                (new, _) => new,
            },
            Err(unrated) => {
                meetings::bridging(&self.dial.levels(&parts), &self.levels, &self.anchors, &unrated)
                    .ok_or(unrated)?
            }
        };
        meetings::cut(&mut meetings, left);
        if meetings.is_empty() || left < HANDFUL || seconds <= 0.0 {
            return Ok(Next::Spent);
        }
        Ok(Next::Play(Box::new(self.order(rounds.len() + 1, played / 2, &meetings)?)))
    }

    /// Meetings of levels and anchors that were asked for and have not played, or, where everybody has and all levels are
    /// roughly known, of levels at round numbers; the levels' are no more than so many pairs.
    fn of_new(&self, survey: &Survey, pairs: usize) -> Vec<Meeting> {
        let mut new = meetings::of_new(survey, &self.levels_unplayed(survey), pairs);
        new.extend(self.anchors_unplayed(survey));
        if new.is_empty() && survey.is_known(&self.aim, ROUGHLY) {
            new = meetings::of_new(survey, &self.levels_to_add(survey), pairs);
        }
        new
    }

    /// Levels that were asked for, and that nobody plays at yet: rounds that are there may be of a calibration of others.
    fn levels_unplayed(&self, survey: &Survey) -> Vec<u32> {
        let unplayed = |level: &u32| survey.levels().all(|(_, played)| played != *level);
        self.levels.iter().copied().filter(unplayed).collect()
    }

    /// The same of anchors, against the levels that are most nearly worth what they are rated.
    fn anchors_unplayed(&self, survey: &Survey) -> Vec<Meeting> {
        let played = |name: &str| {
            survey.players.iter().any(|player| player.name == name)
                || survey.left_out.iter().any(|out| out == name)
        };
        let unplayed = self.anchors.iter().enumerate().filter(|(_, anchor)| !played(&anchor.engine.name));
        let levels: Vec<(u32, f64)> =
            survey.levels().map(|(at, level)| (level, survey.players[at].elo)).collect();
        unplayed.flat_map(|(place, anchor)| meetings::of_anchor(place, anchor, &levels)).collect()
    }

    /// Could this be that round of this calibration, under another budget or aim, or of other levels of the same dial?
    /// Whom it has meet and how often makes no difference: what was played was played.
    pub fn has_round(&self, round: usize, order: &RunSpec) -> bool {
        let openings: HashSet<&GamePosition> = self.openings.iter().map(|opening| &opening.line).collect();
        let is_player = |engine: &EngineSpec| {
            let anchors = self.anchors.iter().filter_map(|anchor| anchor.player().ok());
            let level = self.dial.level(engine);
            let level = level.and_then(|level| self.spec(Player::Level(level), round).ok());
            anchors.chain(level).any(|player| player == *engine)
        };
        let is_ours = |part: &Part| match &part.task {
            Task::Suite(_) => false,
            Task::Match(task) => {
                let terms = (task.control, task.pace, &task.adjudication);
                terms == (self.control, self.pace, &self.adjudication)
                    && task.engines.iter().all(is_player)
                    && task.openings.iter().all(|opening| openings.contains(&opening.line))
            }
        };
        order.seed == u64::from(self.seed) && !order.parts.is_empty() && order.parts.iter().all(is_ours)
    }

    /// Levels as near as this to one that plays already are not added.
    fn near(&self) -> u32 {
        let steps = self.levels.windows(2).map(|pair| pair[1] - pair[0]);
        (steps.min().unwrap_or(0) / 8).clamp(1, NEAR)
    }

    /// Levels that the curve says are worth round numbers of Elo where levels are to be known well, and that nobody plays
    /// at yet.
    fn levels_to_add(&self, survey: &Survey) -> Vec<u32> {
        let Some(graduation) = Graduation::of(survey) else { return Vec::new() };
        let mut played: Vec<u32> = survey.levels().map(|(_, level)| level).collect();
        let stood_for = |mark: &Mark| {
            let off = |level: &u32| (graduation.elo(f64::from(*level)) - f64::from(mark.elo)).abs();
            graduation.levels.iter().map(off).any(|off| off < STANDS_FOR)
        };
        let asked_for = |mark: &Mark| self.aim.within.contains(&f64::from(mark.elo));
        let mut added = Vec::new();
        for Mark { level, .. } in graduation.marks().filter(|mark| asked_for(mark) && !stood_for(mark)) {
            if played.iter().all(|other| other.abs_diff(level) >= self.near()) {
                played.push(level);
                added.push(level);
            }
        }
        added
    }

    /// What the games of these rounds come to.
    pub fn survey(&self, rounds: &[RunRecord]) -> Result<Survey, Unrated> {
        let parts: Vec<PartResult<'_>> = rounds.iter().flat_map(RunRecord::parts).collect();
        Survey::of(&self.dial, &self.anchors, &parts)
    }

    /// Games of the first round, which is the least that can be asked for.
    pub fn least_games(&self) -> usize {
        let first = meetings::at_first(&self.levels, &self.anchors);
        first.iter().map(|meeting| 2 * meeting.pairs.min(self.openings.len())).sum()
    }

    /// What is in the purse where it tells most.
    fn allotted(&self, survey: &Survey, purse: Purse) -> Vec<Meeting> {
        let share = |(places, pairs): ([usize; 2], usize)| Meeting {
            players: places.map(|place| self.player(survey, place)),
            pairs,
        };
        allotment::of(survey, purse, &self.aim).into_iter().map(share).collect()
    }

    fn player(&self, survey: &Survey, place: usize) -> Player {
        let player = &survey.players[place];
        match player.role {
            Role::Level(level) => Player::Level(level),
            Role::Anchor(_) => {
                let of_that_name = |anchor: &Anchor| anchor.engine.name == player.name;
                Player::Anchor(self.anchors.iter().position(of_that_name).expect("it was surveyed as one"))
            }
        }
    }

    /// A round as an order: a part for each meeting. Openings go on where the rounds before ended, and none comes twice
    /// in a meeting, where luck would be the same and so would the games.
    fn order(&self, round: usize, pairs_before: usize, meetings: &[Meeting]) -> Result<RunSpec, SpecError> {
        let mut used = pairs_before;
        let mut parts = Vec::new();
        for meeting in meetings {
            let engines: Vec<EngineSpec> = meeting
                .players
                .into_iter()
                .map(|player| self.spec(player, round))
                .collect::<Result<_, _>>()?;
            let openings = self.openings.iter().cycle().skip(used % self.openings.len().max(1));
            let pairs = meeting.pairs.min(self.openings.len());
            used += pairs;
            parts.push(Part {
                name: format!("{} – {}", engines[0].name, engines[1].name),
                labels: Labels::NONE.with(ROUND_LABEL, round),
                task: Task::Match(MatchTask {
                    openings: openings.take(pairs).cloned().collect(),
                    format: TournamentFormat::RoundRobin,
                    pairs,
                    control: self.control,
                    pace: self.pace,
                    adjudication: self.adjudication.clone(),
                    purpose: Purpose::Match,
                    engines,
                }),
            });
        }
        let title = format!("Calibration of {}, round {round}", self.dial.engine().name);
        Ok(RunSpec { title, seed: u64::from(self.seed), parts, ..RunSpec::default() })
    }

    fn spec(&self, player: Player, round: usize) -> Result<EngineSpec, SpecError> {
        match player {
            Player::Level(level) => self.dial.at(level, self.seed.wrapping_add(round as u32)),
            Player::Anchor(place) => self.anchors[place].player(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::allotment::tests::survey;
    use super::super::simulated::{dial, everywhere};
    use super::*;

    fn design(anchors: &[&str]) -> Design {
        Design {
            dial: dial(),
            levels: vec![600, 1000, 1400, 1800],
            anchors: anchors.iter().map(|text| text.parse().expect("sound")).collect(),
            control: "1+0.01".parse().expect("sound"),
            pace: "virtual:1000".parse().expect("sound"),
            adjudication: Adjudication::default(),
            openings: ["k7/8/8/8/8/8/8/K6R w - - 0 1", "k7/8/8/8/8/8/8/K6Q w - - 0 1"]
                .map(|fen| Opening { line: GamePosition::parse(fen, "").expect("sound"), name: None })
                .to_vec(),
            aim: everywhere(20.0),
            games: 1_000,
            seconds: 1_000.0,
            seed: 7,
        }
    }

    #[test]
    fn in_the_first_round_all_meetings_are_as_long() {
        let Ok(Next::Play(order)) = design(&["./fish,name=Fish=1100", "echo,name=Full=3000"]).next(&[])
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
        let pairs: Vec<usize> = tasks.iter().map(|task| task.pairs).collect();
        assert_eq!(pairs, [2; 13], "a handful, but there are two openings");
        assert_eq!(design(&["./fish,name=Fish=1100", "echo,name=Full=3000"]).least_games(), 13 * 2 * 2);
        let paces = |task: &MatchTask| [task.pace(0), task.pace(1)];
        let ours = design(&[]).pace;
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
    fn a_round_that_is_there_is_ours_whatever_would_be_played_now() {
        let fish = ["./fish,name=Fish=1100"];
        let Ok(Next::Play(order)) = design(&fish).next(&[]) else { panic!("a round") };
        let ours = design(&fish);
        let fewer_openings = ours.openings[..1].to_vec();
        let table = [
            (ours.clone(), true),
            (Design { games: 9, seconds: 1.0, aim: everywhere(5.0), ..ours.clone() }, true),
            (Design { levels: vec![700, 900], ..ours.clone() }, true),
            (design(&["./fish,name=Fish=1100@900", "./cod,name=Cod=700"]), true),
            (design(&[]), false),
            (design(&["./cod,name=Fish=1100"]), false),
            (Design { seed: 8, ..ours.clone() }, false),
            (Design { control: "2+0.01".parse().expect("sound"), ..ours.clone() }, false),
            (Design { pace: ClockSource::Wall, ..ours.clone() }, false),
            (Design { openings: fewer_openings, ..ours.clone() }, false),
        ];
        for (number, (design, is_ours)) in table.iter().enumerate() {
            assert_eq!(design.has_round(1, &order), *is_ours, "row {number}");
        }
        assert!(!ours.has_round(2, &order), "other chance");
        assert!(!ours.has_round(1, &RunSpec { parts: Vec::new(), ..*order }), "nothing");
    }

    #[test]
    fn where_all_is_known_players_are_added_at_round_numbers() {
        let known = survey(&[(600, 500.0, 10.0, 1.0), (1000, 1000.0, 10.0, 1.0), (1400, 1300.0, 10.0, 1.0)]);
        assert!(known.is_known(&everywhere(20.0), 1.0) && !known.is_known(&everywhere(9.0), 1.0));
        assert!(known.is_known(&everywhere(9.0), 3.0));
        let part = Aim { precision: 9.0, within: 600.0..=900.0 };
        assert!(known.is_known(&part, 1.0), "where nobody is, less is asked for");
        let added = design(&[]).levels_to_add(&known);
        assert!(!added.is_empty() && added.windows(2).all(|pair| pair[0] < pair[1]), "{added:?}");
        let fewer = Design { aim: part, ..design(&[]) }.levels_to_add(&known);
        assert!(!fewer.is_empty() && added.starts_with(&fewer) && fewer.len() < added.len(), "{fewer:?}");
        let near = |one: u32, other: u32| one.abs_diff(other) < NEAR;
        assert!(added.iter().all(|&level| ![600, 1000, 1400].iter().any(|&known| near(level, known))));
    }
}
