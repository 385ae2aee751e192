//! Dialogues and smoke games that an engine with a race passes by chance.

use std::collections::{BTreeMap, BTreeSet};

use super::baseline::CaseName;
use crate::job::{Part, RunSpec, SuiteTask, Task};
use crate::labels::Labels;
use crate::lost_answers::{OTHER_VARIANTS, PASSES_BY_CHANCE};
use crate::outputs::Outputs;
use crate::run_record::RunRecord;
use threefold_player::FaultCause;
use threefold_suites::single_case::with_cases;
use threefold_suites::{CaseRecord, Cause, FailCause, LostCase, PassCause, SkipCause, VerdictKind};

/// A run that holds passed dialogues and smoke games of these suites again, this often: those of each class in which the
/// engine has failed another one, and all dialogues if chance decides about other cases; `None` if there are none. An engine
/// with a race passes some of them by chance, which later runs would take for a regression. Smoke games with a fault are played
/// again, too: one that is passed then shows that it is chance.
pub fn asked_again(run: &RunRecord, suites: &BTreeSet<String>, times: usize) -> Option<RunSpec> {
    let planned = run.planned_parts();
    let known = planned.iter().filter_map(|part| {
        let lost_case = part.suite?.lost_case;
        Some(part.cases().map(move |case| (lost_case, case.verdict.cause)))
    });
    let by_chance = depends_on_chance(known.flatten());
    let again = planned.iter().filter_map(|part| {
        let (Task::Suite(task), Some(suite)) = (&part.part.task, part.suite) else { return None };
        if suite.lost_case != LostCase::Strict || !suites.contains(&part.part.name) {
            return None;
        }
        let cases: Vec<&CaseRecord> = part.cases().collect();
        let asked = cases_to_ask(&cases, by_chance);
        if asked.is_empty() {
            return None;
        }
        let source = with_cases(&task.source, &asked).expect("the suite has been read before");
        Some((&part.part.name, SuiteTask { source, ..task.clone() }))
    });
    let again: Vec<_> = again.collect();
    let parts: Vec<Part> = (0..times)
        // The first run was time 1.
        .flat_map(|time| again.iter().map(move |it| (time + 2, it)))
        .map(|(time, (name, task))| Part {
            name: format!("{name}, time {time}"),
            labels: Labels::NONE,
            task: Task::Suite(task.clone()),
        })
        .collect();
    let spec = run.spec().clone();
    (!parts.is_empty()).then(|| RunSpec { parts, outputs: Outputs::default(), max_faults: None, ..spec })
}

/// This number of flaky cases of strict suites shows a race. A sound engine may have one, of a rule about what a search sees.
const FLAKY_CASES: usize = 2;

/// Does the engine lose answers of searches by chance, or fail several cases of strict suites now and then?
fn depends_on_chance(cases: impl Iterator<Item = (LostCase, Cause)>) -> bool {
    let flaky = cases.filter(|(_, cause)| *cause == SkipCause::Flaky.into());
    let (strict, search): (Vec<_>, Vec<_>) = flaky.partition(|(lost_case, _)| *lost_case == LostCase::Strict);
    strict.len() >= FLAKY_CASES || !search.is_empty()
}

/// The cases of a strict suite that are asked again; all dialogues that were passed, if chance decides about other cases.
fn cases_to_ask<'c>(cases: &[&'c CaseRecord], by_chance: bool) -> Vec<&'c str> {
    let failures = [
        FailCause::ProtocolViolated.into(),
        FailCause::LostOnTime.into(),
        SkipCause::Flaky.into(),
        SkipCause::NoAnswer.into(),
    ];
    let is_failed = |cause: &Cause| failures.contains(cause) || cause.kind() == VerdictKind::Fault;
    let failed = cases.iter().filter(|case| is_failed(&case.verdict.cause));
    let failed: BTreeSet<&str> = failed.map(|case| case.class.as_str()).collect();
    let is_doubtful = |case: &CaseRecord| match case.verdict.cause {
        Cause::Passed(PassCause::ClauseMet) => by_chance || failed.contains(case.class.as_str()),
        Cause::Passed(PassCause::NoFault) => failed.contains(case.class.as_str()),
        _ => false,
    };
    if !cases.iter().any(|case| is_doubtful(case)) {
        return Vec::new();
    }
    let are_games = cases.iter().any(|case| case.verdict.cause == PassCause::NoFault.into());
    let is_asked =
        |case: &CaseRecord| is_doubtful(case) || are_games && is_fault_of_any_game(case.verdict.cause);
    cases.iter().filter(|case| is_asked(case)).map(|case| case.id.as_str()).collect()
}

/// The passed cases of the first run that are passed by chance, and why: those that failed when they were asked again. If half of
/// the variants of a dialogue are passed by chance, so are the others: they differ in a line. A fault that a smoke game has now and
/// then may come in any other game, so then all games of the suite are among them.
pub fn cases(first: &RunRecord, again: &RunRecord) -> BTreeMap<CaseName, &'static str> {
    let answers = |run: &RunRecord| -> Vec<Answer> {
        let parts = run.parts();
        let cases = parts.iter().flat_map(|part| part.cases().cloned().collect::<Vec<_>>());
        let answer = |case: CaseRecord| Answer {
            name: CaseName { suite: case.suite, id: case.id },
            class: case.class,
            cause: case.verdict.cause,
        };
        cases.map(answer).collect()
    };
    by_chance(&answers(first), &answers(again))
}

/// A case, and what came of it.
struct Answer {
    name: CaseName,
    class: String,
    cause: Cause,
}

impl Answer {
    /// What the variants of a dialogue have in common: `quit.early` and `quit.late` are variants of `quit`.
    fn dialogue(&self) -> (&str, &str, &str) {
        let id = &self.name.id;
        (&self.name.suite, &self.class, id.split_once('.').map_or(id, |(dialogue, _)| dialogue))
    }
}

/// As [`cases`].
fn by_chance(answers: &[Answer], again: &[Answer]) -> BTreeMap<CaseName, &'static str> {
    let first: BTreeMap<&CaseName, Cause> = answers.iter().map(|it| (&it.name, it.cause)).collect();
    let mut found = BTreeMap::new();
    let mut suites = BTreeSet::new();
    for Answer { name, cause, .. } in again {
        let before = first.get(name).copied();
        if cause.kind() != VerdictKind::Passed && before.is_some_and(|it| it.kind() == VerdictKind::Passed) {
            found.insert(name.clone(), PASSES_BY_CHANCE);
        }
        let game = Cause::from(PassCause::NoFault);
        let is_now_fault = before == Some(game) && is_fault_of_any_game(*cause);
        let was_fault = *cause == game && before.is_some_and(is_fault_of_any_game);
        if is_now_fault || was_fault {
            suites.insert(&name.suite);
        }
    }
    for (name, cause) in first {
        if cause.kind() == VerdictKind::Passed && suites.contains(&name.suite) {
            found.entry(name.clone()).or_insert("another game has a fault by chance");
        }
    }
    for name in variants_of(&found, answers) {
        found.insert(name, OTHER_VARIANTS);
    }
    found
}

/// The passed variants of dialogues of which as many others are passed by chance.
fn variants_of(found: &BTreeMap<CaseName, &'static str>, answers: &[Answer]) -> Vec<CaseName> {
    let is_chance = |it: &Answer| it.cause == SkipCause::Flaky.into() || found.contains_key(&it.name);
    let is_passed = |it: &Answer| it.cause == PassCause::ClauseMet.into();
    // Of each dialogue, the variants that are passed by chance and those that are passed.
    let mut counts: BTreeMap<_, (usize, usize)> = BTreeMap::new();
    for it in answers {
        let (by_chance, passed) = counts.entry(it.dialogue()).or_default();
        if is_chance(it) {
            *by_chance += 1;
        } else if is_passed(it) {
            *passed += 1;
        }
    }
    let others = answers.iter().filter(|it| is_passed(it) && !is_chance(it));
    let are_chance =
        others.filter(|it| counts.get(&it.dialogue()).is_some_and(|(by_chance, passed)| by_chance >= passed));
    are_chance.map(|it| it.name.clone()).collect()
}

/// May this fault of a game come in any other? A loss on time is none: it depends on the clock, and on the machine.
fn is_fault_of_any_game(cause: Cause) -> bool {
    use FaultCause::{NotSupported, UnsoundCase};
    matches!(cause, Cause::Fault(fault) if ![NotSupported, UnsoundCase].contains(&fault))
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_chess::position::GamePosition;
    use threefold_suites::Verdict;

    fn name(suite: &str, id: &str) -> CaseName {
        CaseName { suite: suite.to_owned(), id: id.to_owned() }
    }

    fn answer(suite: &str, id: &str, cause: Cause) -> Answer {
        Answer { name: name(suite, id), class: "class".to_owned(), cause }
    }

    #[test]
    fn fault_that_does_not_come_each_time_leaves_out_all_games() {
        let passed = Cause::from(PassCause::NoFault);
        let first = |short: Cause| {
            vec![
                answer("smoke", "short", short),
                answer("smoke", "long", passed),
                answer("smoke", "chess960", SkipCause::NotSupported.into()),
                answer("dialogue", "stop", PassCause::ClauseMet.into()),
            ]
        };
        let game = |id: &str, cause: Cause| answer("smoke", id, cause);
        let other = (name("smoke", "long"), "another game has a fault by chance");
        for fault in [FaultCause::IllegalMove, FaultCause::Crash, FaultCause::NoAnswer] {
            // The same fault in each attempt is none of chance, and no reason to leave out another game.
            let each_time =
                by_chance(&first(fault.into()), &[game("short", fault.into()), game("long", passed)]);
            assert!(each_time.is_empty(), "{each_time:?}");
            let first_time = by_chance(&first(fault.into()), &[game("short", passed), game("long", passed)]);
            assert_eq!(first_time, BTreeMap::from([other.clone()]));
            let later = by_chance(&first(passed), &[game("short", fault.into()), game("long", passed)]);
            let short = (name("smoke", "short"), "passes by chance");
            assert_eq!(later, BTreeMap::from([other.clone(), short]));
        }
        // A loss on time says nothing about a game with another clock.
        let lost = Cause::from(FailCause::LostOnTime);
        let late = by_chance(&first(lost), &[game("short", passed), game("long", passed)]);
        assert!(late.is_empty(), "{late:?}");
        let late = by_chance(&first(passed), &[game("short", lost), game("long", passed)]);
        assert_eq!(late, BTreeMap::from([(name("smoke", "short"), "passes by chance")]));
    }

    #[test]
    fn flaky_cases_show_that_chance_decides() {
        let flaky = Cause::from(SkipCause::Flaky);
        let failed = Cause::from(FailCause::ProtocolViolated);
        let (strict, search) = (LostCase::Strict, LostCase::Search);
        let table: [(&[(LostCase, Cause)], bool); 5] = [
            (&[], false),
            (&[(strict, flaky), (strict, failed)], false),
            (&[(strict, flaky), (strict, flaky)], true),
            (&[(search, flaky)], true),
            (&[(search, FailCause::Missed.into()), (strict, failed)], false),
        ];
        for (cases, by_chance) in table {
            assert_eq!(depends_on_chance(cases.iter().copied()), by_chance, "{cases:?}");
        }
    }

    #[test]
    fn all_dialogues_are_held_again_if_chance_decides_about_others() {
        let case = |id: &str, class: &str, cause: Cause| CaseRecord {
            suite: "dialogue".to_owned(),
            id: id.to_owned(),
            class: class.to_owned(),
            engine: "E".to_owned(),
            accepted: String::new(),
            note: String::new(),
            line: GamePosition::start_position(),
            verdict: Verdict::unanswered(cause, ""),
        };
        let cases = [
            case("stop", "search", FailCause::ProtocolViolated.into()),
            case("go", "search", PassCause::ClauseMet.into()),
            case("hash", "options", PassCause::ClauseMet.into()),
            case("ponder", "options", SkipCause::NotSupported.into()),
        ];
        let cases: Vec<&CaseRecord> = cases.iter().collect();
        assert_eq!(cases_to_ask(&cases, false), ["go"]);
        assert_eq!(cases_to_ask(&cases, true), ["go", "hash"]);
        assert!(cases_to_ask(&cases[2..], false).is_empty());
        let games = [
            case("short", "game", PassCause::NoFault.into()),
            case("long", "game", FaultCause::Crash.into()),
            case("late", "game", FailCause::LostOnTime.into()),
        ];
        let games: Vec<&CaseRecord> = games.iter().collect();
        assert_eq!(cases_to_ask(&games, false), ["short", "long"]);
        assert!(cases_to_ask(&games[..1], true).is_empty());
        assert_eq!(cases_to_ask(&[games[0], games[2]], false), ["short"]);
    }

    #[test]
    fn dialogue_that_fails_once_says_nothing_about_others() {
        let met = Cause::from(PassCause::ClauseMet);
        let dialogue = |id: &str, cause: Cause| answer("dialogue", id, cause);
        let first = [dialogue("stop", met), dialogue("quit", met)];
        let again = [dialogue("stop", met), dialogue("quit", FaultCause::Crash.into())];
        let found = by_chance(&first, &again);
        assert_eq!(found, BTreeMap::from([(name("dialogue", "quit"), "passes by chance")]));
    }

    #[test]
    fn half_of_the_variants_of_a_dialogue_speak_for_the_others() {
        let (met, failed) = (Cause::from(PassCause::ClauseMet), Cause::from(FailCause::ProtocolViolated));
        let dialogue = |id: &str, cause: Cause| answer("dialogue", id, cause);
        let first = [
            dialogue("quit.depth", met),
            dialogue("quit.clock", SkipCause::Flaky.into()),
            dialogue("quit.movetime", met),
            dialogue("quit.nodes", met),
            Answer { class: "another".to_owned(), ..dialogue("quit.word", met) },
            Answer { name: name("output", "quit.late"), ..dialogue("", met) },
            dialogue("quit.end", failed),
            dialogue("quit", met),
        ];
        let reason = (name("dialogue", "quit.depth"), "passes by chance");
        // Two of five are passed by chance. One that fails each time, another class and another suite do not count.
        let found = by_chance(&first, &[dialogue("quit.depth", failed)]);
        assert_eq!(found, BTreeMap::from([reason.clone()]));
        let without_one = by_chance(&first[..7], &[dialogue("quit.depth", failed)]);
        let others =
            ["quit.movetime", "quit.nodes"].map(|id| (name("dialogue", id), "other variants pass by chance"));
        assert_eq!(without_one, [reason].into_iter().chain(others).collect());
    }
}
