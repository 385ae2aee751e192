//! A tournament of several engines on the page: the ratings, the cross table, and the result of each pairing.

use maud::{Markup, html};

use super::format;
use super::table::table;
use crate::formats::svg;
use crate::model::cross_table::CrossTable;
use crate::model::report::{MatchPart, Rated, Standing, Swiss};
use crate::model::swiss_standings::RatedSwiss;
use crate::model::tournament::{Pairing, Tournament, TournamentRating, rating_note};
use threefold_stats::rating::RatingStatus;

/// Rows of a card.
pub(super) const MOST_ROWS: usize = 8;

/// The ratings, the cross table and the pairings.
pub(super) fn section(part: &MatchPart) -> Markup {
    let tournament = Tournament::from_match(part);
    let pairings = tournament.pairings.iter().map(|pairing| pairing.row().to_vec());
    html! {
        @match &tournament.ratings {
            Ok(ratings) => (rating_tables(ratings)),
            Err(why) => { p class="warn" { "No ratings: " (why) "." } (standings(&part.standings)) },
        }
        @if let Some(scores) = CrossTable::new(&tournament, &part.standings) { (cross_table(&scores)) }
        @if !tournament.pairings.is_empty() {
            details {
                summary { "Results of each pairing" }
                (table("Wins, draws and losses of the engine named first", &Pairing::COLUMNS, pairings))
            }
        }
    }
}

/// The standings, the ratings, the cross table and the pairings of a Swiss tournament.
pub(super) fn swiss(swiss: &Swiss, encounters: &[MatchPart]) -> Markup {
    let rated = RatedSwiss::new(swiss, encounters);
    let pairings = rated.tournament.pairings.iter().map(|pairing| pairing.row().to_vec());
    html! {
        h2 id="standings" { "Standings" }
        (table("Standings", &RatedSwiss::COLUMNS, rated.rows().into_iter().map(|row| row.to_vec())))
        p class="faint" { (rated.note()) }
        @if let Ok(ratings) = &rated.tournament.ratings {
            @for group in ratings.chunk_by(|one, other| one.group == other.group) {
                @let shown = plotted(group);
                @if shown.len() > 1 { (svg::ratings(&shown)) }
            }
        }
        (table("Cross table", &swiss.cross_table_heads(), swiss.cross_table()))
        p class="faint" { (swiss.results_note()) }
        @if !rated.tournament.pairings.is_empty() {
            details {
                summary { "Results of each pairing" }
                (table("Wins, draws and losses of the engine named first", &Pairing::COLUMNS, pairings))
            }
        }
    }
}

/// A plot and a table for each group of engines that the games connect.
fn rating_tables(ratings: &[TournamentRating]) -> Markup {
    let groups: Vec<&[TournamentRating]> = ratings.chunk_by(|one, other| one.group == other.group).collect();
    html! {
        @for (index, group) in groups.iter().enumerate() {
            @let rated = plotted(group);
            @if rated.len() > 1 { (svg::ratings(&rated)) }
            @let caption = if groups.len() > 1 { format!("Ratings, group {}", index + 1) } else { "Ratings".to_owned() };
            (table(&caption, &TournamentRating::COLUMNS, group.iter().map(|rated| rated.row().to_vec())))
        }
        p class="faint" { (rating_note(groups.len())) }
    }
}

/// The ratings that have an interval. A perfect scorer has none.
fn plotted(group: &[TournamentRating]) -> Vec<Rated> {
    let determined =
        group.iter().filter(|rated| rated.status == RatingStatus::Rated && rated.error.is_some());
    let rated = determined.map(|rated| Rated {
        name: rated.standing.name.clone(),
        elo: rated.elo,
        error: rated.error,
        games: rated.standing.games(),
        points: rated.standing.points(),
    });
    rated.collect()
}

/// A row for each engine.
fn cross_table(scores: &CrossTable) -> Markup {
    let columns: Vec<String> = std::iter::once("engine".to_owned()).chain(scores.heads()).collect();
    let rows = scores.rows.iter().map(|row| {
        std::iter::once(format!("{}. {}", row.number, row.name)).chain(row.scores.iter().cloned()).collect()
    });
    table("Cross table: points/games by opponent", &columns, rows)
}

/// The points of each engine, where there are no ratings.
fn standings(standings: &[Standing]) -> Markup {
    let columns = ["engine", "points", "games", "won", "drawn", "lost"];
    let rows = standings.iter().map(|standing| {
        let counts = [standing.games(), standing.wins, standing.draws, standing.losses].map(format::grouped);
        [standing.name.clone(), format::points(standing.points())].into_iter().chain(counts).collect()
    });
    table("Standings", &columns, rows)
}

/// The ranking for the head of the page, by rating; by points if there are no ratings.
pub(super) fn card(part: &MatchPart) -> Markup {
    let lines: Vec<(String, String)> = match Tournament::from_match(part).ratings {
        Ok(ratings) => ratings.iter().map(|rated| (rated.standing.name.clone(), rated.elo())).collect(),
        Err(_) => by_points(&part.standings),
    };
    let games = format::count(part.games.len(), "game");
    html! {
        p class="faint" { (games) ", " (format::count(part.standings.len(), "engine")) "; logistic Elo, 95 %" }
        ol class="ranking" {
            @for (name, result) in lines.iter().take(MOST_ROWS) { li { span { (name) } b { (result) } } }
        }
        @if lines.len() > MOST_ROWS { p class="faint" { "and " (lines.len() - MOST_ROWS) " more" } }
    }
}

fn by_points(standings: &[Standing]) -> Vec<(String, String)> {
    let mut order: Vec<&Standing> = standings.iter().collect();
    order.sort_by(|one, other| other.points().total_cmp(&one.points()));
    let line = |standing: &Standing| {
        let result =
            format!("{} of {}", format::points(standing.points()), format::grouped(standing.games()));
        (standing.name.clone(), result)
    };
    order.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::FORMAT;
    use super::*;
    use crate::model::fixture;
    use crate::model::tournament::tests::part;

    /// The page of a run that is one tournament.
    fn page(part: MatchPart) -> String {
        let mut report = fixture::report();
        report.suites.clear();
        report.failure_reasons.clear();
        report.matches = vec![part];
        String::from_utf8((FORMAT.render)(&report).expect("renders")).expect("UTF-8")
    }

    #[test]
    fn page_of_a_tournament_has_ratings_and_a_cross_table() {
        let played = [(["A", "B"], "ww"), (["A", "B"], "ld"), (["A", "C"], "ww"), (["B", "C"], "ww")];
        let part = part(&["A", "B", "C"], &played);
        let ratings = Tournament::from_match(&part).ratings.expect("A and B are connected");
        let best = ratings.iter().find(|rated| rated.standing.name == "A").expect("it played").elo();
        assert!(best.contains(" ± "), "{best}");
        let page = page(part);
        for text in [
            &format!("<td class=\"words\">{best}</td>"),
            &format!("<li><span>A</span><b>{best}</b></li>"),
            "<caption>Ratings</caption>",
            "<th scope=\"col\">Elo (logistic, 95 %)</th>",
            "lost every game",
            "<caption>Cross table: points/games by opponent</caption>",
            "<th scope=\"row\">1. A</th>",
            "<td class=\"number\">2.5/4</td>",
            "<td class=\"number\">0/2</td>",
            "Elo relative to the average of the engines, fitted to all games",
        ] {
            assert!(page.contains(text), "{text} is missing in\n{page}");
        }
    }

    #[test]
    fn page_of_a_tournament_without_ratings_has_its_points() {
        let page = page(part(&["A", "B", "C"], &[]));
        assert!(page.contains("No ratings: ") && page.contains("<caption>Standings</caption>"), "{page}");
        assert!(!page.contains("Cross table"), "there are no games");
    }
}
