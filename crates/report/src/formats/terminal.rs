//! The summary for a terminal: the headline, a line for each suite, the result of each match, and the reasons
//! why the run is not accepted. The files hold everything else.

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{ContentArrangement, LineStyle, Table};

use crate::model::counts;
use crate::model::families::OpeningFamilies;
use crate::model::figures::Row;
use crate::model::homogeneity::Grouping;
use crate::model::knockout::NOTE;
use crate::model::multiple_comparisons::MultipleComparisons;
use crate::model::node_curve;
use crate::model::p_adjust;
use crate::model::report::{
    Duel, Knockout, MatchPart, MatchResult, PairedComparison, Report, Standing, SuitePart, Swiss,
    TournamentRounds,
};
use crate::model::shadow::ShadowRow;
use crate::model::signature;
use crate::model::solved_nodes::{self, SolvedNodes};
use crate::model::swiss_standings::RatedSwiss;
use crate::model::take_table::Take;
use crate::model::time_losses;
use crate::model::tournament::{Pairing, Tournament, TournamentRating, rating_note};
use crate::model::tuned_values::set_options;
use crate::model::tuning::TunedParameter;
use crate::{ReportFormat, format};
use threefold_suites::Cause;

/// The table's line: what a command prints when its run is over.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "terminal",
    file: "summary.txt",
    summary: "the summary as plain text",
    stream: None,
    render: |report| Ok(terminal_text(report).into_bytes()),
};

fn terminal_text(report: &Report) -> String {
    // The verdict comes after the warnings, so that they do not hide it.
    let mut blocks: Vec<String> = warnings(report).into_iter().collect();
    let headline = format!("{}: {}", report.title, report.headline());
    let answer = std::iter::once(headline).chain(report.environment.describe());
    blocks.push(answer.map(|line| format::visible(&line)).collect::<Vec<_>>().join("\n"));
    if !report.suites.is_empty() {
        blocks.push(suites(&report.suites));
    }
    blocks.extend(report.benches.iter().map(|bench| bench.describe(&report.environment)));
    blocks.extend(counted(&report.suites));
    blocks.extend(report.signatures().map(|(part, reading)| signature::describe(part, reading)));
    blocks.extend(skips(&report.suites));
    blocks.extend(report.tournament.as_ref().map(|tournament| match tournament {
        TournamentRounds::Knockout(bracket) => knockout(bracket),
        TournamentRounds::Swiss(rounds) => swiss(rounds, &report.matches),
    }));
    let takes: Vec<_> = report.take_list().iter().map(|take| take.row().to_vec()).collect();
    blocks.extend((!takes.is_empty()).then(|| table(&Take::COLUMNS, takes)));
    // A tournament and several takes have the results of their matches.
    let has_own = report.tournament.is_some() || report.takes.is_some();
    blocks.extend(report.matches.iter().filter(|_| !has_own).map(|part| {
        let asides = part
            .stretches
            .iter()
            .map(Grouping::describe)
            .chain(part.coupling_note())
            .chain(part.families.iter().filter_map(OpeningFamilies::note))
            .chain(part.curve.iter().flat_map(node_curve::describe));
        std::iter::once(game_part(part)).chain(asides).collect::<Vec<_>>().join("\n")
    }));
    blocks.extend(report.matches.iter().filter_map(shadow));
    blocks.extend(MultipleComparisons::from_report(report).map(|combined| combined.describe()));
    blocks.extend(comparisons(report.comparisons()));
    blocks.extend(comparisons(&report.rivalries()));
    blocks.extend(not_counted(report));
    let failure_reasons = report.failure_reasons.iter().map(|reason| {
        format!("! {} in {}: {}", reason.kind, format::visible(&reason.part), format::visible(&reason.what))
    });
    blocks.extend(failure_reasons);
    let faults = report.fault_groups();
    if !faults.is_empty() {
        let text = faults.iter().map(|fault| format::visible(&format!("{}: {fault}", fault.part)));
        let lines: Vec<String> =
            text.chain(time_losses::summary(&report.matches)).map(|line| format!("  {line}")).collect();
        blocks.push(format!("Engine faults:\n{}", lines.join("\n")));
    }
    format!("\n{}\n", blocks.join("\n\n"))
}

/// The most lines about warnings, with the heading.
const WARNING_LINES: usize = 5;

/// The most frequent warnings, a line each, and how many more there are.
fn warnings(report: &Report) -> Option<String> {
    let mut groups = report.warnings();
    if groups.is_empty() {
        return None;
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    // If not all have room, the heading and the count of the others take two of the lines.
    let most = if groups.len() < WARNING_LINES { groups.len() } else { WARNING_LINES - 2 };
    let mut lines = vec!["Warnings about engine output:".to_owned()];
    lines.extend(groups[..most].iter().map(|group| format!("  {}", format::visible(&group.in_short()))));
    let more = groups.len() - most;
    if more > 0 {
        let kinds = format::count(more, "more kind");
        lines.push(format!("  and {kinds}; the reports have them all, with positions"));
    }
    Some(lines.join("\n"))
}

/// The bracket of a knockout tournament.
fn knockout(tournament: &Knockout) -> String {
    let rows = tournament.rows().into_iter().map(|row| row.to_vec());
    format!("{}\n{NOTE}", table(&Knockout::COLUMNS, rows))
}

/// The standings and the cross table of a Swiss tournament.
fn swiss(tournament: &Swiss, encounters: &[MatchPart]) -> String {
    let rated = RatedSwiss::new(tournament, encounters);
    let standings = rated.rows().into_iter().map(|row| row.to_vec());
    let heads = tournament.cross_table_heads();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    format!(
        "{}\n{}\n\n{}\n{}",
        table(&RatedSwiss::COLUMNS, standings),
        rated.note(),
        table(&heads, tournament.cross_table()),
        tournament.results_note()
    )
}

/// What adjudication would have changed.
fn shadow(part: &MatchPart) -> Option<String> {
    let rows: Vec<Vec<String>> = ShadowRow::from_match(part).iter().map(|row| row.cells().to_vec()).collect();
    let heading = format!("{}: what adjudication would have changed", format::visible(&part.name));
    (!rows.is_empty()).then(|| format!("{heading}\n{}", table(&ShadowRow::COLUMNS, rows)))
}

/// Counts of each suite, such as found mates.
fn counted(suites: &[SuitePart]) -> Option<String> {
    let lines = suites.iter().filter_map(|suite| {
        let text = counts::describe(suite)?;
        Some(format!("  {}", format::visible(&format!("{}: {text}", suite.name))))
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| format!("Counted:\n{}", lines.join("\n")))
}

/// Why cases were skipped: one line for each suite and cause.
fn skips(suites: &[SuitePart]) -> Option<String> {
    // The signature already lists the cases that say nothing about a policy.
    let lines: Vec<String> = suites
        .iter()
        .filter(|suite| suite.signature.is_none())
        .flat_map(|suite| {
            suite.skip_causes().into_iter().map(|(cause, lacking, cases)| {
                let reason = Cause::Skipped(cause).with_detail(lacking);
                let said = format!("{}: {}: {reason}", suite.name, format::count(cases, "case"));
                format!("  {}", format::visible(&said))
            })
        })
        .collect();
    (!lines.is_empty()).then(|| format!("Skipped:\n{}", lines.join("\n")))
}

/// The lost cases that do not count against the run.
fn not_counted(report: &Report) -> Option<String> {
    let lines: Vec<String> = report
        .not_counted
        .iter()
        .map(|(name, loss)| format!("  {}", format::visible(&format!("{}/{}: {loss}", name.suite, name.id))))
        .collect();
    (!lines.is_empty())
        .then(|| format!("Lost cases that do not count, asked again at other limits:\n{}", lines.join("\n")))
}

/// Differences between two engines, for each suite and for all suites together.
fn comparisons(comparisons: &[PairedComparison]) -> Vec<String> {
    let differing = comparisons.iter().filter(|comparison| comparison.discordant().cases() > 0);
    let mut blocks: Vec<String> = differing
        .map(|comparison| {
            let PairedComparison { suite, ours, theirs, .. } = comparison;
            format!(
                "{}: {}",
                format::visible(&format!("{suite}, {ours} against {theirs}")),
                comparison.describe()
            )
        })
        .collect();
    if comparisons.len() > 1 && !blocks.is_empty() {
        // The correction is for all suites that were compared, also those in which no case differs.
        blocks.push(p_adjust::describe(&p_adjust::adjust(comparisons)));
    }
    blocks.extend(solved_nodes::describe(&SolvedNodes::all(comparisons)));
    blocks
}

pub(crate) fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    // No wrapping: the text must be the same whatever the width of the terminal.
    let ruled = UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none());
    table.load_style(ruled).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().copied());
    table.add_rows(rows.into_iter().map(|row| row.into_iter().map(|cell| format::visible(&cell))));
    table.to_string()
}

/// A row for each suite. If only a baseline decides, no suite has thresholds, and there is no column for them.
fn suites(suites: &[SuitePart]) -> String {
    let header = ["suite", "engine", "limits", "result", "rate (95 %)", "thresholds"];
    let columns = header.len() - usize::from(suites.iter().all(|suite| suite.thresholds.is_empty()));
    let rows = suites.iter().map(|suite| {
        let missed = suite.thresholds.iter().filter(|threshold| threshold.missed_by().is_some()).count();
        let thresholds = match (suite.thresholds.len(), missed) {
            (0, _) => "not set",
            _ if suite.is_unchecked() => "not checked",
            (_, 0) => "met",
            _ => "missed",
        };
        let (title, engine, limits) = (suite.title.clone(), suite.engine.clone(), suite.limits.clone());
        let rate = format::share(suite.rate());
        let cells = [title, engine, limits, suite.tally(), rate, thresholds.to_owned()];
        cells.into_iter().take(columns).collect()
    });
    table(&header[..columns], rows)
}

fn game_part(part: &MatchPart) -> String {
    let heading = format!(
        "{}: {}{} at {}",
        format::visible(&part.name),
        format::count(part.games.len(), "game"),
        part.distinct_games().map(|distinct| format!(" ({distinct})")).unwrap_or_default(),
        part.terms
    );
    match &part.result {
        MatchResult::Table => format!("{heading}\n{}", tournament(part)),
        MatchResult::Duel(duel) => format!(
            "{heading}\n{}\n{}",
            standings(&part.standings),
            figures(duel, duel.estimates().into_iter().chain(duel.character()))
        ),
        MatchResult::Test(test) => format!(
            "{heading}\n{}\n{}\n{}",
            standings(&part.standings),
            figures(&test.duel, test.estimates().into_iter().chain(test.duel.character())),
            if test.not_decided().is_some() {
                test.conclusion()
            } else {
                format!("{}: {}", test.standing, test.conclusion())
            }
        ),
        MatchResult::Ratings(Ok(ratings)) => {
            let rows = ratings.iter().map(|rated| {
                vec![rated.name.clone(), format::rating(rated.elo, rated.error), rated.games.to_string()]
            });
            format!("{heading}\n{}", table(&["engine", "Elo (95 %)", "games"], rows))
        }
        MatchResult::Ratings(Err(why)) => format!("{heading}\nNo ratings: {why}."),
        MatchResult::Tuning(tuning) => {
            format!("{heading}\n{}\n{}", table(&TunedParameter::COLUMNS, tuning.rows()), set_options(tuning))
        }
    }
}

/// The ratings of all engines, then the result of each pairing.
fn tournament(part: &MatchPart) -> String {
    let Tournament { ratings, pairings } = Tournament::from_match(part);
    let ratings = match ratings {
        Ok(ratings) => rating_tables(&ratings),
        Err(why) => format!("{}\nNo ratings: {why}.", standings(&part.standings)),
    };
    let rows = pairings.iter().map(|pairing| pairing.row().to_vec());
    format!("{ratings}\n\n{}", table(&Pairing::COLUMNS, rows))
}

/// Ratings in logistic Elo. The groups have their own scales, so each has its own table.
fn rating_tables(ratings: &[TournamentRating]) -> String {
    let groups = ratings.chunk_by(|one, other| one.group == other.group);
    let tables =
        groups.map(|group| table(&TournamentRating::COLUMNS, group.iter().map(|it| it.row().to_vec())));
    let tables: Vec<String> = tables.collect();
    format!("{}\n{}", tables.join("\n"), rating_note(tables.len()))
}

fn standings(standings: &[Standing]) -> String {
    let rows = standings.iter().map(|standing| {
        vec![
            standing.name.clone(),
            format::points(standing.points()),
            standing.wins.to_string(),
            standing.draws.to_string(),
            standing.losses.to_string(),
        ]
    });
    table(&["engine", "points", "won", "drawn", "lost"], rows)
}

/// The figures of two engines' games, one per line.
fn figures(duel: &Duel, rows: impl Iterator<Item = Row>) -> String {
    let pairs = ["Ptnml(0-2)".to_owned(), duel.pentanomial()];
    let rows: Vec<Row> = rows.chain([pairs]).map(|row| row.map(|cell| format::visible(&cell))).collect();
    let width = rows.iter().map(|[name, _]| name.chars().count()).max().unwrap_or_default();
    let lines = rows.iter().map(|[name, text]| format!("  {name:width$}  {text}"));
    std::iter::once(format::visible(&duel.point_of_view())).chain(lines).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;
    use crate::model::report::ThresholdState;
    use threefold_games::warning::WarningRule;

    #[test]
    fn warnings_come_before_the_verdict_in_five_lines() {
        let mut report = fixture::report();
        let game = report.matches[0].games[0].clone();
        for (number, &rule) in WarningRule::ALL.iter().enumerate() {
            let mut game = game.clone();
            game.number = 10 + number;
            game.record.warnings[0].rule = rule;
            report.matches[0].games.push(game);
        }
        let text = terminal_text(&report);
        let [title, verdict] =
            ["Warnings about engine output:", "Regression run: "].map(|it| text.find(it).expect("is there"));
        assert!(title < verdict, "{text}");
        let before: Vec<&str> = text[..verdict].lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(before.len(), 5, "{before:#?}");
        assert!(before[4].starts_with("  and ") && !text.contains("moves f2f3"), "{before:#?}");
    }

    #[test]
    fn terminal_summary_has_every_figure() {
        insta::assert_snapshot!(terminal_text(&fixture::report()));
    }

    #[test]
    fn no_format_calls_an_unknown_threshold_met_or_missed() {
        let mut report = fixture::report();
        report.suites[0].thresholds.iter_mut().for_each(|it| it.state = ThresholdState::Unknown);
        for (name, said) in [
            ("junit", "the suite is not finished"),
            ("json", "\"checked\": false"),
            ("markdown", "| not checked |"),
            ("terminal", " not checked"),
        ] {
            let mut formats = crate::FORMATS.iter().chain([&FORMAT]);
            let format = formats.find(|format| format.name == name).expect(name);
            let text = String::from_utf8((format.render)(&report).expect("renders")).expect("UTF-8");
            assert!(text.contains(said), "{name}: {text}");
        }
    }
}
