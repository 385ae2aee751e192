//! Durations as text, the same in reports, PGN and messages.

use std::time::Duration;

/// The duration with a readable number of digits: `1:02 min`, `12.3 s`, `45 ms`.
pub fn format_duration(duration: Duration) -> String {
    match duration.as_secs() {
        0 => format!("{} ms", duration.as_millis()),
        seconds @ 1..60 => format!("{seconds}.{} s", duration.subsec_millis() / 100),
        seconds => format!("{}:{:02} min", seconds / 60, seconds % 60),
    }
}

/// The duration with hundredths of a second below a minute, for comparisons: `1.83 s`, `45 ms`.
pub fn to_hundredths(duration: Duration) -> String {
    match duration.as_secs() {
        seconds @ 1..60 => format!("{seconds}.{:02} s", duration.subsec_millis() / 10),
        _ => format_duration(duration),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_printed_readably() {
        let table = [
            // nanoseconds, text, with hundredths
            (23_295, "0 ms", "0 ms"),
            (45_000_000, "45 ms", "45 ms"),
            (999_801_499, "999 ms", "999 ms"),
            (1_000_000_000, "1.0 s", "1.00 s"),
            (1_839_000_000, "1.8 s", "1.83 s"),
            (12_345_000_000, "12.3 s", "12.34 s"),
            (62_000_000_000, "1:02 min", "1:02 min"),
        ];
        for (nanos, plain, exact) in table {
            let duration = Duration::from_nanos(nanos);
            assert_eq!(
                (format_duration(duration).as_str(), to_hundredths(duration).as_str()),
                (plain, exact)
            );
        }
    }
}
