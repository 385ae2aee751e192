//! Time controls: does the engine keep within its time, and how does it use it?
//!
//! A case is one game of the engine against itself with one time control. With virtual clocks the time used
//! is the number of nodes searched, so a time loss is the engine's own and never the machine's. With wall
//! time (`pace = "wall"`) the effect of a busy machine can be tested, with a `load` of busy threads. No side
//! may lose on time before the game ends by the rules or at the ply limit. A time loss that CPU waits explain
//! is skipped.
//!
//! The verdict records how the time was used: each side's share of the granted time, the longest think
//! relative to the remaining time, and, if the engine reports its time plans, the variation of tree sizes and
//! the largest overrun. A control may set bounds, for example a smallest share to use. It may also make moves
//! lose time on their way to the clock, for which an engine needs a reserve.

pub(super) mod game;
mod spending;

use std::num::NonZeroU32;
use std::time::Duration;

use serde::Deserialize;
use shakmaty::ByColor;
use toml::Spanned;

use crate::input::{CaseDefinition, CaseInfo, Ids, OptionOverrides, SourceFile, SuiteError, SuiteInput};
use crate::{Case, ClockLimit, Kind, LostCase, epd};
use game::{TimedGameCase, TimedGameTerms, margin};
use threefold_chess::clock::{ClockSource, Control, Limits};
use threefold_oracle::referee::Referee;

/// The suite kind `time-control`.
pub const KIND: Kind = Kind {
    name: "time-control",
    summary: "Games against itself under time controls, without a time loss",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Strict,
    load,
};

const SETTINGS: &str = "give `[settings]` with `plies = 160` and, for each control, \
                        `[[settings.controls]]` with `control = \"8+0.08\"` and `nodes_per_second = 50000`";

const PACE: &str = "give `nodes_per_second = 50000`, or `pace = \"wall\"`";

/// The kind's settings, version 1 of the suite file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TimeControlSettings {
    /// The ply limit beyond the opening.
    plies: NonZeroU32,
    /// The controls. The first game uses the first opening, the second the second, and so on, cyclically.
    controls: Vec<WrittenControl>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenControl {
    control: Spanned<String>,
    /// Black's clock, if it is different.
    black: Option<Spanned<String>>,
    /// Virtual clocks: the nodes per second.
    nodes_per_second: Option<Spanned<NonZeroU32>>,
    /// `wall` for wall time instead.
    pace: Option<Spanned<String>>,
    /// The ply limit of this game, if it differs from the suite's.
    plies: Option<NonZeroU32>,
    /// Milliseconds that a move loses on its way to the clock: the same for all, or a cyclic list for each
    /// side's moves.
    lag: Option<u16>,
    lags: Option<Spanned<Vec<u16>>>,
    /// The number of busy threads.
    load: Option<Spanned<u8>>,
    /// The smallest share of the granted time that either side must use.
    least_used: Option<Spanned<f64>>,
    /// The largest coefficient of variation of the tree sizes of a game's moves.
    most_spread: Option<Spanned<f64>>,
    /// Milliseconds by which a move may exceed the maximum of its time plan.
    most_overrun: Option<u16>,
}

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    let settings: TimeControlSettings = input.settings(SETTINGS)?;
    let source_file = input.suite_file;
    if !input.limits.is_infinite() {
        return Err(input.error("`[limits]` conflicts with the clocks", "drop them"));
    }
    let openings = openings(input)?;
    let mut ids = Ids::default();
    let mut definitions = Vec::new();
    for (written, opening) in settings.controls.iter().zip(openings.iter().cycle()) {
        let terms = written.terms(source_file, settings.plies)?;
        let id = format!("{} from {}", terms.clocks(), opening.id());
        ids.claim(source_file, source_file.line_at(written.control.span().start), &id)?;
        definitions.push(definition(input.suite, id, opening, terms, written.load()));
    }
    Ok(definitions)
}

impl WrittenControl {
    fn terms(&self, source_file: &SourceFile, plies: NonZeroU32) -> Result<TimedGameTerms, SuiteError> {
        let clock = self.clock_source(source_file)?;
        if let (ClockSource::Virtual { .. }, Some(load)) = (clock, &self.load) {
            let what = "a load changes nothing about clocks that count nodes";
            return Err(source_file.error_at_span(load.span(), what, "drop it, or give `pace = \"wall\"`"));
        }
        Ok(TimedGameTerms {
            controls: self.controls(source_file)?,
            clock_source: clock,
            plies: self.plies.unwrap_or(plies).get(),
            lags: self.lags(source_file)?,
            least_used: self.least_used(source_file)?,
            most_spread: self.most_spread(source_file)?,
            most_overrun: self.most_overrun.map(|millis| Duration::from_millis(u64::from(millis))),
            margin: margin(clock),
        })
    }

    fn controls(&self, source_file: &SourceFile) -> Result<ByColor<Control>, SuiteError> {
        let black = self.black.as_ref().unwrap_or(&self.control);
        Ok(ByColor { white: control(source_file, &self.control)?, black: control(source_file, black)? })
    }

    fn clock_source(&self, source_file: &SourceFile) -> Result<ClockSource, SuiteError> {
        match (&self.nodes_per_second, &self.pace) {
            (Some(rate), None) => {
                let nodes_per_second = *rate.get_ref();
                if !nodes_per_second.get().is_multiple_of(1000) {
                    let what = format!(
                        "`nodestime` counts nodes a millisecond: {nodes_per_second} a second is none"
                    );
                    return Err(source_file.error_at_span(rate.span(), what, "give a multiple of 1000"));
                }
                Ok(ClockSource::Virtual { nodes_per_second })
            }
            (None, Some(given)) if given.get_ref() == "wall" => Ok(ClockSource::Wall),
            (None, Some(given)) => Err(source_file.error_at_span(
                given.span(),
                format!("`{}` is no pace here", given.get_ref()),
                PACE,
            )),
            (Some(_), Some(given)) => {
                let what = "a clock runs by nodes or by the wall's time, not by both";
                Err(source_file.error_at_span(given.span(), what, "drop `nodes_per_second` or `pace`"))
            }
            (None, None) => {
                Err(source_file.error_at_span(self.control.span(), "nothing makes the clocks run", PACE))
            }
        }
    }

    fn lags(&self, source_file: &SourceFile) -> Result<Vec<Duration>, SuiteError> {
        let millis = match (self.lag, &self.lags) {
            (Some(_), Some(lags)) => {
                let what = "`lag` is one for all moves, and `lags` are one for each in turn";
                return Err(source_file.error_at_span(lags.span(), what, "drop either"));
            }
            (Some(lag), None) => vec![lag],
            (None, Some(lags)) => lags.get_ref().clone(),
            (None, None) => Vec::new(),
        };
        Ok(millis.into_iter().map(|millis| Duration::from_millis(u64::from(millis))).collect())
    }

    /// The number of busy threads.
    fn load(&self) -> usize {
        self.load.as_ref().map_or(0, |load| usize::from(*load.get_ref()))
    }

    fn least_used(&self, source_file: &SourceFile) -> Result<f64, SuiteError> {
        match &self.least_used {
            Some(share) if (0.0..=1.0).contains(share.get_ref()) => Ok(*share.get_ref()),
            Some(share) => {
                let what = format!("{} is not a share of the time granted", share.get_ref());
                Err(source_file.error_at_span(share.span(), what, "give a number from 0 to 1 (0.5 for 50 %)"))
            }
            None => Ok(0.0),
        }
    }

    fn most_spread(&self, source_file: &SourceFile) -> Result<Option<f64>, SuiteError> {
        match &self.most_spread {
            Some(share) if (0.0..f64::INFINITY).contains(share.get_ref()) => Ok(Some(*share.get_ref())),
            Some(share) => {
                let what = format!("{} is not a spread", share.get_ref());
                Err(source_file.error_at_span(
                    share.span(),
                    what,
                    "give a share of the mean from 0 on (0.5 for 50 %)",
                ))
            }
            None => Ok(None),
        }
    }
}

fn control(source_file: &SourceFile, written: &Spanned<String>) -> Result<Control, SuiteError> {
    let text = written.get_ref();
    let complain = |what: String| source_file.error_at_span(written.span(), what, SETTINGS);
    let control: Control = text.parse().map_err(|error| complain(format!("{error}")))?;
    if control.time.is_none() {
        return Err(complain(format!("`{text}` sets no clock for the game")));
    }
    Ok(control)
}

fn openings(input: &SuiteInput<'_>) -> Result<Vec<epd::EpdRecord>, SuiteError> {
    let mut openings = Vec::new();
    for source_file in input.positions {
        for record in epd::parse_epd(source_file)? {
            check_opening(source_file, &record)?;
            openings.push(record);
        }
    }
    if openings.is_empty() {
        return Err(input.error("there is no opening", "name a file of them in `positions`"));
    }
    Ok(openings)
}

fn check_opening(source_file: &SourceFile, record: &epd::EpdRecord) -> Result<(), SuiteError> {
    let ending = Referee::new(&record.position).ok().and_then(|referee| referee.ending());
    match ending {
        None => Ok(()),
        Some(ending) => {
            let what = format!("the game is over here ({ending})");
            Err(source_file.error_at_line(record.number, what, "remove the line"))
        }
    }
}

fn definition(
    suite: &str,
    id: String,
    opening: &epd::EpdRecord,
    terms: TimedGameTerms,
    load: usize,
) -> CaseDefinition {
    let with_load = if load == 0 { String::new() } else { format!(", with {load} busy threads") };
    let info = CaseInfo {
        suite: suite.to_owned(),
        id,
        class: class(&terms.controls.white).to_owned(),
        accepted: format!("no flag falls in {} plies", terms.plies),
        note: format!("clock {}{with_load}", terms.clock_source),
        position: opening.position.clone(),
        clock_source: terms.clock_source,
        players: vec![OptionOverrides::default(); 2],
        background_threads: load,
    };
    let line = opening.position.clone();
    let open = move |_: &Limits| -> Box<dyn Case> { Box::new(TimedGameCase::new(&line, terms.clone())) };
    CaseDefinition::new(info, open)
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
    use crate::dialogue::script::{lead, says};
    use crate::{Suite, SuiteSource};
    use threefold_player::Answer;

    const OPENINGS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";\n\
                            4k3/8/8/8/8/8/8/4K2R w K - id \"rook\";\n";

    fn suite(settings: &str) -> Result<Suite, SuiteError> {
        let text =
            format!("version = 1\nkind = \"time-control\"\ntitle = \"t\"\npositions = [\"o\"]\n{settings}");
        let source_file =
            |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
        Suite::read(&SuiteSource {
            suite_file: source_file("s.toml", &text),
            positions: vec![source_file("o.epd", OPENINGS)],
        })
    }

    fn control(control: &str) -> String {
        format!("[[settings.controls]]\ncontrol = \"{control}\"\nnodes_per_second = 1000\n")
    }

    fn suite_of(controls: &str) -> Result<Suite, SuiteError> {
        suite(&format!("[settings]\nplies = 9\n{controls}"))
    }

    #[test]
    fn openings_rotate() {
        let all = ["8", "8+0.1", "9", "3/9"].map(control).concat();
        let infos: Vec<_> = suite_of(&all).expect("sound").definitions.into_iter().map(|e| e.info).collect();
        assert_eq!(
            (infos[0].clock_source.to_string().as_str(), infos[0].background_threads),
            ("virtual:1000", 0)
        );
        let seen: Vec<_> = infos.iter().map(|info| (info.id.as_str(), info.class.as_str())).collect();
        assert_eq!(
            seen,
            [
                ("8 from start", "sudden-death"),
                ("8+0.1 from rook", "increment"),
                ("9 from start", "sudden-death"),
                ("3/9 from rook", "moves-per-period"),
            ]
        );
    }

    #[test]
    fn black_may_have_a_different_clock() {
        let odds = format!("{}black = \"1+0.1\"\n", control("8"));
        let (info, mut case) = suite_of(&odds).expect("sound").cases().remove(0);
        assert_eq!((info.id.as_str(), info.class.as_str()), ("8 against 1+0.1 from start", "sudden-death"));
        let answers = [says("e2e4", &[]), Answer { nodes: 5197, ..says("e7e5", &[]) }];
        let (verdict, asked, _) = lead(case.as_mut(), answers);
        let clocks = asked[0].limits.clocks.expect("it is played on clocks");
        let millis =
            [clocks.white, clocks.black].map(|side| (side.time.as_millis(), side.increment.as_millis()));
        // A clock starts with the increment of its first move.
        assert_eq!(millis, [(8000, 0), (1100, 100)]);
        assert_eq!(verdict.reason(), "time loss: black oversteps 1+0.1 by 4.0 s at ply 2");
        let error = suite_of(&format!("{}black = \"x\"\n", control("8"))).expect_err("no clock").to_string();
        assert!(error.starts_with("s.toml:10: time control `x`: "), "{error}");
    }

    #[test]
    fn settings_are_checked() {
        let with = |tail: &str| suite_of(&format!("{}{tail}\n", control("8")));
        let table = [
            (suite(""), "s.toml:1: missing field `settings`; give `[settings]` with `plies = 160`"),
            (suite_of(""), "s.toml:5: missing field `controls`; give `[settings]`"),
            (suite_of(&control("8+x")), "s.toml:8: time control `8+x`: its increment can't be read"),
            (
                suite_of(&control("8").replace("nodes_per_second = 1000", "")),
                "s.toml:8: nothing makes the clocks run; give `nodes_per_second = 50000`, or `pace = \"wall\"`",
            ),
            (
                with("pace = \"wall\""),
                "s.toml:10: a clock runs by nodes or by the wall's time, not by both; drop",
            ),
            (
                suite_of(&control("8").replace("nodes_per_second = 1000", "pace = \"sand\"")),
                "s.toml:9: `sand` is no pace here; give `nodes_per_second",
            ),
            (
                with("load = 2"),
                "s.toml:10: a load changes nothing about clocks that count nodes; drop it, or",
            ),
            (with("load = 256"), "s.toml:10: invalid value: integer `256`, expected u8; give `[settings]`"),
            (
                with("lag = 3\nlags = [1, 2]"),
                "s.toml:11: `lag` is one for all moves, and `lags` are one for each",
            ),
            (with("lags = [-1]"), "s.toml:10: invalid value: integer `-1`, expected u16; give `[settings]`"),
            (
                with("least_used = 50"),
                "s.toml:10: 50 is not a share of the time granted; give a number from 0 to 1",
            ),
            (
                with("most_spread = -0.1"),
                "s.toml:10: -0.1 is not a spread; give a share of the mean from 0 on",
            ),
            (with("most_spread = inf"), "s.toml:10: inf is not a spread; give a share of the mean from 0 on"),
            (
                with("most_overrun = -1"),
                "s.toml:10: invalid value: integer `-1`, expected u16; give `[settings]`",
            ),
            (
                suite_of(&control("8").replace("1000", "1500")),
                "s.toml:9: `nodestime` counts nodes a millisecond: 1500 a second is none; give a multiple",
            ),
            (suite_of(&control("inf")), "s.toml:8: `inf` sets no clock for the game; give"),
            (
                suite_of(&["8", "9", "8"].map(control).concat()),
                "s.toml:14: `8 from start` is also in s.toml:8",
            ),
        ];
        for (read, message) in table {
            let error = read.expect_err(message).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn wall_clock_controls_may_run_with_load() {
        let control = "[[settings.controls]]\ncontrol = \"1+0.01\"\npace = \"wall\"\nload = 4\nplies = 30\n";
        let read = suite(&format!("[settings]\nplies = 9\n{control}")).expect("sound");
        let info = &read.definitions[0].info;
        assert_eq!(
            (info.clock_source, info.background_threads, info.players.len()),
            (ClockSource::Wall, 4, 2)
        );
        assert_eq!(
            (info.note.as_str(), info.accepted.as_str()),
            ("clock wall, with 4 busy threads", "no flag falls in 30 plies")
        );
    }
}
