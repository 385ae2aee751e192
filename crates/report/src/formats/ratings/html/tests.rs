//! The page of a small list.

use std::collections::BTreeSet;

use super::super::{Errors, InputSummary, ListedPlayers, Shown};
use super::*;
use threefold_games::pgn_results::GameCounts;
use threefold_stats::GameResult::{Draw, Loss, Win};
use threefold_stats::rating::{Crosstable, PlayerIndex, RatingModel, RatingSettings, rate_in_elo};

/// Three players; each plays ten pairs against each other one.
fn listing() -> Listing {
    let mut table = Crosstable::new(["<Best>", "Middle", "Last"]);
    let mut pairs = 0;
    for (first, second, wins) in [(0, 1, 5), (1, 2, 6), (0, 2, 8)] {
        for pair in 0..10 {
            let results = if pair < wins { [Win, Draw] } else { [Loss, Draw] };
            table.record_pair(PlayerIndex(first), PlayerIndex(second), results);
            pairs += 1;
        }
    }
    let census = GameCounts { read: 2 * pairs, counted: 2 * pairs, pairs, ..GameCounts::default() };
    let input = InputSummary { census, ..InputSummary::default() };
    let mut terms = RatingSettings::new(RatingModel::Davidson);
    let list = rate_in_elo(&table, &mut terms).expect("connected");
    let errors = (Errors::Analytic, list.clustered.clone());
    let shown = Shown { unit: RatingUnit::Elo, confidence: 0.95, decimals: 1 };
    Listing::new(input, &table, terms, list, errors, shown, &ListedPlayers::default())
}

#[test]
fn page_has_ratings_scores_and_expected_scores() {
    let page = page(&listing());
    for text in [
        "60 games, 3 players. Intervals: 95 %.",
        "aria-label=\"Ratings\"",
        "<th scope=\"row\">&lt;Best&gt;</th>",
        "<th scope=\"row\">2. Middle</th>",
        "<td>13/20<br><span class=\"faint\">12.3</span></td>",
        "id=\"head-to-head\"",
        "id=\"expected\"",
        "<th scope=\"row\">&lt;Best&gt; – Last</th>",
        "white advantage",
    ] {
        assert!(page.contains(text), "{text} is missing in\n{page}");
    }
}

#[test]
fn page_needs_no_script_and_no_other_file() {
    let page = page(&listing());
    for trace in ["http:", "https:", "src=", "url(", "@import", "<link", "<script"] {
        assert!(!page.contains(trace), "{trace}");
    }
    let after = |mark: &str| -> BTreeSet<String> {
        page.split(mark).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
    };
    let ids = after(" id=\"");
    assert!(after("href=\"#").is_subset(&ids), "{ids:?}");
}

#[test]
fn expected_points_of_a_player_are_those_scored() {
    let listing = listing();
    for line in &listing.lines {
        let meetings = listing.meetings(line);
        let expected = meetings.iter().filter_map(|meeting| meeting.expected);
        let (points, variance) =
            expected.fold((0.0, 0.0), |(points, variance), it| (points + it.points, variance + it.variance));
        assert!((points - line.points()).abs() < 1e-6, "{}: {points}", line.name);
        // Forty games, each with less variance than wins and losses alone would have.
        assert!(0.0 < variance && variance < 40.0 * 0.25, "{variance}");
    }
}
