//! The file of a regression plan, version 1.
//!
//! ```toml
//! version = 1
//! title = "threefold regress"
//! seed = 1                                # of whatever is random: the order of openings
//! engine = "echo,name=Echo"               # who is asked the suites; `--engine` takes its place
//! suites = ["repetition.toml"]            # relative to this file
//!
//! [per-class]                             # how many cases of each class a suite is asked; all by default
//! repetition = 12                         # evenly spread over its files
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

use crate::playout::Adjudication;

/// The keys of the file, for error messages.
pub(super) const KEYS: &str = "a plan has version, title, seed, engine, suites, [per-class], [adjudication], [[test]] (name, new, \
    base, nodes, pairs, quick-pairs, openings, elo0, elo1, model, alpha, beta) and [[calibration]] (name, \
    engine, nodes, rounds, quick-rounds, openings)";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Written {
    pub(super) version: Spanned<u32>,
    pub(super) title: String,
    pub(super) seed: u64,
    pub(super) engine: Spanned<String>,
    pub(super) suites: Vec<String>,
    #[serde(default)]
    pub(super) per_class: BTreeMap<Spanned<String>, NonZeroUsize>,
    #[serde(default)]
    pub(super) adjudication: Adjudication,
    #[serde(default)]
    pub(super) test: Vec<Spanned<WrittenTest>>,
    #[serde(default)]
    pub(super) calibration: Vec<Spanned<WrittenCalibration>>,
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
