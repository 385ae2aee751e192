//! The source of a game's time: the wall clock or nodes.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// The source of a game's time: `wall` or `virtual:NPS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClockSource {
    /// Real time.
    Wall,
    /// Nodes: time used = nodes / nodes per second, independent of the machine's load.
    Virtual {
        /// Nodes per second.
        nodes_per_second: NonZeroU32,
    },
}

/// Why text is not a clock source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "clock `{given}` is not known; use `wall`, or `virtual:NPS` with nodes per second, such as `virtual:500000`"
)]
pub struct ClockSourceError {
    /// The text given.
    pub given: String,
}

impl ClockSource {
    /// The time that a move uses: real time, or its nodes at the given rate, rounded down to the nanosecond.
    pub fn used(self, nodes: u64, elapsed: Duration) -> Duration {
        match self {
            Self::Wall => elapsed,
            Self::Virtual { nodes_per_second } => {
                let rate = u64::from(nodes_per_second.get());
                // The remainder is below 2³² and a second has below 2³⁰ nanoseconds: the product fits.
                let nanos = (nodes % rate) * 1_000_000_000 / rate;
                Duration::from_secs(nodes / rate) + Duration::from_nanos(nanos)
            }
        }
    }
}

impl FromStr for ClockSource {
    type Err = ClockSourceError;

    fn from_str(given: &str) -> Result<Self, ClockSourceError> {
        let source = match given.split_once(':') {
            None if given == "wall" => Some(Self::Wall),
            Some(("virtual", rate)) => {
                rate.parse().ok().map(|nodes_per_second| Self::Virtual { nodes_per_second })
            }
            Some(_) | None => None,
        };
        source.ok_or_else(|| ClockSourceError { given: given.to_owned() })
    }
}

impl fmt::Display for ClockSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wall => f.write_str("wall"),
            Self::Virtual { nodes_per_second } => write!(f, "virtual:{nodes_per_second}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_clock_counts_nodes_only() {
        let table = [
            // source, nodes, elapsed ms, used in ns
            ("wall", 5000, 20, 20_000_000),
            ("virtual:1000", 5000, 20, 5_000_000_000),
            ("virtual:3", 1, 20, 333_333_333),
            ("virtual:4294967295", 4_294_967_294, 20, 999_999_999),
            ("virtual:1000", 0, 20, 0),
        ];
        for (text, nodes, elapsed, used) in table {
            let read: ClockSource = text.parse().expect(text);
            assert_eq!(
                read.used(nodes, Duration::from_millis(elapsed)),
                Duration::from_nanos(used),
                "{text}"
            );
            assert_eq!(read.to_string(), text);
        }
        let slowest: ClockSource = "virtual:1".parse().expect("sound");
        assert_eq!(slowest.used(u64::MAX, Duration::ZERO), Duration::from_secs(u64::MAX));
    }

    #[test]
    fn clock_source_error_lists_the_valid_forms() {
        for given in ["", "virtual", "virtual:0", "virtual:x", "wall:3", "real"] {
            let error = given.parse::<ClockSource>().expect_err(given).to_string();
            assert!(error.contains("use `wall`, or `virtual:NPS`"), "{error}");
        }
    }
}
