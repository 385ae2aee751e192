//! The bracket of a knockout tournament, for every format.

use serde_json::{Value, json};

use crate::format;
use threefold_games::knockout::{Place, rounds};
use threefold_run::RunRecord;

/// A knockout tournament, or as much of it as is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Knockout {
    /// The engines, the best seed first.
    pub engines: Vec<String>,
    /// The known rounds, each from top to bottom of the bracket.
    pub rounds: Vec<Vec<KnockoutPlace>>,
    /// Who won the final, as a place of `engines`; `None` while it is not decided.
    pub winner: Option<usize>,
    /// Games of the encounters that are not known yet.
    pub later_games: usize,
}

/// A place of a round. Engines are places of [`Knockout::engines`].
#[derive(Debug, Clone, PartialEq)]
pub enum KnockoutPlace {
    /// The engine goes on without a game.
    Bye(usize),
    /// Two engines meet.
    Encounter {
        /// The engines, the better seed first.
        engines: [usize; 2],
        /// Their points, in the order of `engines`.
        points: [f64; 2],
        /// The games that count.
        games: usize,
        /// Who goes on; `None` while it is not decided.
        winner: Option<usize>,
        /// Was it level after all games, so that the better seed goes on?
        is_decided_by_seed: bool,
    },
}

/// What the table and the figures of its encounters mean.
pub(crate) const NOTE: &str = "The number after an engine is its seed. An encounter ends by its score, so of its Elo intervals \
                               only the interval that is valid at any time keeps its 95 %.";

impl Knockout {
    /// The columns of its table.
    pub(crate) const COLUMNS: [&'static str; 6] =
        ["round", "better seed", "opponent", "points", "games", "goes on"];

    /// The tournament of a run, if it is one.
    pub(crate) fn from_run(run: &RunRecord) -> Option<Self> {
        let (games, state) = (run.spec().tournament.as_ref()?, run.knockout()?);
        let mut encounters = state.encounters.iter();
        let mut place = |place: &Place| match *place {
            Place::Bye(engine) => KnockoutPlace::Bye(engine),
            Place::Meeting { players, winner } => {
                // The encounters are in the order of the bracket. One without a part yet has no games.
                let state = encounters.next().copied().unwrap_or_default();
                KnockoutPlace::Encounter {
                    engines: players,
                    points: state.half_points.map(|half| half as f64 / 2.0),
                    games: state.games,
                    winner,
                    is_decided_by_seed: state.is_decided_by_seed(),
                }
            }
        };
        let rounds = state.bracket.rounds().iter().map(|round| round.iter().map(&mut place).collect());
        let rounds = rounds.collect();
        // Each encounter eliminates one engine, so n engines need n - 1 encounters.
        let later = (games.engines.len() - 1).saturating_sub(state.encounters.len());
        Some(Self {
            engines: games.engines.iter().map(|engine| engine.name.clone()).collect(),
            rounds,
            winner: state.bracket.champion(),
            later_games: later * games.schedule().regular_games(),
        })
    }

    /// `B wins the knockout tournament of 4 engines.`; `None` while the final is not decided.
    pub(crate) fn headline(&self) -> Option<String> {
        let winner = &self.engines[self.winner?];
        Some(format!("{winner} wins the knockout tournament of {} engines.", self.engines.len()))
    }

    /// A row for each place, round after round: see [`COLUMNS`](Self::COLUMNS).
    pub(crate) fn rows(&self) -> Vec<[String; 6]> {
        let last = rounds(self.engines.len());
        let places = self
            .rounds
            .iter()
            .enumerate()
            .flat_map(|(round, places)| places.iter().map(move |place| (round_name(round, last), place)));
        places.map(|(round, place)| self.row(round, place)).collect()
    }

    fn row(&self, round: String, place: &KnockoutPlace) -> [String; 6] {
        let seeded = |engine: usize| format!("{} ({})", self.engines[engine], engine + 1);
        match *place {
            KnockoutPlace::Bye(engine) => [
                round,
                seeded(engine),
                "bye".to_owned(),
                String::new(),
                String::new(),
                self.engines[engine].clone(),
            ],
            KnockoutPlace::Encounter { engines: [one, other], points, games, winner, is_decided_by_seed } => {
                let goes_on = match winner {
                    None => "not decided".to_owned(),
                    Some(winner) if is_decided_by_seed => format!("{} by seed", self.engines[winner]),
                    Some(winner) => self.engines[winner].clone(),
                };
                let points = points.map(format::points).join(" : ");
                [round, seeded(one), seeded(other), points, games.to_string(), goes_on]
            }
        }
    }

    /// The tournament for `report.json`.
    pub(crate) fn json(&self) -> Value {
        let name = |engine: usize| self.engines[engine].as_str();
        let place = |place: &KnockoutPlace| match *place {
            KnockoutPlace::Bye(engine) => json!({ "bye": name(engine) }),
            KnockoutPlace::Encounter { engines, points, games, winner, is_decided_by_seed } => json!({
                "engines": engines.map(name), "points": points, "games": games, "winner": winner.map(name),
                "decided_by_seed": is_decided_by_seed,
            }),
        };
        let round = |round: &Vec<KnockoutPlace>| round.iter().map(place).collect::<Vec<_>>();
        json!({
            "engines": self.engines,
            "rounds": self.rounds.iter().map(round).collect::<Vec<_>>(),
            "winner": self.winner.map(name),
        })
    }
}

/// The name of a round, counted from 0, of a tournament of `all` rounds.
fn round_name(round: usize, all: usize) -> String {
    match all - round {
        1 => "final".to_owned(),
        2 => "semi-final".to_owned(),
        3 => "quarter-final".to_owned(),
        _ => format!("round {}", round + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FORMATS;
    use crate::formats::terminal;
    use crate::model::fixture;
    use crate::model::report::TournamentRounds;
    use crate::words::headline::Acceptance;

    /// Five engines; the second semi-final stayed level, and the final is decided if asked for.
    fn tournament(is_over: bool) -> Knockout {
        let encounter = |engines, points, winner: Option<usize>| KnockoutPlace::Encounter {
            engines,
            points,
            games: points.iter().sum::<f64>() as usize,
            winner,
            is_decided_by_seed: winner.is_some() && (points[0] - points[1]).abs() < 0.5,
        };
        let bye = KnockoutPlace::Bye;
        let last = if is_over {
            encounter([0, 1], [0.5, 1.5], Some(1))
        } else {
            encounter([0, 1], [1.0, 0.0], None)
        };
        Knockout {
            engines: ["A", "B", "C", "D", "E"].map(str::to_owned).to_vec(),
            rounds: vec![
                vec![bye(0), encounter([3, 4], [0.0, 2.0], Some(4)), bye(1), bye(2)],
                vec![encounter([0, 4], [1.5, 0.5], Some(0)), encounter([1, 2], [51.0, 51.0], Some(1))],
                vec![last],
            ],
            winner: is_over.then_some(1),
            later_games: 0,
        }
    }

    #[test]
    fn rows_have_points_byes_and_who_goes_on() {
        let rows: Vec<String> = tournament(true).rows().iter().map(|row| row.join("|")).collect();
        assert_eq!(
            rows,
            [
                "quarter-final|A (1)|bye|||A",
                "quarter-final|D (4)|E (5)|0 : 2|2|E",
                "quarter-final|B (2)|bye|||B",
                "quarter-final|C (3)|bye|||C",
                "semi-final|A (1)|E (5)|1.5 : 0.5|2|A",
                "semi-final|B (2)|C (3)|51 : 51|102|B by seed",
                "final|A (1)|B (2)|0.5 : 1.5|2|B",
            ]
        );
        assert_eq!(
            tournament(true).headline().as_deref(),
            Some("B wins the knockout tournament of 5 engines.")
        );
        let open = tournament(false);
        assert_eq!((open.headline(), open.rows()[6][5].as_str()), (None, "not decided"));
        assert_eq!(round_name(0, 4), "round 1");
    }

    #[test]
    fn json_names_the_engines_of_each_place() {
        let json = tournament(true).json();
        assert_eq!(json["winner"], "B");
        assert_eq!(json["rounds"][0][0], json!({ "bye": "A" }));
        let level = json!({
            "engines": ["B", "C"], "points": [51.0, 51.0], "games": 102, "winner": "B", "decided_by_seed": true,
        });
        assert_eq!(json["rounds"][1][1], level);
        assert_eq!(tournament(false).json()["rounds"][2][0]["winner"], Value::Null);
    }

    #[test]
    fn every_format_for_people_and_programs_has_the_bracket() {
        let mut report = fixture::report();
        report.tournament = Some(TournamentRounds::Knockout(tournament(true)));
        let formats = FORMATS.iter().filter(|format| ["html", "markdown", "json"].contains(&format.name));
        for format in formats.chain([&terminal::FORMAT]) {
            let text = String::from_utf8((format.render)(&report).expect("renders")).expect("UTF-8");
            let expected = if format.name == "json" { "\"decided_by_seed\": true" } else { "B by seed" };
            assert_eq!(text.matches(expected).count(), 1, "{}", format.name);
            assert!(format.name == "json" || text.contains(NOTE), "{}", format.name);
            report.tournament = None;
            let text = String::from_utf8((format.render)(&report).expect("renders")).expect("UTF-8");
            assert!(!text.contains(expected), "{}", format.name);
            report.tournament = Some(TournamentRounds::Knockout(tournament(true)));
        }
    }

    #[test]
    fn tournament_whose_later_rounds_are_not_played_is_unfinished() {
        let mut report = fixture::report();
        report.failure_reasons.clear();
        report.suites.clear();
        report.matches.retain(|part| part.ending.is_some());
        report.tournament = Some(TournamentRounds::Knockout(tournament(true)));
        assert_eq!(report.acceptance(), Acceptance::Accepted);
        assert!(
            report.headline().starts_with("B wins the knockout tournament of 5 engines."),
            "{}",
            report.headline()
        );
        let done = report.done();
        report.tournament =
            Some(TournamentRounds::Knockout(Knockout { later_games: 1000, ..tournament(false) }));
        assert_eq!(report.acceptance(), Acceptance::Unfinished);
        assert_eq!(report.unfinished(), [("later rounds", 0, 1000)]);
        assert!(!report.headline().contains("wins the knockout"), "{}", report.headline());
        assert_ne!(report.done(), done);
    }
}
