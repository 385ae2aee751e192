//! The file of a regression plan, version 1.
//!
//! ```toml
//! version = 1
//! title = "threefold regress"             # of the reports; by default it names the engine
//! seed = 1                                # of whatever is random: the order of openings
//! engine = "echo,name=Echo"               # who is asked the suites; `--engine` takes its place
//! suites = ["repetition.toml"]            # relative to this file
//!
//! [per-class]                             # how many cases of each class a suite is asked; all by default
//! repetition = 12                         # evenly spread over its files
//!
//! [left-out]                              # cases that are skipped, by their ids
//! compliance = ["ready-while-searching"]
//!
//! [tolerance]                             # what a lost case means, in place of what the suite says
//! mate = "strict"                         # or "search"
//!
//! [adjudication]                          # when games are ended early; nothing by default
//! max-moves = 120
//! draw = "movenumber=40,movecount=8,score=10"        # as on the command line
//! resign = "movecount=4,score=600,twosided=true"
//!
//! [[test]]                                # a sequential test
//! name = "policies"
//! new = "echo,name=HistoryIgnored,RepetitionPolicy=HistoryIgnored"
//! base = "echo,name=HistoryDraw,RepetitionPolicy=HistoryDraw"
//! nodes = 4000                            # of each move
//! pairs = 300                             # the budget
//! quick-pairs = 20                        # the budget of a quick run
//! openings = "../positions/openings.epd"  # relative to this file; or `builtin:balanced`
//! elo0 = -10
//! elo1 = 10
//! model = "normalized"                    # or "logistic"; with alpha and beta, may be left out
//!
//! [[calibration]]                         # a ladder of node budgets
//! name = "ladder"
//! engine = "echo,name=Echo"
//! nodes = [500, 2000, 8000]
//! rounds = 20
//! quick-rounds = 2
//! openings = "../positions/openings.epd"
//! ```

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use serde::Deserialize;
use toml::Spanned;

use threefold_games::playout::Adjudication;
use threefold_suites::reference::BUILT_IN;

/// The keys of the file, for error messages.
pub(super) const KEYS: &str = "a plan has version, title, seed, engine, build, suites, bench, thresholds, [per-class], [left-out], [tolerance], [limits] (nodes, depth, tc), [adjudication], [base] \
    (commit, engine, options, tc, st, nodes, depth, timemargin, elo0, elo1, model, alpha, beta, test, budget, quick-budget, \
    games, openings), [[test]] (name, new, base, nodes, pairs, quick-pairs, openings, elo0, elo1, model, alpha, \
    beta) and [[calibration]] (name, engine, nodes, rounds, quick-rounds, openings)";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Written {
    pub(super) version: Spanned<u32>,
    pub(super) title: Option<String>,
    #[serde(default = "usual_seed")]
    pub(super) seed: u64,
    pub(super) engine: Option<Spanned<String>>,
    /// The shell command that builds the engine in the root of its repository; `{out}` stands for the
    /// program.
    pub(super) build: Option<String>,
    #[serde(default)]
    pub(super) suites: Vec<String>,
    /// Where the node count of `bench` comes from.
    pub(super) bench: Option<Spanned<String>>,
    /// `ignore` if only the baseline decides on suites.
    pub(super) thresholds: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) per_class: BTreeMap<Spanned<String>, NonZeroUsize>,
    /// The ids of cases that are skipped, by suite.
    #[serde(default)]
    pub(super) left_out: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
    /// What a lost case means, by suite.
    #[serde(default)]
    pub(super) tolerance: BTreeMap<Spanned<String>, Spanned<String>>,
    /// Limits that replace those of suites with a node limit alone.
    pub(super) limits: Option<Spanned<WrittenLimits>>,
    #[serde(default)]
    pub(super) adjudication: Adjudication,
    pub(super) base: Option<Spanned<WrittenBase>>,
    #[serde(default)]
    pub(super) test: Vec<Spanned<WrittenTest>>,
    #[serde(default)]
    pub(super) calibration: Vec<Spanned<WrittenCalibration>>,
}

/// Limits of a search.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenLimits {
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u16>,
    /// A time control with which each search begins.
    pub(super) tc: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct WrittenTest {
    pub(super) name: String,
    pub(super) new: Spanned<String>,
    pub(super) base: Spanned<String>,
    pub(super) nodes: u64,
    pub(super) pairs: usize,
    pub(super) quick_pairs: usize,
    pub(super) openings: String,
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) model: Option<Spanned<String>>,
    pub(super) alpha: Option<f64>,
    pub(super) beta: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct WrittenCalibration {
    pub(super) name: String,
    pub(super) engine: Spanned<String>,
    pub(super) nodes: Vec<u64>,
    pub(super) rounds: usize,
    pub(super) quick_rounds: usize,
    pub(super) openings: String,
}

/// The test of the engine against its base version.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct WrittenBase {
    pub(super) commit: Option<String>,
    pub(super) engine: Option<Spanned<String>>,
    /// Which UCI options that engine has.
    pub(super) options: Option<Spanned<String>>,
    pub(super) tc: Option<Spanned<String>>,
    pub(super) st: Option<Spanned<f64>>,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u16>,
    /// In milliseconds.
    pub(super) timemargin: Option<u64>,
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) model: Option<Spanned<String>>,
    pub(super) alpha: Option<f64>,
    pub(super) beta: Option<f64>,
    /// Which test decides.
    pub(super) test: Option<Spanned<String>>,
    /// The time for the games, such as `20m`; without it only `games` is the budget.
    pub(super) budget: Option<Spanned<String>>,
    /// The time with `--quick`; a tenth of the budget by default.
    pub(super) quick_budget: Option<Spanned<String>>,
    #[serde(default = "most_games")]
    pub(super) games: usize,
    #[serde(default = "usual_openings")]
    pub(super) openings: String,
}

const fn usual_seed() -> u64 {
    1
}

/// As many games as `threefold sprt` plays by default.
const fn most_games() -> usize {
    40_000
}

fn usual_openings() -> String {
    format!("{BUILT_IN}balanced")
}
