//! The sections of `summary.md` below the answer, which a click opens, the most useful first.

use super::tables::{CELL, ROWS, cell, code_cell, long_table, opening, standings};
use super::text::{clipped, code, plain, table};
use super::{answer, tournament};
use crate::format;
use crate::formats::block;
use crate::model::cross_table::CrossTable;
use crate::model::families::OpeningFamilies;
use crate::model::figures::{PAIR_CLASSES, Row};
use crate::model::multiple_comparisons::MultipleComparisons;
use crate::model::p_adjust::{self, COLUMNS};
use crate::model::paired_comparison::Wording;
use crate::model::report::{
    Baseline, Difference, Duel, MatchPart, MatchResult, PairedComparison, Rated, Report, TournamentRounds,
};
use crate::model::shadow::ShadowRow;
use crate::model::signature;
use crate::model::solved_nodes::{self, SolvedNodes};
use crate::model::time_losses;
use crate::model::tuning::TunedParameter;
use crate::words::build_list;
use threefold_run::regress::FigureComparison;

/// A section.
pub(super) struct Section {
    /// Its title, as plain text.
    pub(super) title: String,
    /// Its blocks, in Markdown.
    pub(super) blocks: Vec<String>,
}

/// The sections of a run.
pub(super) fn sections(report: &Report) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut add = |title: String, blocks: Vec<String>| {
        if !blocks.is_empty() {
            sections.push(Section { title, blocks });
        }
    };
    add("Engine faults".to_owned(), faults(report));
    add("Warnings about engine output".to_owned(), warnings(report));
    add(
        "Cases that changed since the baseline".to_owned(),
        differing(report.comparisons(), &Wording::BASELINE),
    );
    add("Lost cases that do not count".to_owned(), not_counted(report));
    for (part, tournament) in tournament::all(report) {
        let cross_table = CrossTable::new(&tournament, &part.standings);
        add(
            format!("Cross table of {}", part.name),
            cross_table.iter().map(tournament::cross_table).collect(),
        );
    }
    let swiss = report.tournament.as_ref().and_then(TournamentRounds::swiss);
    for part in &report.matches {
        let rows = ShadowRow::from_match(part);
        let table =
            || table(&ShadowRow::COLUMNS, rows.iter().map(|row| row.cells().map(|it| cell(&it)).to_vec()));
        let blocks = (!rows.is_empty()).then(table).into_iter().collect();
        add(format!("What adjudication would have changed in {}", part.name), blocks);
    }
    add("Figures of the matches".to_owned(), {
        // A Swiss tournament has the results of its encounters in one table.
        let others = report.matches.iter().filter(|_| swiss.is_none());
        let others = others.filter(|part| !tournament::is_in_the_answer(report, part));
        others.flat_map(figures).collect()
    });
    let rivalries = report.rivalries();
    add(
        "The same cases, another engine".to_owned(),
        [differing(&rivalries, &Wording::RIVAL), nodes_to_solutions(&rivalries)].concat(),
    );
    add("How to reproduce".to_owned(), reproduction(report));
    if let Some(swiss) = swiss {
        add("Pairings".to_owned(), tournament::swiss_pairings(swiss, &report.matches));
    }
    for (part, tournament) in tournament::all(report) {
        add(format!("Pairings of {}", part.name), vec![tournament::pairings(&tournament)]);
    }
    add("All suites".to_owned(), suites(report));
    add("Tests over all suites".to_owned(), together(report));
    add("Figures that differ from the baseline".to_owned(), changed_figures(report));
    add("Environment".to_owned(), environment(report));
    sections
}

fn suites(report: &Report) -> Vec<String> {
    if report.suites.is_empty() {
        return Vec::new();
    }
    let header = ["suite", "engine", "result", "rate (95 %)", "limits", "thresholds"];
    let columns = header.len() - usize::from(!answer::have_thresholds(&report.suites));
    let rows = report.suites.iter().map(|part| {
        let (title, engine, limits) = (cell(&part.title), cell(&part.engine), cell(&part.limits));
        let rate = format::share(part.rate());
        let cells = [title, engine, part.tally(), rate, limits, answer::thresholds(part)];
        cells.into_iter().take(columns).collect()
    });
    let mut blocks = vec![long_table(&header[..columns], rows, ROWS)];
    for (part, reading) in report.signatures() {
        blocks.push(cell(&signature::describe(part, reading)));
    }
    blocks
}

/// The lost cases of search suites that do not count against the run.
fn not_counted(report: &Report) -> Vec<String> {
    let rows = report.not_counted.iter();
    let rows: Vec<Vec<String>> =
        rows.map(|(name, loss)| vec![cell(&name.suite), code_cell(&name.id), loss.to_string()]).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let why = "Any patch changes a little how far a search sees, and a race fails a dialogue now and then. These cases were asked again:";
    vec![why.to_owned(), long_table(&["suite", "case", "asked again"], rows, ROWS)]
}

/// The cases that only one side passes, over all suites.
fn differing(comparisons: &[PairedComparison], wording: &Wording) -> Vec<String> {
    let lost: fn(&PairedComparison) -> &[Difference] = |comparison| &comparison.lost;
    let gained: fn(&PairedComparison) -> &[Difference] = |comparison| &comparison.gained;
    let [ours, theirs] = wording.sides;
    let mut blocks = Vec::new();
    for (cases, label) in [(lost, wording.lost), (gained, wording.gained)] {
        let differences = comparisons.iter().flat_map(|it| cases(it).iter().map(move |case| (it, case)));
        let rows: Vec<Vec<String>> = differences.map(difference).collect();
        if !rows.is_empty() {
            blocks.push(format!("{label}:"));
            blocks.push(long_table(&["suite", "case", "class", ours, theirs], rows, ROWS));
        }
    }
    blocks
}

fn difference((comparison, case): (&PairedComparison, &Difference)) -> Vec<String> {
    let id = code_cell(&case.id);
    vec![cell(&comparison.suite), id, cell(&case.class), cell(&case.ours), cell(&case.theirs)]
}

fn faults(report: &Report) -> Vec<String> {
    let groups = report.fault_groups();
    if groups.is_empty() {
        return Vec::new();
    }
    let rows = groups.iter().map(|fault| {
        [&fault.engine, &fault.part, &fault.occurrences(), &fault.what].map(|text| cell(text)).to_vec()
    });
    let mut blocks: Vec<String> = time_losses::summary(&report.matches).into_iter().collect();
    blocks.push(long_table(&["engine", "part", "place", "fault"], rows, ROWS));
    blocks.push("`faults.txt` has the UCI traffic before each fault.".to_owned());
    blocks
}

fn warnings(report: &Report) -> Vec<String> {
    let groups = report.warnings();
    let rows = groups.iter().map(|group| {
        let first = format!("game {}: {}", group.first_game, group.detail);
        let texts = [&group.engine, &group.part, group.rule.name(), &group.occurrences(), &first];
        texts.map(cell).to_vec()
    });
    let table = || long_table(&["engine", "part", "rule", "how often", "first"], rows, ROWS);
    (!groups.is_empty()).then(table).into_iter().collect()
}

/// The figures of a match.
fn figures(part: &MatchPart) -> Vec<String> {
    let mut blocks = vec![format!("**{}**", cell(&part.name)), opening(part)];
    blocks.extend(block::block(part));
    match &part.result {
        MatchResult::Table => blocks.extend(tournament::ratings(part, ROWS)),
        MatchResult::Ratings(Err(_)) => blocks.push(standings(&part.standings, ROWS)),
        MatchResult::Duel(duel) => {
            blocks.push(rows(&cell(&duel.point_of_view()), duel.estimates()));
            blocks.extend(games(duel));
        }
        MatchResult::Test(test) => {
            blocks.push(format!("{}: {}.", test.rule.kind().title, plain(&test.question())));
            blocks.push(rows(&cell(&test.duel.point_of_view()), test.estimates()));
            blocks.extend(games(&test.duel));
            blocks.push(test.caveat());
        }
        MatchResult::Ratings(Ok(ratings)) => blocks.push(rating_list(ratings)),
        MatchResult::Tuning(tuning) => {
            let rows = tuning.rows().into_iter().map(|row| row.iter().map(|text| cell(text)).collect());
            blocks.push(long_table(&TunedParameter::COLUMNS, rows, ROWS));
        }
    }
    blocks.extend(part.coupling_note());
    blocks.extend(part.families.iter().filter_map(OpeningFamilies::note));
    blocks.extend(part.stretches.iter().filter(|it| it.is_suspicious()).map(|it| plain(&it.describe())));
    blocks
}

/// The results of the pairs, and figures of the games and openings.
fn games(duel: &Duel) -> Vec<String> {
    let counts = vec![duel.sheet.pairs().counts.map(|count| count.to_string()).to_vec()];
    vec![
        format!("Game pairs by result, from {}'s side:", cell(&duel.ours)),
        table(&PAIR_CLASSES, counts),
        rows("games and openings", duel.character()),
    ]
}

fn rows(heading: &str, rows: Vec<Row>) -> String {
    table(&[heading, "value"], rows.into_iter().map(|row| row.map(|text| cell(&text)).to_vec()))
}

fn rating_list(ratings: &[Rated]) -> String {
    let rows = ratings.iter().map(|rated| {
        vec![
            cell(&rated.name),
            format::rating(rated.elo, rated.error),
            format::points(rated.points),
            rated.games.to_string(),
        ]
    });
    long_table(&["engine", "Elo (95 %)", "points", "games"], rows, ROWS)
}

/// Adjusted p-values of several suites, and the false discovery rate of several tests.
fn together(report: &Report) -> Vec<String> {
    let mut blocks = Vec::new();
    let comparisons = report.comparisons();
    let differ = comparisons.iter().any(|comparison| comparison.discordant().cases() > 0);
    if comparisons.len() > 1 && differ {
        let adjusted = p_adjust::adjust(comparisons);
        let rows = adjusted.iter().map(|it| p_adjust::cells(it).map(|text| cell(&text)).to_vec());
        blocks.push(long_table(&COLUMNS, rows, ROWS));
        blocks.push(plain(&p_adjust::describe(&adjusted)));
    }
    blocks.extend(nodes_to_solutions(comparisons));
    blocks.extend(MultipleComparisons::from_report(report).map(|combined| plain(&combined.describe())));
    blocks
}

/// The nodes that two engines take to the solutions, as a table and in a sentence.
fn nodes_to_solutions(comparisons: &[PairedComparison]) -> Vec<String> {
    let suites = SolvedNodes::all(comparisons);
    let Some(said) = solved_nodes::describe(&suites) else { return Vec::new() };
    let rows = suites.iter().map(|it| it.cells().map(|text| cell(&text)).to_vec());
    vec![long_table(&solved_nodes::COLUMNS, rows, ROWS), plain(&said)]
}

/// The figures of tests and calibrations that differ from the baseline's, where both played as many games.
fn changed_figures(report: &Report) -> Vec<String> {
    let Baseline::Compared { figures, .. } = &report.baseline else { return Vec::new() };
    let changed = |figure: &&FigureComparison| figure.was != figure.now;
    let rows: Vec<Vec<String>> = figures
        .iter()
        .filter(changed)
        .map(|figure| {
            vec![cell(&figure.name.to_string()), format::figure(figure.was), format::figure(figure.now)]
        })
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    vec![long_table(&["figure", "baseline", "this run"], rows, ROWS)]
}

fn reproduction(report: &Report) -> Vec<String> {
    let mut blocks = Vec::new();
    if !report.command.is_empty() {
        blocks.push(format!("{}, seed {}.", code(&clipped(&report.command, 4 * CELL)), report.seed));
    }
    if !report.engines.is_empty() {
        let rows = report.engines.iter().map(|entrant| {
            let builds = build_list::builds(&entrant.builds);
            vec![cell(&entrant.name), code_cell(&entrant.spec), cell(&builds)]
        });
        blocks.push(long_table(&["engine", "SPEC", "build"], rows, ROWS));
    }
    if !report.machine.is_empty() {
        blocks.push(format!("Run on {}.", cell(&report.machine)));
    }
    blocks
}

/// The environment of the run, and that of the baseline.
fn environment(report: &Report) -> Vec<String> {
    let rows = report.environment.rows();
    if rows.is_empty() {
        return Vec::new();
    }
    let rows = rows.into_iter().map(|row| row.iter().map(|text| cell(text)).collect());
    vec![table(report.environment.columns(), rows)]
}
