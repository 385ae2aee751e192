//! Protocol compliance: does the engine's program keep the UCI protocol?
//!
//! A case is a clause of the protocol, tested in a process of its own with plain lines: games and other
//! suites meet few of these situations, and a graphical interface meets all of them. Echo inside this process
//! has no protocol and is skipped.

use crate::input::{CaseDefinition, CaseInfo, OptionOverrides, SuiteError, SuiteInput};
use crate::{Case, CaseStep, ClockLimit, Kind, LostCase};
use threefold_chess::clock::{ClockSource, Limits};
use threefold_chess::position::GamePosition;
use threefold_player::Answer;
use threefold_player::Clause;

/// The suite kind `compliance`.
pub const KIND: Kind = Kind {
    name: "compliance",
    summary: "Clauses of the UCI protocol, one by one",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Strict,
    load,
};

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.no_settings()?;
    if !input.limits.is_infinite() || !input.positions.is_empty() {
        let what = "the clauses have their own searches and positions";
        return Err(input.error(what, "remove the limits, and give `positions = []`"));
    }
    Ok(Clause::ALL.iter().map(|&clause| definition(input.suite, clause)).collect())
}

fn definition(suite: &str, clause: Clause) -> CaseDefinition {
    let info = CaseInfo {
        suite: suite.to_owned(),
        id: clause.name().to_owned(),
        class: KIND.name.to_owned(),
        accepted: clause.summary().to_owned(),
        note: String::new(),
        position: GamePosition::start_position(),
        clock_source: ClockSource::Wall,
        players: vec![OptionOverrides::default()],
        background_threads: 0,
    };
    CaseDefinition::new(info, move |_: &Limits| -> Box<dyn Case> { Box::new(ClauseCase(clause)) })
}

/// The dialogue: one step, whose result is the verdict.
struct ClauseCase(Clause);

impl Case for ClauseCase {
    fn next(&mut self, _: Option<&Answer>) -> CaseStep {
        CaseStep::Test(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceFile, Suite, SuiteSource, Timing, run_case};
    use threefold_player::{EngineFault, Player, Question};

    /// What comes of each test of a clause; the last one is removed first.
    struct Tested(Vec<Result<(), String>>);

    impl Player for Tested {
        fn name(&self) -> &'static str {
            "tested"
        }

        fn new_game(&mut self) -> Result<(), EngineFault> {
            Ok(())
        }

        fn answer(&mut self, _: &Question) -> Result<Answer, EngineFault> {
            Ok(Answer::silent())
        }

        fn test_clause(&mut self, _: Clause) -> Result<Result<(), String>, EngineFault> {
            Ok(self.0.pop().expect("a test"))
        }
    }

    fn suite(tail: &str) -> Result<Suite, SuiteError> {
        let text = format!("version = 1\nkind = \"compliance\"\ntitle = \"C\"\npositions = []\n{tail}");
        let suite_file = SourceFile { file: "c.toml".to_owned(), text };
        Suite::read(&SuiteSource { suite_file, positions: Vec::new() })
    }

    #[test]
    fn a_clause_passes_fails_or_is_flaky_with_what_happened() {
        let other = || Err("after `go infinite` it sends …".to_owned());
        let table = [
            (vec![Ok(())], "clause met"),
            (vec![other(), other()], "protocol violated: after `go infinite` it sends …"),
            (vec![Ok(()), other()], "flaky: after `go infinite` it sends …"),
        ];
        for (outcome, reason) in table {
            let (info, mut case) = suite("").expect("sound").cases().remove(0);
            let mut players: [Box<dyn Player>; 1] = [Box::new(Tested(outcome))];
            let verdict = run_case(case.as_mut(), &mut players, Timing::default()).expect("not interrupted");
            assert_eq!((verdict.reason().as_str(), info.id.as_str()), (reason, "identification"));
        }
        assert_eq!(suite("").expect("sound").definitions.len(), Clause::ALL.len());
    }

    #[test]
    fn limits_are_refused() {
        let error = suite("[limits]\ndepth = 3\n").expect_err("no limits").to_string();
        assert!(
            error.starts_with("c.toml: the clauses have their own searches and positions; remove"),
            "{error}"
        );
    }
}
