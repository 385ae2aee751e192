//! The depth of a search that ends within an iteration.
//!
//! Such a search may report what it has found at that depth. If that is nothing, it has only the line of the iteration before,
//! and must not show it with the greater depth. Whether the iteration was over is known from a longer search of the same
//! position: an engine with one thread and an empty hash table searches the same there.

use super::info_line::InfoLine;

/// The last line of a search, if it repeats that of the depth before, and the number of nodes after which a longer search first
/// shows a line of its depth. Both searches are given by their exact lines of the best move.
pub(super) fn repeated<'l>(lines: &[&'l InfoLine], longer: &[&InfoLine]) -> Option<(&'l InfoLine, u64)> {
    let line = *lines.last()?;
    let before = lines.iter().rfind(|before| before.info.depth < line.info.depth)?;
    if before.info.score != line.info.score || before.pv != line.pv {
        return None;
    }
    // Otherwise they are not the same search.
    let key = |line: &InfoLine| (line.info.depth, line.info.nodes, line.info.score);
    longer.iter().find(|other| key(other) == key(before))?;
    let reached = longer.iter().find(|other| other.info.depth >= line.info.depth)?.info.nodes?;
    (line.info.nodes? < reached).then_some((line, reached))
}
