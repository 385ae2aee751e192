//! Arguments of `rate`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::args::Jobs;
use crate::input::known_ratings::{FixedRating, Prior, finite};
use threefold_games::pgn_results::RepeatedGames;
use threefold_report::formats::ratings::RatingUnit;
use threefold_stats::rating::{ParameterPrior, RatingModel};

/// `threefold rate`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold rate games.pgn\n  \
    threefold rate a.pgn.gz b.pgn.zst --anchor 'Stockfish 17=3600' --csv list.csv\n  \
    zcat *.pgn.gz | threefold rate - --average 2500 --head-to-head\n  \
    threefold rate games.pgn --model ordo --white 0 --draw-rate 0.5 --unit points --errors simulated\n    # like `ordo -a 0 -s 1000`\n\n\
    Models:\n  \
    davidson   Davidson's model: win : draw : loss = e^(x/2) : v : e^(-x/2)\n  \
    ordo       Ordo's default: each player's expected score equals the actual score; logistic curve\n  \
    ordo-wdl   Ordo's -M: maximum likelihood of wins, draws and losses\n  \
    bayeselo   BayesElo's model, with a prior of two virtual draws for each player\n\n\
    Two games form a pair if the colours are swapped and both have the same round (`7`, or `7.1` and `7.2`) and the same \
    opening position, or if they follow one another from the same position. Errors count a pair as one observation.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line, as clap reads it")]
pub struct RateArgs {
    /// PGN files, plain, gzip, zstd or zip; `-` is standard input; `@FILE` reads paths, one per line
    #[arg(value_name = "GAMES.pgn", required = true)]
    pub files: Vec<PathBuf>,
    /// Fix a player's rating; may be repeated
    #[arg(long = "anchor", value_name = "NAME=ELO")]
    pub anchors: Vec<FixedRating>,
    /// Gaussian prior of a player's rating: mean and standard deviation; may be repeated
    #[arg(long = "prior", value_name = "NAME=ELO,SD", allow_hyphen_values = true)]
    pub priors: Vec<Prior>,
    /// Read anchors and priors from lines `name, elo` or `name, elo, error`
    #[arg(long = "anchors", value_name = "FILE")]
    pub anchor_file: Option<PathBuf>,
    /// Read priors of differences from lines `A, B, elo, error`: A's rating minus B's, and its standard
    /// deviation
    #[arg(long, value_name = "FILE")]
    pub relations: Option<PathBuf>,
    /// Count games of other names for the main name: lines `main name, other name, …`
    #[arg(long, alias = "aliases", value_name = "FILE")]
    pub synonyms: Option<PathBuf>,
    /// Average rating of all players, if none is anchored [default: 0]
    #[arg(long, value_name = "ELO", conflicts_with_all = ["anchors", "priors", "anchor_file"], allow_hyphen_values = true, value_parser = finite)]
    pub average: Option<f64>,
    /// Rating model, see below
    #[arg(long, value_name = "MODEL", default_value = "davidson")]
    pub model: RatingModel,
    /// Unit of the ratings: `elo`, as `match` and `sprt` print it, or the model's own `points`
    #[arg(
        long,
        value_name = "UNIT",
        default_value_if("scale", clap::builder::ArgPredicate::IsPresent, "points"),
        default_value = "elo"
    )]
    pub unit: RatingUnit,
    /// Points of odds 76 : 24, in `--unit points` [default: 202 for Ordo's models, 200.24 for the others]
    #[arg(long, value_name = "POINTS", value_parser = finite)]
    pub scale: Option<f64>,
    /// White's advantage in Elo: `fit`, a number, or a prior `ELO,SD`
    #[arg(long, value_name = "ELO", default_value = "fit", allow_hyphen_values = true)]
    pub white: FitOrValue,
    /// Draw rate between equal players: `fit`, a share such as 0.4, or a prior `SHARE,SD`
    #[arg(long, value_name = "SHARE", default_value = "fit")]
    pub draw_rate: FitOrValue,
    /// Confidence level of all intervals, between 0 and 1
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = level)]
    pub confidence: f64,
    /// Method for the errors: `analytic`, or `simulated[:RUNS]` (a parametric bootstrap, 1000 runs by
    /// default)
    #[arg(long, value_name = "WAY", default_value = "analytic")]
    pub errors: ErrorsBy,
    /// Random seed of the simulation
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Rate each connected group on its own scale, and list players who won or lost every game
    #[arg(long)]
    pub groups: bool,
    /// Count only games between these players; may be repeated; `@FILE` reads names, one per line
    #[arg(long = "only", value_name = "NAME")]
    pub only: Vec<String>,
    /// Ignore the games of this player; may be repeated; `@FILE` reads names, one per line
    #[arg(long = "exclude", value_name = "NAME", conflicts_with = "only")]
    pub exclude: Vec<String>,
    /// Count decisive games only; scores and ratings are of these games
    #[arg(long)]
    pub ignore_draws: bool,
    /// Moves without a result after them: `count` by the tag Result, or `ignore` [default: ignore; count for
    /// Ordo's models]
    #[arg(long, value_name = "HOW")]
    pub broken_off: Option<BrokenOff>,
    /// Games with the same players, colours, start position, moves and result as an earlier one: count them
    /// `once`, or `all` [default: once; all for Ordo's models]
    #[arg(long, value_name = "HOW")]
    pub repeated_games: Option<RepeatedGames>,
    /// List only players with at least N games; the ratings are of all games
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_games: u64,
    /// Do not list older versions: the second players of the lines of --relations
    #[arg(long, requires = "relations")]
    pub hide_older: bool,
    /// Decimals of ratings and errors in the printed tables, at most 6; CSV and JSON always have four or more
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(..=6))]
    pub decimals: u8,
    /// Print the results of each player against each opponent
    #[arg(long)]
    pub head_to_head: bool,
    /// Print the likelihood of superiority (LOS) for every two players
    #[arg(long)]
    pub los: bool,
    /// Write the list to this file
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
    /// Write all results to this file; `-` prints them instead of the table
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    /// Write the list to this file as a page with plots, the head-to-head scores, and actual against expected
    /// scores
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Write every warning to this file, one per line
    #[arg(long, value_name = "FILE")]
    pub warnings: Option<PathBuf>,
    /// Replace existing files
    #[arg(long)]
    pub force: bool,
    /// Fail with exit code 2 on any problem in the files, without a list
    #[arg(long)]
    pub strict: bool,
    /// Worker threads.
    #[command(flatten)]
    pub jobs: Jobs,
}

impl RateArgs {
    /// What is done with repeated games: Ordo counts all.
    pub fn repeats(&self) -> RepeatedGames {
        self.repeated_games.unwrap_or(match self.model {
            RatingModel::Ordo | RatingModel::OrdoWdl => RepeatedGames::All,
            RatingModel::Davidson | RatingModel::BayesElo => RepeatedGames::Once,
        })
    }
}

/// `fit`, a number, or a number with a standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitOrValue(pub ParameterPrior);

impl FromStr for FitOrValue {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        if given == "fit" {
            return Ok(Self(ParameterPrior::Fitted));
        }
        let prior =
            |(mean, sd): (&str, &str)| Ok(ParameterPrior::Gaussian { mean: finite(mean)?, sd: finite(sd)? });
        let given =
            given.split_once([',', '±']).map_or_else(|| finite(given).map(ParameterPrior::Fixed), prior);
        given.map(Self).map_err(|error: String| format!("{error}, or `fit`"))
    }
}

threefold_named_enum::named_enum! {
    /// What is done with games whose moves end without a result.
    pub enum BrokenOff {
        /// They count by the tag `Result`.
        Count = "count",
        /// They do not count.
        Ignore = "ignore",
    }
}

/// The method for the errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorsBy {
    /// From the curvature of the likelihood.
    Analysis,
    /// From this number of simulated replays.
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

/// Parses a confidence level.
fn level(given: &str) -> Result<f64, String> {
    let level = finite(given)?;
    let sound = 0.0 < level && level < 1.0;
    sound
        .then_some(level)
        .ok_or_else(|| format!("`{given}` is no level between 0 and 1; give one such as 0.95"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_options_are_parsed() {
        assert_eq!("fit".parse(), Ok(FitOrValue(ParameterPrior::Fitted)));
        assert_eq!("-3".parse(), Ok(FitOrValue(ParameterPrior::Fixed(-3.0))));
        let loose = ParameterPrior::Gaussian { mean: 30.0, sd: 5.0 };
        assert_eq!(("30,5".parse(), "30±5".parse()), (Ok(FitOrValue(loose)), Ok(FitOrValue(loose))));
        assert_eq!((level("0.9"), level("95").is_err(), level("0").is_err()), (Ok(0.9), true, true));
        assert_eq!("analytic".parse(), Ok(ErrorsBy::Analysis));
        assert_eq!("simulated".parse(), Ok(ErrorsBy::Simulation(1000)));
        assert_eq!("simulated:2".parse(), Ok(ErrorsBy::Simulation(2)));
        for bad in ["simulated:1", "simulated:", "simulate", "analytic:3"] {
            assert!(bad.parse::<ErrorsBy>().is_err(), "{bad}");
        }
    }
}
