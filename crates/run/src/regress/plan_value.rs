//! Values of a plan that are texts, and the sequential test that several of them describe.

use std::fmt::Display;
use std::str::FromStr;

use toml::Spanned;

use threefold_stats::sequential::InvalidTest;
use threefold_stats::{AnyRule, EloModel, Risks, Sprt};
use threefold_suites::{SourceFile, SuiteError};

/// A value that a plan gives as text.
pub(super) fn value<T: FromStr<Err: Display>>(
    source_file: &SourceFile,
    written: &Spanned<String>,
    remedy: &str,
) -> Result<T, SuiteError> {
    let read = written.get_ref().parse::<T>();
    read.map_err(|error| source_file.error_at_span(written.span(), error.to_string(), remedy))
}

/// The SPRT of a plan: `elo` has H0 and H1, `risks` alpha and beta where they are given.
///
/// # Errors
/// The outer error is one of the Elo model, with its place in the file. The inner one is one of the test as a
/// whole.
pub(super) fn sequential_test(
    source_file: &SourceFile,
    model: Option<&Spanned<String>>,
    [elo0, elo1]: [f64; 2],
    [alpha, beta]: [Option<f64>; 2],
) -> Result<Result<AnyRule, InvalidTest>, SuiteError> {
    let model = match model {
        Some(model) => value(source_file, model, "leave it out for normalized Elo")?,
        None => EloModel::Normalized,
    };
    let usual = Risks::USUAL;
    let risks = Risks { alpha: alpha.unwrap_or(usual.alpha), beta: beta.unwrap_or(usual.beta) };
    Ok(Sprt::new(model, elo0, elo1, risks).map(AnyRule::from))
}
