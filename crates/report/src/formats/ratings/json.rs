//! The list as one JSON object with a version.

use std::io;

use serde::Serialize;

use super::input_summary::Note;
use super::listing::{Errors, Line, Listing};
use super::text::status_word;
use threefold_player::visible::visible_json;
use threefold_stats::elo::Z95;
use threefold_stats::rating::{ParameterPrior, RatingRelation};

/// Version of the format. Fields may be added under the same version, never removed or changed.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'l> {
    version: u32,
    files: &'l [String],
    games: Games,
    warnings: Vec<Warning<'l>>,
    model: Model,
    anchors: Vec<Anchor<'l>>,
    /// Priors of differences between players.
    relations: Vec<RelationRow<'l>>,
    /// The average of the players, if none is anchored.
    average: Option<f64>,
    white_advantage: Measured,
    draw_rate: Measured,
    log_likelihood: f64,
    residual_chi_square: f64,
    degrees_of_freedom: usize,
    errors: ErrorSource,
    /// The level of every `error`, between 0 and 1; every `error95` is of 0.95.
    confidence: f64,
    players: Vec<Player<'l>>,
    /// Row by row in the order of the players, from 0 to 1; null across groups.
    superiority: Vec<Vec<Option<f64>>>,
}

#[derive(Serialize)]
struct Games {
    read: u64,
    counted: u64,
    pairs: u64,
    left_out: u64,
    /// Between two names of one player.
    between_synonyms: u64,
    repeated: u64,
    counted_again: u64,
    /// Drawn, where draws are ignored.
    drawn: u64,
    reasons: std::collections::BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct Warning<'l> {
    file: &'l str,
    game: u64,
    line: u64,
    reason: &'static str,
    what: &'l str,
}

#[derive(Serialize)]
struct Model {
    name: &'static str,
    /// `elo`, or the model's own `points`.
    unit: &'static str,
    /// Points that are an odds ratio of 76 to 24.
    points_at_76: f64,
    /// Logistic Elo for each point of a small difference.
    logistic_elo_per_point: f64,
}

#[derive(Serialize)]
struct Anchor<'l> {
    name: &'l str,
    rating: f64,
    /// Standard deviation of the prior; 0 for a fixed rating.
    sd: f64,
}

#[derive(Serialize)]
struct RelationRow<'l> {
    players: [&'l str; 2],
    /// The first player's rating minus the second's.
    difference: f64,
    /// Standard deviation.
    sd: f64,
}

#[derive(Serialize)]
struct Measured {
    value: f64,
    /// Half of the 95 % interval; 0 for a given value.
    error95: f64,
    /// Half of the interval at the list's confidence level.
    error: f64,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum ErrorSource {
    Analytic,
    Simulated { seed: u64, fitted: usize, unfit: usize },
}

#[derive(Serialize)]
struct Player<'l> {
    rank: usize,
    group: usize,
    name: &'l str,
    standing: &'static str,
    rating: f64,
    error95: Option<f64>,
    error: Option<f64>,
    games: u64,
    points: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    opponents_mean: Option<f64>,
    opponents_effective: f64,
    superiority_over_next: Option<f64>,
    head_to_head: Vec<Meeting<'l>>,
}

#[derive(Serialize)]
struct Meeting<'l> {
    opponent: &'l str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    expected_points: Option<f64>,
    lead_by_score: Option<f64>,
    lead_by_rating: Option<f64>,
}

/// The list as one JSON object, ending with a line break.
pub fn json(listing: &Listing) -> io::Result<String> {
    let text = serde_json::to_string_pretty(&document(listing)).map_err(io::Error::from)?;
    Ok(visible_json(&text) + "\n")
}

/// Rounded so that all machines print the same digits.
fn round(value: f64) -> f64 {
    const DIGITS: f64 = 1e6;
    (value * DIGITS).round() / DIGITS
}

fn document(listing: &Listing) -> Document<'_> {
    let (list, input) = (&listing.list, &listing.input);
    let measured = |value: f64, error: f64| Measured {
        value: round(value),
        error95: round(Z95 * error),
        error: round(listing.shown.half_interval(error)),
    };
    let anchors: Vec<Anchor<'_>> = (listing.terms.anchors.iter())
        .filter_map(|anchor| {
            let (rating, sd) = match anchor.rating {
                ParameterPrior::Fitted => return None,
                ParameterPrior::Fixed(rating) => (rating, 0.0),
                ParameterPrior::Gaussian { mean, sd } => (mean, sd),
            };
            Some(Anchor { name: listing.name(anchor.seat), rating, sd })
        })
        .collect();
    Document {
        version: VERSION,
        files: &input.files,
        games: Games {
            read: input.census.read,
            counted: input.census.counted,
            pairs: input.census.pairs,
            left_out: input.census.left_out,
            between_synonyms: input.census.between_synonyms,
            repeated: input.census.repeated,
            counted_again: input.census.counted_again,
            drawn: input.census.drawn,
            reasons: input.reasons.iter().map(|(reason, &count)| (reason.name(), count)).collect(),
        },
        warnings: input.notes.iter().map(warning).collect(),
        model: Model {
            name: list.model.name(),
            unit: listing.shown.unit.name(),
            points_at_76: round(list.scale.at_76),
            logistic_elo_per_point: round(listing.logistic_elo_per_point()),
        },
        average: anchors.is_empty().then_some(listing.terms.centre.0),
        anchors,
        relations: relations(listing),
        white_advantage: measured(list.white_advantage.0, listing.uncertainty.of_advantage()),
        draw_rate: measured(list.draw_rate, listing.uncertainty.of_draw_rate()),
        log_likelihood: round(list.log_likelihood),
        residual_chi_square: round(list.goodness_of_fit.chi_square),
        degrees_of_freedom: list.goodness_of_fit.degrees_of_freedom,
        errors: match listing.errors {
            Errors::Analytic => ErrorSource::Analytic,
            Errors::Simulated { seed, fitted, unfit } => ErrorSource::Simulated { seed, fitted, unfit },
        },
        confidence: listing.shown.confidence,
        players: listing.lines.iter().map(|line| player(listing, line)).collect(),
        superiority: (listing.lines.iter())
            .map(|line| {
                listing.lines.iter().map(|other| listing.superiority(line, other).map(round)).collect()
            })
            .collect(),
    }
}

fn relations(listing: &Listing) -> Vec<RelationRow<'_>> {
    let row = |relation: &RatingRelation| RelationRow {
        players: relation.players.map(|seat| listing.name(seat)),
        difference: relation.difference.0,
        sd: relation.sd,
    };
    listing.terms.relations.iter().map(row).collect()
}

fn warning(note: &Note) -> Warning<'_> {
    let complaint = &note.complaint;
    Warning {
        file: &note.file,
        game: complaint.game,
        line: complaint.line,
        reason: complaint.reason.name(),
        what: &complaint.what,
    }
}

fn player<'l>(listing: &'l Listing, line: &'l Line) -> Player<'l> {
    let [losses, draws, wins] = line.results;
    let head_to_head = listing.meetings(line).into_iter().map(|meeting| {
        let [losses, draws, wins] = meeting.results;
        Meeting {
            opponent: meeting.opponent,
            games: meeting.games(),
            wins,
            draws,
            losses,
            expected_points: meeting.expected.map(|expected| round(expected.points)),
            lead_by_score: meeting.lead.map(round),
            lead_by_rating: meeting.rated_lead.map(round),
        }
    });
    Player {
        rank: line.rank,
        group: line.group + 1,
        name: &line.name,
        standing: status_word(line.status),
        rating: round(line.rating),
        error95: line.error.map(|error| round(Z95 * error)),
        error: line.error.map(|error| round(listing.shown.half_interval(error))),
        games: line.games(),
        points: line.points(),
        wins,
        draws,
        losses,
        score: round(line.score()),
        opponents_mean: line.opposition.map(round),
        opponents_effective: round(line.opponents),
        superiority_over_next: line.superiority.map(round),
        head_to_head: head_to_head.collect(),
    }
}
