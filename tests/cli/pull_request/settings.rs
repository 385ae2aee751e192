//! Settings of the games in the comments of a pull request of GitHub.

use serde_json::{Value, json};

use super::service::{Contents, Service, TOKEN};
use super::{has_programs, run, run_step};
use crate::sandbox::{CommandOutput, Sandbox};

fn settings(comments: Vec<Value>) -> CommandOutput {
    let service = Service::start(Contents { comments, ..Contents::default() });
    let sandbox = Sandbox::empty();
    sandbox.write("event.json", json!({ "pull_request": { "number": 5 } }).to_string());
    let variables = [
        ("GITHUB_EVENT_PATH", "event.json"),
        ("GITHUB_REPOSITORY", "owner/engine"),
        ("GITHUB_API_URL", service.address()),
        ("THREEFOLD_LABEL", "threefold: sprt"),
        ("THREEFOLD_TOKEN", TOKEN),
    ];
    run(&sandbox, "settings", &variables)
}

fn by(association: &str, text: &str) -> Value {
    json!({ "author_association": association, "body": text })
}

#[test]
fn settings_are_those_of_the_last_comment_of_someone_who_may_write() {
    if !has_programs() {
        return;
    }
    for (comments, expected) in [
        (vec![], ""),
        (vec![by("OWNER", "threefold: sprt")], ""),
        (vec![by("MEMBER", "threefold: sprt tc=8+0.08  elo1=5\r\n\nPlease.")], "tc=8+0.08 elo1=5"),
        (vec![by("OWNER", "threefold: sprt elo1=5"), by("COLLABORATOR", "threefold: sprt elo1=3")], "elo1=3"),
        (
            vec![by("OWNER", "threefold: sprt elo1=5"), by("CONTRIBUTOR", "threefold: sprt budget=99h")],
            "elo1=5",
        ),
        (vec![by("OWNER", "  `Threefold: SPRT\telo1=3`")], "elo1=3"),
        (
            vec![by("OWNER", "threefold: sprt elo1=5"), by("OWNER", "threefold: sprt is green now, merging")],
            "elo1=5",
        ),
        (vec![by("NONE", "threefold: sprt elo1=5"), by("OWNER", "threefold: sprts elo1=5")], ""),
        (
            vec![
                by("OWNER", "Try:\nthreefold: sprt elo1=5"),
                json!({ "author_association": "OWNER", "body": null }),
            ],
            "",
        ),
    ] {
        let said = format!("{comments:?}");
        let output = settings(comments);
        assert_eq!((output.code, output.out.trim_end()), (Some(0), expected), "{said}: {}", output.err);
        let shown = if expected.is_empty() { "none, so those of the plan" } else { expected };
        assert!(
            output.err.contains(&format!("settings of the games from comments: {shown}")),
            "{}",
            output.err
        );
    }
}

#[test]
fn settings_that_are_no_settings_are_refused() {
    if !has_programs() {
        return;
    }
    for text in ["tc=8+0.08,elo1=5", "elo1=5 please", "tc=$(id)", "--engine=x", "a=*", "elo1=5;id"] {
        let output = settings(vec![by("OWNER", &format!("threefold: sprt {text}"))]);
        assert_eq!((output.code, output.out.as_str()), (Some(1), ""), "{text}");
        assert!(output.err.contains("which is no KEY=VALUE"), "{text}: {}", output.err);
    }
}

#[test]
fn action_reads_the_settings_in_a_step_of_its_own() {
    if !has_programs() {
        return;
    }
    let comments = vec![by("OWNER", "threefold: sprt tc=8+0.08 elo1=5")];
    let service = Service::start(Contents { comments, ..Contents::default() });
    let sandbox = Sandbox::empty();
    sandbox.write("event.json", json!({ "pull_request": { "number": 5 } }).to_string());
    let variables = [
        ("GITHUB_EVENT_PATH", "event.json"),
        ("GITHUB_REPOSITORY", "owner/engine"),
        ("GITHUB_API_URL", service.address()),
    ];
    let step = ["action.yml", "Settings of the games", "."];
    let output = run_step(&sandbox, step, &[("label", "threefold: sprt")], &variables);
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert_eq!(sandbox.read("output"), "settings=tc=8+0.08 elo1=5\n");
}
