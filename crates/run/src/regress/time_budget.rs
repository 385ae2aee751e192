//! Time budgets as users write them: hours, minutes and seconds, such as `1h30m`.

use std::time::Duration;

const HOW_TO_WRITE_TIME: &str = "write hours, minutes and seconds, such as 30m, 2h, 1h30m or 90s";

/// Parses a time budget.
///
/// # Errors
/// If the text is no time above 0; the message says how to write one.
///
/// ```
/// use std::time::Duration;
/// use threefold_run::regress::time_budget;
/// assert_eq!(time_budget::parse("1h30m"), Ok(Duration::from_secs(5400)));
/// assert!(time_budget::parse("30").is_err());
/// ```
pub fn parse(given: &str) -> Result<Duration, String> {
    let mut rest = given;
    let mut total = Duration::ZERO;
    for (unit, seconds) in [('h', 3600), ('m', 60), ('s', 1)] {
        let Some((count, after)) = rest.split_once(unit) else { continue };
        let count: u32 = count.parse().map_err(|_| HOW_TO_WRITE_TIME.to_owned())?;
        total += Duration::from_secs(u64::from(count) * seconds);
        rest = after;
    }
    if rest.is_empty() && !total.is_zero() { Ok(total) } else { Err(HOW_TO_WRITE_TIME.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_hours_minutes_and_seconds() {
        let table = [
            ("30m", Some(1800)),
            ("2h", Some(7200)),
            ("1h30m", Some(5400)),
            ("1h0m5s", Some(3605)),
            ("90s", Some(90)),
            ("0s", None),
            ("", None),
            ("30", None),
            ("30m2h", None),
            ("-1m", None),
            ("1.5h", None),
        ];
        for (given, seconds) in table {
            assert_eq!(parse(given).ok(), seconds.map(Duration::from_secs), "{given}");
        }
    }
}
