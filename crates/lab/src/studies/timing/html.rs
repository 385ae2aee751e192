//! The study as an HTML page.

use maud::{Markup, html};

use super::advice::{self, ManagerResult};
use super::figures::Figures;
use super::plots::{HALF, figure, series};
use super::{Study, Trial, UnderControl, courses, sequential};
use threefold_chess::clock::SearchEnd;
use threefold_echo::timeman::TimeManager;
use threefold_report::formats::html::{document, table};
use threefold_report::formats::svg::{self, Means};
use threefold_report::model::report::Duel;
use threefold_report::{ReportFormat, format};
use threefold_stats::Estimate;

pub(super) const FORMAT: ReportFormat = ReportFormat {
    name: "time-html",
    file: "time-study.html",
    summary: "use of the clock and Elo of each time manager, on one page",
    stream: None,
    render: |report| Ok(document(&report.title, &page(&Study::new(report))).into_bytes()),
};

fn page(study: &Study<'_>) -> Markup {
    let report = study.report;
    html! {
        h1 { (report.title) }
        (recommended(study))
        (strength(study))
        p {
            "Every time manager plays " (Trial::BASE) " in game pairs from the same openings. In addition to the score, the "
            "study measures two goals of Lc0's smooth manager: the whole clock is used at the end of the game, and the "
            "search trees of all moves, including reused nodes, have the same size."
        }
        @for at in &study.controls { (control(at)) }
        (managers())
        @if !report.command.is_empty() { h2 { "How to reproduce" } p { code { (report.command) } } }
    }
}

fn recommended(study: &Study<'_>) -> Markup {
    let Some(advice) = study.advice() else { return html! { p { "No pair of games is complete." } } };
    let unfinished = study.report.unfinished();
    html! {
        div class=(if unfinished.is_empty() { "verdict accepted" } else { "verdict unfinished" }) {
            strong { "Recommended: TimeManager=" (advice.manager) }
            @if !unfinished.is_empty() { p { "Preliminary: not all games are played." } }
            ul { @for reason in &advice.reasons { li { (reason) } } }
        }
    }
}

/// The Elo of each manager, under each control and over all.
fn strength(study: &Study<'_>) -> Markup {
    let results = study.manager_results();
    let plotted: Vec<_> = results.iter().flat_map(|result| strengths(study, result)).collect();
    let rows_of: Vec<(&str, usize, Estimate<f64>)> =
        plotted.iter().map(|(label, series, elo)| (label.as_str(), *series, *elo)).collect();
    let plot = Means {
        text: "Elo against Classic",
        unit: "logistic Elo against Classic, 95 % interval",
        reach: [-10.0, 10.0],
        width: 2.0 * HALF,
        left: 210.0,
    };
    let elo = |duel: &Duel| duel.fixed.map_or_else(String::new, |fixed| format::logistic(fixed.logistic));
    let mut columns = vec!["against Classic".to_owned()];
    columns.extend(study.controls.iter().map(|at| format!("Elo at {}", at.control)));
    columns.extend(["all pairs", "Elo, all pairs", "p of no better"].map(str::to_owned));
    let rows = results.iter().map(|result| {
        let at_controls = study.controls.iter().map(|at| {
            at.meeting(result.manager).map_or_else(|| "not played".to_owned(), |meeting| elo(meeting.duel))
        });
        let pooled = [
            format::grouped(result.duel.sheet.pairs().trials()),
            elo(&result.duel),
            format::bare_p(result.p),
        ];
        std::iter::once(result.manager.to_string()).chain(at_controls).chain(pooled).collect()
    });
    html! {
        h2 { "Strength" }
        p {
            "Logistic Elo against " (Trial::BASE) " with fixed-N 95 % intervals. p is the p-value of the score over all "
            "pairs (one-sided: no better than Classic), after Holm's correction for the number of managers. A manager is "
            "called better if p is at most " (format::percent(advice::ALPHA)) ". It is called weaker under a control if "
            "the one-sided p of that score is at most " (format::percent(advice::ALPHA)) ", after Holm's correction for "
            "the number of managers and controls."
        }
        @if !rows_of.is_empty() { (svg::means(&plot, &rows_of)) }
        (table("Elo against Classic", &columns, rows))
    }
}

/// A manager's rows of the plot: under each control, and over all if there are several.
fn strengths(study: &Study<'_>, result: &ManagerResult) -> Vec<(String, usize, Estimate<f64>)> {
    let row = |scope: String, duel: &Duel| {
        let Estimate { low, value, high } = duel.fixed?.logistic;
        let elo = Estimate { low: low.0, value: value.0, high: high.0 };
        Some((format!("{}, {scope}", result.manager), series(result.manager), elo))
    };
    let at_controls = study.controls.iter().filter_map(|at| {
        let meeting = at.meeting(result.manager)?;
        row(at.control.to_string(), meeting.duel)
    });
    let all = row("all".to_owned(), &result.duel).filter(|_| study.controls.len() > 1);
    at_controls.chain(all).collect()
}

fn control(at: &UnderControl<'_>) -> Markup {
    html! {
        h2 { "At " (at.control) }
        p { "Limits: " (at.terms) "." }
        (tests(at))
        (aims(at))
        (courses::plots(at))
        (ends(at))
    }
}

/// The matches, each with a sequential test.
fn tests(at: &UnderControl<'_>) -> Markup {
    let columns =
        ["against Classic", "games", "won, drawn, lost", "Elo, fixed-N 95 %", "Elo, anytime 95 %", "SPRT"];
    let rows = at.meetings.iter().map(|meeting| {
        let games = meeting.duel.sheet.games();
        let [lost, drawn, won] = games.counts.map(format::grouped);
        vec![
            meeting.manager.to_string(),
            format::grouped(games.trials()),
            format!("{won}, {drawn}, {lost}"),
            meeting.duel.fixed.map_or_else(String::new, |fixed| format::logistic(fixed.logistic)),
            format::range(meeting.duel.anytime),
            meeting.test.describe(),
        ]
    });
    let paths: Vec<(&str, usize, &[f64])> = at
        .meetings
        .iter()
        .map(|meeting| (meeting.manager.name(), series(meeting.manager), meeting.test.path.as_slice()))
        .collect();
    html! {
        h3 { "Sequential tests against Classic" }
        p {
            "SPRT " (sequential::question()) ". All games are played, so the fixed-N interval is valid. The last column shows "
            "where the test would have stopped."
        }
        (table("Matches against Classic", &columns, rows))
        @if paths.iter().any(|(_, _, path)| !path.is_empty()) {
            (svg::ratios(&paths, sequential::bounds()))
            (svg::legend(paths.iter().map(|&(name, series, _)| (series, name))))
        }
    }
}

/// Both goals, as plots and a table.
fn aims(at: &UnderControl<'_>) -> Markup {
    let known = |of: fn(&Figures) -> Option<Estimate<f64>>, unit: f64| -> Vec<(&str, usize, Estimate<f64>)> {
        let of_manager = |it: &Figures| {
            let Estimate { low, value, high } = of(it)?;
            let scaled = Estimate { low: unit * low, value: unit * value, high: unit * high };
            Some((it.manager.name(), series(it.manager), scaled))
        };
        at.figures.iter().filter_map(of_manager).collect()
    };
    let by_the_end = known(|it| it.used, 100.0);
    let by_periods = known(|it| it.used_of_periods, 100.0);
    let uneven = known(|it| it.unevenness, 1.0);
    let periods = !by_periods.is_empty();
    let shares = Means {
        text: "Share of the clock used",
        unit: "per cent used, 95 % interval",
        reach: [100.0, 100.0],
        width: HALF,
        left: NAMES,
    };
    let spread = Means {
        text: "Variation of the trees",
        unit: "coefficient of variation, 95 % interval",
        reach: [0.0, 0.0],
        width: if periods { 2.0 * HALF } else { HALF },
        left: NAMES,
    };
    let columns = ["manager", "games", "time losses", "clock used"];
    let columns = columns.into_iter().chain(periods.then_some("used at period end"));
    let columns: Vec<String> =
        columns.chain(["tree variation", "over budget", "over limit"]).map(str::to_owned).collect();
    html! {
        h3 { "The two goals" }
        div class="plots" {
            (figure("Share of the clock used at the end of the game (goal: 100 %)", &svg::means(&shares, &by_the_end)))
            @if periods {
                (figure("Share used at the end of the last whole period", &svg::means(&shares, &by_periods)))
            }
            // The last of three plots has its own row.
            @if !uneven.is_empty() {
                (figure("Variation of tree sizes in a game (goal: 0)", &svg::means(&spread, &uneven)))
            }
        }
        div class="together" { (table("Use of the clock and of the trees", &columns, at.figures.iter().map(|it| aim_row(it, periods)))) }
        p class="faint" {
            "Means over games. The intervals use pairs, because the two games of an opening are not independent. The last "
            "increment is not counted, because it can't be used. A game lost on time has used all of its time. Forced moves "
            "and moves with a proven result are not counted for the variation. Over budget and over limit: the largest "
            "excess of a search over its budget and over its hard limit."
        }
    }
}

fn aim_row(figures: &Figures, periods: bool) -> Vec<String> {
    let Figures { manager, games, flags, used, used_of_periods, unevenness, overruns, .. } = figures;
    let share = |share: &Option<Estimate<f64>>| share.map_or_else(|| "none".to_owned(), format::mean_share);
    let over = |which: usize| {
        overruns.map_or_else(|| "unknown".to_owned(), |overruns| format::duration(overruns[which]))
    };
    let first = [manager.to_string(), format::grouped(*games as u64), flags.to_string(), share(used)];
    let last = [unevenness.map_or_else(|| "unknown".to_owned(), format::mean), over(0), over(1)];
    first.into_iter().chain(periods.then(|| share(used_of_periods))).chain(last).collect()
}

/// How searches ended.
fn ends(at: &UnderControl<'_>) -> Markup {
    let text: Vec<&Figures> = at.figures.iter().filter(|figures| figures.searches() > 0).collect();
    let share = |figures: &Figures, end| format::percent(figures.share_ended(end));
    // A word that does not fit is omitted.
    let word = |figures: &Figures, end: SearchEnd| {
        if figures.share_ended(end) < ROOM { "" } else { end.name() }
    };
    let columns: Vec<String> = ["manager", "searches"]
        .into_iter()
        .chain(SearchEnd::ALL.iter().map(|end| end.name()))
        .map(str::to_owned)
        .collect();
    let rows = text.iter().map(|figures| {
        let ends = SearchEnd::ALL.iter().map(|&end| share(figures, end));
        let first = [figures.manager.to_string(), format::grouped(figures.searches() as u64)];
        first.into_iter().chain(ends).collect()
    });
    html! {
        @if !text.is_empty() {
            h3 { "Reasons for the end of searches" }
            @for figures in &text {
                div class="shares" {
                    b { (figures.manager) }
                    div class="bar" {
                        @for (index, &end) in SearchEnd::ALL.iter().enumerate() {
                            @if figures.ended(end) > 0 {
                                span class=(format!("end-{index}")) style=(format!("flex: {}", figures.ended(end)))
                                    title=(format!("{end}: {}", share(figures, end))) { (word(figures, end)) }
                            }
                        }
                    }
                }
            }
            (table("Reasons for the end of searches", &columns, rows))
            ul class="faint" { @for end in SearchEnd::ALL { li { b { (end) } ": " (end.summary().replace('`', "")) } } }
        }
    }
}

/// Descriptions of the managers.
fn managers() -> Markup {
    html! {
        h2 { "The managers" }
        ul { @for manager in TimeManager::ALL { li { code { "TimeManager=" (manager) } ": " (manager.summary()) } } }
    }
}

/// The share of a bar that a word takes.
const ROOM: f64 = 0.07;

/// Pixels for the names of managers.
const NAMES: f64 = 130.0;

#[cfg(test)]
mod tests {
    use super::super::sample_games::{meeting, report, reported_move, unreported_move};
    use super::*;
    use threefold_chess::clock::SearchEnd::{Budget, Settled};
    use threefold_report::Report;
    use threefold_stats::GameResult::{Draw, Loss, Win};

    fn rendered(report: &Report) -> String {
        String::from_utf8((FORMAT.render)(report).expect("renders")).expect("UTF-8")
    }

    #[test]
    fn page_shows_the_available_data() {
        let moves =
            [reported_move(1000, 1500, 4000, 1000, Budget), reported_move(1000, 500, 4000, 0, Settled)];
        let silent = [unreported_move(2000), unreported_move(3000)];
        let results = [[Win, Draw], [Win, Loss]];
        let whole = report(vec![
            meeting(TimeManager::Smooth, "8+1", &results, [&moves, &moves]),
            meeting(TimeManager::Fixed, "2/8", &results, [&moves, &silent]),
        ]);
        let table = [
            // the run, what the page says, what it doesn't
            (
                whole,
                vec!["At 8+1", "At 2/8", "the end of the last whole period", "unknown", "not played"],
                "No pair",
            ),
            (report(vec![]), vec!["No pair of games is complete", "The managers"], "Recommended"),
            (
                report(vec![meeting(TimeManager::Smooth, "8+1", &results, [&silent, &silent])]),
                vec!["Recommended: TimeManager=Classic", "seconds left"],
                "Reasons for the end of searches",
            ),
        ];
        for (run, said, unsaid) in table {
            let page = rendered(&run);
            for said in said {
                assert!(page.contains(said), "{said}");
            }
            assert!(!page.contains(unsaid), "{unsaid}");
            for outside in ["http:", "https:", "src=", "<script", "NaN", "inf"] {
                assert!(!page.contains(outside), "{outside} in {page}");
            }
        }
    }
}
