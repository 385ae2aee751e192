//! Time controls and other limits of a player, in cutechess' notation.
//!
//! Times are parsed into whole nanoseconds without floating point. A float would lose a millisecond now and
//! then (0.3 s would become 299 ms), and two runs with "the same" control would differ.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use super::seconds::{Seconds, seconds, whole};
use crate::score::Ply;
use threefold_named_enum::named_enum;

/// `[moves/][minutes:]seconds[+increment]`; `inf/` and `0/` are the whole game, as fastchess and
/// cutechess-cli read them, and seconds may end in `s`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeControl {
    /// Moves per period; `None` for the whole game.
    pub moves: Option<NonZeroU32>,
    /// Time per period.
    pub base: Duration,
    /// The increment per move, including the first.
    pub increment: Duration,
}

/// The limits of a player in a game.
///
/// As text: a time control or `inf`, then other limits as keys of an engine spec, separated by commas:
/// `8+0.08`, `nodes=5000`, `inf,depth=8`, `40/60,nodes=100000,timemargin=20`.
///
/// ```
/// use threefold_chess::clock::Control;
///
/// let control: Control = "40/60+0.5,nodes=100000".parse()?;
/// assert!(control.is_timed());
/// assert_eq!(control.to_string(), "40/60+0.5,nodes=100000");
/// # Ok::<(), threefold_chess::clock::ControlError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Control {
    /// A clock for the game (`tc`); `None` is `inf`.
    pub time: Option<TimeControl>,
    /// A fixed time for each move (`st`, in seconds).
    pub movetime: Option<Duration>,
    /// A node limit for each move.
    pub nodes: Option<u64>,
    /// A depth limit for each move.
    pub depth: Option<Ply>,
    /// The tolerance of a time loss (`timemargin`, in milliseconds); `None` counts as 0. An engine's own 0
    /// replaces the match's.
    pub margin: Option<Duration>,
}

named_enum! {
    /// The limits of a control by the key that sets them.
    pub enum LimitKey {
        /// A clock for the game.
        Tc = "tc",
        /// A fixed time for each move.
        St = "st",
        /// A node limit for each move.
        Nodes = "nodes",
        /// A depth limit for each move.
        Depth = "depth",
        /// The tolerance of a time loss.
        TimeMargin = "timemargin",
    }
}

/// Why text is not a time control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ControlError {
    /// A part of a time control cannot be read.
    #[error(
        "time control `{given}`: its {part} can't be read; \
         write `[moves/][minutes:]seconds[+increment]`, such as `40/60+0.5`, `8+0.08`, `1:30+1` or `inf`"
    )]
    Time {
        /// The text given.
        given: String,
        /// Which part of it.
        part: &'static str,
    },
    /// A comma, which is neither a decimal point nor a separator of time and increment.
    #[error(
        "time control `{given}`: a comma has no meaning here; write a plus before the increment and a point before \
         decimals, as in `8+0.08`"
    )]
    Comma {
        /// The text given.
        given: String,
    },
    /// No time at all.
    #[error("time control `{given}` grants no time; give at least a base or an increment, such as `8+0.08`")]
    NoTime {
        /// The text given.
        given: String,
    },
    /// No time before the first increment.
    #[error("time control `{given}` has no base time; give one, such as `3+0.01`")]
    NoBase {
        /// The text given.
        given: String,
    },
    /// An hourglass clock.
    #[error("time control `{given}`: hourglass clocks are not supported; give an increment, such as `60+1`")]
    Hourglass {
        /// The text given.
        given: String,
    },
    /// A limit that is not a number or out of range.
    #[error("`{key}={given}` can't be read; it takes {wanted}")]
    Limit {
        /// Which limit.
        key: LimitKey,
        /// The text given.
        given: String,
        /// Valid values.
        wanted: &'static str,
    },
    /// A clock for the game and a fixed time for each move exclude each other.
    #[error("`tc` and `st` can't be given together; keep one of them")]
    TwoClocks,
    /// An unknown key.
    #[error("`{given}` is not a limit; use one of {}", LimitKey::ALL.iter().map(|key| key.name()).collect::<Vec<_>>().join(", "))]
    UnknownKey {
        /// The text given.
        given: String,
    },
}

impl LimitKey {
    /// The key with exactly this name.
    fn with_name(text: &str) -> Result<Self, ControlError> {
        let known = Self::ALL.iter().copied().find(|key| key.name() == text);
        known.ok_or_else(|| ControlError::UnknownKey { given: text.to_owned() })
    }
}

impl FromStr for TimeControl {
    type Err = ControlError;

    fn from_str(given: &str) -> Result<Self, ControlError> {
        let unreadable = |part| ControlError::Time { given: given.to_owned(), part };
        let text = given.trim();
        if text.ends_with("hg") {
            return Err(ControlError::Hourglass { given: given.to_owned() });
        }
        if text.contains(',') {
            return Err(ControlError::Comma { given: given.to_owned() });
        }
        let (moves, text) = match text.split_once('/') {
            Some(("inf" | "infinite", rest)) => (None, rest),
            Some((moves, rest)) => {
                let moves: u32 = whole(moves).ok_or_else(|| unreadable("number of moves"))?;
                (NonZeroU32::new(moves), rest)
            }
            None => (None, text),
        };
        let (base, increment) = match text.split_once('+') {
            Some((base, increment)) => (base, seconds(increment).ok_or_else(|| unreadable("increment"))?),
            None => (text, Duration::ZERO),
        };
        let (minutes, base) = match base.split_once(':') {
            Some((minutes, base)) => (whole(minutes).ok_or_else(|| unreadable("minutes"))?, base),
            None => (0_u32, base),
        };
        let base = seconds(base)
            .and_then(|seconds| seconds.checked_add(Duration::from_secs(60 * u64::from(minutes))))
            .ok_or_else(|| unreadable("base time"))?;
        if base.is_zero() && increment.is_zero() {
            return Err(ControlError::NoTime { given: given.to_owned() });
        }
        Ok(Self { moves, base, increment })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", Seconds(self.base))?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", Seconds(self.increment)) }
    }
}

impl Control {
    /// Sets a limit from its text.
    pub fn set(&mut self, key: LimitKey, given: &str) -> Result<(), ControlError> {
        let wrong = |wanted| move || ControlError::Limit { key, given: given.to_owned(), wanted };
        let given = given.trim();
        match key {
            LimitKey::Tc if matches!(given, "inf" | "infinite") => self.time = None,
            LimitKey::Tc => self.time = Some(given.parse()?),
            LimitKey::St => {
                let wrong = wrong("seconds for each move, such as 0.5");
                self.movetime = Some(seconds(given).filter(|time| !time.is_zero()).ok_or_else(wrong)?);
            }
            LimitKey::Nodes => {
                let wrong = wrong("a number of nodes from 1");
                self.nodes = Some(whole(given).filter(|&nodes: &u64| nodes > 0).ok_or_else(wrong)?);
            }
            LimitKey::Depth => {
                let wrong = wrong("a number of plies from 1 to 65535");
                self.depth = Some(Ply(whole(given).filter(|&plies: &u16| plies > 0).ok_or_else(wrong)?));
            }
            LimitKey::TimeMargin => {
                let wrong = wrong("whole milliseconds, such as 20");
                let millis: u32 = whole(given).ok_or_else(wrong)?;
                self.margin = Some(Duration::from_millis(millis.into()));
            }
        }
        if self.time.is_some() && self.movetime.is_some() { Err(ControlError::TwoClocks) } else { Ok(()) }
    }

    /// These limits, with those of `fallback` where they are unset.
    ///
    /// A clock for the game and a fixed time per move exclude each other, so either of them replaces both of
    /// the fallback's.
    #[must_use]
    pub fn or(self, fallback: Self) -> Self {
        let timed = if self.is_timed() { self } else { fallback };
        Self {
            time: timed.time,
            movetime: timed.movetime,
            nodes: self.nodes.or(fallback.nodes),
            depth: self.depth.or(fallback.depth),
            margin: self.margin.or(fallback.margin),
        }
    }

    /// Whether no limit is set.
    pub const fn is_infinite(&self) -> bool {
        !self.is_timed() && self.nodes.is_none() && self.depth.is_none()
    }

    /// Whether time limits the player.
    pub const fn is_timed(&self) -> bool {
        self.time.is_some() || self.movetime.is_some()
    }
}

impl FromStr for Control {
    type Err = ControlError;

    fn from_str(given: &str) -> Result<Self, ControlError> {
        let mut control = Self::default();
        for part in given.split(',') {
            let (key, value) = match part.split_once('=') {
                Some((key, value)) => (LimitKey::with_name(key.trim())?, value),
                None => (LimitKey::Tc, part),
            };
            control.set(key, value)?;
        }
        Ok(control)
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.time.map(|time| time.to_string()),
            self.movetime.map(|time| format!("st={}", Seconds(time))),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={}", depth.0)),
            self.margin.map(|margin| format!("timemargin={}", margin.as_millis())),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { f.write_str("inf") } else { f.write_str(&parts.join(",")) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn control(moves: u32, base: u64, increment: u64) -> TimeControl {
        let millis = Duration::from_millis;
        TimeControl { moves: NonZeroU32::new(moves), base: millis(base), increment: millis(increment) }
    }

    #[test]
    fn time_controls_are_parsed_to_the_millisecond() {
        let table = [
            // written, moves (0: the whole game), base, increment, printed
            ("40/60+0.5", 40, 60_000, 500, "40/60+0.5"),
            ("8+0.08", 0, 8000, 80, "8+0.08"),
            ("1:30+1", 0, 90_000, 1000, "90+1"),
            ("0.3", 0, 300, 0, "0.3"),
            ("4.1", 0, 4100, 0, "4.1"),
            ("10.1+.01", 0, 10_100, 10, "10.1+0.01"),
            ("5/0:10", 5, 10_000, 0, "5/10"),
            ("0+0.1", 0, 0, 100, "0+0.1"),
            (" 60.0+0.00 ", 0, 60_000, 0, "60"),
            ("inf/8s+0.08s", 0, 8000, 80, "8+0.08"),
            ("infinite/1:30s", 0, 90_000, 0, "90"),
            ("40/60s", 40, 60_000, 0, "40/60"),
            ("0/2+0.1", 0, 2000, 100, "2+0.1"),
            ("0/1:30", 0, 90_000, 0, "90"),
        ];
        for (written, moves, base, increment, printed) in table {
            let read: TimeControl = written.parse().expect(written);
            assert_eq!(read, control(moves, base, increment), "{written}");
            assert_eq!(read.to_string(), printed);
        }
    }

    #[test]
    fn control_errors_name_valid_forms() {
        let table = [
            // text, a part of the message
            ("", "its base time can't be read"),
            ("8+", "its increment can't be read"),
            ("8+0.", "its increment can't be read"),
            ("/60", "its number of moves can't be read"),
            ("-1/60", "its number of moves can't be read"),
            ("infinite/", "its base time can't be read"),
            ("8ss", "its base time can't be read"),
            ("s", "its base time can't be read"),
            ("1s:30", "its minutes can't be read"),
            ("a:30", "its minutes can't be read"),
            ("8 s", "write `[moves/][minutes:]seconds[+increment]`"),
            ("1e3", "its base time can't be read"),
            ("-8", "its base time can't be read"),
            ("8+0.0000000001", "its increment can't be read"),
            ("99999999999", "its base time can't be read"),
            ("0+0", "grants no time"),
            ("60hg", "hourglass clocks are not supported"),
            ("st=0", "seconds for each move"),
            ("nodes=0", "a number of nodes from 1"),
            ("nodes=1e6", "a number of nodes from 1"),
            ("depth=70000", "plies from 1 to 65535"),
            ("timemargin=0.5", "whole milliseconds"),
            ("8+0.08,st=1", "keep one of them"),
            ("hash=16", "`hash` is not a limit; use one of tc, st, nodes"),
        ];
        for (written, answer) in table {
            let error = written.parse::<Control>().expect_err(written).to_string();
            assert!(error.contains(answer), "{written}: {error}");
        }
    }

    #[test]
    fn engine_limits_take_precedence_over_the_match() {
        let table = [
            // engine's own, match's, combined
            ("inf", "8+0.08,timemargin=20", "8+0.08,timemargin=20"),
            ("st=0.1", "8+0.08,nodes=500", "st=0.1,nodes=500"),
            ("nodes=100", "nodes=500,depth=9", "nodes=100,depth=9"),
            ("infinite,nodes=7", "inf", "nodes=7"),
            ("4+0.04", "8+0.08,timemargin=20", "4+0.04,timemargin=20"),
            ("timemargin=0", "8+0.08,timemargin=20", "8+0.08,timemargin=0"),
        ];
        for (own, fallback, both) in table {
            let read = |text: &str| text.parse::<Control>().expect("sound");
            assert_eq!(read(own).or(read(fallback)).to_string(), both);
        }
    }

    prop_compose! {
        fn controls()(
            clock in prop::option::of((0..200_u32, 1..10_000_000_u64, 0..100_000_u64)),
            movetime in 0..100_000_u64,
            nodes in 0..u64::MAX,
            depth in 0..300_u16,
            margin in prop::option::of(0..1000_u64),
        ) -> Control {
            let millis = Duration::from_millis;
            let time = clock.map(|(moves, base, increment)| control(moves, base, increment));
            Control {
                time,
                movetime: (time.is_none() && movetime > 0).then(|| millis(movetime)),
                nodes: (nodes > 0).then_some(nodes),
                depth: (depth > 0).then_some(Ply(depth)),
                margin: margin.map(millis),
            }
        }
    }

    proptest! {
        #[test]
        fn printed_text_parses_back(control in controls()) {
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }

        #[test]
        fn foreign_text_never_panics(text in "[0-9:/+.,=a-z -]{0,24}") {
            if let Ok(control) = text.parse::<Control>() {
                prop_assert_eq!(control.to_string().parse(), Ok(control));
            }
        }
    }
}
