//! Ratings over nodes.

use super::played::Scheduled;
use threefold_run::calibration::{self, NodeCurve};
use threefold_run::job::{MatchTask, Purpose};

/// The curve of a calibration; `None` for other matches, and if the games give no ratings.
pub(super) fn over_nodes(task: &MatchTask, games: &[Scheduled<'_>]) -> Option<NodeCurve> {
    if task.purpose != Purpose::Calibration {
        return None;
    }
    let nodes: Vec<u64> = task.engines.iter().map(|engine| engine.control.nodes).collect::<Option<_>>()?;
    let names: Vec<String> = task.engines.iter().map(|engine| engine.name.clone()).collect();
    NodeCurve::from_ratings(&nodes, &calibration::fit(&names, games.iter().copied()).ok()?)
}
