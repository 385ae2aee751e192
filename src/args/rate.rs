//! What `rate` takes.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use threefold_stats::rating::{ParameterPrior, RatingModel};

/// `threefold rate`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold rate games.pgn\n  \
    threefold rate a.pgn.gz b.pgn.zst --anchor 'Stockfish 17=3600' --csv list.csv\n  \
    zcat *.pgn.gz | threefold rate - --average 2500 --head-to-head\n  \
    threefold rate games.pgn --model ordo --white 0 --draw-rate 0.5 --errors simulated    # as `ordo -a 0 -s 1000`\n\n\
    Models:\n  \
    davidson   win : draw : loss = e^(x/2) : v : e^(-x/2); equal scores in a round robin are equal ratings\n  \
    ordo       as many points expected as scored, the expected score being logistic\n  \
    ordo-wdl   Ordo's -M: the likelihood of wins, draws and losses under its draw model\n  \
    bayeselo   BayesElo's law, with two virtual draws for each player beforehand\n\n\
    Two games are a pair if colours are swapped and both have the same round (`7`, or `7.1` and `7.2`) and \
    opening position, or follow one another from the same position. Errors take a pair as one observation.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line, as clap reads it")]
pub struct RateArgs {
    /// Files of games: PGN, plain, gzip or zstd; `-` is standard input
    #[arg(value_name = "GAMES.pgn", required = true)]
    pub files: Vec<PathBuf>,
    /// Hold a player at a rating; may be given for several
    #[arg(long = "anchor", value_name = "NAME=ELO")]
    pub anchors: Vec<Held>,
    /// A rating that is known with a standard deviation
    #[arg(long = "loose", value_name = "NAME=ELO,SD", allow_hyphen_values = true)]
    pub loose: Vec<Loose>,
    /// The players' average where nobody is anchored [default: 0]
    #[arg(long, value_name = "ELO", conflicts_with_all = ["anchors", "loose"], allow_hyphen_values = true, value_parser = finite)]
    pub average: Option<f64>,
    /// How results follow from strengths
    #[arg(long, value_name = "MODEL", default_value = "davidson")]
    pub model: RatingModel,
    /// The lead with an expected score of 76 % [default: 202 for Ordo's models, 200.24 (Elo) for the others]
    #[arg(long, value_name = "POINTS", value_parser = finite)]
    pub scale: Option<f64>,
    /// What White is worth: `fit`, or a number
    #[arg(long, value_name = "ELO", default_value = "fit", allow_hyphen_values = true)]
    pub white: Known,
    /// Draws between equals: `fit`, or a share such as 0.4
    #[arg(long, value_name = "SHARE", default_value = "fit")]
    pub draw_rate: Known,
    /// Where errors come from: `analytic`, or `simulated[:RUNS]`, by playing all games again
    #[arg(long, value_name = "WAY", default_value = "analytic")]
    pub errors: ErrorsBy,
    /// Seed of the simulation
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Rate groups that no game connects each on a scale of its own, and place who won or lost all games
    #[arg(long)]
    pub groups: bool,
    /// Count games between these players only
    #[arg(long = "only", value_name = "NAME")]
    pub only: Vec<String>,
    /// Count no game of this player
    #[arg(long = "exclude", value_name = "NAME", conflicts_with = "only")]
    pub exclude: Vec<String>,
    /// Print each player against each of its opponents
    #[arg(long)]
    pub head_to_head: bool,
    /// Print how sure it is that each player is stronger than each other
    #[arg(long)]
    pub superiority: bool,
    /// Write the list here
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
    /// Write everything here; `-` prints it instead of the table
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    /// Write every warning here, one a line
    #[arg(long, value_name = "FILE")]
    pub warnings: Option<PathBuf>,
    /// Replace the files that are there already
    #[arg(long)]
    pub force: bool,
    /// Exit with 2, and without a list, if anything is wrong with the files
    #[arg(long)]
    pub strict: bool,
    /// Threads; no result depends on them [default: the machine's cores]
    #[arg(long, short = 'j', value_name = "N")]
    pub concurrency: Option<NonZeroUsize>,
}

/// A player held at a rating: `NAME=ELO`.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// The player.
    pub name: String,
    /// Its rating.
    pub rating: f64,
}

impl FromStr for Held {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        let (name, rating) = given.rsplit_once('=').ok_or("write NAME=ELO, such as Echo=2000")?;
        Ok(Self { name: name.to_owned(), rating: finite(rating)? })
    }
}

/// A player of whose rating something is known: `NAME=ELO,SD`, or `NAME=ELO±SD`.
#[derive(Debug, Clone, PartialEq)]
pub struct Loose {
    /// The player.
    pub name: String,
    /// What its rating is about.
    pub mean: f64,
    /// The standard deviation of that.
    pub sd: f64,
}

impl FromStr for Loose {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        let form = "write NAME=ELO,SD, such as Echo=2000,30";
        let (name, rating) = given.rsplit_once('=').ok_or(form)?;
        let (mean, sd) = rating.split_once([',', '±']).ok_or(form)?;
        let (mean, sd) = (finite(mean)?, finite(sd)?);
        if sd <= 0.0 {
            return Err("a standard deviation is above 0; hold the player with --anchor instead".to_owned());
        }
        Ok(Self { name: name.to_owned(), mean, sd })
    }
}

/// `fit`, or a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Known(pub ParameterPrior);

impl FromStr for Known {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        if given == "fit" {
            return Ok(Self(ParameterPrior::Fitted));
        }
        finite(given)
            .map(|value| Self(ParameterPrior::Fixed(value)))
            .map_err(|error| format!("{error}, or `fit`"))
    }
}

/// Where errors come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorsBy {
    /// From the fit itself.
    Analysis,
    /// From so many replays.
    Simulation(u64),
}

impl FromStr for ErrorsBy {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        const RUNS: u64 = 1000;
        match given.split_once(':') {
            None if given == "analytic" => Some(Self::Analysis),
            None if given == "simulated" => Some(Self::Simulation(RUNS)),
            Some(("simulated", runs)) => runs.parse().ok().filter(|&runs| runs >= 2).map(Self::Simulation),
            None | Some(_) => None,
        }
        .ok_or_else(|| "use `analytic`, or `simulated:RUNS` with two or more runs".to_owned())
    }
}

/// A number that is one.
fn finite(given: &str) -> Result<f64, String> {
    let number = given.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("`{given}` is no number; give one such as 2500 or -12.5"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_read() {
        let held = |text: &str| text.parse::<Held>().map(|held| (held.name, held.rating)).ok();
        assert_eq!(held("a=b, c=-12.5"), Some(("a=b, c".to_owned(), -12.5)));
        assert_eq!((held("a"), held("a=x"), held("a=nan")), (None, None, None));
        let loose = |text: &str| text.parse::<Loose>().map(|loose| (loose.name, loose.mean, loose.sd)).ok();
        assert_eq!(loose("a=2000,30"), Some(("a".to_owned(), 2000.0, 30.0)));
        assert_eq!(loose("a=-5±2.5"), Some(("a".to_owned(), -5.0, 2.5)));
        assert_eq!((loose("a=2000"), loose("a=2000,0"), loose("2000,3")), (None, None, None));
        assert_eq!("fit".parse(), Ok(Known(ParameterPrior::Fitted)));
        assert_eq!("-3".parse(), Ok(Known(ParameterPrior::Fixed(-3.0))));
        assert_eq!("analytic".parse(), Ok(ErrorsBy::Analysis));
        assert_eq!("simulated".parse(), Ok(ErrorsBy::Simulation(1000)));
        assert_eq!("simulated:2".parse(), Ok(ErrorsBy::Simulation(2)));
        for bad in ["simulated:1", "simulated:", "simulate", "analytic:3"] {
            assert!(bad.parse::<ErrorsBy>().is_err(), "{bad}");
        }
    }
}
