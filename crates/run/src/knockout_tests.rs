//! Whole knockout tournaments of Echo with tiny searches: who wins depends on the specification only.

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;
use std::time::SystemTime;

use super::event::RunEvent;
use super::job::{MatchTask, Purpose, RunSpec, Task};
use super::journal::Journal;
use super::pool::{PoolConfig, PreparedPool, RunError, RunStatus};
use super::prepared::PreparedRun;
use super::run_record::RunRecord;
use super::tournament::{first_round, next_round};
use threefold_chess::clock::Stop;
use threefold_games::game::Adjudication;
use threefold_games::knockout::MOST_EXTRA_PAIRS;
use threefold_games::opening::read_epd;
use threefold_games::pairing::TournamentFormat;
use threefold_games::playout::adjudication::{Like, MaxMoves, ResignRule, Rule};
use threefold_stats::{EloModel, Risks, Sprt};

const NOW: SystemTime = SystemTime::UNIX_EPOCH;

const BOOK: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1\n\
    r3k3/ppp5/8/8/8/8/PPP5/R3K3 w - - 0 1\n\
    3qk3/3p4/8/8/8/8/3P4/3QK3 w - - 0 1\n\
    4k3/ppp5/8/8/8/8/5PPP/4K3 w - - 0 1\n\
    2b1k3/pp6/8/8/8/8/PP6/2B1K3 w - - 0 1\n";

/// A tournament of these engines with one pair in an encounter; games are drawn after this number of moves.
fn tournament(engines: &[&str], most_moves: u32) -> MatchTask {
    let resign: Arc<dyn Rule> =
        Arc::new(ResignRule { moves: 2, score: 200, two_sided: false, like: Like::Threefold });
    let length = Arc::new(MaxMoves(NonZeroU32::new(most_moves).expect("not zero")));
    MatchTask {
        format: TournamentFormat::Knockout,
        control: "nodes=60".parse().expect("sound"),
        adjudication: Adjudication::new([resign, length]),
        ..MatchTask::new(
            engines.iter().map(|text| text.parse().expect("sound")).collect(),
            read_epd(BOOK).expect("sound"),
            1,
        )
    }
}

fn spec(games: MatchTask) -> RunSpec {
    RunSpec { seed: 1, parts: first_round(&games), tournament: Some(Box::new(games)), ..RunSpec::default() }
}

/// Five engines, of which the last is the strongest.
fn five() -> RunSpec {
    let engines = ["A,nodes=60", "B,nodes=40", "C,nodes=80", "D,nodes=30", "E,nodes=2000"];
    let engines = engines.map(|engine| format!("echo,Hash=1,name={engine}"));
    spec(tournament(&engines.each_ref().map(String::as_str), 40))
}

/// Plays what a journal lacks, round after round, or until this number of jobs has ended.
fn play(journal: &mut Journal, workers: usize, most: usize) -> Result<RunStatus, RunError> {
    let stop = Stop::default();
    let config = PoolConfig::new(NonZeroUsize::new(workers).expect("not zero"), stop.clone());
    let mut ended = 0;
    loop {
        let status = PreparedPool::to_resume(journal, &config)?.run(journal, &config, &mut |event| {
            ended += usize::from(matches!(event, RunEvent::JobEnded { .. }));
            if ended >= most {
                stop.raise();
            }
        })?;
        let next = next_round(&RunRecord::from_journal(journal)?);
        let (RunStatus::Finished, Some(spec)) = (status, next) else { return Ok(status) };
        journal.renew(spec).expect("memory");
    }
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
    let whole = |workers| {
        let mut journal = Journal::in_memory(five(), NOW).expect("memory");
        assert_eq!(play(&mut journal, workers, usize::MAX).expect("no trouble"), RunStatus::Finished);
        outcome(&journal)
    };
    let alone = whole(1);
    let names: Vec<&str> = alone.0.iter().map(|line| line.split(" vs ").next().unwrap_or_default()).collect();
    assert_eq!(names[..2], ["round 1: D", "round 2: A"], "{:?}", alone.0);
    assert_eq!(alone.0.len(), 4);
    assert!(
        alone.0.iter().filter(|line| line.contains("vs E")).all(|line| line.ends_with("Some(1)")),
        "{alone:?}"
    );
    assert!(alone.0[3].contains("vs E"), "the strongest one is in the final: {:?}", alone.0);
    assert_eq!(alone, whole(3));
    for jobs in [1, 2] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("run.sqlite");
        drop(Journal::create(&file, &five(), NOW).expect("a new file"));
        let mut sessions = 0;
        loop {
            sessions += 1;
            let mut journal = Journal::open(&file).expect("sound");
            if play(&mut journal, 2, jobs).expect("no trouble") == RunStatus::Finished
                && next_round(&RunRecord::from_journal(&journal).expect("sound")).is_none()
            {
                assert_eq!(alone, outcome(&journal), "{jobs} jobs at a time");
                break;
            }
        }
        assert!(sessions > 2, "{jobs} jobs at a time are no tournament");
    }
}

#[test]
fn interruption_between_two_rounds_loses_nothing() {
    let mut whole = Journal::in_memory(five(), NOW).expect("memory");
    play(&mut whole, 1, usize::MAX).expect("no trouble");
    let mut journal = Journal::in_memory(five(), NOW).expect("memory");
    let config = PoolConfig::new(NonZeroUsize::MIN, Stop::default());
    let ready = PreparedPool::to_resume(&journal, &config).expect("sound");
    ready.run(&mut journal, &config, &mut |_| {}).expect("no trouble");
    let state = RunRecord::from_journal(&journal).expect("sound").knockout().expect("a tournament");
    assert_eq!((state.encounters.len(), state.bracket.rounds().len()), (1, 2), "no part of round 2 yet");
    let next = next_round(&RunRecord::from_journal(&journal).expect("sound")).expect("the next round is due");
    journal.renew(next).expect("memory");
    play(&mut journal, 2, usize::MAX).expect("no trouble");
    assert_eq!(outcome(&journal), outcome(&whole));
}

#[test]
fn better_seed_goes_on_if_an_encounter_stays_level() {
    // After one move every game is drawn.
    let games = tournament(&["echo,Hash=1,name=A", "echo,Hash=1,name=B"], 1);
    let mut journal = Journal::in_memory(spec(games), NOW).expect("memory");
    play(&mut journal, 2, usize::MAX).expect("no trouble");
    let state = RunRecord::from_journal(&journal).expect("sound").knockout().expect("a tournament");
    let games = 2 * (1 + MOST_EXTRA_PAIRS);
    assert_eq!((state.encounters[0].games, state.encounters[0].half_points), (games, [games as u64; 2]));
    assert!(state.encounters[0].is_decided_by_seed());
    assert_eq!(state.bracket.champion(), Some(0));
}

#[test]
fn next_round_goes_on_in_the_book() {
    let mut journal = Journal::in_memory(five(), NOW).expect("memory");
    play(&mut journal, 2, usize::MAX).expect("no trouble");
    let run = RunRecord::from_journal(&journal).expect("sound");
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
    let part = super::job::Part::without_labels("m".to_owned(), Task::Match(three));
    let spec = RunSpec { parts: vec![part], ..RunSpec::default() };
    let error = PreparedRun::prepare(Arc::new(spec)).expect_err("three engines").to_string();
    assert!(error.contains("an encounter of a knockout tournament has two engines"), "{error}");
}
