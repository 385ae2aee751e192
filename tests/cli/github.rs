//! `--github`: annotations and the job summary.

use crate::sandbox::{GAMES, Sandbox};

/// Runs a command with a file for the job summary; the annotations and the text of that file.
fn published(sandbox: &Sandbox, command: &str) -> (Option<i32>, Vec<String>, String) {
    sandbox.write("summary", "before\n");
    let output = sandbox.shell(&format!("GITHUB_STEP_SUMMARY=summary \"$T\" {command}"));
    let annotations = output.err.lines().filter(|line| line.starts_with("::")).map(str::to_owned).collect();
    (output.code, annotations, sandbox.read("summary"))
}

#[test]
fn github_has_annotations_and_a_job_summary() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run("regress --plan plan.toml --baseline base --accept --out new").code, Some(0));
    let regress = "regress --plan plan.toml --baseline base --out new --github";
    let (code, annotations, summary) = published(&sandbox, regress);
    assert_eq!(code, Some(0));
    // The suites are as before, and the test of the plan is undecided.
    let verdict = "::warning title=A small plan::Suites: no regression (";
    assert!(annotations[0].starts_with(verdict), "{annotations:?}");
    assert!(
        annotations[0].contains(" cases compared). Games: undecided after 8 games: Elo "),
        "{annotations:?}"
    );
    assert_eq!(summary, format!("before\n{}", sandbox.read("new/summary.md")));
    let (code, annotations, summary) =
        published(&sandbox, &format!("{regress} --engine echo,name=Echo,fault=MateSignFlipped,Hash=1"));
    assert_eq!(code, Some(1));
    assert!(
        annotations[0].starts_with("::error title=A small plan::Suites: regression: "),
        "{annotations:?}"
    );
    // The cases are in the file of the plan's suite.
    let is_placed =
        |line: &String| line.starts_with("::error title=mates%3A ") && line.contains(",file=mates.epd,line=");
    assert!(annotations.iter().any(is_placed), "{annotations:?}");
    assert!(summary.contains("| suite | this run | baseline | lost | gained |"), "{summary}");
}

#[test]
fn undecided_test_is_a_warning_and_an_error_is_annotated() {
    let sandbox = Sandbox::new();
    let sprt = GAMES.replace("match", "sprt --elo0 0 --elo1 5");
    let (code, annotations, summary) = published(&sandbox, &format!("{sprt} --github"));
    assert_eq!(code, Some(0));
    assert!(annotations[0].starts_with("::warning title=A – B::Undecided after 4 games"), "{annotations:?}");
    assert!(summary.contains("**Undecided after 4 games"), "{summary}");
    let missing = GAMES.replace("echo,name=B", "./missing,name=B");
    let (code, annotations, summary) = published(&sandbox, &format!("{missing} --github"));
    assert_eq!(code, Some(3));
    assert!(annotations[0].starts_with("::error title=threefold::engine `B`"), "{annotations:?}");
    assert!(summary.contains("**Not started: "), "{summary}");
    // Without the flag nothing is printed or written.
    let (_, annotations, summary) = published(&sandbox, GAMES);
    assert_eq!((annotations, summary.as_str()), (Vec::new(), "before\n"));
}
