//! The cross table of a tournament: the score of each engine against each opponent.
//!
//! An engine whose only opponent has a column has none itself. So a gauntlet has a column for each
//! challenger, and a round robin one for each engine.

use crate::format;
use crate::model::report::Standing;
use crate::model::tournament::{Pairing, Tournament};

/// The scores of the engines of a tournament against each other.
pub(crate) struct CrossTable {
    /// The engines that have a column, each with its number among the rows, from 1.
    pub(crate) columns: Vec<(usize, String)>,
    /// The engines, highest rating first.
    pub(crate) rows: Vec<CrossTableRow>,
}

/// An engine's scores.
pub(crate) struct CrossTableRow {
    /// Its number, from 1.
    pub(crate) number: usize,
    pub(crate) name: String,
    /// Its points and games against the engine of each column: `5.5/10`; empty if they did not meet.
    pub(crate) scores: Vec<String>,
}

impl CrossTable {
    /// The cross table of a tournament with these engines. `None` without games.
    pub(crate) fn new(tournament: &Tournament, standings: &[Standing]) -> Option<Self> {
        let names = tournament.order(standings);
        let pairings = &tournament.pairings;
        let opponents =
            |name: &str| pairings.iter().filter_map(|it| it.opponent_of(name)).collect::<Vec<_>>();
        let has_column = |name: &&str| match opponents(name)[..] {
            [] => false,
            // Two engines that only met each other would have no column otherwise.
            [only] => opponents(only).len() == 1,
            _ => true,
        };
        let numbered = || names.iter().enumerate().map(|(index, name)| (index + 1, *name));
        let columns: Vec<(usize, &str)> = numbered().filter(|(_, name)| has_column(name)).collect();
        let rows = numbered().map(|(number, name)| {
            let score = |opponent: &str| {
                let pairing = pairings.iter().find(|it| it.opponent_of(name) == Some(opponent));
                pairing.map_or_else(String::new, |it| it.score_of(name))
            };
            let scores = columns.iter().map(|(_, opponent)| score(opponent)).collect();
            CrossTableRow { number, name: name.to_owned(), scores }
        });
        let rows = rows.collect();
        let columns: Vec<_> = columns.into_iter().map(|(number, name)| (number, name.to_owned())).collect();
        (!columns.is_empty()).then_some(Self { columns, rows })
    }

    /// The heads of the columns: the numbers of the engines, or the name of the only one.
    pub(crate) fn heads(&self) -> Vec<String> {
        match &self.columns[..] {
            [(_, only)] => vec![only.clone()],
            columns => columns.iter().map(|(number, _)| number.to_string()).collect(),
        }
    }
}

impl Pairing {
    /// The other engine, if this one played in the pairing.
    fn opponent_of(&self, name: &str) -> Option<&str> {
        if self.standing.name == name {
            Some(&self.opponent)
        } else {
            (self.opponent == name).then_some(&self.standing.name)
        }
    }

    /// Points and games of one of its engines: `5.5/10`.
    fn score_of(&self, name: &str) -> String {
        let (points, games) = (self.standing.points(), self.standing.games());
        let points = if self.standing.name == name { points } else { games as f64 - points };
        format!("{}/{}", format::points(points), format::grouped(games))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tournament::tests::part;

    fn cross_table(names: &[&str], played: &[([&str; 2], &str)]) -> Option<CrossTable> {
        let part = part(names, played);
        CrossTable::new(&Tournament::from_match(&part), &part.standings)
    }

    /// The numbers of the columns, and each row as text.
    fn shown(table: &CrossTable) -> (Vec<usize>, Vec<String>) {
        let row = |row: &CrossTableRow| format!("{} {}: {}", row.number, row.name, row.scores.join(" "));
        (table.columns.iter().map(|(number, _)| *number).collect(), table.rows.iter().map(row).collect())
    }

    #[test]
    fn round_robin_has_a_column_for_each_engine() {
        let played = [(["A", "B"], "ld"), (["A", "C"], "wd"), (["B", "C"], "wl"), (["B", "C"], "wd")];
        let table = cross_table(&["A", "B", "C"], &played).expect("there are games");
        let (columns, rows) = shown(&table);
        assert_eq!((columns, table.heads()), (vec![1, 2, 3], ["1", "2", "3"].map(str::to_owned).to_vec()));
        assert_eq!(rows, ["1 B:  1.5/2 2.5/4", "2 A: 0.5/2  1.5/2", "3 C: 1.5/4 0.5/2 "]);
    }

    #[test]
    fn gauntlet_has_a_column_for_the_challenger_only() {
        let played = [(["A", "B"], "wd"), (["A", "C"], "ld"), (["A", "D"], "wl")];
        let table = cross_table(&["A", "B", "C", "D"], &played).expect("there are games");
        assert_eq!(table.heads(), ["A"]);
        let (columns, rows) = shown(&table);
        let names: Vec<&str> = rows.iter().filter_map(|row| row.split([' ', ':']).nth(1)).collect();
        let challenger = names.iter().position(|name| *name == "A").expect("it has a row") + 1;
        assert_eq!(columns, [challenger]);
        assert!(rows.iter().any(|row| row.ends_with("C: 1.5/2")), "{rows:?}");
    }

    #[test]
    fn engines_that_only_met_each_other_have_columns() {
        let played = [(["A", "B"], "wd"), (["C", "D"], "ld")];
        let table = cross_table(&["A", "B", "C", "D"], &played).expect("there are games");
        assert_eq!(table.columns.len(), 4);
        assert!(cross_table(&["A", "B", "C"], &[]).is_none(), "no games, no table");
    }
}
