//! How often a run in a pipe prints a line.

use std::str::FromStr;
use std::time::Duration;

use threefold_run::regress::time_budget;

/// The interval of `--report-every`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReportInterval {
    /// After 60 s and 10 games or cases, whichever is later, and at the latest after 10 minutes.
    #[default]
    Usual,
    /// After this time.
    Time(Duration),
    /// After this number of games or cases.
    Jobs(usize),
}

impl ReportInterval {
    const USUAL_TIME: Duration = Duration::from_mins(1);
    const USUAL_JOBS: usize = 10;
    /// Ten games at a long time control would leave a CI job silent for too long.
    const LONGEST: Duration = Duration::from_mins(10);

    /// Is a line due, this time and this number of jobs after the previous line?
    pub fn is_due(self, time: Duration, jobs: usize) -> bool {
        match self {
            Self::Usual => {
                (time >= Self::USUAL_TIME && jobs >= Self::USUAL_JOBS) || (time >= Self::LONGEST && jobs > 0)
            }
            Self::Time(interval) => time >= interval && jobs > 0,
            Self::Jobs(number) => jobs >= number,
        }
    }
}

impl FromStr for ReportInterval {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let jobs = text.parse().ok().filter(|&jobs: &usize| jobs > 0).map(Self::Jobs);
        let interval = jobs.map_or_else(|| time_budget::parse(text).map(Self::Time), Ok);
        interval
            .map_err(|_| "write a time such as 60s or 5m, or a number of games or cases above 0".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_interval_is_a_time_or_a_number_of_games() {
        let table = [
            ("60s", Some(ReportInterval::Time(Duration::from_mins(1)))),
            ("5m", Some(ReportInterval::Time(Duration::from_mins(5)))),
            ("10", Some(ReportInterval::Jobs(10))),
            ("0", None),
            ("0s", None),
            ("often", None),
        ];
        for (text, interval) in table {
            assert_eq!(text.parse().ok(), interval, "{text}");
        }
    }

    #[test]
    fn usual_interval_waits_for_time_and_games_but_not_for_ever() {
        let table = [
            // seconds, jobs, due
            (59, 1000, false),
            (60, 9, false),
            (60, 10, true),
            (599, 1, false),
            (600, 1, true),
            (6000, 0, false),
        ];
        for (seconds, jobs, due) in table {
            assert_eq!(
                ReportInterval::Usual.is_due(Duration::from_secs(seconds), jobs),
                due,
                "{seconds} {jobs}"
            );
        }
    }
}
