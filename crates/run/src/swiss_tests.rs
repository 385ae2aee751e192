//! Whole Swiss tournaments of Echo with tiny searches: who meets depends on the specification only.

use std::num::NonZeroUsize;
use std::sync::Arc;

use super::job::{MatchTask, Part, Purpose, RunSpec, Task};
use super::journal::Journal;
use super::prepared::PreparedRun;
use super::run_record::RunRecord;
use super::tournament::{ROUND_LABEL, next_round};
use super::tournament_fixture::{self as fixture, played, same_in_any_way, spec, with_first_round};
use threefold_games::pairing::{EncounterLength, ScheduleRules, TournamentFormat};
use threefold_games::swiss::SwissRound;
use threefold_stats::{EloModel, Risks, Sprt};

/// A tournament of these engines with this number of rounds and one pair in an encounter.
fn tournament(engines: &[&str], rounds: usize) -> MatchTask {
    let rules = ScheduleRules { rounds: NonZeroUsize::new(rounds), ..ScheduleRules::default() };
    MatchTask { rules, ..fixture::tournament(TournamentFormat::Swiss, engines, 30) }
}

/// Four rounds of seven engines, of which the last is the strongest.
fn seven() -> RunSpec {
    let nodes = [60, 40, 80, 30, 50, 20, 2000];
    let engines = ["A", "B", "C", "D", "E", "F", "G"].iter().zip(nodes);
    let engines: Vec<String> =
        engines.map(|(name, nodes)| format!("echo,Hash=1,name={name},nodes={nodes}")).collect();
    spec(tournament(&engines.iter().map(String::as_str).collect::<Vec<_>>(), 4))
}

/// The rounds with their points, and all that counts.
fn outcome(journal: &Journal) -> (Vec<SwissRound>, Vec<String>) {
    let run = RunRecord::from_journal(journal).expect("sound");
    assert!(run.is_done() && next_round(&run).is_none());
    let state = run.swiss().expect("a tournament");
    assert!(state.is_over());
    let counted = run.parts().iter().map(|part| format!("{} {:#?}", part.part.name, part.results)).collect();
    (state.tournament.rounds, counted)
}

#[test]
fn tournament_is_the_same_with_any_number_of_workers_and_after_interruptions() {
    let (rounds, _) = same_in_any_way(&seven(), outcome, &[1, 4]);
    assert_eq!(rounds.len(), 4);
    assert!(rounds.iter().all(|round| round.encounters.len() == 3 && round.bye.is_some()));
}

#[test]
fn interruption_between_two_rounds_loses_nothing() {
    let mut journal = with_first_round(seven());
    let state = RunRecord::from_journal(&journal).expect("sound").swiss().expect("a tournament");
    assert_eq!((state.encounters.len(), state.tournament.rounds.len(), state.is_over()), (3, 1, false));
    let next = next_round(&RunRecord::from_journal(&journal).expect("sound")).expect("the next round is due");
    assert_eq!(next.parts.len(), 6);
    assert!(next.parts[3..].iter().all(|part| part.labels.get(ROUND_LABEL) == Some("2")));
    journal.renew(next).expect("memory");
    assert!(next_round(&RunRecord::from_journal(&journal).expect("sound")).is_none(), "a round is open");
    fixture::play(&mut journal, 2, usize::MAX).expect("no trouble");
    assert_eq!(outcome(&journal), outcome(&played(seven(), 1)));
}

#[test]
fn next_round_goes_on_in_the_book() {
    let games = MatchTask { encounters: 2, ..tournament(&["echo,name=A", "echo,name=B", "echo,name=C"], 3) };
    let book = games.openings.clone();
    let run = RunRecord::from_journal(&played(spec(games), 2)).expect("sound");
    for (round, part) in run.spec().parts.iter().enumerate() {
        let Task::Match(task) = &part.task else { panic!("games") };
        let expected: Vec<_> = (0..2).map(|pair| book[(2 * round + pair) % book.len()].clone()).collect();
        assert_eq!(task.openings, expected, "{}", part.name);
        assert_eq!((task.format, task.rules.rounds), (TournamentFormat::RoundRobin, None));
    }
}

#[test]
fn single_games_have_the_colours_of_the_pairing() {
    let games = tournament(&["echo,name=A", "echo,name=B", "echo,name=C", "echo,name=D"], 3);
    let rules = ScheduleRules { encounter: EncounterLength::Single, ..games.rules };
    let run = RunRecord::from_journal(&played(spec(MatchTask { rules, ..games }), 2)).expect("sound");
    let mut whites = [0; 4];
    for part in run.parts() {
        for (_, game) in part.games() {
            let white = ["A", "B", "C", "D"].iter().position(|name| *name == game.players[0]);
            whites[white.expect("an engine")] += 1;
        }
    }
    assert!(whites.iter().all(|games| (1..=2).contains(games)), "{whites:?}");
}

#[test]
fn impossible_tournaments_are_refused_with_a_remedy() {
    let three = ["echo,name=A", "echo,name=B", "echo,name=C"];
    let sprt = Sprt::new(EloModel::Normalized, 0.0, 5.0, Risks::USUAL).expect("sound");
    let table = [
        (tournament(&three[..2], 1), "takes three engines; name another, or leave --tournament out"),
        (
            tournament(&three, 4),
            "at most 3 rounds, in which everyone can meet everyone else; give --rounds 3",
        ),
        (tournament(&three, 0), "at most 3 rounds"),
        (MatchTask { encounters: 2_000_000, ..tournament(&three, 3) }, "12000000 games are too many"),
        (MatchTask { encounters: 0, ..tournament(&three, 3) }, "give at least two"),
        (
            MatchTask { purpose: Purpose::Test(sprt.into()), ..tournament(&three, 3) },
            "has no rounds that depend on results",
        ),
    ];
    for (games, message) in table {
        let spec = RunSpec { tournament: Some(Box::new(games)), ..RunSpec::default() };
        let error = PreparedRun::prepare(Arc::new(spec)).expect_err(message).to_string();
        assert!(error.starts_with("match `tournament`: ") && error.contains(message), "{error}");
    }
}

#[test]
fn parts_that_are_no_rounds_of_the_tournament_are_refused() {
    let four = ["echo,name=A", "echo,name=B", "echo,name=C", "echo,name=D"];
    let sound = spec(tournament(&four, 2));
    assert!(PreparedRun::prepare(Arc::new(sound.clone())).is_ok());
    let with = |change: &dyn Fn(&mut Vec<Part>)| {
        let mut spec = sound.clone();
        change(&mut spec.parts);
        PreparedRun::prepare(Arc::new(spec)).expect_err("no tournament").to_string()
    };
    let changed = |part: &mut Part, engine: &str| {
        let Task::Match(task) = &mut part.task else { panic!("games") };
        task.engines[1] = engine.parse().expect("sound");
    };
    for error in [
        with(&|parts| _ = parts.pop()),
        with(&|parts| changed(&mut parts[0], "echo,name=X")),
        with(&|parts| changed(&mut parts[0], "echo,name=B")),
    ] {
        assert!(error.contains("the journal is damaged"), "{error}");
    }
}
