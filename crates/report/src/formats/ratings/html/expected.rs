//! Actual scores against those that the list expects: by the expected score of the favourite, and the pairs of
//! players that differ most.
//!
//! The totals of each player say little: the fit makes them agree. The scores by expected score show whether
//! the curve of the model is right, and the single pairs show players whose strength is not one number.

use maud::{Markup, html};

use super::super::listing::Listing;
use super::super::meetings::ExpectedPoints;
use crate::format;
use crate::formats::html::table;
use crate::formats::svg::{self, ScorePoint};
use threefold_stats::elo::Z95;

/// Expected scores are grouped in steps of this share.
const STEP: f64 = 0.05;

/// The most pairs of players in the table of differences.
const MOST: usize = 20;

/// Games of favourites with nearly the same expected score.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Bin {
    games: f64,
    expected: f64,
    actual: f64,
    variance: f64,
}

impl Bin {
    /// Half of the 95 % interval of the score that chance gives, as a share.
    fn half(&self) -> f64 {
        Z95 * self.variance.sqrt() / self.games
    }

    /// The difference of the points in standard deviations.
    fn z(&self) -> f64 {
        (self.actual - self.expected) / self.variance.sqrt()
    }
}

/// Two players, from the view of the one that the list expects to score more.
struct Encounter<'l> {
    favourite: &'l str,
    other: &'l str,
    bin: Bin,
}

pub(super) fn section(listing: &Listing) -> Markup {
    let encounters = encounters(listing);
    let bins = bins(&encounters);
    html! {
        h2 id="expected" { "Actual and expected scores" }
        @if bins.is_empty() {
            p { "No two players of one scale met." }
        } @else {
            p {
                "Each pair of players counts for its favourite: the player that the list expects to score more. Differences are "
                "in standard deviations, with games taken as independent; about one in twenty is beyond ±2 by chance."
            }
            (svg::scores(&bins.iter().map(point).collect::<Vec<_>>()))
            (table("Scores of favourites, by expected score", &BIN_COLUMNS, bins.iter().map(bin_row)))
            (largest(encounters))
        }
    }
}

/// Every two players that met, once.
fn encounters(listing: &Listing) -> Vec<Encounter<'_>> {
    let of_line = |line| {
        let meetings = listing.meetings(line).into_iter().filter(|meeting| meeting.is_listed_later);
        meetings.filter_map(move |meeting| {
            let ExpectedPoints { points: expected, variance } = meeting.expected?;
            let (games, actual) = (meeting.games() as f64, meeting.points());
            let (player, opponent): (&str, &str) = (&line.name, meeting.opponent);
            // Who has White more often may be the favourite of two nearly equal players.
            Some(if expected >= games / 2.0 {
                let bin = Bin { games, expected, actual, variance };
                Encounter { favourite: player, other: opponent, bin }
            } else {
                let bin = Bin { games, expected: games - expected, actual: games - actual, variance };
                Encounter { favourite: opponent, other: player, bin }
            })
        })
    };
    listing.lines.iter().flat_map(of_line).collect()
}

/// The encounters grouped by their expected score, the lowest first.
fn bins(encounters: &[Encounter<'_>]) -> Vec<Bin> {
    let mut bins = vec![Bin::default(); (0.5 / STEP).round() as usize];
    for Encounter { bin, .. } in encounters {
        let index = ((bin.expected / bin.games - 0.5) / STEP) as usize;
        // An expected score of 1 is the end of the last step.
        let last = bins.len() - 1;
        let sum = &mut bins[index.min(last)];
        sum.games += bin.games;
        sum.expected += bin.expected;
        sum.actual += bin.actual;
        sum.variance += bin.variance;
    }
    // `z` divides by the standard deviation, which is 0 if the result is certain.
    bins.retain(|bin| bin.games > 0.0 && bin.variance > 0.0);
    bins
}

const BIN_COLUMNS: [&str; 5] = ["expected", "actual", "95 % by chance", "games", "difference"];

fn bin_row(bin: &Bin) -> Vec<String> {
    let expected = bin.expected / bin.games;
    vec![
        format::percent(expected),
        format::percent(bin.actual / bin.games),
        format!(
            "{:.1} to {:.1} %",
            100.0 * (expected - bin.half()),
            100.0 * (expected + bin.half()).min(1.0)
        ),
        format::grouped(bin.games as u64),
        format::tenths(bin.z()),
    ]
}

fn point(bin: &Bin) -> ScorePoint {
    let [expected, actual] = [bin.expected, bin.actual].map(|points| 100.0 * points / bin.games);
    let games = format::grouped(bin.games as u64);
    let title = format!("expected {expected:.1} %, actual {actual:.1} %, {games} games");
    ScorePoint { expected, actual, half: 100.0 * bin.half(), title }
}

/// The pairs of players whose scores differ most from the expected ones.
fn largest(mut encounters: Vec<Encounter<'_>>) -> Markup {
    encounters.retain(|encounter| encounter.bin.variance > 0.0);
    encounters.sort_by(|one, other| other.bin.z().abs().total_cmp(&one.bin.z().abs()));
    let number = encounters.len();
    let row = |Encounter { favourite, other, bin }: Encounter<'_>| {
        vec![
            format!("{favourite} – {other}"),
            format!("{}/{}", format::points(bin.actual), bin.games),
            format!("{:.1}", bin.expected),
            format::tenths(bin.z()),
        ]
    };
    let columns = ["favourite – opponent", "points/games", "expected", "difference"];
    let caption = if number > MOST {
        format!("The {MOST} largest differences of {} pairs of players", format::grouped(number as u64))
    } else {
        "Differences of all pairs of players, the largest first".to_owned()
    };
    table(&caption, &columns, encounters.into_iter().take(MOST).map(row))
}
