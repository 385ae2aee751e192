//! The summary for a terminal: the headline, a line a suite, what each match came to, and what speaks against
//! the run. Everything else stands in the files.

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{ContentArrangement, LineStyle, Table};

use super::battery::Battery;
use super::figures::Row;
use super::homogeneity::Grouping;
use super::model::{Contrast, Duel, MatchPart, MatchResult, Report, Standing, SuitePart};
use super::{ReportFormat, counts, curve, family, flags, phrase, signature};
use threefold_harness::suite::Cause;

/// The table's line: what a command prints when its run is over.
pub(super) const FORMAT: ReportFormat = ReportFormat {
    name: "terminal",
    file: "summary.txt",
    summary: "the headline and a line for each part, for a terminal",
    render: |report| Ok(text(report).into_bytes()),
};

fn text(report: &Report) -> String {
    let mut blocks = vec![phrase::visible(&format!("{}: {}", report.title, report.headline()))];
    if !report.suites.is_empty() {
        blocks.push(suites(&report.suites));
    }
    blocks.extend(counted(&report.suites));
    blocks.extend(report.signatures().map(|(part, reading)| signature::told(part, reading)));
    blocks.extend(skips(&report.suites));
    blocks.extend(report.matches.iter().map(|part| {
        let asides = part.stretches.iter().map(Grouping::told).chain(part.curve.iter().flat_map(curve::told));
        std::iter::once(game_part(part)).chain(asides).collect::<Vec<_>>().join("\n")
    }));
    blocks.extend(Battery::of(report).map(|battery| battery.told()));
    blocks.extend(comparisons(report.contrasts()));
    blocks.extend(comparisons(&report.rivalries()));
    let complaints = report.complaints.iter().map(|complaint| {
        format!(
            "! {} in {}: {}",
            complaint.kind,
            phrase::visible(&complaint.part),
            phrase::visible(&complaint.what)
        )
    });
    blocks.extend(complaints);
    let faults = report.fault_groups();
    if !faults.is_empty() {
        let told = faults.iter().map(|fault| phrase::visible(&format!("{}: {fault}", fault.part)));
        let lines: Vec<String> =
            told.chain(flags::summary(&report.matches)).map(|line| format!("  {line}")).collect();
        blocks.push(format!("Engine faults:\n{}", lines.join("\n")));
    }
    format!("\n{}\n", blocks.join("\n\n"))
}

/// What kinds counted, a line for each suite.
fn counted(suites: &[SuitePart]) -> Option<String> {
    let lines = suites.iter().filter_map(|suite| {
        let told = counts::told(suite)?;
        Some(format!("  {}", phrase::visible(&format!("{}: {told}", suite.name))))
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then(|| format!("Counted:\n{}", lines.join("\n")))
}

/// Why cases were skipped, a line for each cause and suite, however many cases it takes out.
fn skips(suites: &[SuitePart]) -> Option<String> {
    // What tells nothing of a policy stands beside the signature.
    let lines: Vec<String> = suites
        .iter()
        .filter(|suite| suite.signature.is_none())
        .flat_map(|suite| {
            suite.skip_causes().into_iter().map(|(cause, lacking, cases)| {
                let reason = Cause::Skipped(cause).with_detail(lacking);
                let said = format!("{}: {}: {reason}", suite.name, phrase::count(cases, "case"));
                format!("  {}", phrase::visible(&said))
            })
        })
        .collect();
    (!lines.is_empty()).then(|| format!("Skipped:\n{}", lines.join("\n")))
}

/// What differs between two engines, suite by suite and for all suites together.
fn comparisons(contrasts: &[Contrast]) -> Vec<String> {
    let differing = contrasts.iter().filter(|contrast| contrast.discordant().cases() > 0);
    let mut blocks: Vec<String> = differing
        .map(|contrast| {
            let Contrast { suite, ours, theirs, .. } = contrast;
            format!("{}: {}", phrase::visible(&format!("{suite}, {ours} against {theirs}")), contrast.told())
        })
        .collect();
    if contrasts.len() > 1 && !blocks.is_empty() {
        blocks.push(family::told(&family::corrected(contrasts)));
    }
    blocks
}

pub(super) fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    let ruled = UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none());
    table.load_style(ruled).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().copied());
    table.add_rows(rows.into_iter().map(|row| row.into_iter().map(|cell| phrase::visible(&cell))));
    table.to_string()
}

fn suites(suites: &[SuitePart]) -> String {
    let rows = suites.iter().map(|suite| {
        let missed = suite.demands.iter().filter(|demand| demand.shortfall.is_some()).count();
        let thresholds = match (suite.demands.len(), missed) {
            (0, _) => "none",
            _ if suite.is_skipped() => "not judged",
            (_, 0) => "met",
            _ => "missed",
        };
        vec![
            suite.title.clone(),
            suite.engine.clone(),
            suite.limits.clone(),
            suite.tally(),
            phrase::share(suite.rate()),
            thresholds.to_owned(),
        ]
    });
    table(&["suite", "engine", "limits", "passed", "rate (95 %)", "thresholds"], rows)
}

fn game_part(part: &MatchPart) -> String {
    let heading = format!(
        "{}: {} at {}",
        phrase::visible(&part.name),
        phrase::count(part.games.len(), "game"),
        part.terms
    );
    match &part.result {
        MatchResult::Table => format!("{heading}\n{}", standings(&part.standings)),
        MatchResult::Duel(duel) => format!(
            "{heading}\n{}\n{}",
            standings(&part.standings),
            figures(duel, duel.estimates().into_iter().chain(duel.character()))
        ),
        MatchResult::Test(test) => format!(
            "{heading}\n{}\n{}\n{}: {}",
            standings(&part.standings),
            figures(&test.duel, test.estimates().into_iter().chain(test.duel.character())),
            test.standing,
            test.conclusion()
        ),
        MatchResult::Ratings(Ok(ratings)) => {
            let rows = ratings.iter().map(|rated| {
                vec![rated.name.clone(), phrase::rating(rated.elo, rated.error), rated.games.to_string()]
            });
            format!("{heading}\n{}", table(&["engine", "Elo (95 %)", "games"], rows))
        }
        MatchResult::Ratings(Err(why)) => format!("{heading}\nNo ratings: {why}."),
    }
}

fn standings(standings: &[Standing]) -> String {
    let rows = standings.iter().map(|standing| {
        vec![
            standing.name.clone(),
            phrase::points(standing.points()),
            standing.wins.to_string(),
            standing.draws.to_string(),
            standing.losses.to_string(),
        ]
    });
    table(&["engine", "points", "won", "drawn", "lost"], rows)
}

/// What two engines' games say, and how their pairs ended: a line a figure, names and figures in columns.
fn figures(duel: &Duel, rows: impl Iterator<Item = Row>) -> String {
    let pairs = [format!("pairs, from {}'s side", duel.ours), duel.classes()];
    let rows: Vec<Row> = rows.chain([pairs]).map(|row| row.map(|cell| phrase::visible(&cell))).collect();
    let width = rows.iter().map(|[name, _]| name.chars().count()).max().unwrap_or_default();
    let lines = rows.iter().map(|[name, told]| format!("  {name:width$}  {told}"));
    std::iter::once(phrase::visible(&duel.point_of_view())).chain(lines).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::specimen;
    use super::*;

    #[test]
    fn a_summary_names_every_figure() {
        insta::assert_snapshot!(text(&specimen::report()));
    }
}
