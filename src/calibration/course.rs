//! What a calibration plays next: a pure function of its design and of the games so far.
//!
//! It goes on in rounds. In the first everybody plays as much; in each after that games go where they narrow the widest
//! interval most for what they cost. When every level is known as well as asked, players are added that stand where the
//! curve says that a round number is; when they, too, are known, what was asked of them is what they are, or the curve
//! has learnt better. Rounds are ordinary orders with a journal each: whatever was interrupted is found again by asking
//! what comes after the rounds that are there.

use super::allotment::{self, HANDFUL, MET};
use super::dial::{Anchor, Dial};
use super::fit::Unrated;
use super::graduation::Graduation;
use super::survey::{Role, Survey};
use crate::arena::game::Adjudication;
use crate::arena::opening::Opening;
use crate::arena::pairing::Format;
use crate::clock::{Control, Pace};
use crate::player::{EngineSpec, Source, SpecError};
use crate::work::{MatchTask, Order, Part, PartRecord, Purpose, Run, Task};

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
    /// What makes clocks run, where no anchor plays that is a process.
    pub pace: Pace,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// Where games start, in the order they are played.
    pub openings: Vec<Opening>,
    /// Enough is known of a level whose 95 % interval reaches so far to either side, in Elo.
    pub precision: f64,
    /// No more games than this.
    pub games: usize,
    /// What is left to chance is drawn from this.
    pub seed: u32,
}

/// How a calibration goes on.
#[derive(Debug)]
pub enum Next {
    /// With this round.
    Play(Box<Order>),
    /// Not at all: every level is known as well as asked.
    Known,
    /// Not at all: all games were played.
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

/// A match to be played.
#[derive(Debug, Clone, PartialEq)]
struct Meeting {
    players: [Player; 2],
    pairs: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Player {
    Level(u32),
    /// By its place among the anchors.
    Anchor(usize),
}

/// The first round takes this share of all games, each later one at most this.
const FIRST: f64 = 0.15;
const LATER: f64 = 0.12;
/// Levels as near as this to one that plays already are not added.
const NEAR: u32 = 20;

impl Design {
    /// What comes after these rounds.
    pub fn next(&self, rounds: &[Run]) -> Result<Next, Halt> {
        let parts: Vec<PartRecord<'_>> = rounds.iter().flat_map(Run::parts).collect();
        let played: usize = parts.iter().map(|part| part.progress.counted).sum();
        let left = self.games.saturating_sub(played) / 2;
        if rounds.is_empty() {
            let pairs = (self.games as f64 * FIRST / 2.0) as usize;
            return Ok(Next::Play(Box::new(self.order(1, 0, &self.first_meetings(pairs))?)));
        }
        if left < HANDFUL {
            return Ok(Next::Spent);
        }
        let survey = self.survey(rounds)?;
        let batch = left.min((self.games as f64 * LATER / 2.0) as usize).max(HANDFUL);
        let meetings = if survey.is_known_within(self.precision) {
            let added = levels_to_add(&survey);
            if added.is_empty() {
                return Ok(Next::Known);
            }
            meetings_of(&survey, &added, batch)
        } else {
            self.allotted(&survey, batch)
        };
        Ok(Next::Play(Box::new(self.order(rounds.len() + 1, played / 2, &meetings)?)))
    }

    /// What the games of these rounds come to.
    pub fn survey(&self, rounds: &[Run]) -> Result<Survey, Unrated> {
        let parts: Vec<PartRecord<'_>> = rounds.iter().flat_map(Run::parts).collect();
        Survey::of(&self.dial, &self.anchors, &parts)
    }

    /// Neighbours, levels two steps apart, and every anchor against the levels that are called most nearly what it is
    /// rated.
    fn first_meetings(&self, pairs: usize) -> Vec<Meeting> {
        let mut met = Vec::new();
        for steps in [1, 2] {
            for (one, other) in self.levels.iter().zip(self.levels.iter().skip(steps)) {
                met.push([Player::Level(*one), Player::Level(*other)]);
            }
        }
        for (place, anchor) in self.anchors.iter().enumerate() {
            let mut near = self.levels.clone();
            near.sort_by(|one, other| {
                let off = |level: &u32| (f64::from(*level) - anchor.rating).abs();
                off(one).total_cmp(&off(other))
            });
            met.extend(near.iter().take(MET).map(|&level| [Player::Anchor(place), Player::Level(level)]));
        }
        let each = (pairs / met.len().max(1)).max(HANDFUL);
        met.into_iter().map(|players| Meeting { players, pairs: each }).collect()
    }

    /// So many pairs where they tell most.
    fn allotted(&self, survey: &Survey, pairs: usize) -> Vec<Meeting> {
        let share = |(places, pairs): ([usize; 2], usize)| Meeting {
            players: places.map(|place| self.player(survey, place)),
            pairs,
        };
        allotment::of(survey, pairs).into_iter().map(share).collect()
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

    /// A round as an order: a part for each meeting. Openings go on where the rounds before ended.
    fn order(&self, round: usize, pairs_before: usize, meetings: &[Meeting]) -> Result<Order, SpecError> {
        let mut used = pairs_before;
        let mut parts = Vec::new();
        for meeting in meetings {
            let engines: Vec<EngineSpec> = meeting
                .players
                .into_iter()
                .map(|player| self.spec(player, round))
                .collect::<Result<_, _>>()?;
            let openings = self.openings.iter().cycle().skip(used % self.openings.len().max(1));
            let processes = |player: &Player| matches!(player, Player::Anchor(place) if self.anchors[*place].engine.source != Source::Echo);
            used += meeting.pairs;
            parts.push(Part {
                name: format!("{} – {}", engines[0].name, engines[1].name),
                task: Task::Match(MatchTask {
                    openings: openings.take(meeting.pairs.min(self.openings.len())).cloned().collect(),
                    format: Format::RoundRobin,
                    pairs: meeting.pairs,
                    control: self.control,
                    pace: if meeting.players.iter().any(processes) { Pace::Wall } else { self.pace },
                    adjudication: self.adjudication,
                    purpose: Purpose::Match,
                    engines,
                }),
            });
        }
        let title = format!("Calibration of {}, round {round}", self.dial.engine().name);
        Ok(Order { title, seed: u64::from(self.seed), parts, ..Order::default() })
    }

    fn spec(&self, player: Player, round: usize) -> Result<EngineSpec, SpecError> {
        match player {
            Player::Level(level) => self.dial.at(level, self.seed.wrapping_add(round as u32)),
            Player::Anchor(place) => Ok(self.anchors[place].engine.clone()),
        }
    }
}

/// Levels that the curve says are worth round numbers of Elo, and that nobody plays at yet.
fn levels_to_add(survey: &Survey) -> Vec<u32> {
    let Some(graduation) = Graduation::of(survey) else { return Vec::new() };
    let mut played: Vec<u32> = survey.levels().map(|(_, level)| level).collect();
    let mut added = Vec::new();
    for level in graduation.marks().map(|mark| mark.level) {
        if played.iter().all(|other| other.abs_diff(level) >= NEAR) {
            played.push(level);
            added.push(level);
        }
    }
    added
}

/// New levels against those around them that are known.
fn meetings_of(survey: &Survey, added: &[u32], pairs: usize) -> Vec<Meeting> {
    let mut met = Vec::new();
    for &level in added {
        let known: Vec<u32> = survey.levels().map(|(_, known)| known).collect();
        let above = known.partition_point(|&known| known < level);
        let around = above.saturating_sub(2)..(above + 2).min(known.len());
        met.extend(known[around].iter().map(|&known| [Player::Level(level), Player::Level(known)]));
    }
    let each = (pairs / met.len().max(1)).max(HANDFUL);
    met.into_iter().map(|players| Meeting { players, pairs: each }).collect()
}

impl Survey {
    /// Does no level's 95 % interval reach further than so many Elo to either side?
    fn is_known_within(&self, precision: f64) -> bool {
        self.levels().all(|(at, _)| self.players[at].error <= precision)
    }
}

#[cfg(test)]
mod tests {
    use super::super::allotment::tests::survey;
    use super::super::survey::tests::dial;
    use super::*;
    use crate::line::Line;

    fn design(anchors: &[&str]) -> Design {
        Design {
            dial: dial(),
            levels: vec![600, 1000, 1400, 1800],
            anchors: anchors.iter().map(|text| text.parse().expect("sound")).collect(),
            control: "1+0.01".parse().expect("sound"),
            pace: "virtual:1000".parse().expect("sound"),
            adjudication: Adjudication::default(),
            openings: ["k7/8/8/8/8/8/8/K6R w - - 0 1", "k7/8/8/8/8/8/8/K6Q w - - 0 1"]
                .map(|fen| Opening { line: Line::parse(fen, "").expect("sound"), name: None })
                .to_vec(),
            precision: 20.0,
            games: 1_000,
            seed: 7,
        }
    }

    fn pairs_of(meetings: &[Meeting], level: u32) -> usize {
        let plays = |meeting: &&Meeting| meeting.players.contains(&Player::Level(level));
        meetings.iter().filter(plays).map(|meeting| meeting.pairs).sum()
    }

    #[test]
    fn in_the_first_round_all_play_as_much() {
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
        assert!(tasks.iter().all(|task| task.pairs == 5), "75 pairs for 13 meetings");
        assert_eq!(
            (tasks[0].pace, tasks[5].pace, tasks[9].pace),
            (design(&[]).pace, Pace::Wall, design(&[]).pace)
        );
        assert!(tasks[0].engines[0].text.ends_with("UCI_Elo=600,UCI_LimitStrength=true,StrengthSeed=8"));
        // Five pairs from two openings: the next meeting goes on with the second.
        assert_eq!(tasks[1].openings[0], design(&[]).openings[1]);
    }

    #[test]
    fn where_all_is_known_players_are_added_at_round_numbers() {
        let known = survey(&[(600, 500.0, 10.0, 1.0), (1000, 1000.0, 10.0, 1.0), (1400, 1300.0, 10.0, 1.0)]);
        assert!(known.is_known_within(20.0) && !known.is_known_within(9.0));
        let added = levels_to_add(&known);
        assert!(!added.is_empty() && added.windows(2).all(|pair| pair[0] < pair[1]), "{added:?}");
        let near = |one: u32, other: u32| one.abs_diff(other) < NEAR;
        assert!(added.iter().all(|&level| ![600, 1000, 1400].iter().any(|&known| near(level, known))));
        let meetings = meetings_of(&known, &added, 100);
        for &level in &added {
            assert!(pairs_of(&meetings, level) >= 2 * HANDFUL, "{level}: {meetings:?}");
        }
    }
}
