//! The number of games, and their schedule.

use std::num::NonZeroUsize;

use super::error::LineError;
use super::peer::Peer;
use super::settings::Settings;
use threefold_games::cutechess_order::CutechessOrder;
use threefold_games::knockout::{self, MOST_EXTRA_PAIRS};
use threefold_games::pairing::{EncounterLength, MOST_GAMES, Schedule, ScheduleRules, TournamentFormat};

/// Rounds of a test without `-rounds`.
const TEST_ROUNDS: usize = 500_000;

/// The games of a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Games {
    /// Games of an encounter: 1 or 2.
    per_encounter: usize,
    /// Rounds, each of one encounter of every pairing.
    rounds: usize,
    /// The order of cutechess-cli.
    order: Option<CutechessOrder>,
}

/// Reads the games of this number of players. Of more than two games in a round, fastchess exchanges games
/// and rounds; cutechess-cli plays them all in a row.
fn games(settings: &Settings, players: usize) -> Result<Games, LineError> {
    let peer = settings.printing.peer;
    let default = match peer {
        _ if settings.sprt.is_some() => TEST_ROUNDS,
        Peer::Fastchess => 2,
        Peer::Cutechess => 1,
    };
    let is_knockout = settings.format == TournamentFormat::Knockout;
    if is_knockout && settings.sprt.is_some() {
        return Err(LineError::KnockoutTest);
    }
    if is_knockout && settings.rounds.is_some() {
        return Err(LineError::KnockoutRounds);
    }
    let (games, rounds) = (settings.games, settings.rounds.unwrap_or(default));
    let games = match peer {
        Peer::Fastchess if games > 2 => Games { per_encounter: rounds, rounds: games, order: None },
        Peer::Fastchess => Games { per_encounter: games, rounds, order: None },
        Peer::Cutechess if is_knockout => {
            let per_encounter = settings.repetitions.get();
            Games { per_encounter, rounds: games.div_ceil(per_encounter), order: None }
        }
        Peer::Cutechess => {
            let order = CutechessOrder {
                games: NonZeroUsize::new(games).ok_or(LineError::NoGames)?,
                repetitions: settings.repetitions,
                policy: settings.policy,
            };
            let all = games.saturating_mul(rounds);
            let per_encounter = if order.is_in_pairs(players, all) { 2 } else { 1 };
            Games { per_encounter, rounds: all / per_encounter, order: Some(order) }
        }
    };
    if matches!(games.per_encounter, 1 | 2) && games.rounds > 0 { Ok(games) } else { Err(LineError::Games) }
}

/// The schedule of this number of players, with openings without end.
pub(super) fn schedule(settings: &Settings, players: usize) -> Result<Schedule, LineError> {
    let Games { per_encounter, rounds, order } = games(settings, players)?;
    // A test is a match of two players, whatever the format.
    let format = if settings.sprt.is_some() { TournamentFormat::Gauntlet } else { settings.format };
    let has_seeds = settings.sprt.is_none() && format == TournamentFormat::Gauntlet;
    let rules = ScheduleRules {
        encounter: if per_encounter == 1 { EncounterLength::Single } else { EncounterLength::Pair },
        colours: settings.colours,
        seeds: if has_seeds { settings.seeds } else { NonZeroUsize::MIN },
        rounds: None,
        cutechess: order,
    };
    let round = Schedule { players, format, encounters: 0, openings: usize::MAX, rules };
    // A product beyond `usize` is more than `MOST_GAMES`, too.
    let encounters = rounds.saturating_mul(round.pairings());
    match encounters.saturating_mul(per_encounter) {
        games if games > MOST_GAMES => Err(LineError::TooManyGames(games)),
        _ => Ok(Schedule { encounters, ..round }),
    }
}

/// The number of openings that a schedule uses. Each round of a knockout goes on in the book.
pub(super) fn openings_needed(schedule: &Schedule) -> usize {
    match schedule.format {
        TournamentFormat::Knockout => {
            schedule.encounters * knockout::rounds(schedule.players) + MOST_EXTRA_PAIRS
        }
        _ => schedule.openings_needed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_games::cutechess_order::OpeningPolicy;

    fn read(peer: Peer, line: &str) -> Settings {
        let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Settings::parse(peer, &line).expect("understood")
    }

    fn order(games: usize, repetitions: usize, policy: OpeningPolicy) -> CutechessOrder {
        let [games, repetitions] =
            [games, repetitions].map(|number| NonZeroUsize::new(number).expect("not zero"));
        CutechessOrder { games, repetitions, policy }
    }

    #[test]
    fn games_are_those_of_each_program() {
        let table = [
            // program, line, games of an encounter, rounds, the order of cutechess-cli
            (Peer::Fastchess, "-rounds 9", 2, 9, None),
            (Peer::Fastchess, "-recover", 2, 2, None),
            (Peer::Fastchess, "-rounds 9 -games 1", 1, 9, None),
            (Peer::Fastchess, "-rounds 2 -games 50", 2, 50, None),
            (Peer::Fastchess, "-sprt elo0=0 elo1=2", 2, 500_000, None),
            (Peer::Cutechess, "-rounds 9", 1, 9, Some(order(1, 1, OpeningPolicy::Default))),
            (Peer::Cutechess, "-rounds 5 -games 2 -repeat", 2, 5, Some(order(2, 2, OpeningPolicy::Default))),
            (Peer::Cutechess, "-games 100 -repeat", 2, 50, Some(order(100, 2, OpeningPolicy::Default))),
            (Peer::Cutechess, "-games 3 -repeat", 1, 3, Some(order(3, 2, OpeningPolicy::Default))),
            (
                Peer::Cutechess,
                "-games 4 -rounds 2 -repeat 3 -openings file=b policy=encounter",
                2,
                4,
                Some(order(4, 3, OpeningPolicy::Encounter)),
            ),
            (Peer::Cutechess, "-tournament knockout -games 3", 1, 3, None),
            (Peer::Cutechess, "-tournament knockout -games 4 -repeat", 2, 2, None),
        ];
        for (peer, line, per_encounter, rounds, order) in table {
            assert_eq!(
                games(&read(peer, line), 2).expect(line),
                Games { per_encounter, rounds, order },
                "{line}"
            );
        }
        for (peer, line, message) in [
            (Peer::Cutechess, "-tournament knockout -rounds 2", "the number of engines decides the rounds"),
            (
                Peer::Cutechess,
                "-tournament knockout -sprt elo0=0 elo1=5",
                "a knockout tournament has no sequential test",
            ),
            (Peer::Fastchess, "-rounds 0", "-games must be 1 or 2"),
            (Peer::Fastchess, "-games 0", "-games must be 1 or 2"),
            (Peer::Fastchess, "-games 3 -rounds 5", "-games must be 1 or 2"),
            (Peer::Fastchess, "-rounds 6000000", "12000000 games are more than 10000000"),
        ] {
            let error = schedule(&read(peer, line), 2).expect_err(line).to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn schedule_has_the_rounds_of_all_pairings() {
        for (line, players, encounters, openings) in [
            ("-rounds 3", 2, 3, 3),
            ("-rounds 3", 3, 9, 3),
            ("-rounds 3 -tournament gauntlet", 4, 9, 3),
            ("-rounds 3 -tournament gauntlet -seeds 2", 4, 15, 3),
            ("-rounds 3 -sprt elo0=0 elo1=5 -seeds 2", 2, 3, 3),
        ] {
            let schedule = schedule(&read(Peer::Fastchess, line), players).expect(line);
            assert_eq!((schedule.encounters, openings_needed(&schedule)), (encounters, openings), "{line}");
        }
        let knockout = read(Peer::Cutechess, "-tournament knockout -games 4 -repeat");
        let knockout = schedule(&knockout, 4).expect("sound");
        assert_eq!((knockout.encounters, openings_needed(&knockout)), (2, 2 * 2 + MOST_EXTRA_PAIRS));
    }
}
