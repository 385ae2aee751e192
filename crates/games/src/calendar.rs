//! Dates and times in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970; 0 for an earlier time.
pub fn milliseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// `2026-11-24`, from seconds since 1970.
///
/// The days are converted by Howard Hinnant's algorithm `civil_from_days`: years begin in March, so that the
/// leap day is the last day of a year.
pub fn date(seconds: i64) -> String {
    // 1 March of the year 0 is 719,468 days before 1970. An era of 400 years has 146,097 days.
    let days = seconds.div_euclid(86_400) + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    // The leap days before the day are subtracted, so that each year has 365 days.
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // From March on, each five months have 153 days.
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// `2026-11-24T14:32:54`, from seconds since 1970.
pub fn date_and_time(seconds: i64) -> String {
    let of_day = seconds.rem_euclid(86_400);
    format!("{}T{:02}:{:02}:{:02}", date(seconds), of_day / 3600, of_day / 60 % 60, of_day % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let table = [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_795_551_174, "2026-11-24"),
            (-1, "1969-12-31"),
        ];
        for (seconds, expected) in table {
            assert_eq!(date(seconds), expected);
        }
    }

    #[test]
    fn times_are_those_of_the_day() {
        assert_eq!(date_and_time(1_795_530_774), "2026-11-24T14:32:54");
        assert_eq!(date_and_time(-1), "1969-12-31T23:59:59");
    }
}
