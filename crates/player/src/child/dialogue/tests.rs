//! Dialogues with a shell script that keeps the protocol, or breaks it in one place.

use std::num::NonZeroU32;
use std::time::Duration;

use super::*;
use crate::dialogue::{DialogueFile, JudgedRules, NO_MOVE, Step};
use crate::mock_engine::Mock;

/// Searches until `stop` or `ponderhit`, and moves at once with a limit.
const SOUND: &str = "uci) echo option name Ponder type check default false; echo uciok;;\n\
    *infinite|*ponder*) echo info depth 1 score cp 3 nodes 9 pv a2a3;;\n\
    go*) echo info depth 1 score cp 3 nodes 9 pv a2a3; echo bestmove a2a3;;\n\
    stop|ponderhit) echo bestmove a2a3;;";
/// Every kind of step.
const STEPS: &str = "> position startpos\n> go infinite\nuntil info 200ms\ncheck best a2a3\nsilent 20ms\n> isready\n\
    < readyok\n> stop\n< bestmove\ncheck best a2a3 b2b3\ncheck takes at most 3s\ncheck takes at least 10ms\n\
    check no mate\ncheck mate at least 2\ncheck depth at most 1\ncheck depth at least 1\ncheck nodes at most 9\ncheck nodes at least 9\ncheck pv within 3s\ncheck lines within 3s\n> uci\n< uciok\n> go depth 1\n\
    < bestmove\ncheck nodes at most 100%\ncheck take at most 9s in all\nclock 9 lag 3s\n> go {clock}\n< bestmove\npause 5ms\n> quit\nexit";

fn dialogue(steps: &str) -> Dialogue {
    let steps = Step::read_all(steps).expect("sound");
    let (options, files) = (Vec::new(), Vec::new());
    Dialogue { options, files, steps, starts: NonZeroU32::MIN, judged: JudgedRules::Basic }
}

fn held(arms: &str, dialogue: &Dialogue) -> Result<DialogueResult, EngineFault> {
    let mut mock = Mock::new("", &format!("{arms}\n{SOUND}"));
    mock.options.startup = Duration::from_secs(2);
    mock.launch().expect("it starts").hold_dialogue(dialogue)
}

#[test]
fn a_sound_engine_takes_every_step() {
    assert_eq!(held("", &dialogue(STEPS)), Ok(DialogueResult::Met));
    let twice = Dialogue {
        starts: NonZeroU32::new(2).expect("not 0"),
        ..dialogue("> isready\n< readyok\nclose\nexit")
    };
    assert_eq!(held("", &twice), Ok(DialogueResult::Met));
}

#[test]
fn an_input_that_the_harness_has_closed_is_no_ignored_quit() {
    // It needs time to end, so that it still runs when the dialogue has ended.
    let mut mock = Mock::new("trap 'sleep 9' EXIT;", SOUND);
    mock.options.startup = Duration::from_secs(2);
    let closed =
        Dialogue { starts: NonZeroU32::new(4).expect("not 0"), ..dialogue("> isready\n< readyok\nclose") };
    assert_eq!(mock.launch().expect("it starts").hold_dialogue(&closed), Ok(DialogueResult::Met));
    assert!(!mock.options.capabilities.ignores_quit(&mock.spec().text));
}

/// What the engine does instead of the protocol, the steps, and what the failure says. `SEARCH` stands for a
/// search to depth 1.
const VIOLATIONS: &[(&str, &str, &str)] = &[
    (
        "uci) echo option name EvalFile type string default '<empty>'; echo uciok;; *'EvalFile value <empty>') exit 3;;",
        "> isready\n< readyok\ndefaults\n> isready\n< readyok",
        "after `isready` it ends (exit status: 3)",
    ),
    ("go*) ;;", "SEARCH", "after `position startpos` and `go depth 1` it sends no `bestmove` within 200 ms"),
    (
        "position*) read -r line;;",
        "> position startpos\n> isready\n< readyok within 100ms",
        "after `position startpos` and `isready` it sends no `readyok` within 100 ms",
    ),
    (
        "*infinite) echo bestmove a2a3;;",
        "> go infinite\nsilent 100ms",
        "after `go infinite` it sends `bestmove a2a3` too early",
    ),
    (
        // Iterations that take longer than the silence that the dialogue asks for.
        "*infinite) i=1; while [ $i -le 45 ]; do echo info depth $i score cp 0 nodes 9 pv a2a3; sleep 0.01; i=$((i + 1)); done; \
         echo bestmove a2a3;;",
        "> position startpos\n> go infinite\nsilent 400ms",
        "after `position startpos` and `go infinite` it sends `bestmove a2a3` too early",
    ),
    ("quit) sleep 9;;", "> quit\nexit within 200ms", "after `quit` it does not end within 200 ms"),
    ("quit) kill -SEGV $$;;", "> quit\nexit", "after `quit` it crashes (signal: 11"),
    ("go*) exit 3;;", "SEARCH", "after `position startpos` and `go depth 1` it ends (exit status: 3)"),
    ("go*) echo bestmove e2e5;;", "SEARCH", "it sends `bestmove e2e5`, which is not a legal move"),
    (
        "go*) echo bestmove a2a3; echo bestmove a2a3;;",
        "SEARCH> isready\n< readyok",
        "it sends `bestmove a2a3` after `bestmove`",
    ),
    ("", "SEARCHcheck best e2e4", "it plays `a2a3`, which is not e2e4"),
    ("", "SEARCHcheck takes at least 2s", "less than 2.00 s"),
    ("go*) sleep 0.1; echo bestmove a2a3;;", "SEARCHcheck takes at most 20ms", "more than 20 ms"),
    (
        "go*) sleep 0.1; echo bestmove a2a3;;",
        "SEARCHcheck takes at most 1s\n> go depth 1\n< bestmove\ncheck take at most 150ms in all",
        "its 2 moves take 2",
    ),
    (
        "'go wtime'*) sleep 0.3; echo bestmove a2a3;;",
        "clock 1+0.1,timemargin=50 lag 400ms\nSEARCH> go {clock}\n< bestmove\n> go {clock}\n< bestmove",
        "of lag with",
    ),
    ("", "SEARCHcheck depth at least 2", "it reports no depth above 1; 2 is expected"),
    ("", "SEARCHcheck score mate 1", "it reports `score cp 3` instead of `score mate 1`"),
    (
        "go*) echo info depth 1 score mate 3 pv a2a3; echo bestmove a2a3;;",
        "SEARCHcheck no mate",
        "it reports `score mate 3` where no mate is possible",
    ),
    (
        "go*) echo info depth 1 score mate 1 pv a2a3; echo bestmove a2a3;;",
        "SEARCHcheck mate at least 2",
        "it reports `score mate 1`, and the shortest mate is 2",
    ),
    ("", "SEARCHcheck depth at most 0", "it reports depth 1, more than 0"),
    ("", "SEARCHcheck seldepth at least 2", "it reports no seldepth above 0; 2 is expected"),
    (
        "go*) echo info depth 1 seldepth 9 pv a2a3; echo bestmove a2a3;;",
        "SEARCHcheck seldepth at least 9\ncheck seldepth at most 8",
        "it reports seldepth 9, more than 8",
    ),
    ("", "SEARCHcheck nodes at most 8", "it reports 9 nodes, more than 8"),
    ("", "SEARCHcheck nodes at least 10", "it reports 9 nodes, fewer than 10"),
    (
        "",
        "SEARCHSEARCHcheck nodes at most 90%",
        "it searches 9 nodes after 9 for the same search, more than 90 %",
    ),
    (
        "go*) echo bestmove a2a3;;",
        "SEARCHcheck pv within 100ms",
        "it shows no principal variation within 100 ms",
    ),
    (
        "go*) sleep 0.15; echo info depth 1 time 2 pv a2a3; echo bestmove a2a3;;",
        "SEARCHcheck lines within 100ms",
        " ms after its `time`",
    ),
];

#[test]
fn every_step_can_fail_and_says_what_happened() {
    let search = "> position startpos\n> go depth 1\n< bestmove within 200ms\n";
    for (arms, steps, what) in VIOLATIONS {
        let steps = steps.replace("SEARCH", search);
        match held(arms, &dialogue(&steps)) {
            Ok(DialogueResult::Violated(text)) => {
                assert!(text.contains(what), "{text} has not {what}");
                assert!(text.contains("; to repeat it: (printf 'uci\\n"), "{text}");
            }
            other => panic!("{steps}: {other:?}"),
        }
    }
}

#[test]
fn commands_in_one_write_are_searches_in_turn() {
    let steps = "> position startpos\n> go ponder\n> stop\n> position startpos moves a2a3\n> go depth 1\n< bestmove\n< bestmove";
    let second = "'position startpos moves a2a3') read -r line; echo bestmove a7a6;;";
    assert_eq!(held(second, &dialogue(steps)), Ok(DialogueResult::Met));
    let wrong = held("", &dialogue(steps)).expect("no fault");
    assert!(
        matches!(&wrong, DialogueResult::Violated(what) if what.contains("is not a legal move")),
        "{wrong:?}"
    );
}

#[test]
fn an_engine_that_fails_once_is_flaky() {
    let once = "go*) if test -e seen; then echo bestmove a2a3; else touch seen; echo bestmove e2e5; fi;;";
    let result = held(once, &dialogue("> position startpos\n> go depth 1\n< bestmove")).expect("no fault");
    assert!(matches!(&result, DialogueResult::Flaky(what) if what.contains("e2e5")), "{result:?}");
    // It is started for the test, and again for each attempt.
    let ends_at_second_start =
        "isready) echo >> starts; test $(wc -l < starts) = 2 && exit 3; echo readyok;;";
    let result = held(ends_at_second_start, &dialogue("> position startpos\n> go depth 1\n< bestmove"));
    assert!(matches!(&result, Ok(DialogueResult::Flaky(what)) if what.contains("it ended")), "{result:?}");
}

#[test]
fn one_search_that_breaks_a_rule_of_chance_is_flaky() {
    let steps = "repeat 3\n> position startpos\n> go depth {n}\n< bestmove\nend";
    let judged = |arms: &str| {
        let dialogue = Dialogue { judged: JudgedRules::One(OutputRule::PvStart), ..dialogue(steps) };
        held(arms, &dialogue).expect("no fault")
    };
    let other = "echo info depth 1 score cp 1 pv e2e4; echo bestmove a2a3";
    assert_eq!(judged(""), DialogueResult::Met);
    assert!(matches!(judged(&format!("'go depth 1') {other};;")), DialogueResult::Flaky(_)));
    assert!(matches!(judged(&format!("go*) {other};;")), DialogueResult::Violated(_)));
}

#[test]
fn a_rule_of_lines_is_not_judged_without_an_answer() {
    let judged = |rule| {
        let steps = "> position startpos\n> go depth 1\n< bestmove within 50ms";
        let dialogue = Dialogue { judged: JudgedRules::One(rule), ..dialogue(steps) };
        held("go*) :;;", &dialogue).expect("no fault")
    };
    let silent = |result: &DialogueResult| match result {
        DialogueResult::Unanswered(what) => what.contains(&format!("{NO_MOVE} within 50 ms")),
        _ => false,
    };
    assert!(silent(&judged(OutputRule::LegalPv)));
    assert!(matches!(judged(OutputRule::BestMove), DialogueResult::Violated(_)));
}

#[test]
fn files_are_in_a_folder_and_the_option_has_one_of_its_names() {
    let offers = "uci) echo option name MoveOverhead type spin default 10 min 0 max 900;\n\
        echo option name SyzygyPath type string default '<empty>'; echo uciok;;\n\
        *'SyzygyPath value'*) cat ${line##* }/KQvK.rtbw >> said; echo >> said;; *Overhead*) echo $line >> said;;";
    let mut mock = Mock::new("", &format!("{offers}\n{SOUND}"));
    mock.options.startup = Duration::from_secs(2);
    let options = [("Move Overhead|MoveOverhead", "600"), ("SyzygyPath", "{folder}")];
    let files = vec![DialogueFile { name: "KQvK.rtbw".to_owned(), bytes: b"no table".to_vec() }];
    let steps = "> setoption name SyzygyPath value {folder}\n> isready\n< readyok";
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let dialogue = Dialogue { options, files, ..dialogue(steps) };
    assert_eq!(mock.launch().expect("it starts").hold_dialogue(&dialogue), Ok(DialogueResult::Met));
    assert_eq!(mock.said(), ["setoption name MoveOverhead value 600", "no table", "no table"]);
}

#[test]
fn a_silence_goes_on_only_while_depths_grow_to_one_that_engines_have() {
    for depth in [3, 300, 70_000] {
        let arms =
            format!("*infinite) echo info depth {depth} score cp 0 pv a2a3; sleep 0.5; echo bestmove a2a3;;");
        let steps = "> position startpos\n> go infinite\nsilent 200ms\n< bestmove";
        assert_eq!(held(&arms, &dialogue(steps)), Ok(DialogueResult::Met), "{depth}");
    }
}

#[test]
fn a_dialogue_that_does_not_apply_is_no_fault_of_the_engine() {
    let lacks = |arms: &str, dialogue: &Dialogue| match held(arms, dialogue) {
        Err(EngineFault::NotSupported(what)) => what,
        other => panic!("{other:?}"),
    };
    let options = vec![("MultiPV".to_owned(), "4".to_owned())];
    assert_eq!(lacks("", &Dialogue { options, ..dialogue("close") }), "option `MultiPV`");
    let assumed = "> position startpos\n> go depth 1\n< bestmove\nassume nodes at most 3";
    assert_eq!(lacks("", &dialogue(assumed)), "what the dialogue assumes: it reports 9 nodes, more than 3");
}

#[test]
fn depth_that_is_repeated_a_few_times_is_flaky() {
    let line = |depth: u16, nodes: u64| format!("echo info depth {depth} score cp 3 nodes {nodes} pv a2a3;");
    let arm =
        |nodes: u64| format!("'go nodes {nodes}') {} {} echo bestmove a2a3;;\n", line(1, 20), line(2, nodes));
    let arms = arm(90) + &arm(50);
    let searches = |repeated: usize| {
        let steps = "> go nodes 50\n< bestmove\n".repeat(repeated);
        let judged = JudgedRules::One(OutputRule::SearchedDepth);
        let dialogue = dialogue(&format!("> position startpos\n> go nodes 90\n< bestmove\n{steps}"));
        held(&arms, &Dialogue { judged, ..dialogue })
    };
    assert_eq!(searches(0), Ok(DialogueResult::Met));
    assert!(matches!(searches(1), Ok(DialogueResult::Flaky(_))));
    assert!(matches!(searches(3), Ok(DialogueResult::Flaky(_))));
    let four = searches(4);
    assert!(matches!(&four, Ok(DialogueResult::Violated(what)) if what.contains("depth 2")), "{four:?}");
}
