//! What tests of calibrations begin with: a dial, an aim, and games as chance has them.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::aim::Aim;
use super::dial::Dial;
use crate::arena::game::{Adjudication, End, GameRecord, Outcome, Played};
use crate::arena::opening::Opening;
use crate::arena::pairing::{Fixture, Format};
use crate::player::EngineSpec;
use crate::work::fault_budget::FaultCount;
use crate::work::{Ending, Finding, MatchTask, Part, PartRecord, Progress, Purpose, Task};
use threefold_chess::clock::{ClockSource, Control};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;

pub(super) fn dial() -> Dial {
    Dial::new("echo,name=Echo".parse().expect("sound"), "UCI_Elo".to_owned())
}

/// A precision asked of all levels, in Elo.
pub(super) const fn everywhere(precision: f64) -> Aim {
    Aim { precision, within: f64::NEG_INFINITY..=f64::INFINITY }
}

/// A match between two players, and its games as chance has them by their true Elo.
pub(super) struct Simulated {
    part: Part,
    /// What was found, game for game.
    pub(super) findings: Vec<Finding>,
}

impl Simulated {
    pub(super) fn play(players: [(&EngineSpec, f64); 2], pairs: usize, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let task = MatchTask {
            engines: players.map(|(engine, _)| engine.clone()).to_vec(),
            openings: vec![Opening { line: GamePosition::start_position(), name: None }],
            format: Format::RoundRobin,
            pairs,
            control: Control::default(),
            pace: ClockSource::Wall,
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
                opening: GamePosition::start_position(),
                played: vec![played(), played()],
                outcome,
                end: End::Checkmate,
            })
        };
        let findings = task.schedule().fixtures().map(game).collect();
        let part = Part::unlabelled("simulated".to_owned(), Task::Match(task));
        Self { part, findings }
    }

    pub(super) fn record(&self) -> PartRecord<'_> {
        let jobs = self.findings.len();
        let ending = Some(Ending::Complete);
        PartRecord {
            part: &self.part,
            suite: None,
            progress: Progress {
                found: jobs,
                counted: jobs,
                jobs,
                ending,
                evidence: None,
                faults: FaultCount::default(),
            },
            findings: self.findings.iter().collect(),
            slots: vec![None; jobs],
            builds: vec![&[]; jobs],
            traffic: vec![None; jobs],
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
