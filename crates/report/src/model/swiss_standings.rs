//! The standings of a Swiss tournament with ratings from the games of all its encounters.

use serde_json::{Value, json};

use crate::format;
use crate::model::report::{MatchPart, Standing, Swiss, SwissPlace, SwissPlacing};
use crate::model::tournament::{Tournament, TournamentRating};

/// A Swiss tournament with what its games say about the engines.
pub(crate) struct RatedSwiss<'r> {
    swiss: &'r Swiss,
    /// The results of each engine in its games, in the order of the seeds.
    results: Vec<Standing>,
    /// The ratings, and the results of each pairing.
    pub(crate) tournament: Tournament,
}

impl<'r> RatedSwiss<'r> {
    /// The columns of the standings.
    pub(crate) const COLUMNS: [&'static str; 7] =
        ["#", "engine", "points", "Buchholz", "SB", "Elo (logistic, 95 %)", "W-D-L"];

    /// The tournament whose encounters these matches are.
    pub(crate) fn new(swiss: &'r Swiss, encounters: &[MatchPart]) -> Self {
        let results: Vec<Standing> = swiss
            .engines
            .iter()
            .map(|name| {
                let played = encounters.iter().flat_map(|part| &part.standings).filter(|it| it.name == *name);
                played.fold(Standing::from_results(name, []), |sum, it| Standing {
                    wins: sum.wins + it.wins,
                    draws: sum.draws + it.draws,
                    losses: sum.losses + it.losses,
                    ..sum
                })
            })
            .collect();
        let tournament = Tournament::of_parts(&results, encounters);
        Self { swiss, results, tournament }
    }

    /// The row of each engine, the best first: see [`COLUMNS`](Self::COLUMNS).
    pub(crate) fn rows(&self) -> Vec<[String; 7]> {
        let row = |(row, placing): (usize, &SwissPlacing)| {
            let standing = &self.results[placing.engine];
            let Standing { name, wins, draws, losses } = standing;
            [
                self.swiss.number(row),
                name.clone(),
                format::points(placing.points),
                format::points(placing.buchholz),
                format!("{:.2}", placing.sonneborn_berger),
                self.rating(name).map_or_else(|| "unknown".to_owned(), TournamentRating::elo),
                format!("{wins}-{draws}-{losses}"),
            ]
        };
        self.swiss.placings.iter().enumerate().map(row).collect()
    }

    fn rating(&self, name: &str) -> Option<&TournamentRating> {
        self.tournament.ratings.as_ref().ok()?.iter().find(|rated| rated.standing.name == name)
    }

    /// How the places come about, and what the ratings are relative to.
    pub(crate) fn note(&self) -> String {
        let ratings = match &self.tournament.ratings {
            Err(why) => format!("No ratings: {why}."),
            Ok(ratings) if ratings.iter().any(|rated| rated.group > 0) => {
                "Elo relative to the average of the engines that results connect, fitted to all games."
                    .to_owned()
            }
            Ok(_) => "Elo relative to the average of the engines, fitted to all games.".to_owned(),
        };
        format!("{} {ratings}", self.swiss.standings_note())
    }

    /// The tournament for `report.json`.
    pub(crate) fn json(&self) -> Value {
        let Swiss { engines, planned_rounds, games, rounds, placings, .. } = self.swiss;
        let name = |engine: usize| engines[engine].as_str();
        let place = |place: &SwissPlace| match *place {
            SwissPlace::Bye(engine) => json!({ "bye": name(engine), "points": games }),
            SwissPlace::Encounter { engines, points, games, is_again } => json!({
                "engines": engines.map(name), "points": points, "games": games, "again": is_again,
            }),
        };
        let round = |round: &Vec<SwissPlace>| round.iter().map(place).collect::<Vec<_>>();
        let placing = |it: &SwissPlacing| {
            json!({
                "place": it.place, "name": name(it.engine), "points": it.points, "buchholz": it.buchholz,
                "sonneborn_berger": it.sonneborn_berger, "byes": it.byes,
            })
        };
        json!({
            "engines": engines,
            "planned_rounds": planned_rounds,
            "games_of_encounter": games,
            "rounds": rounds.iter().map(round).collect::<Vec<_>>(),
            "standings": placings.iter().map(placing).collect::<Vec<_>>(),
            "winners": self.swiss.winners().collect::<Vec<_>>(),
            "result": self.tournament.json(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FORMATS;
    use crate::formats::terminal;
    use crate::model::fixture;
    use crate::model::report::{Baseline, Report, TournamentRounds};
    use crate::model::swiss::tests::tournament;
    use crate::model::tournament::tests::part;
    use crate::words::headline::Acceptance;

    /// A report with the tournament of [`tournament`] and its games.
    fn report(is_over: bool) -> Report {
        let mut report = fixture::report();
        report.failure_reasons.clear();
        report.suites.clear();
        report.baseline = Baseline::Absent("there is none".to_owned());
        report.matches =
            vec![part(&["A", "B"], &[(["A", "B"], "wd")]), part(&["B", "A"], &[(["B", "A"], "dw")])];
        for (part, name) in report.matches.iter_mut().zip(["round 1: A vs B", "round 2: B vs A"]) {
            (part.name, part.ending) = (name.to_owned(), Some("complete".to_owned()));
        }
        report.tournament = Some(TournamentRounds::Swiss(tournament(is_over)));
        report
    }

    #[test]
    fn standings_have_the_ratings_of_all_games() {
        let report = report(true);
        let swiss = tournament(true);
        let rated = RatedSwiss::new(&swiss, &report.matches);
        let rows = rated.rows();
        assert_eq!(rows[0], ["1", "C", "4", "8", "8.00", "no games", "0-0-0"]);
        assert_eq!(rows[1][..5], ["2", "A", "3", "2", "1.50"].map(str::to_owned));
        assert_eq!(rows[1][6..], ["1-2-1"].map(str::to_owned));
        assert_eq!(rated.tournament.pairings.len(), 1, "both encounters are one pairing");
        let json = rated.json();
        assert_eq!(
            json["rounds"][1][0],
            json!({ "engines": ["B", "A"], "points": [0.5, 1.5], "games": 2, "again": true })
        );
        assert_eq!(
            (&json["winners"], &json["rounds"][0][1]),
            (&json!(["C"]), &json!({ "bye": "C", "points": 2 }))
        );
        assert_eq!(json["standings"][0]["buchholz"], 8.0);
        assert_eq!(json["result"]["pairings"][0]["wins"], 1);
    }

    #[test]
    fn every_format_for_people_and_programs_has_the_standings_and_the_cross_table() {
        let report = report(true);
        let formats = FORMATS.iter().filter(|format| ["html", "markdown", "json"].contains(&format.name));
        for format in formats.chain([&terminal::FORMAT]) {
            let text = String::from_utf8((format.render)(&report).expect("renders")).expect("UTF-8");
            let expected: &[&str] = match format.name {
                "json" => &["\"sonneborn_berger\": 1.5", "\"again\": true", "\"planned_rounds\": 2"],
                _ => &["Sonneborn-Berger", "3: 1.5/2", "bye", "C wins the Swiss tournament of 3 engines."],
            };
            for expected in expected {
                assert!(text.contains(expected), "{expected} is missing in {}:\n{text}", format.name);
            }
        }
    }

    #[test]
    fn tournament_whose_later_rounds_are_not_played_is_unfinished() {
        assert_eq!(report(true).acceptance(), Acceptance::Accepted);
        let report = report(false);
        assert_eq!(report.acceptance(), Acceptance::Unfinished);
        assert_eq!(report.unfinished(), [("later rounds", 0, 2)]);
        assert!(!report.headline().contains("wins the Swiss"), "{}", report.headline());
    }
}
