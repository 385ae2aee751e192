//! The list for a terminal. What stands above the table names the model, the unit and what the ratings are
//! measured from: without them a rating is a bare number.

use std::iter;

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table};

use super::super::phrase;
use super::listing::{Errors, Line, Listing};
use threefold_stats::elo::Z95;
use threefold_stats::rating::{ParameterPrior, RatingModel, RatingScale, RatingStatus};

/// What was fitted, and the table.
pub fn text(listing: &Listing) -> String {
    let mut blocks = vec![heading(listing)];
    for group in 0..listing.groups() {
        let lines: Vec<&Line> = listing.lines.iter().filter(|line| line.group == group).collect();
        if listing.groups() > 1 {
            let size = phrase::count(lines.len(), "player");
            blocks.push(format!("Group {}, {size}, on a scale of its own:", group + 1));
        }
        blocks.push(standings(&lines));
    }
    format!("{}\n", blocks.join("\n"))
}

fn heading(listing: &Listing) -> String {
    let list = &listing.list;
    let census = &listing.survey.census;
    let pairs = match census.pairs {
        0 => "no pairs recognised".to_owned(),
        pairs => format!(
            "{} pairs recognised, {} single",
            phrase::grouped(pairs),
            phrase::grouped(census.counted - 2 * pairs)
        ),
    };
    let error = |error: f64, digits: usize| {
        if error > 0.0 { format!(" ± {:.digits$}", Z95 * error) } else { " (given)".to_owned() }
    };
    let lines = [
        ("games", format!("{} counted: {pairs}", phrase::grouped(census.counted))),
        ("model", format!("{}: {}", list.model, list.model.summary())),
        ("unit", unit(listing)),
        ("anchor", anchor(listing)),
        ("errors", errors(listing)),
        (
            "white advantage",
            format!(
                "{}{}",
                phrase::tenths(list.white_advantage.0),
                error(listing.uncertainty.of_advantage(), 1)
            ),
        ),
        (
            "draws between equals",
            format!(
                "{}{}",
                phrase::percent(list.draw_rate),
                error(100.0 * listing.uncertainty.of_draw_rate(), 1)
            ),
        ),
        (
            "fit",
            format!(
                "log-likelihood {:.2}; residual chi-square {:.1}, {} degrees of freedom",
                list.log_likelihood, list.misfit.chi_square, list.misfit.freedom
            ),
        ),
    ];
    lines.map(|(name, value)| format!("{name:21}{value}")).join("\n")
}

fn unit(listing: &Listing) -> String {
    let list = &listing.list;
    let points = match (list.model, list.scale == RatingScale::LOGISTIC) {
        (RatingModel::Davidson, true) => {
            "Elo, 400 being odds of ten to one of a win against a loss".to_owned()
        }
        (RatingModel::BayesElo | RatingModel::Ordo | RatingModel::OrdoWdl, true) => {
            "Elo, 400 being odds of ten to one".to_owned()
        }
        (_, false) => format!("points, {} being odds of 76 to 24", list.scale.at_76),
    };
    let factor = listing.logistic_elo_per_point();
    format!("{points}; small differences × {factor:.3} are logistic Elo")
}

fn anchor(listing: &Listing) -> String {
    let anchors: Vec<String> = (listing.terms.anchors.iter())
        .map(|anchor| {
            let name = phrase::visible(listing.name(anchor.seat));
            match anchor.rating {
                ParameterPrior::Fitted => format!("{name} is fitted"),
                ParameterPrior::Fixed(rating) => format!("{name} is {rating}"),
                ParameterPrior::Gaussian { mean, sd } => {
                    format!("{name} is {mean} ± {sd} (one standard deviation)")
                }
            }
        })
        .collect();
    if anchors.is_empty() {
        return format!("the players' average is {}", listing.terms.centre.0);
    }
    phrase::listed(&anchors)
}

fn errors(listing: &Listing) -> String {
    let from = if listing.terms.anchors.is_empty() { "the average" } else { "the anchor" };
    let how = match &listing.errors {
        Errors::Analytic if listing.survey.census.pairs > 0 => {
            "analytic, the games of a pair taken together".to_owned()
        }
        Errors::Analytic => "analytic, each game taken by itself".to_owned(),
        Errors::Simulated { seed, fitted, unfit: 0 } => {
            format!("{fitted} replays from seed {seed}, each game taken by itself")
        }
        Errors::Simulated { seed, fitted, unfit } => {
            format!(
                "{fitted} replays from seed {seed}; {unfit} more had no fit: too small, if those are many"
            )
        }
    };
    format!("95 %, from {from}; {how}")
}

fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Table {
    let mut table = Table::new();
    // A hundred players are a hundred lines, without rules between them.
    let ruled = UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none());
    table.load_style(ruled).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().copied());
    table.add_rows(rows);
    table
}

/// Every column but those of names is of numbers.
fn align(table: &mut Table, names: &[usize]) {
    for (index, column) in table.column_iter_mut().enumerate() {
        if !names.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

fn standings(lines: &[&Line]) -> String {
    let header =
        ["#", "player", "Elo", "± (95 %)", "points", "games", "score", "opponents", "draws", "> next"];
    let rows = lines.iter().map(|line| {
        let error = match (line.standing, line.error) {
            (RatingStatus::Unbeaten, _) => "won all".to_owned(),
            (RatingStatus::Winless, _) => "lost all".to_owned(),
            (RatingStatus::Rated, Some(error)) if error > 0.0 => format!("{error:.1}"),
            (RatingStatus::Rated, _) => "–".to_owned(),
        };
        vec![
            line.rank.to_string(),
            phrase::visible(&line.name),
            one_digit(line.rating),
            error,
            phrase::points(line.points()),
            line.games().to_string(),
            phrase::percent(line.score()),
            line.opposition.map_or_else(|| "–".to_owned(), one_digit),
            phrase::percent(line.draws()),
            chance(line.superiority),
        ]
    });
    let mut table = table(&header, rows);
    align(&mut table, &[1]);
    table.to_string()
}

/// A standing in one word.
pub(super) const fn standing(standing: RatingStatus) -> &'static str {
    match standing {
        RatingStatus::Rated => "rated",
        RatingStatus::Unbeaten => "unbeaten",
        RatingStatus::Winless => "winless",
    }
}

/// A chance in per cent; what rounds to certainty is not said to be certain.
fn chance(chance: Option<f64>) -> String {
    match chance {
        None => "–".to_owned(),
        Some(chance) if (0.9995..1.0).contains(&chance) => "> 99.9 %".to_owned(),
        Some(chance) if 0.0 < chance && chance < 0.0005 => "< 0.1 %".to_owned(),
        Some(chance) => phrase::percent(chance),
    }
}

fn one_digit(value: f64) -> String {
    format!("{:.1}", (10.0 * value).round() / 10.0 + 0.0)
}

/// Each player against each of its opponents.
pub fn head_to_head(listing: &Listing) -> String {
    let header =
        ["player", "opponent", "games", "won", "drawn", "lost", "points", "expected", "lead", "listed"];
    let signed = |lead: Option<f64>| lead.map_or_else(|| "–".to_owned(), phrase::tenths);
    let rows = listing.lines.iter().flat_map(|line| {
        listing.meetings(line).into_iter().map(move |meeting| {
            let [losses, draws, wins] = meeting.results.map(|count| count.to_string());
            vec![
                phrase::visible(&line.name),
                phrase::visible(meeting.opponent),
                meeting.games().to_string(),
                wins,
                draws,
                losses,
                phrase::points(meeting.points()),
                meeting.expected.map_or_else(|| "–".to_owned(), |points| format!("{points:.1}")),
                signed(meeting.lead),
                signed(meeting.rated_lead),
            ]
        })
    });
    let mut table = table(&header, rows);
    align(&mut table, &[0, 1]);
    format!("{table}\nlead: what the score alone would say; listed: the difference of the ratings.\n")
}

/// How sure the games make us, in per cent, that the player of a row is stronger than that of a column.
pub fn superiority(listing: &Listing) -> String {
    let place = |line: &Line| {
        if listing.groups() > 1 { format!("{}.{}", line.group + 1, line.rank) } else { line.rank.to_string() }
    };
    let columns: Vec<String> = listing.lines.iter().map(place).collect();
    let header: Vec<&str> = ["#", "player"].into_iter().chain(columns.iter().map(String::as_str)).collect();
    let rows = listing.lines.iter().map(|line| {
        let chances = listing.lines.iter().map(|other| match listing.superiority(line, other) {
            _ if line.seat == other.seat => String::new(),
            None => "–".to_owned(),
            Some(chance) => format!("{:.1}", 100.0 * chance),
        });
        iter::once(place(line)).chain(iter::once(phrase::visible(&line.name))).chain(chances).collect()
    });
    let mut table = table(&header, rows);
    align(&mut table, &[1]);
    format!("{table}\nin per cent, that the player of the row is stronger than that of the column.\n")
}
