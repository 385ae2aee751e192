//! A match's pairs in groups: by stretches of the schedule, and by the slots that played them.

use std::collections::BTreeMap;

use super::played::{Scheduled, result};
use crate::model::homogeneity::{Group, GroupedBy, Grouping};
use threefold_games::game_identity::SeenEncounters;
use threefold_run::WorkerId;
use threefold_run::job::{MatchTask, Purpose};
use threefold_stats::Pentanomial;
use threefold_stats::homogeneity::{Homogeneity, PairOutcomes, blocks};

/// Maximum number of segments; more would each have too few pairs.
const MOST_STRETCHES: usize = 10;

/// Consecutive pairs; `None` unless two engines played enough of them.
pub(super) fn stretches(task: &MatchTask, games: &[Scheduled<'_>]) -> Option<Grouping> {
    let pairs = pairs(task, games)?;
    let tally = |range: std::ops::Range<usize>| -> PairOutcomes {
        pairs[range].iter().map(|&(_, results)| results).collect::<Pentanomial>().into()
    };
    let groups = blocks(tally(0..pairs.len()), MOST_STRETCHES)?
        .into_iter()
        .map(|range| (format!("pairs {} to {}", range.start + 1, range.end), tally(range)));
    grouping(GroupedBy::Stretch, groups)
}

/// The pairs of each worker. Pairs whose games were played by two workers, or by an unknown one, are
/// excluded.
pub(super) fn slots(
    task: &MatchTask,
    games: &[Scheduled<'_>],
    slots: &[Option<WorkerId>],
) -> Option<Grouping> {
    let mut tallies: BTreeMap<WorkerId, Pentanomial> = BTreeMap::new();
    for (index, results) in pairs(task, games)? {
        if let [Some(first), Some(second)] = slots.get(index..index + 2)?
            && first == second
        {
            tallies.entry(*first).or_default().record(results);
        }
    }
    let groups = tallies.into_iter().map(|(slot, tally)| (format!("worker {}", slot.0 + 1), tally.into()));
    grouping(GroupedBy::Worker, groups)
}

fn grouping(by: GroupedBy, groups: impl Iterator<Item = (String, PairOutcomes)>) -> Option<Grouping> {
    let (names, outcomes): (Vec<String>, Vec<PairOutcomes>) = groups.unzip();
    let test = Homogeneity::test(&outcomes)?;
    let groups = names.into_iter().zip(outcomes).zip(&test.residuals);
    let groups = groups.map(|((name, outcomes), &residual)| Group { name, outcomes, residual }).collect();
    Some(Grouping { by, groups, test })
}

/// Distinct pairs of two engines, each with the place of its first game and its results for the first engine.
fn pairs(
    task: &MatchTask,
    games: &[Scheduled<'_>],
) -> Option<Vec<(usize, [threefold_stats::GameResult; 2])>> {
    // The remainder is a game whose partner is missing.
    let chunks = games.as_chunks::<2>().0.iter().enumerate();
    let mut seen = SeenEncounters::default();
    let pair = |(index, [first, second]): (usize, &[Scheduled<'_>; 2])| {
        let is_new = seen.is_new(&[first, second].map(|game| game.1.played.identity));
        is_new.then_some((2 * index, [result(first, 0)?, result(second, 0)?]))
    };
    // The values of a tune change from pair to pair.
    let is_alike = task.engines.len() == 2 && task.purpose != Purpose::Tuning;
    is_alike.then(|| chunks.filter_map(pair).collect())
}
