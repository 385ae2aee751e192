//! A Swiss tournament for every format: its rounds, and its standings by points.

use crate::format;
use threefold_games::swiss::{SwissEncounter, SwissRound};
use threefold_run::{EncounterState, RunRecord, SwissState};

/// A Swiss tournament with the rounds that are known.
#[derive(Debug, Clone, PartialEq)]
pub struct Swiss {
    /// The engines, the best seed first.
    pub engines: Vec<String>,
    /// The number of rounds, known or not.
    pub planned_rounds: usize,
    /// The number of games of an encounter, which is also the points of a bye.
    pub games: usize,
    /// The known rounds.
    pub rounds: Vec<Vec<SwissPlace>>,
    /// The engines by place, the best first.
    pub placings: Vec<SwissPlacing>,
    /// Are all rounds played?
    pub is_over: bool,
    /// Games of the encounters that are not known yet.
    pub later_games: usize,
}

/// A place of a round. Engines are places of [`Swiss::engines`].
#[derive(Debug, Clone, PartialEq)]
pub enum SwissPlace {
    /// The engine has no opponent, and gets the points of an encounter.
    Bye(usize),
    /// Two engines meet.
    Encounter {
        /// The engines.
        engines: [usize; 2],
        /// Their points, in the order of `engines`.
        points: [f64; 2],
        /// The games that count.
        games: usize,
        /// Did they meet in an earlier round, too?
        is_again: bool,
    },
}

/// An engine with its points.
#[derive(Debug, Clone, PartialEq)]
pub struct SwissPlacing {
    /// The engine, as a place of [`Swiss::engines`].
    pub engine: usize,
    /// The place, from 1; engines that are equal in everything share one.
    pub place: usize,
    /// The points, those of a bye included.
    pub points: f64,
    /// The Buchholz score: the points of the opponents.
    pub buchholz: f64,
    /// The Sonneborn-Berger score: the points of the opponents, each times the share that was won.
    pub sonneborn_berger: f64,
    /// The number of byes.
    pub byes: usize,
}

/// The mark of an encounter of two engines that had met before.
const AGAIN: &str = "*";

impl Swiss {
    /// The tournament of a run, if it is one.
    pub(crate) fn from_run(run: &RunRecord) -> Option<Self> {
        let (games, state) = (run.spec().tournament.as_ref()?, run.swiss()?);
        let is_over = state.is_over();
        let SwissState { tournament, encounters, rounds: planned_rounds } = state;
        let rules = tournament.rules;
        // `chunks` panics at 0, which is the number of encounters of a single player.
        let states = encounters.chunks(rules.encounters().max(1));
        let known = tournament.rounds.iter().zip(states).enumerate();
        let rounds = known.map(|(round, (played, states))| {
            places(played, states, |players| tournament.have_met(players, round))
        });
        let placings = tournament.standings().into_iter().map(|it| SwissPlacing {
            engine: it.player,
            place: it.place,
            points: it.half_points as f64 / 2.0,
            buchholz: it.buchholz(),
            sonneborn_berger: it.sonneborn_berger(),
            byes: it.byes,
        });
        let later = planned_rounds.saturating_sub(tournament.rounds.len()) * rules.encounters();
        Some(Self {
            engines: games.engines.iter().map(|engine| engine.name.clone()).collect(),
            planned_rounds,
            games: rules.games,
            rounds: rounds.collect(),
            placings: placings.collect(),
            is_over,
            later_games: later * rules.games,
        })
    }

    /// `B wins the Swiss tournament of 4 engines.`, and by what if the points are equal; `None` while it is not
    /// over.
    pub(crate) fn headline(&self) -> Option<String> {
        let first: Vec<&SwissPlacing> = self.placings.iter().filter(|it| it.place == 1).collect();
        let names: Vec<String> = first.iter().map(|it| self.engines[it.engine].clone()).collect();
        let of = format!("the Swiss tournament of {} engines", self.engines.len());
        match (self.is_over, &names[..]) {
            (false, _) | (true, []) => None,
            (true, [winner]) => Some(format!("{winner} wins {of}{}.", self.decided_by())),
            (true, several) => Some(format!("{} share the first place of {of}.", format::listed(several))),
        }
    }

    /// The tie-break that decides on the first place; empty if the points do.
    fn decided_by(&self) -> &'static str {
        let [first, second, ..] = &self.placings[..] else { return "" };
        if first.points > second.points {
            ""
        } else if first.buchholz > second.buchholz {
            " by its Buchholz score"
        } else {
            // Engines that are equal in all three share the place, so that there is no single winner.
            " by its Sonneborn-Berger score"
        }
    }

    /// The engines that are first; empty while it is not over.
    pub(crate) fn winners(&self) -> impl Iterator<Item = &str> {
        let first = self.placings.iter().filter(|it| self.is_over && it.place == 1);
        first.map(|it| self.engines[it.engine].as_str())
    }

    /// The number of a row of the standings, from 1, with a mark if the engine shares its place.
    pub(crate) fn number(&self, row: usize) -> String {
        let place = self.placings[row].place;
        let is_shared = self.placings.iter().filter(|it| it.place == place).count() > 1;
        // Not the place, which may be shared: the cross table refers to opponents by the number of the row.
        format!("{}{}", row + 1, if is_shared { "=" } else { "" })
    }

    /// The heads of the columns of the cross table.
    pub(crate) fn cross_table_heads(&self) -> Vec<String> {
        std::iter::once("engine".to_owned()).chain(self.round_heads()).collect()
    }

    /// The heads of the columns of the rounds.
    pub(crate) fn round_heads(&self) -> impl Iterator<Item = String> {
        (1..=self.rounds.len()).map(|round| format!("round {round}"))
    }

    /// The cross table: the number and name of each engine, and its results.
    pub(crate) fn cross_table(&self) -> Vec<Vec<String>> {
        let row = |(row, placing): (usize, &SwissPlacing)| {
            let name = format!("{}. {}", row + 1, self.engines[placing.engine]);
            std::iter::once(name).chain(self.results(placing)).collect()
        };
        self.placings.iter().enumerate().map(row).collect()
    }

    /// For each round the number of the opponent with points and games: `4: 1.5/2`.
    pub(crate) fn results(&self, placing: &SwissPlacing) -> impl Iterator<Item = String> {
        self.rounds.iter().map(|round| self.cell(round, placing.engine))
    }

    fn cell(&self, round: &[SwissPlace], engine: usize) -> String {
        let cell = round.iter().find_map(|place| match place {
            SwissPlace::Bye(player) => (*player == engine).then(|| "bye".to_owned()),
            SwissPlace::Encounter { engines, points, games, is_again } => {
                let seat = engines.iter().position(|player| *player == engine)?;
                let opponent = self.placings.iter().position(|it| it.engine == engines[1 - seat])? + 1;
                let mark = if *is_again { AGAIN } else { "" };
                Some(format!("{opponent}: {}/{games}{mark}", format::points(points[seat])))
            }
        });
        cell.unwrap_or_default()
    }

    /// What the results of the rounds mean.
    pub(crate) fn results_note(&self) -> String {
        let is_again = |place: &SwissPlace| matches!(place, SwissPlace::Encounter { is_again: true, .. });
        let again = self.rounds.iter().flatten().filter(|place| is_again(place)).count();
        let repeats = match again {
            0 => String::new(),
            _ => format!(
                " {AGAIN} marks engines that had met before: no pairing of that round with fewer such encounters was left."
            ),
        };
        format!("Of each round the number of the opponent, then points/games.{repeats}")
    }

    /// How the places come about.
    pub(crate) fn standings_note(&self) -> String {
        let mut note =
            "Engines with equal points are in the order of Buchholz, then of Sonneborn-Berger (SB)."
                .to_owned();
        let shares = |one: &[SwissPlacing]| one[0].place == one[1].place;
        if self.placings.windows(2).any(shares) {
            note += " = marks engines that are equal in all of these.";
        }
        if self.placings.iter().any(|it| it.byes > 0) {
            let points = format::count(self.games, "point");
            note = format!("{note} A bye counts {points}.");
        }
        note
    }
}

/// The places of a round.
fn places(
    round: &SwissRound,
    states: &[EncounterState],
    have_met: impl Fn([usize; 2]) -> bool,
) -> Vec<SwissPlace> {
    let encounters = round.encounters.iter().zip(states);
    let encounters = encounters.map(|(&SwissEncounter { players, half_points }, state)| {
        let points = half_points.map(|half| half as f64 / 2.0);
        SwissPlace::Encounter { engines: players, points, games: state.games, is_again: have_met(players) }
    });
    encounters.chain(round.bye.map(SwissPlace::Bye)).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Three engines, of which two meet in each of two rounds, or in the last one again.
    pub(crate) fn tournament(is_over: bool) -> Swiss {
        let encounter = |engines, points: [f64; 2], is_again| {
            let games = points.iter().sum::<f64>() as usize;
            SwissPlace::Encounter { engines, points, games, is_again }
        };
        let last = if is_over { [0.5, 1.5] } else { [0.0, 1.0] };
        let placing = |engine, place, points, buchholz, sonneborn_berger, byes| SwissPlacing {
            engine,
            place,
            points,
            buchholz,
            sonneborn_berger,
            byes,
        };
        Swiss {
            engines: ["A", "B", "C"].map(str::to_owned).to_vec(),
            planned_rounds: if is_over { 2 } else { 3 },
            games: 2,
            rounds: vec![
                vec![encounter([0, 1], [1.5, 0.5], false), SwissPlace::Bye(2)],
                vec![encounter([1, 0], last, true), SwissPlace::Bye(2)],
            ],
            placings: vec![
                placing(2, 1, 4.0, 8.0, 8.0, 2),
                placing(0, 2, 3.0, 2.0, 1.5, 0),
                placing(1, 3, 1.0, 6.0, 1.5, 0),
            ],
            is_over,
            later_games: if is_over { 0 } else { 2 },
        }
    }

    #[test]
    fn cross_table_has_opponents_by_their_numbers() {
        let rows: Vec<String> = tournament(true).cross_table().iter().map(|row| row.join("|")).collect();
        assert_eq!(rows, ["1. C|bye|bye", "2. A|3: 1.5/2|3: 1.5/2*", "3. B|2: 0.5/2|2: 0.5/2*"]);
        assert_eq!(tournament(true).cross_table_heads(), ["engine", "round 1", "round 2"]);
        assert_eq!(tournament(false).cross_table()[1][2], "3: 1/1*");
        assert!(tournament(true).results_note().contains("* marks engines that had met before"));
        let mut new = tournament(true);
        new.rounds.pop();
        assert_eq!(new.results_note(), "Of each round the number of the opponent, then points/games.");
    }

    #[test]
    fn headline_names_the_winner_and_the_tie_break_that_decides() {
        let mut tournament = tournament(true);
        let said = |tournament: &Swiss| tournament.headline().expect("it is over");
        assert_eq!(said(&tournament), "C wins the Swiss tournament of 3 engines.");
        assert_eq!(tournament.winners().collect::<Vec<_>>(), ["C"]);
        tournament.placings[1].points = 4.0;
        assert_eq!(said(&tournament), "C wins the Swiss tournament of 3 engines by its Buchholz score.");
        tournament.placings[1].buchholz = 8.0;
        assert_eq!(
            said(&tournament),
            "C wins the Swiss tournament of 3 engines by its Sonneborn-Berger score."
        );
        tournament.placings[1].place = 1;
        assert_eq!(said(&tournament), "C and A share the first place of the Swiss tournament of 3 engines.");
        tournament.is_over = false;
        assert_eq!((tournament.headline(), tournament.winners().count()), (None, 0));
    }

    #[test]
    fn standings_note_explains_byes_and_shared_places_only_if_there_are_some() {
        let mut tournament = tournament(true);
        assert!(
            tournament.standings_note().ends_with("then of Sonneborn-Berger (SB). A bye counts 2 points.")
        );
        tournament.placings.iter_mut().for_each(|placing| placing.byes = 0);
        assert!(tournament.standings_note().ends_with("then of Sonneborn-Berger (SB)."));
        assert_eq!([0, 1, 2].map(|row| tournament.number(row)), ["1", "2", "3"]);
        tournament.placings[2].place = 2;
        assert!(tournament.standings_note().ends_with("= marks engines that are equal in all of these."));
        assert_eq!([0, 1, 2].map(|row| tournament.number(row)), ["1", "2=", "3="]);
    }
}
