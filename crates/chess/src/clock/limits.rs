//! Limits of one search.
//!
//! The same value is passed from the match runner through the player and UCI's `go` to Echo, so that a limit
//! keeps its meaning.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::control::{ControlError, TimeControl};
use crate::score::Ply;

/// One side's clock at the start of its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remaining {
    /// Time left on the clock.
    pub time: Duration,
    /// The increment per move.
    pub increment: Duration,
}

/// Both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// White's.
    pub white: Remaining,
    /// Black's.
    pub black: Remaining,
    /// Moves to the next period; `None` in sudden death.
    pub moves_to_go: Option<u32>,
}

impl Clocks {
    /// Both clocks at the start of a period: the base time is left, and the increment comes after the move.
    pub fn at_start(control: TimeControl) -> Self {
        let side = Remaining { time: control.base, increment: control.increment };
        Self { white: side, black: side, moves_to_go: control.moves.map(std::num::NonZeroU32::get) }
    }

    /// The shorter of the times left.
    pub fn shorter(&self) -> Duration {
        self.white.time.min(self.black.time)
    }
}

/// Parses a time control that both clocks begin with: `[moves/][minutes:]seconds[+increment]`.
impl FromStr for Clocks {
    type Err = ControlError;

    fn from_str(given: &str) -> Result<Self, ControlError> {
        if given.trim() == "inf" {
            return Err(ControlError::NoTime { given: given.to_owned() });
        }
        let control: TimeControl = given.parse()?;
        if control.base.is_zero() {
            return Err(ControlError::NoBase { given: given.to_owned() });
        }
        Ok(Self::at_start(control))
    }
}

/// The time control of White's clock, and after a slash with spaces that of Black's if it differs.
impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = self.moves_to_go.and_then(std::num::NonZeroU32::new);
        let [white, black] = [self.white, self.black].map(|side| TimeControl {
            moves,
            base: side.time,
            increment: side.increment,
        });
        write!(f, "{white}")?;
        if white == black { Ok(()) } else { write!(f, " / {black}") }
    }
}

/// The limits of one search. The first one reached ends it; without any it runs until it is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The game's clocks: the engine decides how much of its time to use.
    pub clocks: Option<Clocks>,
    /// A fixed time.
    pub movetime: Option<Duration>,
    /// The largest number of nodes.
    pub nodes: Option<u64>,
    /// The largest depth.
    pub depth: Option<Ply>,
    /// Stop once a mate in this many full moves is found.
    pub mate: Option<u32>,
}

impl Limits {
    /// A limit by nodes alone.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A limit by depth alone.
    pub fn depth(depth: Ply) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A limit by clocks alone.
    pub fn clocks(clocks: Clocks) -> Self {
        Self { clocks: Some(clocks), ..Self::default() }
    }

    /// Whether it runs until it is stopped.
    pub fn is_infinite(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_begin_with_the_base_time() {
        let millis = Duration::from_millis;
        let table = [
            // time control, time left, increment, moves to go
            ("3+0.01", 3000, 10, None),
            ("1:30", 90_000, 0, None),
            ("40/60+0.5", 60_000, 500, Some(40)),
        ];
        for (text, time, increment, moves_to_go) in table {
            let clocks: Clocks = text.parse().expect(text);
            let side = Remaining { time: millis(time), increment: millis(increment) };
            assert_eq!(clocks, Clocks { white: side, black: side, moves_to_go }, "{text}");
            assert_eq!(clocks.to_string().parse(), Ok(clocks), "{text}");
        }
        let unlike = Clocks {
            black: Remaining { time: millis(500), increment: millis(0) },
            ..Clocks::from_str("2").expect("sound")
        };
        assert_eq!((unlike.to_string().as_str(), unlike.shorter()), ("2 / 0.5", millis(500)));
    }

    #[test]
    fn clocks_need_a_base_time() {
        for text in ["0+1", "inf", "0", "3,5", "x"] {
            assert!(text.parse::<Clocks>().is_err(), "{text}");
        }
        let error = "0+1".parse::<Clocks>().expect_err("no base").to_string();
        assert!(error.ends_with("has no base time; give one, such as `3+0.01`"), "{error}");
    }
}
