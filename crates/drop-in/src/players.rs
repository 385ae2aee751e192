//! The table of three or more players, as fastchess prints it.

use std::collections::BTreeMap;

use super::score::{Score, Unit};
use threefold_player::EngineSpec;

/// The players by their score against all others.
pub(super) fn lines(
    engines: &[EngineSpec],
    scores: &BTreeMap<(usize, usize), Score>,
    unit: Unit,
) -> Vec<String> {
    let mut rows: Vec<(String, Score)> = (0..engines.len())
        .map(|engine| {
            let of = |(&(first, second), score): (&(usize, usize), &Score)| match engine {
                _ if engine == first => Some(*score),
                _ if engine == second => Some(score.reversed()),
                _ => None,
            };
            let score = scores.iter().filter_map(of).fold(Score::default(), |sum, score| sum.plus(&score));
            (engines[engine].name.clone(), score)
        })
        .collect();
    // A player without games has no share, and comes last.
    let rank = |score: &Score| if score.share().is_nan() { -1.0 } else { score.share() };
    rows.sort_by(|(_, one), (_, other)| rank(other).total_cmp(&rank(one)));
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default().max(25);
    let pairs = if unit == Unit::Pairs { "Ptnml(0-2)" } else { "" };
    let mut lines = vec![format!(
        "Rank {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {pairs:>20}",
        "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"
    )];
    for (rank, (name, score)) in (1..).zip(&rows) {
        lines.push(format!("{rank:>4} {name:<width$} {}", score.columns(unit)));
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}
