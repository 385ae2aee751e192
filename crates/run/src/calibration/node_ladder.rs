//! A ladder: one engine at several node budgets.
//!
//! Budgets are nodes, not time, so that a calibration is the same on every machine. It is an ordinary match
//! for the scheduler and the pool.

use crate::{MatchTask, Purpose};
use threefold_games::game::Adjudication;
use threefold_games::opening::Opening;
use threefold_player::spec::HarnessKey;
use threefold_player::{EngineSpec, SpecError};

/// The settings of a ladder.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeLadder {
    /// The engine. A name or node limit in its spec is replaced for each rung.
    pub engine: EngineSpec,
    /// Node budgets per move.
    pub rungs: Vec<u64>,
    /// The number of rounds; in each, every pairing plays one pair.
    pub rounds: usize,
    /// The openings, in playing order.
    pub openings: Vec<Opening>,
    /// When games end early.
    pub adjudication: Adjudication,
}

/// Why budgets do not form a ladder.
#[derive(Debug, thiserror::Error)]
pub enum NodeLadderError {
    /// Fewer than two different budgets.
    #[error("a ladder takes two or more budgets of nodes, each once, from 1; there are {0:?}")]
    Rungs(Vec<u64>),
    /// The engine has other limits, which would make the rungs equal.
    #[error(
        "engine `{0}` brings a limit of its own; leave `tc`, `st` and `depth` out, the rungs are its limits"
    )]
    Limited(String),
    /// The spec cannot be changed.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

impl NodeLadder {
    /// The round robin, weakest rung first.
    pub fn match_task(&self) -> Result<MatchTask, NodeLadderError> {
        let mut rungs = self.rungs.clone();
        rungs.sort_unstable();
        rungs.dedup();
        if rungs.len() < 2 || rungs.len() < self.rungs.len() || rungs[0] == 0 {
            return Err(NodeLadderError::Rungs(self.rungs.clone()));
        }
        let control = &self.engine.control;
        if control.is_timed() || control.depth.is_some() {
            return Err(NodeLadderError::Limited(self.engine.text.clone()));
        }
        let rung = |nodes: &u64| {
            let name = format!("{}@{nodes}", self.engine.name);
            self.engine.with(&[(HarnessKey::Name, &name), (HarnessKey::Nodes, &nodes.to_string())])
        };
        let engines = rungs.iter().map(rung).collect::<Result<Vec<_>, _>>()?;
        Ok(MatchTask {
            adjudication: self.adjudication.clone(),
            purpose: Purpose::Calibration,
            ..MatchTask::new(
                engines.clone(),
                self.openings.clone(),
                self.rounds * engines.len() * (engines.len() - 1) / 2,
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ladder(engine: &str, rungs: &[u64]) -> NodeLadder {
        NodeLadder {
            engine: engine.parse().expect("sound"),
            rungs: rungs.to_vec(),
            rounds: 3,
            openings: vec![Opening::start_position()],
            adjudication: Adjudication::default(),
        }
    }

    #[test]
    fn node_ladder_pairs_every_budget_equally_often() {
        let task = ladder("echo,name=Echo,Hash=4,nodes=7", &[2000, 500, 8000]).match_task().expect("sound");
        let names: Vec<&str> = task.engines.iter().map(|engine| engine.name.as_str()).collect();
        assert_eq!(names, ["Echo@500", "Echo@2000", "Echo@8000"]);
        assert_eq!(task.engines[0].text, "echo,Hash=4,name=Echo@500,nodes=500");
        let mut met = [[0; 3]; 3];
        for fixture in task.schedule().all_games() {
            met[fixture.white][fixture.black] += 1;
            assert_eq!(task.terms(&fixture).controls[0].nodes, task.engines[fixture.white].control.nodes);
        }
        assert_eq!(met, [[0, 3, 3], [3, 0, 3], [3, 3, 0]]);
    }

    #[test]
    fn invalid_node_ladders_are_refused_with_a_remedy() {
        let table = [
            ("echo", &[500][..], "two or more budgets"),
            ("echo", &[500, 500], "each once"),
            ("echo", &[0, 500], "from 1"),
            ("echo,depth=4", &[500, 1000], "leave `tc`, `st` and `depth` out"),
            ("echo,tc=1+0.1", &[500, 1000], "leave `tc`, `st` and `depth` out"),
        ];
        for (engine, rungs, part) in table {
            let error = ladder(engine, rungs).match_task().expect_err(engine).to_string();
            assert!(error.contains(part), "{engine} {rungs:?}: {error}");
        }
    }
}
