//! Removes the results of a worker from a journal, with those that depend on them.
//!
//! Later rounds of a tournament, later iterations of a tune and questions about lost cases follow from earlier results. If one
//! of these is removed, it may come out differently, so all that followed is removed, too. The next rounds are added again once
//! the results are there.

use crate::job::{JobKey, Part, RunSpec, WorkerId};
use crate::journal::{ExcludedResults, Journal, JournalError};
use crate::regress::asked_again::STAGE;
use crate::tournament::ROUND_LABEL;
use crate::tune_state::TUNE_PART;

/// Removes all results of a worker, and those that depend on them. A resumed run does these jobs again.
///
/// # Errors
/// If the journal can't be read or written.
pub fn exclude(journal: &mut Journal, worker: WorkerId) -> Result<ExcludedResults, JournalError> {
    let contexts = journal.contents().job_contexts()?;
    let of_worker = contexts.iter().filter(|(_, context)| context.worker == Some(worker));
    let removed: Vec<JobKey> = of_worker.map(|(&key, _)| key).collect();
    let outdated = first_outdated(journal.spec(), &removed);
    journal.exclude(worker, outdated)
}

/// The first job that depends on results; it and all later ones are outdated without them. The end of the run if none does.
fn first_outdated(spec: &RunSpec, removed: &[JobKey]) -> JobKey {
    let part = |part: usize| JobKey { part, job: 0 };
    let end = part(spec.parts.len());
    if let Some(rule) = &spec.tune {
        let games_per = usize::try_from(rule.schedule.games_per()).unwrap_or(usize::MAX);
        let of_tune = removed.iter().filter(|key| key.part == TUNE_PART).map(|key| key.job / games_per);
        let next = of_tune.min().map(|iteration| (iteration + 1).saturating_mul(games_per));
        return next.map_or(end, |job| JobKey { part: TUNE_PART, job });
    }
    let rounds: Vec<usize> = spec.parts.iter().map(round).collect();
    let Some(first) = removed.iter().filter_map(|key| rounds.get(key.part)).min() else { return end };
    rounds.iter().position(|round| round > first).map_or(end, part)
}

/// The round in which a part was added to its run.
fn round(part: &Part) -> usize {
    let stage = || part.labels.parsed::<usize>(STAGE).map(|stage| stage + 1);
    part.labels.parsed(ROUND_LABEL).or_else(stage).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::Arc;

    use super::*;
    use crate::TuneRule;
    use crate::job::{SuiteTask, Task};
    use crate::labels::Labels;
    use crate::run_record::RunRecord;
    use crate::tournament_fixture::{self as fixture, played, spec};
    use threefold_games::pairing::TournamentFormat;
    use threefold_stats::spsa::{Parameter, ParameterKind, Parameters, Schedule};
    use threefold_suites::{SourceFile, SuiteSource};

    fn key(part: usize, job: usize) -> JobKey {
        JobKey { part, job }
    }

    fn run_of(labels: impl IntoIterator<Item = Labels>) -> RunSpec {
        let suite_file = SourceFile { file: "s.toml".to_owned(), text: String::new() };
        let source = SuiteSource { suite_file, positions: Vec::new() };
        let task = Task::Suite(SuiteTask::new("echo".parse().expect("a spec"), source));
        let part = |labels| Part { labels, ..Part::without_labels("part".to_owned(), task.clone()) };
        RunSpec { parts: labels.into_iter().map(part).collect(), ..RunSpec::default() }
    }

    #[test]
    fn parts_after_the_first_round_with_a_removed_result_are_outdated() {
        let of_round = |round: usize| Labels::NONE.with(ROUND_LABEL, round);
        let tournament = run_of([1, 1, 2, 3].map(of_round));
        let of_stage = |stage: usize| Labels::NONE.with(STAGE, stage);
        // Two suites were asked again.
        let regress = run_of([Labels::NONE, Labels::NONE, of_stage(0), of_stage(1), of_stage(0)]);
        let table = [
            (&tournament, &[key(1, 7)][..], key(2, 0)),
            (&tournament, &[key(3, 0), key(2, 0)], key(3, 0)),
            (&tournament, &[key(3, 0)], key(4, 0)),
            (&tournament, &[], key(4, 0)),
            (&regress, &[key(1, 3)], key(2, 0)),
            (&regress, &[key(4, 0)], key(3, 0)),
            (&regress, &[key(3, 0)], key(5, 0)),
        ];
        for (spec, removed, outdated) in table {
            assert_eq!(first_outdated(spec, removed), outdated, "{removed:?}");
        }
    }

    #[test]
    fn iterations_after_the_first_removed_one_and_the_test_are_outdated() {
        let (name, kind) = ("Margin".to_owned(), ParameterKind::Int);
        let margin = Parameter { name, kind, value: 5.0, min: 0.0, max: 9.0, c_end: 1.0, r_end: 0.002 };
        let parameters = Parameters::new(vec![margin]).expect("sound");
        let schedule = Schedule::usual(3, 2).expect("sound");
        let rule = TuneRule { parameters, schedule, ahead: 1, test: None };
        let tune = RunSpec { tune: Some(Arc::new(rule)), ..run_of([Labels::NONE, Labels::NONE]) };
        let table = [
            (&[key(0, 5), key(0, 9), key(1, 0)][..], key(0, 8)),
            (&[key(0, 11)], key(0, 12)),
            (&[key(1, 0)], key(2, 0)),
        ];
        for (removed, outdated) in table {
            assert_eq!(first_outdated(&tune, removed), outdated, "{removed:?}");
        }
    }

    #[test]
    fn later_rounds_of_a_tournament_are_played_again() {
        let engines = ["A,nodes=60", "B,nodes=40", "C,nodes=80", "D,nodes=900"];
        let engines = engines.map(|engine| format!("echo,Hash=1,name={engine}"));
        let engines = engines.each_ref().map(String::as_str);
        for format in [TournamentFormat::Knockout, TournamentFormat::Swiss] {
            let mut games = fixture::tournament(format, &engines, 40);
            if format == TournamentFormat::Swiss {
                games.rules.rounds = NonZeroUsize::new(2);
            }
            let mut journal = played(spec(games), 1);
            let before = (journal.results(), journal.spec().parts.len());
            let mut excluded = |worker| exclude(&mut journal, WorkerId(worker)).expect("memory");
            assert_eq!(excluded(7), ExcludedResults { of_worker: 0, dependent: 0 });
            assert_eq!(excluded(0), ExcludedResults { of_worker: before.0, dependent: 0 });
            assert_eq!((journal.results(), journal.spec().parts.len()), (0, 2), "the first round is left");
            assert!(!RunRecord::from_journal(&journal).expect("sound").is_done());
            fixture::play(&mut journal, 2, usize::MAX).expect("no trouble");
            assert_eq!((journal.results(), journal.spec().parts.len()), before);
        }
    }
}
