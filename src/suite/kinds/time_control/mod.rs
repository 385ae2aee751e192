//! Time controls: does the engine keep its clock, and how does it use it?
//!
//! One case is one game of the engine against itself under one control, on virtual clocks: time used is nodes
//! searched, so a flag falls for what the engine decided and never for what the machine was busy with. No
//! flag may fall before the game is over by the rules or has gone on for so many plies. How the time was used
//! is recorded with the verdict: each side's share of what it was granted, and the longest think as a share of
//! what was left when it began. A control may ask for a least share: an engine that idles fails. And it may have
//! every move lose some time on its way to the clock, for which an engine keeps a reserve.

mod game;

use std::num::NonZeroU32;
use std::time::Duration;

use serde::Deserialize;
use toml::Spanned;

use crate::clock::{Control, Limits, Pace};
use crate::suite::material::{CaseCard, Entry, Ids, Material, Page, SuiteError};
use crate::suite::{Case, Kind, epd};
use crate::truth::referee::Referee;
use game::{Game, Terms};

/// The table's line.
pub const KIND: Kind =
    Kind { name: "time-control", summary: "Games against itself on virtual clocks: no flag may fall", load };

const SETTINGS: &str = "give `[settings]` with `plies = 160` and, for each control, \
                        `[[settings.controls]]` with `control = \"8+0.08\"` and `nodes_per_second = 50000`";

/// The kind's settings, version 1 of the suite file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// A game ends after so many plies beyond its opening.
    plies: NonZeroU32,
    /// The controls; the first game is played from the first opening, the second from the second, and so on
    /// round.
    controls: Vec<WrittenControl>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenControl {
    control: Spanned<String>,
    nodes_per_second: Spanned<NonZeroU32>,
    /// Milliseconds that every move loses on its way to the clock.
    #[serde(default)]
    lag: u16,
    /// The least share of the time granted that either side is to use.
    least_used: Option<Spanned<f64>>,
}

fn load(material: &Material<'_>) -> Result<Vec<Entry>, SuiteError> {
    let settings: Settings = material.settings(SETTINGS)?;
    let page = material.page;
    if !material.limits.is_infinite() {
        return Err(material.error("`[limits]` would stand beside the clocks", "drop them"));
    }
    let openings = openings(material)?;
    let mut ids = Ids::default();
    let mut entries = Vec::new();
    for (written, opening) in settings.controls.iter().zip(openings.iter().cycle()) {
        let text = written.control.get_ref();
        let complain = |what: String| page.error_at(written.control.span(), what, SETTINGS);
        let control: Control = text.parse().map_err(|error| complain(format!("{error}")))?;
        if control.time.is_none() {
            return Err(complain(format!("`{text}` sets no clock for the game")));
        }
        let nodes_per_second = *written.nodes_per_second.get_ref();
        if !nodes_per_second.get().is_multiple_of(1000) {
            let what = format!("`nodestime` counts nodes a millisecond: {nodes_per_second} a second is none");
            return Err(page.error_at(written.nodes_per_second.span(), what, "give a multiple of 1000"));
        }
        let least_used = match &written.least_used {
            Some(share) if (0.0..=1.0).contains(share.get_ref()) => *share.get_ref(),
            Some(share) => {
                let what = format!("{} is no share of the time granted", share.get_ref());
                return Err(page.error_at(share.span(), what, "give a number from 0 to 1 (0.5 for 50 %)"));
            }
            None => 0.0,
        };
        let terms = Terms {
            control,
            pace: Pace::Virtual { nodes_per_second },
            plies: settings.plies.get(),
            lag: Duration::from_millis(u64::from(written.lag)),
            least_used,
        };
        let id = format!("{control} from {}", opening.id());
        ids.claim(page, page.line_at(written.control.span().start), &id)?;
        entries.push(entry(material.suite, id, opening, terms));
    }
    Ok(entries)
}

fn openings(material: &Material<'_>) -> Result<Vec<epd::Record>, SuiteError> {
    let mut openings = Vec::new();
    for page in material.positions {
        for record in epd::read(page)? {
            check_opening(page, &record)?;
            openings.push(record);
        }
    }
    if openings.is_empty() {
        return Err(material.error("there is no opening", "name a file of them in `positions`"));
    }
    Ok(openings)
}

fn check_opening(page: &Page, record: &epd::Record) -> Result<(), SuiteError> {
    let ending = Referee::new(&record.line).ok().and_then(|referee| referee.ending());
    match ending {
        None => Ok(()),
        Some(ending) => {
            let what = format!("the game is over here ({ending})");
            Err(page.error(record.number, what, "drop the line"))
        }
    }
}

fn entry(suite: &str, id: String, opening: &epd::Record, terms: Terms) -> Entry {
    let card = CaseCard {
        suite: suite.to_owned(),
        id,
        class: class(&terms.control).to_owned(),
        accepted: format!("no flag falls in {} plies", terms.plies),
        note: format!("clock {}", terms.pace),
        line: opening.line.clone(),
        pace: terms.pace,
        chairs: 2,
    };
    let line = opening.line.clone();
    let open = move |_: &Limits| -> Box<dyn Case> { Box::new(Game::new(&line, terms)) };
    Entry { card, open: Box::new(open) }
}

fn class(control: &Control) -> &'static str {
    match control.time {
        Some(time) if time.moves.is_some() => "moves-per-period",
        Some(time) if !time.increment.is_zero() => "increment",
        Some(_) | None => "sudden-death",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Source, Suite};

    const OPENINGS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";\n\
                            4k3/8/8/8/8/8/8/4K2R w K - id \"rook\";\n";

    fn suite(settings: &str) -> Result<Suite, SuiteError> {
        let text =
            format!("version = 1\nkind = \"time-control\"\ntitle = \"t\"\npositions = [\"o\"]\n{settings}");
        let page = |file: &str, text: &str| Page { file: file.to_owned(), text: text.to_owned() };
        Suite::read(&Source { page: page("s.toml", &text), positions: vec![page("o.epd", OPENINGS)] })
    }

    #[test]
    fn openings_go_round_and_settings_are_checked() {
        let control =
            |control| format!("[[settings.controls]]\ncontrol = \"{control}\"\nnodes_per_second = 1000\n");
        let all = ["8", "8+0.1", "9", "3/9"].map(control).concat();
        let suite_of = |controls: &str| suite(&format!("[settings]\nplies = 9\n{controls}"));
        let cards: Vec<_> = suite_of(&all).expect("sound").entries.into_iter().map(|e| e.card).collect();
        assert_eq!(cards[0].pace.to_string(), "virtual:1000");
        let seen: Vec<_> = cards.iter().map(|card| (card.id.as_str(), card.class.as_str())).collect();
        assert_eq!(
            seen,
            [
                ("8 from start", "sudden-death"),
                ("8+0.1 from rook", "increment"),
                ("9 from start", "sudden-death"),
                ("3/9 from rook", "moves-per-period"),
            ]
        );
        let table = [
            (suite(""), "s.toml:1: missing field `settings`; give `[settings]` with `plies = 160`"),
            (suite_of(""), "s.toml:5: missing field `controls`; give `[settings]`"),
            (suite_of(&control("8+x")), "s.toml:8: time control `8+x`: its increment can't be read"),
            (
                suite_of(&control("8").replace("1000", "1500")),
                "s.toml:9: `nodestime` counts nodes a millisecond: 1500 a second is none; give a multiple",
            ),
            (suite_of(&control("inf")), "s.toml:8: `inf` sets no clock for the game; give"),
            (
                suite_of(&["8", "9", "8"].map(control).concat()),
                "s.toml:14: `8 from start` stands in s.toml:8, too",
            ),
        ];
        for (read, message) in table {
            let error = read.expect_err(message).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
