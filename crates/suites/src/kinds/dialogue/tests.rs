//! Dialogues of a suite file, and their verdicts.

use super::*;
use crate::{SourceFile, Suite, SuiteSource, Timing, VerdictKind, run_case};
use threefold_player::dialogue::Step;
use threefold_player::{DialogueResult, EngineFault, Player, Question};

/// Holds every dialogue with this result.
struct Tested(DialogueResult);

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

    fn hold_dialogue(&mut self, _: &Dialogue) -> Result<DialogueResult, EngineFault> {
        Ok(self.0.clone())
    }
}

fn suite(dialogue: &str) -> Result<Suite, SuiteError> {
    let text = format!(
        "version = 1\nkind = \"dialogue\"\ntitle = \"D\"\npositions = []\n[[settings.dialogues]]\n\
         id = \"stop\"\nclass = \"stop\"\nsummary = \"It stops.\"\n{dialogue}"
    );
    let suite_file = SourceFile { file: "d.toml".to_owned(), text };
    Suite::read(&SuiteSource { suite_file, positions: Vec::new() })
}

fn ids(dialogue: &str) -> Vec<String> {
    suite(dialogue).expect("sound").definitions.iter().map(|it| it.info.id.clone()).collect()
}

#[test]
fn variants_and_rules_make_cases() {
    assert_eq!(ids("steps = '> stop'"), ["stop"]);
    assert_eq!(
        ids("steps = 'pause {variant}'\nvariants = { late = '9ms', early = '1ms' }"),
        ["stop.early", "stop.late"]
    );
    assert_eq!(
        ids("steps = '> go'\nrules = ['pv-end', 'words']\npositions = ['startpos']"),
        ["stop.pv-end", "stop.words"]
    );
}

#[test]
fn a_dialogue_passes_fails_or_is_flaky() {
    let table = [
        (DialogueResult::Met, VerdictKind::Passed, "clause met"),
        (DialogueResult::Flaky("it hangs".to_owned()), VerdictKind::Skipped, "flaky: it hangs"),
        (DialogueResult::Violated("it hangs".to_owned()), VerdictKind::Failed, "protocol violated: it hangs"),
    ];
    for (result, kind, reason) in table {
        let (_, mut case) = suite("steps = '> stop'").expect("sound").cases().remove(0);
        let mut players: [Box<dyn Player>; 1] = [Box::new(Tested(result))];
        let verdict = run_case(case.as_mut(), &mut players, Timing::default()).expect("not interrupted");
        assert_eq!((verdict.kind(), verdict.reason().as_str()), (kind, reason));
    }
}

#[test]
fn clock_limits_searches_and_dialogues_about_other_limits_are_skipped() {
    let text = "steps = '> go {variant}'\nvariants = { 1-any = '{depth 3}', 2-depth = 'depth 3' }";
    let on_clock = format!("{text}\n[limits]\ntc = '2'");
    let table = [
        (text, ["go depth 3", "go depth 3"]),
        (&on_clock, ["go wtime 300 btime 300", "not supported: limits that are no clocks"]),
    ];
    for (text, expected) in table {
        let cases = suite(text).expect("sound").cases().into_iter();
        let asked: Vec<String> = cases
            .map(|(_, mut case)| match case.next(None) {
                CaseStep::Hold(dialogue) => match &dialogue.steps[..] {
                    [Step::Send(lines)] => lines.join("; "),
                    steps => panic!("{steps:?}"),
                },
                CaseStep::Done(verdict) => verdict.reason(),
                step => panic!("{step:?}"),
            })
            .collect();
        assert_eq!(asked, expected);
    }
}

#[test]
fn errors_in_a_dialogue_name_the_line() {
    let table = [
        ("steps = 'wait'", "d.toml:9: step 1: `wait` is not a step; "),
        ("steps = '> go {depht 3}'", "d.toml:9: step 1: nothing stands for `{depht 3}`; give `{variant}`"),
        (
            "steps = '> go'\nfiles = { 'a/b' = '00' }",
            "d.toml:10: `a/b` is no name of a file in the folder of the dialogue; give a name such as",
        ),
        ("steps = '> {folder}'", "d.toml:6: `{folder}` stands for nothing; give the dialogue `files`"),
        (
            "steps = '> go'\noptions = { SyzygyPath = '{folder}' }",
            "d.toml:6: `{folder}` stands for nothing; give the dialogue `files`",
        ),
        ("steps = '> go'\nfiles = { b = '0' }", "d.toml:10: `0` is no bytes; give hexadecimal digits"),
        (
            "steps = '> go'\n[limits]\ntc = '2'\nnodes = 5",
            "d.toml: the dialogues have their own searches and positions; limit them by `tc` alone",
        ),
        ("steps = '> go'\nneeds = ['luck']", "d.toml:10: `luck` is nothing that a dialogue can need; "),
        ("steps = '> go'\nrules = ['neat']", "d.toml:10: there is no rule `neat`; use one of best-move, "),
        ("steps = '> go'\npositions = ['fen 8']", "d.toml:10: `fen 8` is no legal position; give `startpos`"),
    ];
    for (dialogue, message) in table {
        let error = suite(dialogue).expect_err(dialogue).to_string();
        assert!(error.starts_with(message), "{error}");
    }
}
