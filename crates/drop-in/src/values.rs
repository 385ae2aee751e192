//! Parsers of option values: numbers, booleans, tournament formats, and fixed lists of words.

use std::fmt::Display;
use std::str::FromStr;

use super::peer::Peer;
use super::words::{Given, UsageError};
use threefold_games::pairing::TournamentFormat;

/// Parses a number of type `N`.
pub(super) fn number<N: FromStr>(given: &Given<'_>, value: &str) -> Result<N, UsageError> {
    value.parse().map_err(|_| given.error(&format!("`{value}` is no number in its range")))
}

/// A value of a type that has names or a syntax of its own.
pub(super) fn known<V: FromStr<Err: Display>>(given: &Given<'_>, value: &str) -> Result<V, UsageError> {
    value.parse().map_err(|error: V::Err| given.error(&error.to_string()))
}

/// Parses `true` or `false`.
pub(super) fn is_true(given: &Given<'_>, value: &str) -> Result<bool, UsageError> {
    Ok(one_of(given, value, &["true", "false"])? == "true")
}

/// Parses one of these words, in this spelling.
pub(super) fn one_of<'k>(given: &Given<'_>, value: &str, known: &[&'k str]) -> Result<&'k str, UsageError> {
    let found = known.iter().copied().find(|known| *known == value);
    found.ok_or_else(|| {
        given.error(&format!("`{value}` is not known here; the values are {}", known.join(", ")))
    })
}

/// Parses a tournament format of `peer`.
pub(super) fn tournament(given: &Given<'_>, value: &str, peer: Peer) -> Result<TournamentFormat, UsageError> {
    let known = match peer {
        Peer::Fastchess => "roundrobin and gauntlet",
        Peer::Cutechess => "round-robin, gauntlet, knockout and pyramid",
    };
    match (value, peer) {
        ("gauntlet", _) => Ok(TournamentFormat::Gauntlet),
        ("roundrobin" | "round-robin", _) => Ok(TournamentFormat::RoundRobin),
        ("pyramid", Peer::Cutechess) => Ok(TournamentFormat::Pyramid),
        ("knockout", Peer::Cutechess) => Ok(TournamentFormat::Knockout),
        _ => Err(given.error(&format!("the formats are {known}"))),
    }
}
