//! Whole knockout tournaments of Echo with tiny searches: who wins depends on the specification only.

use std::sync::Arc;

use super::job::{MatchTask, Part, Purpose, RunSpec, Task};
use super::journal::Journal;
use super::prepared::PreparedRun;
use super::run_record::RunRecord;
use super::tournament::next_round;
use super::tournament_fixture::{self as fixture, played, same_in_any_way, spec, with_first_round};
use threefold_games::knockout::MOST_EXTRA_PAIRS;
use threefold_games::pairing::TournamentFormat;
use threefold_stats::{EloModel, Risks, Sprt};

/// A tournament of these engines with one pair in an encounter; games are drawn after this number of moves.
fn tournament(engines: &[&str], most_moves: u32) -> MatchTask {
    fixture::tournament(TournamentFormat::Knockout, engines, most_moves)
}

/// Five engines, of which the last is the strongest.
fn five() -> RunSpec {
    let engines = ["A,nodes=60", "B,nodes=40", "C,nodes=80", "D,nodes=30", "E,nodes=2000"];
    let engines = engines.map(|engine| format!("echo,Hash=1,name={engine}"));
    spec(tournament(&engines.each_ref().map(String::as_str), 40))
}

/// The encounters with their results, and all that counts.
fn outcome(journal: &Journal) -> (Vec<String>, Vec<String>) {
    let run = RunRecord::from_journal(journal).expect("sound");
    assert!(run.is_done() && next_round(&run).is_none());
    let state = run.knockout().expect("a tournament");
    assert!(state.bracket.champion().is_some());
    let parts = run.parts();
    let encounters = parts.iter().zip(&state.encounters).map(|(part, state)| {
        let [one, other] = state.half_points;
        format!("{} {one}:{other} {:?}", part.part.name, state.winner())
    });
    (encounters.collect(), parts.iter().map(|part| format!("{:#?}", part.results)).collect())
}

#[test]
fn tournament_is_the_same_with_any_number_of_workers_and_after_interruptions() {
    let alone = same_in_any_way(&five(), outcome, &[1, 2]);
    let names: Vec<&str> = alone.0.iter().map(|line| line.split(" vs ").next().unwrap_or_default()).collect();
    assert_eq!(names[..2], ["round 1: D", "round 2: A"], "{:?}", alone.0);
    assert_eq!(alone.0.len(), 4);
    assert!(
        alone.0.iter().filter(|line| line.contains("vs E")).all(|line| line.ends_with("Some(1)")),
        "{alone:?}"
    );
    assert!(alone.0[3].contains("vs E"), "the strongest one is in the final: {:?}", alone.0);
}

#[test]
fn interruption_between_two_rounds_loses_nothing() {
    let mut journal = with_first_round(five());
    let state = RunRecord::from_journal(&journal).expect("sound").knockout().expect("a tournament");
    assert_eq!((state.encounters.len(), state.bracket.rounds().len()), (1, 2), "no part of round 2 yet");
    let next = next_round(&RunRecord::from_journal(&journal).expect("sound")).expect("the next round is due");
    journal.renew(next).expect("memory");
    fixture::play(&mut journal, 2, usize::MAX).expect("no trouble");
    assert_eq!(outcome(&journal), outcome(&played(five(), 1)));
}

#[test]
fn better_seed_goes_on_if_an_encounter_stays_level() {
    // After one move every game is drawn.
    let games = tournament(&["echo,Hash=1,name=A", "echo,Hash=1,name=B"], 1);
    let state =
        RunRecord::from_journal(&played(spec(games), 2)).expect("sound").knockout().expect("a tournament");
    let games = 2 * (1 + MOST_EXTRA_PAIRS);
    assert_eq!((state.encounters[0].games, state.encounters[0].half_points), (games, [games as u64; 2]));
    assert!(state.encounters[0].is_decided_by_seed());
    assert_eq!(state.bracket.champion(), Some(0));
}

#[test]
fn next_round_goes_on_in_the_book() {
    let run = RunRecord::from_journal(&played(five(), 2)).expect("sound");
    let book = &five().tournament.expect("a tournament").openings;
    let state = run.knockout().expect("a tournament");
    let mut longest = [0; 3];
    for ((round, _), encounter) in state.bracket.encounters().zip(&state.encounters) {
        longest[round] = longest[round].max(encounter.games / 2);
    }
    for ((round, _), part) in state.bracket.encounters().zip(&run.spec().parts) {
        let Task::Match(task) = &part.task else { panic!("games") };
        assert_eq!(
            task.openings[0],
            book[longest[..round].iter().sum::<usize>() % book.len()],
            "{}",
            part.name
        );
        assert_eq!(task.openings.len(), book.len());
    }
}

#[test]
fn impossible_tournaments_are_refused_with_a_remedy() {
    let two = ["echo,name=A", "echo,name=B"];
    let sprt = Sprt::new(EloModel::Normalized, 0.0, 5.0, Risks::USUAL).expect("sound");
    let many: Vec<String> = (0..1025).map(|number| format!("echo,name=E{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let table = [
        (
            MatchTask { purpose: Purpose::Test(sprt.into()), ..tournament(&two, 9) },
            "has no rounds that depend on results",
        ),
        (tournament(&["echo,name=A", "echo,name=A", "echo,name=B"], 9), "two engines have the same name"),
        (tournament(&many, 9), "there are 1025 engines; name at most 1024"),
        (MatchTask { encounters: 0, ..tournament(&two, 9) }, "give at least two"),
    ];
    for (games, message) in table {
        let spec = RunSpec { tournament: Some(Box::new(games)), ..RunSpec::default() };
        let error = PreparedRun::prepare(Arc::new(spec)).expect_err(message).to_string();
        assert!(error.starts_with("match `tournament`: ") && error.contains(message), "{error}");
    }
    let three = tournament(&["echo,name=A", "echo,name=B", "echo,name=C"], 9);
    let part = Part::without_labels("m".to_owned(), Task::Match(three));
    let spec = RunSpec { parts: vec![part], ..RunSpec::default() };
    let error = PreparedRun::prepare(Arc::new(spec)).expect_err("three engines").to_string();
    assert!(error.contains("an encounter of a knockout tournament has two engines"), "{error}");
}
