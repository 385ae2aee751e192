//! The differences as text for a terminal.

use super::{Agreement, AskedPosition, SearchAnswer, VersionDiff};
use crate::format;
use crate::model::position_fen::fen;
use crate::words::san;

/// The most positions that are listed.
const LISTED: usize = 20;

/// The most moves of a principal variation that are shown.
const LINE: usize = 6;

impl VersionDiff {
    /// The counts, and the positions with different moves.
    pub fn to_text(&self) -> String {
        let [new, old] = self.names.each_ref().map(|name| format::visible(name));
        let positions = format::count(self.asked.len(), "position");
        let mut lines = vec![format!(
            "{new} – {old}: {positions} of {} at {} nodes",
            format::visible(&self.source),
            format::grouped(self.nodes)
        )];
        for (agreement, words) in [
            (Agreement::Same, "same move, score and depth"),
            (Agreement::SameMove, "same move, other score or depth"),
            (Agreement::OtherMove, "other move"),
        ] {
            let rate = self.share(agreement);
            lines.push(format!("  {words:<32} {:>6}  {}", rate.successes, format::share(rate)));
        }
        if let Some(depth) = self.mean_depth_difference() {
            lines.push(format!("  depth, {new} minus {old}, on average: {depth:+.2}"));
        }
        let found = self.other_moves();
        for asked in found.iter().take(LISTED) {
            lines.push(String::new());
            lines.push(format!("  {}", fen(&asked.position)));
            for (name, answer) in [&new, &old].into_iter().zip(&asked.answers) {
                lines.push(format!("    {name}: {}", described(asked, answer)));
            }
        }
        if found.len() > LISTED {
            let more = found.len() - LISTED;
            lines.push(format!("\n  and {more} more; --html FILE or --json FILE has them"));
        }
        lines.join("\n") + "\n"
    }
}

/// `12. Nf3 e5, cp 20, depth 9`.
fn described(asked: &AskedPosition, answer: &SearchAnswer) -> String {
    let Some(best) = answer.best else { return "no move".to_owned() };
    // The last line that an engine reports need not begin with the move that it plays.
    let line =
        if answer.pv.first() == Some(&best) { &answer.pv[..answer.pv.len().min(LINE)] } else { &[best] };
    let score = answer.score.map_or_else(|| "no score".to_owned(), |score| score.to_string());
    format!("{}, {score}, depth {}", san::numbered(&asked.position, line), answer.depth.0)
}

#[cfg(test)]
mod tests {
    use super::super::fixture;

    #[test]
    fn text_has_counts_and_lines() {
        insta::assert_snapshot!(fixture::diff().to_text());
    }
}
