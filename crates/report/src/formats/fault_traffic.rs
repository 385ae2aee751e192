//! `faults.txt`: the UCI traffic of engines before their faults.
//!
//! The lines have times, so this file differs from run to run, unless there are no faults.

use std::fmt::Write;

use crate::model::faults::Fault;
use crate::model::report::Report;
use crate::{ReportFormat, format};
use threefold_player::FaultTraffic;
use threefold_player::traffic::Direction;

/// The UCI traffic of engines before their faults.
pub const FORMAT: ReportFormat = ReportFormat {
    name: "faults",
    file: "faults.txt",
    summary: "the last 200 lines of UCI traffic and standard error before each engine fault",
    stream: None,
    render: |report| Ok(traffic_text(report).into_bytes()),
};

/// The faults whose traffic was kept, in the order of the report.
pub(crate) fn kept(report: &Report) -> impl Iterator<Item = (Fault, &FaultTraffic)> {
    report.faults().into_iter().filter_map(|fault| report.traffic_of(&fault).map(|traffic| (fault, traffic)))
}

/// `match, game 4: Base: it ended (signal: 11) …; see match.log:1234`
pub(crate) fn heading(fault: &Fault, traffic: &FaultTraffic) -> String {
    let see = traffic.log.as_ref().map(|place| format!("; see {place}")).unwrap_or_default();
    format::visible(&format!("{}, {}: {}: {}{see}", fault.part, fault.place, traffic.engine, fault.what))
}

fn traffic_text(report: &Report) -> String {
    let faults = report.faults().len();
    if faults == 0 {
        return "No engine faults.\n".to_owned();
    }
    let kept: Vec<_> = kept(report).collect();
    let mut text = format!(
        "The last lines before {} of {}. Each line has the seconds since the engine started, the direction ({} to the \
         engine, {} from the engine, {} standard error), and the text.\n",
        kept.len(),
        format::count(faults, "engine fault"),
        Direction::ToEngine,
        Direction::FromEngine,
        Direction::StandardError,
    );
    for (fault, traffic) in kept {
        // Writing to text never fails.
        _ = writeln!(text, "\n{}", heading(&fault, traffic));
        for line in &traffic.lines {
            _ = writeln!(text, "{line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::fixture;
    use threefold_player::traffic::{LogPlace, TrafficLine};

    #[test]
    fn faults_show_their_traffic_without_control_characters() {
        let mut report = fixture::report();
        let faults = report.faults();
        let first = faults.first().expect("the fixture has faults").clone();
        let line = |direction, text: &str| TrafficLine {
            at: Duration::from_millis(2500),
            direction,
            text: text.to_owned(),
        };
        let lines =
            vec![line(Direction::ToEngine, "go nodes 9"), line(Direction::StandardError, "\u{1b}[2J")];
        let log = Some(LogPlace { file: "m.log".to_owned(), line: 42 });
        let traffic = FaultTraffic { engine: first.engine.clone(), log, lines };
        report.traffic.insert((first.part.clone(), first.place.clone()), traffic);
        let text = traffic_text(&report);
        let heading = format!("{}, {}: {}: ", first.part, first.place, first.engine);
        assert!(
            text.starts_with(&format!("The last lines before 1 of {} engine faults.", faults.len())),
            "{text}"
        );
        assert!(text.contains(&format!("\n{heading}")) && text.contains("; see m.log:42\n"), "{text}");
        assert!(text.ends_with("\n    2.500000 > go nodes 9\n    2.500000 ! ␛[2J\n"), "{text}");
        let page = String::from_utf8((crate::formats::html::FORMAT.render)(&report).expect("renders"))
            .expect("text");
        assert!(page.contains("2.500000 &gt; go nodes 9\n"), "{page}");
        assert!(!page.contains('\u{1b}'));
    }

    #[test]
    fn report_without_faults_is_explicit() {
        let mut report = fixture::report();
        report.suites.clear();
        report.matches.clear();
        assert_eq!(traffic_text(&report), "No engine faults.\n");
    }
}
