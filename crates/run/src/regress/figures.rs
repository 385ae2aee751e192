//! The figures of a baseline: numbers of a part of the run, such as its cases, its games or a rating.
//!
//! `figures.json` has them by part, with the Elo that a match measured, and the search limits of each suite.
//! Version 1 of the file had one flat name for part and figure; only this module splits such names.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::baseline_files::{BaselineError, FIGURES};
use crate::MeasuredElo;
use threefold_stats::stopping::{self, Statistic};
use threefold_stats::{Estimate, Logistic};

threefold_named_enum::named_enum! {
    /// A number of a part of the run.
    pub enum PartCount {
        /// The largest number of games of a match.
        Budget = "budget",
        /// The cases of a suite.
        Cases = "cases",
        /// The cases that passed.
        Passed = "passed",
        /// The games of a match.
        Games = "games",
        /// The pairs of games of a sequential test.
        Pairs = "pairs",
    }
}

/// A figure of a part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    /// A number of the whole part.
    Count(PartCount),
    /// The statistic of a sequential test, by its key.
    Statistic(&'static str),
    /// The rating of this player, in Elo.
    Rating(String),
}

/// Identifies a figure.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FigureName {
    /// The part of the run.
    pub part: String,
    /// What is measured.
    pub figure: Figure,
}

/// Figures by name.
pub type Figures = BTreeMap<FigureName, f64>;

/// The search limits of suites, in words, by suite.
pub type SuiteLimits = BTreeMap<String, String>;

/// The content of `figures.json`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FigureFile {
    /// The measured values.
    pub figures: Figures,
    /// The search limits; versions before 3 have none.
    pub limits: SuiteLimits,
    /// The measured Elo by part; versions before 4 have none.
    pub elo: BTreeMap<String, MeasuredElo>,
}

impl Figure {
    /// The number of a part with this name.
    fn named(name: &str) -> Result<Self, <PartCount as FromStr>::Err> {
        match stopping::RULES.iter().find(|rule| rule.statistic.key == name) {
            Some(rule) => Ok(Self::Statistic(rule.statistic.key)),
            None => name.parse().map(Self::Count),
        }
    }
}

impl FigureName {
    /// A number of a part.
    pub fn count(part: &str, count: PartCount) -> Self {
        Self { part: part.to_owned(), figure: Figure::Count(count) }
    }

    /// The statistic of a test.
    pub fn statistic(part: &str, statistic: Statistic) -> Self {
        Self { part: part.to_owned(), figure: Figure::Statistic(statistic.key) }
    }

    /// The rating of a player in a part.
    pub fn rating(part: &str, player: String) -> Self {
        Self { part: part.to_owned(), figure: Figure::Rating(player) }
    }
}

impl fmt::Display for FigureName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figure = match &self.figure {
            Figure::Count(count) => count.name(),
            Figure::Statistic(key) => key,
            Figure::Rating(player) => player,
        };
        write!(f, "{}.{figure}", self.part)
    }
}

/// `figures.json`, version 4. Version 3 has no Elo, version 2 no limits.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FiguresV4 {
    version: u32,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    limits: SuiteLimits,
    parts: BTreeMap<String, PartV4>,
}

/// The numbers of a part by the names of [`PartCount`], and its ratings by player.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartV4 {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    counts: BTreeMap<String, f64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    ratings: BTreeMap<String, f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    elo: Option<EloV4>,
}

/// The logistic Elo difference to an opponent, with the ends of its 95 % interval.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EloV4 {
    opponent: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    games: u64,
    value: f64,
    low: f64,
    high: f64,
}

/// `figures.json`, version 1: `policies.llr`, `ladder.Echo@500`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FiguresV1 {
    #[serde(rename = "version")]
    _version: u32,
    figures: BTreeMap<String, f64>,
}

/// The version of the file.
#[derive(Debug, Deserialize)]
struct Version {
    version: u32,
}

/// The text of `figures.json`; parsing it gives the same figures.
pub(super) fn write(file: &FigureFile) -> String {
    let FigureFile { figures, limits, elo } = file;
    let mut parts: BTreeMap<String, PartV4> = BTreeMap::new();
    for (FigureName { part, figure }, &value) in figures {
        let part = parts.entry(part.clone()).or_default();
        match figure {
            Figure::Count(count) => part.counts.insert(count.name().to_owned(), value),
            Figure::Statistic(key) => part.counts.insert((*key).to_owned(), value),
            Figure::Rating(player) => part.ratings.insert(player.clone(), value),
        };
    }
    for (part, elo) in elo {
        parts.entry(part.clone()).or_default().elo = Some(elo.into());
    }
    serde_json::to_string_pretty(&FiguresV4 { version: 4, limits: limits.clone(), parts })
        .expect("names and numbers")
        + "\n"
}

/// Parses `figures.json` of this version or an earlier one.
pub(super) fn parse_figures(text: &str) -> Result<FigureFile, BaselineError> {
    let wrong = |line: Option<u64>, what: String| BaselineError { file: FIGURES, line, what };
    let unreadable = |error: serde_json::Error| {
        wrong(Some(error.line() as u64).filter(|&line| line > 0), error.to_string())
    };
    // The version is read alone first, since it decides which fields may follow.
    match serde_json::from_str::<Version>(text).map_err(unreadable)?.version {
        1 => {
            let FiguresV1 { figures, .. } = serde_json::from_str(text).map_err(unreadable)?;
            Ok(FigureFile { figures: of_flat_names(&figures), ..FigureFile::default() })
        }
        2..=4 => {
            let FiguresV4 { mut parts, limits, .. } = serde_json::from_str(text).map_err(unreadable)?;
            let elo = parts.iter_mut().filter_map(|(part, it)| Some((part.clone(), it.elo.take()?.into())));
            let elo = elo.collect();
            let figures = of_parts(parts).map_err(|what| wrong(None, what))?;
            Ok(FigureFile { figures, limits, elo })
        }
        version => Err(wrong(None, format!("version {version} is not known here, versions 1 to 4 are"))),
    }
}

impl From<&MeasuredElo> for EloV4 {
    fn from(measured: &MeasuredElo) -> Self {
        let MeasuredElo { opponent, opponent_commit: commit, games, elo } = measured.clone();
        let Estimate { low, value, high } = elo;
        Self { opponent, commit, games, value: value.0, low: low.0, high: high.0 }
    }
}

impl From<EloV4> for MeasuredElo {
    fn from(written: EloV4) -> Self {
        let EloV4 { opponent, commit, games, value, low, high } = written;
        let elo = Estimate { low: Logistic(low), value: Logistic(value), high: Logistic(high) };
        Self { opponent, opponent_commit: commit, games, elo }
    }
}

fn of_parts(parts: BTreeMap<String, PartV4>) -> Result<Figures, String> {
    let mut figures = Figures::new();
    for (part, PartV4 { counts, ratings, elo: _ }) in parts {
        for (name, value) in counts {
            let figure = Figure::named(&name).map_err(|error| format!("a number of `{part}`: {error}"))?;
            figures.insert(FigureName { part: part.clone(), figure }, value);
        }
        let ratings = ratings.into_iter();
        figures.extend(ratings.map(|(player, value)| (FigureName::rating(&part, player), value)));
    }
    Ok(figures)
}

/// Figures of version 1. A player's name may contain a point, so the parts are first identified by their
/// other figures.
fn of_flat_names(flat: &BTreeMap<String, f64>) -> Figures {
    let count = |name: &str| -> Option<FigureName> {
        let (part, count) = name.rsplit_once('.')?;
        Some(FigureName { part: part.to_owned(), figure: Figure::named(count).ok()? })
    };
    let parts: Vec<String> = flat.keys().filter_map(|name| Some(count(name)?.part)).collect();
    let rating = |name: &str| {
        let of_part =
            |part: &&String| name.strip_prefix(part.as_str()).is_some_and(|rest| rest.starts_with('.'));
        // The longest one, since `a` and `a.b` can both be parts.
        let known = parts.iter().filter(of_part).map(String::len).max();
        let end = known.or_else(|| name.find('.')).unwrap_or(name.len());
        FigureName::rating(&name[..end], name[end..].trim_start_matches('.').to_owned())
    };
    flat.iter().map(|(name, &value)| (count(name).unwrap_or_else(|| rating(name)), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(part: &str) -> FigureName {
        FigureName::statistic(part, stopping::RULES[0].statistic)
    }

    #[test]
    fn figures_are_read_back_by_part() {
        let figures = Figures::from([
            (llr("policies"), -0.31),
            (FigureName::count("mate 2.1", PartCount::Passed), 60.0),
            (FigureName::rating("ladder", "budget".to_owned()), 0.5),
            (FigureName::rating("ladder", "Fish 1.2".to_owned()), 12.5),
            (FigureName::count("ladder", PartCount::Budget), 240.0),
        ]);
        let limits = SuiteLimits::from([("mate".to_owned(), "depth 12".to_owned())]);
        let elo = Estimate { low: Logistic(-3.25), value: Logistic(1.5), high: Logistic(6.0) };
        let elo = MeasuredElo {
            opponent: "base 1a2b3c4d".to_owned(),
            opponent_commit: Some("1a2b3c4d".to_owned()),
            games: 600,
            elo,
        };
        let elo = BTreeMap::from([("base".to_owned(), elo)]);
        let file = FigureFile { figures: figures.clone(), limits, elo };
        let text = write(&file);
        assert_eq!(parse_figures(&text), Ok(file));
        assert!(text.contains("\"version\": 4"), "{text}");
        let earlier = FigureFile { figures, ..FigureFile::default() };
        for version in [2, 3] {
            let text = write(&earlier).replace("\"version\": 4", &format!("\"version\": {version}"));
            assert_eq!(parse_figures(&text), Ok(earlier.clone()));
        }
        let unknown = text.replace("\"llr\"", "\"luck\"");
        let error = parse_figures(&unknown).expect_err("no such number").to_string();
        assert!(error.starts_with("figures.json: a number of `policies`: `luck` is not known"), "{error}");
    }

    #[test]
    fn figures_of_version_1_are_split_by_part() {
        let text = "{\"version\":1,\"figures\":{\"policies.llr\":-0.31,\"mate 2.1.passed\":60.0,\"ladder.budget\":240,\
                    \"ladder.Fish 1.2\":12.5,\"a.b.budget\":9,\"a.b.Fish 1.2\":7,\"elsewhere.Echo@500\":0}}";
        let count = |part: &str, count| FigureName::count(part, count);
        let rating = |part: &str, player: &str| FigureName::rating(part, player.to_owned());
        let figures = Figures::from([
            (llr("policies"), -0.31),
            (count("mate 2.1", PartCount::Passed), 60.0),
            (count("ladder", PartCount::Budget), 240.0),
            (rating("ladder", "Fish 1.2"), 12.5),
            (count("a.b", PartCount::Budget), 9.0),
            (rating("a.b", "Fish 1.2"), 7.0),
            (rating("elsewhere", "Echo@500"), 0.0),
        ]);
        let file = FigureFile { figures, ..FigureFile::default() };
        assert_eq!(parse_figures(text), Ok(file.clone()));
        assert_eq!(parse_figures(&write(&file)), Ok(file), "renewed, they are the same");
    }
}
