//! The differences as one page for a browser: counts, and a board for each position with different moves.

use maud::{Markup, html};

use super::{Agreement, AskedPosition, SearchAnswer, VersionDiff};
use crate::format;
use crate::formats::html::{TwoMoves, document, table};
use crate::formats::svg;
use crate::words::san;

/// The most positions with a board.
const BOARDS: usize = 50;

impl VersionDiff {
    /// The page, as the text of one HTML file.
    pub fn page(&self) -> String {
        let [new, old] = &self.names;
        let found = self.other_moves();
        let row = |words: &str, agreement| {
            let rate = self.share(agreement);
            vec![words.to_owned(), format::grouped(rate.successes), format::share(rate)]
        };
        let rows = [
            row("same move, score and depth", Agreement::Same),
            row("same move, other score or depth", Agreement::SameMove),
            row("other move", Agreement::OtherMove),
        ];
        let content = html! {
            h1 { "Where " (new) " and " (old) " differ" }
            p class="faint" {
                (format::count(self.asked.len(), "position")) " of " (self.source) ", each searched by both with "
                (format::grouped(self.nodes)) " nodes and an empty hash table."
            }
            (table("Answers", &["answers", "positions", "share, 95 %"], rows))
            @if let Some(depth) = self.mean_depth_difference() {
                p { "Depth, " (new) " minus " (old) ", on average: " (format!("{depth:+.2}")) "." }
            }
            h2 { "Different moves" }
            @if found.is_empty() {
                p { "They choose the same move in each position." }
            } @else {
                p class="faint" {
                    "The largest difference of the scores first. Green is the move of " (new) ", red that of " (old) "."
                    @if found.len() > BOARDS { " The first " (BOARDS) " of " (format::grouped(found.len() as u64)) "." }
                }
                @for asked in found.iter().take(BOARDS) { (card(asked, [new, old])) }
                (svg::shapes())
            }
        };
        document(&format!("Where {new} and {old} differ"), &content)
    }
}

fn card(asked: &AskedPosition, engines: [&str; 2]) -> Markup {
    let search = |answer: &SearchAnswer| {
        html! {
            (score(answer)) ", depth " (answer.depth.0) ", " (format::grouped(answer.nodes)) " nodes"
            @if !answer.pv.is_empty() { br; span class="mono" { (san::numbered(&asked.position, &answer.pv)) } }
        }
    };
    TwoMoves {
        position: &asked.position,
        engines,
        moves: asked.answers.each_ref().map(|answer| answer.best),
        in_short: asked.answers.each_ref().map(score),
        in_full: asked.answers.each_ref().map(search),
        more: None,
    }
    .card()
}

fn score(answer: &SearchAnswer) -> String {
    answer.score.map_or_else(|| "no score".to_owned(), |score| score.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::fixture;

    #[test]
    fn page_has_a_board_for_each_different_move_and_no_foreign_markup() {
        let page = fixture::diff().page();
        assert_eq!(page.matches("<details class=\"case\">").count(), 2);
        assert!(page.contains("Old &lt;b&gt;") && !page.contains("Old <b>"), "{page}");
        assert!(page.contains("1… e5") && page.contains("mate 9"), "{page}");
    }
}
