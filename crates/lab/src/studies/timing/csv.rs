//! The study's figures, one per line.

use std::io;

use csv::{Terminator, Writer, WriterBuilder};

use super::figures::Figures;
use super::{Study, UnderControl};
use threefold_chess::clock::{SearchEnd, TimeControl};
use threefold_report::{Report, ReportFormat};
use threefold_stats::{Estimate, Logistic};

pub(super) const FORMAT: ReportFormat = ReportFormat {
    name: "time-csv",
    file: "time-study.csv",
    summary: "how each time manager uses its clock, and what it is worth: figure, manager, control, move, value, low, \
              high, count",
    stream: None,
    render: |report| render(report, &|rows, study| rows.figures(study).and_then(|()| rows.courses(study))),
};

/// The table that is printed: without the figures by move number.
pub(super) const PRINTED: ReportFormat = ReportFormat {
    name: "time-figures",
    file: "time-figures.csv",
    summary: "the lines of time-csv that are not about one move",
    stream: None,
    render: |report| render(report, &|rows, study| rows.figures(study)),
};

fn render(
    report: &Report,
    write: &dyn Fn(&mut Rows, &Study<'_>) -> Result<(), csv::Error>,
) -> io::Result<Vec<u8>> {
    let study = Study::new(report);
    let writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    let mut rows = Rows { writer };
    rows.writer.write_record(["figure", "manager", "control", "move", "value", "low", "high", "count"])?;
    write(&mut rows, &study)?;
    rows.writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

struct Rows {
    writer: Writer<Vec<u8>>,
}

/// The subject of a line.
#[derive(Clone, Copy)]
struct Subject<'s> {
    manager: &'s str,
    /// `None`: all together.
    control: Option<TimeControl>,
}

impl Rows {
    fn figures(&mut self, study: &Study<'_>) -> Result<(), csv::Error> {
        for result in study.manager_results() {
            let subject = Subject { manager: result.manager.name(), control: None };
            let pairs = result.duel.sheet.pairs().trials() as usize;
            self.elo(subject, result.duel.fixed.map(|fixed| fixed.logistic), pairs)?;
            self.alone("p of no better than Classic (Holm)", subject, result.p, pairs)?;
        }
        for at in &study.controls {
            self.meetings(at)?;
            for figures in &at.figures {
                self.manager(
                    Subject { manager: figures.manager.name(), control: Some(at.control) },
                    figures,
                )?;
            }
        }
        Ok(())
    }

    fn meetings(&mut self, at: &UnderControl<'_>) -> Result<(), csv::Error> {
        for meeting in &at.meetings {
            let subject = Subject { manager: meeting.manager.name(), control: Some(at.control) };
            let pairs = meeting.duel.sheet.pairs().trials() as usize;
            self.elo(subject, meeting.duel.fixed.map(|fixed| fixed.logistic), pairs)?;
            if let Some(&llr) = meeting.test.path.last() {
                self.alone("LLR", subject, llr, pairs)?;
            }
            if let Some((pair, _)) = meeting.test.decided {
                self.alone("LLR when the test decided", subject, meeting.test.path[pair - 1], pair)?;
            }
        }
        Ok(())
    }

    fn manager(&mut self, subject: Subject<'_>, figures: &Figures) -> Result<(), csv::Error> {
        let Figures { games, flags, used, used_of_periods, unevenness, overruns, .. } = figures;
        for (figure, value) in [
            ("clock used by the end of the game", used),
            ("clock used by the end of a period", used_of_periods),
            ("variation of trees", unevenness),
        ] {
            let Some(Estimate { low, value, high }) = *value else { continue };
            self.row(figure, subject, None, [Some(value), finite(low), finite(high)], *games)?;
        }
        self.alone("games lost on time", subject, *flags as f64, *games)?;
        if let Some([budget, most]) = overruns {
            let searches = figures.searches();
            self.alone("seconds beyond the budget at most", subject, budget.as_secs_f64(), searches)?;
            self.alone("seconds beyond the most at most", subject, most.as_secs_f64(), searches)?;
        }
        for &end in SearchEnd::ALL.iter().filter(|_| figures.searches() > 0) {
            let (share, count) = (figures.share_ended(end), figures.ended(end));
            self.alone(&format!("searches that ended by {end}"), subject, share, count)?;
        }
        Ok(())
    }

    fn courses(&mut self, study: &Study<'_>) -> Result<(), csv::Error> {
        for at in &study.controls {
            for figures in &at.figures {
                let subject = Subject { manager: figures.manager.name(), control: Some(at.control) };
                for (course, points) in &figures.courses {
                    for &(mv, mean) in points {
                        self.row(course.name(), subject, Some(mv), [Some(mean), None, None], figures.games)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn elo(
        &mut self,
        subject: Subject<'_>,
        elo: Option<Estimate<Logistic>>,
        pairs: usize,
    ) -> Result<(), csv::Error> {
        let text = elo.map_or([None; 3], |elo| [elo.value, elo.low, elo.high].map(|elo| Some(elo.0)));
        self.row("logistic Elo over Classic", subject, None, text, 2 * pairs)
    }

    fn alone(
        &mut self,
        figure: &str,
        subject: Subject<'_>,
        value: f64,
        count: usize,
    ) -> Result<(), csv::Error> {
        self.row(figure, subject, None, [Some(value), None, None], count)
    }

    fn row(
        &mut self,
        figure: &str,
        subject: Subject<'_>,
        mv: Option<f64>,
        text: [Option<f64>; 3],
        count: usize,
    ) -> Result<(), csv::Error> {
        let control = subject.control.map_or_else(|| "all".to_owned(), |control| control.to_string());
        let mv = mv.map(|mv| mv.to_string()).unwrap_or_default();
        let [value, low, high] = text.map(|number| number.map(shown).unwrap_or_default());
        self.writer.write_record([
            figure,
            subject.manager,
            &control,
            &mv,
            &value,
            &low,
            &high,
            &count.to_string(),
        ])
    }
}

/// To four digits; a value that rounds to 0 has no sign.
fn shown(number: f64) -> String {
    format!("{:.4}", (1e4 * number).round() / 1e4 + 0.0)
}

/// An end that bounds something.
fn finite(end: f64) -> Option<f64> {
    end.is_finite().then_some(end)
}

#[cfg(test)]
mod tests {
    use super::super::sample_games::{meeting, report, reported_move, unreported_move};
    use super::*;
    use threefold_echo::timeman::TimeManager;
    use threefold_stats::GameResult::{Draw, Loss, Win};

    fn lines(format: ReportFormat, report: &Report) -> Vec<String> {
        let text = String::from_utf8((format.render)(report).expect("renders")).expect("UTF-8");
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn each_figure_is_a_row() {
        let text = [
            reported_move(1000, 1500, 4000, 1000, SearchEnd::Budget),
            reported_move(1000, 500, 4000, 0, SearchEnd::Settled),
        ];
        let results = [[Win, Draw], [Win, Loss]];
        let run = report(vec![meeting(
            TimeManager::Smooth,
            "8+1",
            &results,
            [&text, &[unreported_move(2000), unreported_move(3000)]],
        )]);
        let printed = lines(PRINTED, &run);
        let expected = [
            "figure,manager,control,move,value,low,high,count",
            "clock used by the end of the game,Smooth,8+1,,0.2000,0.2000,0.2000,4",
            "clock used by the end of the game,Classic,8+1,,0.5000,0.5000,0.5000,4",
            "variation of trees,Smooth,8+1,,0.0000,0.0000,0.0000,4",
            "games lost on time,Smooth,8+1,,0.0000,,,4",
            "seconds beyond the budget at most,Smooth,8+1,,0.5000,,,8",
            "searches that ended by settled,Smooth,8+1,,0.5000,,,4",
        ];
        for line in expected {
            assert!(printed.iter().any(|printed| printed == line), "{line} in {printed:#?}");
        }
        assert!(printed.iter().any(|line| line.starts_with("logistic Elo over Classic,Smooth,all,,")));
        // Classic reports no time plan here, so it has no such line.
        let classic = |line: &&String| line.contains(",Classic,");
        assert!(
            !printed.iter().filter(classic).any(|line| line.contains("trees") || line.contains("budget"))
        );
        let whole = lines(FORMAT, &run);
        assert!(whole.len() > printed.len() && whole[..printed.len()] == printed[..]);
        assert!(whole.contains(&"thousand nodes,Smooth,8+1,2,4.0000,,,4".to_owned()), "{whole:#?}");
    }
}
