//! `regress --review`: each difference of the last run is accepted into the baseline, or not.

use crate::keyboard::Keyboard;
use crate::sandbox::{Sandbox, THREEFOLD};

const CASES: &str = ".threefold/baseline/cases.csv";
const ACCEPTED: &str = ".threefold/baseline/accepted.csv";
const PROMPT: &str = "q: quit";

/// A repository with a baseline, of which three lines were changed before the last run; and the lines before.
fn reviewed() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.write(".git/HEAD", "");
    let engine = sandbox.script("mine", &format!("exec {THREEFOLD} uci\n"));
    sandbox.write(
        "threefold.toml",
        format!("version = 1\ntitle = \"Small\"\nengine = \"{engine},Hash=1\"\nsuites = [\"traps.toml\"]\nthresholds = \"ignore\"\n"),
    );
    let accepted = sandbox.run("regress --accept");
    assert_eq!(accepted.code, Some(0), "{}{}", accepted.out, accepted.err);
    let before = sandbox.read(CASES);
    let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
    let passed = lines.iter().position(|line| line.contains(",passed,")).expect("a passed case");
    let fields: Vec<String> = lines[passed].split(',').map(str::to_owned).collect();
    let [suite, id, class] = [&fields[0], &fields[1], &fields[2]];
    lines[passed] = format!("{suite},{id},{class},failed,,,a1a1,");
    lines.remove(if passed + 1 < lines.len() { passed + 1 } else { passed - 1 });
    lines.push(format!("{suite},ghost,a,passed,,,e2e4,"));
    sandbox.write(CASES, lines.join("\n") + "\n");
    let run = sandbox.run("regress");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    (sandbox, before)
}

#[test]
fn review_needs_a_terminal_and_a_run() {
    let (sandbox, _) = reviewed();
    let output = sandbox.run("regress --review");
    assert_eq!(output.code, Some(2), "{}", output.out);
    let error = "this is no terminal; read reports/latest/summary.md instead";
    assert!(output.err.contains(error), "{}", output.err);
    let (code, text) = Keyboard::start(&sandbox, "regress --review --out elsewhere").end();
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("elsewhere/run.sqlite: there is no run to review"), "{text}");
    // Results of another program are not accepted unseen.
    sandbox.write("mine.sh", format!("exec {THREEFOLD} uci # changed\n"));
    let (code, text) = Keyboard::start(&sandbox, "regress --review").end();
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("has changed since the run in reports/latest/run.sqlite"), "{text}");
}

#[test]
fn review_accepts_what_is_accepted_and_nothing_else() {
    let (sandbox, before) = reviewed();
    let mut keyboard = Keyboard::start(&sandbox, "regress --review");
    keyboard.wait_for(PROMPT, 1);
    let text = keyboard.text();
    assert!(text.contains("3 differences from .threefold/baseline"), "{text}");
    assert!(text.contains("1 of 3  better: ") && text.contains("(failed, now passed)"), "{text}");
    assert!(
        text.contains("     a  b  c  d  e  f  g  h") && text.contains("baseline   failed"),
        "a board: {text}"
    );
    assert!(!sandbox.path(ACCEPTED).exists(), "nothing is accepted yet");
    keyboard.press('x');
    keyboard.press('a');
    keyboard.wait_for(PROMPT, 2);
    assert!(keyboard.text().contains("2 of 3  new: "), "{}", keyboard.text());
    keyboard.press('r');
    keyboard.wait_for(PROMPT, 3);
    assert!(keyboard.text().contains("the run does not have this case"), "{}", keyboard.text());
    keyboard.press('q');
    let (code, text) = keyboard.end();
    assert!(text.contains("1 accepted, 1 rejected, 1 not decided"), "{text}");
    assert_eq!(code, Some(0), "{text}");
    let list = sandbox.read(ACCEPTED);
    assert!(
        list.starts_with("suite,id,was,now,played,build,engine\n") && list.lines().count() == 2,
        "{list}"
    );
    assert!(list.contains(",failed,passed,"), "{list}");
    assert_ne!(sandbox.read(CASES), before);

    // A later review goes on where this one ended; each case is named.
    let mut keyboard = Keyboard::start(&sandbox, "regress --review");
    keyboard.wait_for(PROMPT, 1);
    assert!(keyboard.text().contains("1 of 2  new: "), "{}", keyboard.text());
    keyboard.press('A');
    let (code, text) = keyboard.end();
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("accepted: gone: ") && text.contains("2 accepted, 0 rejected, 0 not decided"),
        "{text}"
    );
    assert_eq!(sandbox.read(CASES), before, "the results of the run");
    assert_eq!(sandbox.read(ACCEPTED).lines().count(), 4);
    let (code, text) = Keyboard::start(&sandbox, "regress --review").end();
    assert!(code == Some(0) && text.contains("no difference from"), "{text}");

    // A new baseline is of one run.
    assert_eq!(sandbox.run("regress --accept").code, Some(0));
    assert!(!sandbox.path(ACCEPTED).exists());
}
