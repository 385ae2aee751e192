//! The list for a terminal. The lines above the table name the model, the unit and the reference of the
//! ratings.

use std::iter;

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table};

use super::listing::{Errors, Line, Listing, RatingUnit};
use crate::format;
use threefold_stats::rating::{ParameterPrior, RatingModel, RatingPoints, RatingScale, RatingStatus};

/// The model and the table.
pub fn listing_text(listing: &Listing) -> String {
    let mut blocks = vec![heading(listing)];
    for group in 0..listing.groups() {
        let lines: Vec<&Line> = listing.lines.iter().filter(|line| line.group == group).collect();
        if lines.is_empty() {
            continue;
        }
        if listing.groups() > 1 {
            let size = format::count(lines.len(), "player");
            blocks.push(format!("Group {}, {size}, on its own scale:", group + 1));
        }
        blocks.push(standings(listing, &lines));
    }
    format!("{}\n", blocks.join("\n"))
}

fn heading(listing: &Listing) -> String {
    let lines = facts(listing).into_iter().map(|(name, value)| format!("{name:21}{value}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The inputs, the model and its estimates: what each is, and its value.
pub(super) fn facts(listing: &Listing) -> Vec<(&'static str, String)> {
    let list = &listing.list;
    let census = &listing.input.census;
    let pairs = match census.pairs {
        0 => "no game pairs found".to_owned(),
        pairs => format!(
            "{} game pairs, {} single games",
            format::grouped(pairs),
            format::grouped(census.counted - 2 * pairs)
        ),
    };
    let error = |error: f64, digits: usize| {
        if error > 0.0 {
            format!(" ± {:.digits$}", listing.shown.half_interval(error))
        } else {
            " (given)".to_owned()
        }
    };
    let lines = [
        ("games", format!("{} counted: {pairs}", format::grouped(census.counted))),
        ("model", format!("{}: {}", list.model, list.model.summary())),
        ("unit", unit(listing)),
        ("anchor", anchor(listing)),
        ("errors", errors(listing)),
        (
            "white advantage",
            format!(
                "{}{}",
                format::tenths(list.white_advantage.0),
                error(listing.uncertainty.of_advantage(), 1)
            ),
        ),
        (
            "draw rate of equals",
            format!(
                "{}{}",
                format::percent(list.draw_rate),
                error(100.0 * listing.uncertainty.of_draw_rate(), 1)
            ),
        ),
        (
            "fit",
            format!(
                "log-likelihood {:.2}; residual chi-square {:.1}, {} degrees of freedom",
                list.log_likelihood, list.goodness_of_fit.chi_square, list.goodness_of_fit.degrees_of_freedom
            ),
        ),
    ];
    let listed = (listing.lines.len() < listing.rated()).then(|| {
        let rated = format::count(listing.rated(), "player");
        ("listed", format!("{} of {rated}; the ratings are of all games", listing.lines.len()))
    });
    let repeats = listing.input.repeats().map(|text| ("repeated games", text));
    lines.into_iter().chain(repeats).chain(listed).collect()
}

fn unit(listing: &Listing) -> String {
    let list = &listing.list;
    if listing.shown.unit == RatingUnit::Elo {
        let score = 1.0 / (1.0 + 10.0_f64.powf(-list.elo_by_score(RatingPoints(100.0)) / 400.0));
        return format!(
            "logistic Elo by score, as `match` prints it: a lead of 100 is an expected score of {}",
            format::percent(score)
        );
    }
    let points = match (list.model, list.scale == RatingScale::LOGISTIC) {
        (RatingModel::Davidson, true) => {
            "points of the model: a lead of 400 means win : loss = 10 : 1".to_owned()
        }
        (RatingModel::BayesElo | RatingModel::Ordo | RatingModel::OrdoWdl, true) => {
            "points of the model: a lead of 400 means odds of 10 : 1".to_owned()
        }
        (_, false) => format!("points of the model: a lead of {} means odds of 76 : 24", list.scale.at_76),
    };
    let factor = listing.logistic_elo_per_point();
    format!("{points}; multiply small differences by {factor:.3} for logistic Elo")
}

fn anchor(listing: &Listing) -> String {
    let anchors: Vec<String> = (listing.terms.anchors.iter())
        .map(|anchor| {
            let name = format::visible(listing.name(anchor.seat));
            match anchor.rating {
                ParameterPrior::Fitted => format!("{name} is fitted"),
                ParameterPrior::Fixed(rating) => format!("{name} is {rating}"),
                ParameterPrior::Gaussian { mean, sd } => {
                    format!("{name} has the prior {mean} ± {sd} (one standard deviation)")
                }
            }
        })
        .collect();
    let anchors = if anchors.is_empty() {
        format!("average of all players = {}", listing.terms.centre.0)
    } else {
        format::listed(&anchors)
    };
    match listing.terms.relations.len() {
        0 => anchors,
        relations => format!("{anchors}; {}", format::count(relations, "relation")),
    }
}

fn errors(listing: &Listing) -> String {
    let from = if listing.terms.anchors.is_empty() { "the average" } else { "the anchor" };
    let how = match &listing.errors {
        Errors::Analytic if listing.input.census.pairs > 0 => "analytic, by game pairs".to_owned(),
        Errors::Analytic => "analytic, by single games".to_owned(),
        Errors::Simulated { seed, fitted, unfit: 0 } => {
            format!("{fitted} simulations, seed {seed}, by single games")
        }
        Errors::Simulated { seed, fitted, unfit } => {
            format!(
                "{fitted} simulations, seed {seed}; {unfit} more could not be fitted, so errors may be too small"
            )
        }
    };
    format!("{}, relative to {from}; {how}", listing.shown.level())
}

fn table(header: &[impl AsRef<str>], rows: impl IntoIterator<Item = Vec<String>>) -> Table {
    let mut table = Table::new();
    // A hundred players are a hundred lines, without rules between them.
    let ruled = UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none());
    table.load_style(ruled).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().map(AsRef::as_ref));
    table.add_rows(rows);
    table
}

/// Aligns every column to the right, except those of names.
fn align(table: &mut Table, names: &[usize]) {
    for (index, column) in table.column_iter_mut().enumerate() {
        if !names.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

fn standings(listing: &Listing, lines: &[&Line]) -> String {
    let mut table = table(&columns(listing), lines.iter().map(|line| cells(listing, line)));
    align(&mut table, &[1]);
    table.to_string()
}

/// The heads of the columns of the list.
pub(super) fn columns(listing: &Listing) -> [String; 10] {
    let interval = format!("± ({})", listing.shown.level());
    let unit = match listing.shown.unit {
        RatingUnit::Elo => "Elo",
        RatingUnit::Points => "rating",
    };
    ["#", "player", unit, &interval, "points", "games", "score", "opponents", "draws", "LOS"]
        .map(str::to_owned)
}

/// The cells of a player.
pub(super) fn cells(listing: &Listing, line: &Line) -> Vec<String> {
    let error = match (line.status, line.error) {
        (RatingStatus::Unbeaten, _) => "won all".to_owned(),
        (RatingStatus::Winless, _) => "lost all".to_owned(),
        (RatingStatus::Rated, Some(error)) if error > 0.0 => {
            decimal(listing, listing.shown.half_interval(error))
        }
        // The error of a fixed anchor is 0.
        (RatingStatus::Rated, _) => "–".to_owned(),
    };
    vec![
        line.rank.to_string(),
        format::visible(&line.name),
        decimal(listing, line.rating),
        error,
        format::points(line.points()),
        line.games().to_string(),
        format::percent(line.score()),
        line.opposition.map_or_else(|| "–".to_owned(), |rating| decimal(listing, rating)),
        format::percent(line.draws()),
        chance(line.superiority),
    ]
}

/// A status in one word.
pub(super) const fn status_word(status: RatingStatus) -> &'static str {
    match status {
        RatingStatus::Rated => "rated",
        RatingStatus::Unbeaten => "unbeaten",
        RatingStatus::Winless => "winless",
    }
}

/// A probability in per cent; it is never rounded to certainty.
fn chance(chance: Option<f64>) -> String {
    match chance {
        None => "–".to_owned(),
        Some(chance) if (0.9995..1.0).contains(&chance) => "> 99.9 %".to_owned(),
        Some(chance) if 0.0 < chance && chance < 0.0005 => "< 0.1 %".to_owned(),
        Some(chance) => format::percent(chance),
    }
}

/// A rating or an error, with the decimals that are shown. Halves are rounded away from zero, and there is no
/// `-0.0`.
fn decimal(listing: &Listing, value: f64) -> String {
    let digits = usize::from(listing.shown.decimals);
    let unit = 10.0_f64.powi(i32::from(listing.shown.decimals));
    format!("{:.digits$}", (unit * value).round() / unit + 0.0)
}

/// Each player against each of its opponents.
pub fn head_to_head(listing: &Listing) -> String {
    let header =
        ["player", "opponent", "games", "won", "drawn", "lost", "points", "expected", "lead", "listed"];
    let signed = |lead: Option<f64>| lead.map_or_else(|| "–".to_owned(), format::tenths);
    let rows = listing.lines.iter().flat_map(|line| {
        listing.meetings(line).into_iter().map(move |meeting| {
            let [losses, draws, wins] = meeting.results.map(|count| count.to_string());
            vec![
                format::visible(&line.name),
                format::visible(meeting.opponent),
                meeting.games().to_string(),
                wins,
                draws,
                losses,
                format::points(meeting.points()),
                meeting.expected.map_or_else(|| "–".to_owned(), |it| format!("{:.1}", it.points)),
                signed(meeting.lead),
                signed(meeting.rated_lead),
            ]
        })
    });
    let mut table = table(&header, rows);
    align(&mut table, &[0, 1]);
    format!("{table}\nlead: rating difference from this score alone; listed: difference of the ratings.\n")
}

/// Likelihood that the player of a row is stronger than the player of a column, in per cent.
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
        iter::once(place(line)).chain(iter::once(format::visible(&line.name))).chain(chances).collect()
    });
    let mut table = table(&header, rows);
    align(&mut table, &[1]);
    format!("{table}\nin per cent, that the player of the row is stronger than that of the column.\n")
}
