//! Whole tournaments of Echo with tiny searches, for the tests of the formats whose rounds depend on results.

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;
use std::time::SystemTime;

use super::event::RunEvent;
use super::job::{MatchTask, RunSpec};
use super::journal::Journal;
use super::pool::{PoolConfig, PreparedPool, RunError, RunStatus};
use super::run_record::RunRecord;
use super::tournament::{first_round, next_round};
use threefold_chess::clock::Stop;
use threefold_games::game::Adjudication;
use threefold_games::opening::read_epd;
use threefold_games::pairing::TournamentFormat;
use threefold_games::playout::adjudication::{Like, MaxMoves, ResignRule, Rule};

/// When all journals begin.
const NOW: SystemTime = SystemTime::UNIX_EPOCH;

const BOOK: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1\n\
    r3k3/ppp5/8/8/8/8/PPP5/R3K3 w - - 0 1\n\
    3qk3/3p4/8/8/8/8/3P4/3QK3 w - - 0 1\n\
    4k3/ppp5/8/8/8/8/5PPP/4K3 w - - 0 1\n\
    2b1k3/pp6/8/8/8/8/PP6/2B1K3 w - - 0 1\n";

/// A tournament of these engines with one pair in an encounter; games are drawn after this number of moves.
pub(crate) fn tournament(format: TournamentFormat, engines: &[&str], most_moves: u32) -> MatchTask {
    let resign: Arc<dyn Rule> =
        Arc::new(ResignRule { moves: 2, score: 200, two_sided: false, like: Like::Threefold });
    let length = Arc::new(MaxMoves(NonZeroU32::new(most_moves).expect("not zero")));
    MatchTask {
        format,
        control: "nodes=60".parse().expect("sound"),
        adjudication: Adjudication::new([resign, length]),
        ..MatchTask::new(
            engines.iter().map(|text| text.parse().expect("sound")).collect(),
            read_epd(BOOK).expect("sound"),
            1,
        )
    }
}

/// The run of a tournament before its first game.
pub(crate) fn spec(games: MatchTask) -> RunSpec {
    RunSpec { seed: 1, parts: first_round(&games), tournament: Some(Box::new(games)), ..RunSpec::default() }
}

/// A journal of a run in memory, without a result.
pub(crate) fn journal(spec: RunSpec) -> Journal {
    Journal::in_memory(spec, NOW).expect("memory")
}

/// Plays what a journal lacks, round after round, or until this number of jobs has ended.
pub(crate) fn play(journal: &mut Journal, workers: usize, most: usize) -> Result<RunStatus, RunError> {
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

/// A tournament that is played to its end.
pub(crate) fn played(spec: RunSpec, workers: usize) -> Journal {
    let mut journal = journal(spec);
    assert_eq!(play(&mut journal, workers, usize::MAX).expect("no trouble"), RunStatus::Finished);
    journal
}

/// Plays the jobs of the first round alone. The journal does not have the second one yet.
pub(crate) fn with_first_round(spec: RunSpec) -> Journal {
    let mut journal = journal(spec);
    let config = PoolConfig::new(NonZeroUsize::MIN, Stop::default());
    let ready = PreparedPool::to_resume(&journal, &config).expect("sound");
    ready.run(&mut journal, &config, &mut |_| {}).expect("no trouble");
    journal
}

/// The same outcome with one worker, with three, and from a file whose run is interrupted after every few
/// jobs, for some numbers of jobs. Returns the outcome.
pub(crate) fn same_in_any_way<T: PartialEq + std::fmt::Debug>(
    spec: &RunSpec,
    outcome: fn(&Journal) -> T,
    jobs_of_a_session: &[usize],
) -> T {
    let alone = outcome(&played(spec.clone(), 1));
    assert_eq!(alone, outcome(&played(spec.clone(), 3)));
    for &jobs in jobs_of_a_session {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("run.sqlite");
        drop(Journal::create(&file, spec, NOW).expect("a new file"));
        let mut sessions = 0;
        loop {
            sessions += 1;
            let mut journal = Journal::open(&file).expect("sound");
            if play(&mut journal, 2, jobs).expect("no trouble") == RunStatus::Finished
                && next_round(&RunRecord::from_journal(&journal).expect("sound")).is_none()
            {
                assert_eq!(alone, outcome(&journal), "{jobs} jobs in a session");
                break;
            }
        }
        assert!(sessions > 2, "{jobs} jobs in a session are no interruption");
    }
    alone
}
