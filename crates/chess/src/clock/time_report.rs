//! How the time of one move was planned and used, as a time manager reports it.
//!
//! The text form is `time budget 466.1 most 1600 used 310.02 tree 123456 reused 3400 … end settled`. Echo
//! writes it in an `info string`, PGN in the move's comment, and the journal next to the move. Times are in
//! milliseconds.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::decimal::Decimal;
use threefold_named_enum::named_enum;

/// How the time of one move was planned and used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeReport {
    /// The planned time. The search may end sooner or, up to `hard_limit`, later.
    pub budget: Duration,
    /// The time at which the search ends in any case.
    pub hard_limit: Duration,
    /// The time used, measured by the clock of the search (wall clock or virtual clock).
    pub used: Duration,
    /// The nodes of the tree at the end of the search: those of this search and those inherited.
    pub tree: u64,
    /// The nodes that earlier searches had spent on this position.
    pub reused: u64,
    /// The nodes of this search until it was as deep in this position as the earlier searches had been. What
    /// the inherited nodes saved is `reused` minus this. `None` without inherited nodes, and if it was not so
    /// deep again.
    pub regained: Option<u64>,
    /// The estimates on which the budget is based.
    pub estimates: TimeEstimates,
    /// Why the search ended.
    pub end: SearchEnd,
}

/// A time manager's estimates; `None` for those it does not use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeEstimates {
    /// Own moves to the end of the game or of the period.
    pub moves_left: Option<Decimal>,
    /// Nodes per second.
    pub speed: Option<u64>,
    /// The part of a search's tree that the next search reuses, from 0 to 1.
    pub reuse: Option<Decimal>,
    /// The average part of its budget that a search uses.
    pub time_use: Option<Decimal>,
}

named_enum! {
    /// Why a search limited by a clock ended.
    pub enum SearchEnd {
        /// The budget was used up.
        Budget = "budget",
        /// No other move could have become the best one within the budget.
        Settled = "settled",
        /// There was no choice: one legal move, or a proven mate.
        NoChoice = "clear",
        /// The hard limit of the move was reached.
        HardLimit = "most",
        /// Another cause: `stop`, or a limit of depth, nodes or mate.
        Interrupted = "called",
    }
}

/// The first word of the text form.
const KEYWORD: &str = "time";

/// Why text is not a time report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a time report: `{0}` is missing or can't be read")]
pub struct TimeReportError(&'static str);

impl TimeReport {
    /// Rounds times to whole microseconds, as in the text form.
    #[must_use]
    pub fn rounded(self) -> Self {
        let whole = |time: Duration| Duration::from_micros(micros(time) as u64);
        Self {
            budget: whole(self.budget),
            hard_limit: whole(self.hard_limit),
            used: whole(self.used),
            ..self
        }
    }
}

impl fmt::Display for TimeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { budget, hard_limit, used, tree, reused, regained, estimates, end } = *self;
        write!(f, "{KEYWORD} budget {} most {} used {}", millis(budget), millis(hard_limit), millis(used))?;
        write!(f, " tree {tree} reused {reused}")?;
        write_field(f, "regained", regained)?;
        let TimeEstimates { moves_left, speed, reuse, time_use } = estimates;
        write_field(f, "left", moves_left)?;
        write_field(f, "nps", speed)?;
        write_field(f, "reuse", reuse)?;
        write_field(f, "use", time_use)?;
        write!(f, " end {end}")
    }
}

fn write_field(f: &mut fmt::Formatter<'_>, name: &str, value: Option<impl fmt::Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
}

impl FromStr for TimeReport {
    type Err = TimeReportError;

    fn from_str(text: &str) -> Result<Self, TimeReportError> {
        let mut words = text.split_whitespace();
        if words.next() != Some(KEYWORD) {
            return Err(TimeReportError(KEYWORD));
        }
        let words: Vec<&str> = words.collect();
        // Names and values alternate, and pairs with an unknown name are ignored.
        let value_of = |name: &str| words.chunks_exact(2).find(|pair| pair[0] == name).map(|pair| pair[1]);
        let needed = |name| value_of(name).ok_or(TimeReportError(name));
        let time = |name| {
            let millis: Decimal = needed(name)?.parse().map_err(|_| TimeReportError(name))?;
            // The division is not exact, so the result is rounded to the microseconds of the text.
            Duration::try_from_secs_f64(millis.get() / 1e3)
                .map(|time| Duration::from_micros((time.as_secs_f64() * 1e6).round() as u64))
                .map_err(|_| TimeReportError(name))
        };
        let count = |name| needed(name)?.parse().map_err(|_| TimeReportError(name));
        Ok(Self {
            budget: time("budget")?,
            hard_limit: time("most")?,
            used: time("used")?,
            tree: count("tree")?,
            reused: count("reused")?,
            regained: optional(value_of("regained"), "regained")?,
            estimates: TimeEstimates {
                moves_left: optional(value_of("left"), "left")?,
                speed: optional(value_of("nps"), "nps")?,
                reuse: optional(value_of("reuse"), "reuse")?,
                time_use: optional(value_of("use"), "use")?,
            },
            end: needed("end")?.parse().map_err(|_| TimeReportError("end"))?,
        })
    }
}

fn optional<T: FromStr>(value: Option<&str>, name: &'static str) -> Result<Option<T>, TimeReportError> {
    value.map(|text| text.parse().map_err(|_| TimeReportError(name))).transpose()
}

/// Milliseconds with microsecond precision.
fn millis(time: Duration) -> Decimal {
    Decimal::from_millionths(micros(time).saturating_mul(1000))
}

/// Whole microseconds, clamped to what the text form can represent (about a hundred days).
fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX).min(i64::MAX / 1_000_000)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn time_report_prints_and_parses_its_text_form() {
        let report = TimeReport {
            budget: Duration::from_micros(466_100),
            hard_limit: Duration::from_millis(1600),
            used: Duration::from_micros(310_020),
            tree: 123_456,
            reused: 3400,
            regained: Some(1200),
            estimates: TimeEstimates {
                moves_left: Some(Decimal::nearest(24.5)),
                speed: Some(812_345),
                reuse: Some(Decimal::nearest(0.53)),
                time_use: None,
            },
            end: SearchEnd::Settled,
        };
        let text = "time budget 466.1 most 1600 used 310.02 tree 123456 reused 3400 regained 1200 left 24.5 nps 812345 \
                    reuse 0.53 end settled";
        assert_eq!(report.to_string(), text);
        assert_eq!(text.parse(), Ok(report));
    }

    #[test]
    fn time_report_errors_name_the_missing_field() {
        let whole = "time budget 1 most 2 used 1 tree 5 reused 0 end budget";
        assert!(whole.parse::<TimeReport>().is_ok());
        let table = [
            ("depth 7", "time"),
            ("time budget 1 most 2", "used"),
            (&whole.replace("budget 1", "budget x"), "budget"),
            (&whole.replace("used 1", "used -1"), "used"),
            (&whole.replace("end budget", "end never"), "end"),
            (&whole.replace("end", "left x end"), "left"),
            (&whole.replace("end", "regained -1 end"), "regained"),
        ];
        for (text, missing) in table {
            assert_eq!(text.parse::<TimeReport>(), Err(TimeReportError(missing)), "{text}");
        }
    }

    prop_compose! {
        fn time_reports()(
            times in prop::array::uniform3(0..100_000_000_u64),
            nodes in prop::array::uniform2(0..u64::MAX),
            regained in prop::option::of(0..u64::MAX),
            estimates in (
                prop::option::of(0..100_000_000_i64),
                prop::option::of(0..u64::MAX),
                prop::option::of(0..2_000_000_i64),
                prop::option::of(0..2_000_000_i64),
            ),
            end in prop::sample::select(SearchEnd::ALL),
        ) -> TimeReport {
            let [budget, hard_limit, used] = times.map(Duration::from_micros);
            let [tree, reused] = nodes;
            let (moves_left, speed, reuse, time_use) = estimates;
            let decimal = |millionths: Option<i64>| millionths.map(Decimal::from_millionths);
            let (moves_left, reuse, time_use) = (decimal(moves_left), decimal(reuse), decimal(time_use));
            let estimates = TimeEstimates { moves_left, speed, reuse, time_use };
            TimeReport { budget, hard_limit, used, tree, reused, regained, estimates, end }
        }
    }

    proptest! {
        #[test]
        fn printed_time_report_parses_back(report in time_reports()) {
            prop_assert_eq!(report.to_string().parse(), Ok(report));
            prop_assert_eq!(report.rounded(), report);
        }

        #[test]
        fn unknown_text_never_panics(text in "time( (budget|most|used|tree|reused|left|end|-?[0-9.]{0,20}))*") {
            if let Ok(report) = text.parse::<TimeReport>() {
                prop_assert_eq!(report.to_string().parse(), Ok(report));
            }
        }
    }
}
