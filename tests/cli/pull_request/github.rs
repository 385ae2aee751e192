//! The comment of a pull request of GitHub: when it is written, where, and what it says.

use serde_json::{Value, json};

use super::service::{Contents, Service, TOKEN, archive};
use super::{has_programs, run, run_step};
use crate::sandbox::{CommandOutput, Sandbox};

/// The commit that was tested.
pub(super) const SHA: &str = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";

/// A comment as `regress` writes it.
pub(super) const REPORT: &str =
    "### Stash\n\n✅ **No regression (1 040 cases compared).**\n\nCommand: `threefold regress`, seed 1.\n";

/// The event of a run of the workflow for a branch of this repository, or of a fork.
pub(super) fn event(head: &str, attempt: u64) -> Value {
    json!({ "workflow_run": {
        "id": 77, "run_attempt": attempt, "event": "pull_request", "conclusion": "success", "head_sha": SHA,
        "head_branch": "a&b #1", "head_repository": { "full_name": head, "owner": { "login": "x" } },
        "repository": { "full_name": "owner/engine" }, "pull_requests": [],
    } })
}

/// A pull request of a branch, as the API shows it.
pub(super) fn pull(number: u64, head: &str, sha: &str) -> Value {
    let owner = head.split('/').next().unwrap_or_default();
    json!({
        "number": number, "labels": [{ "name": "bug" }],
        "head": { "sha": sha, "label": format!("{owner}:a&b #1"), "repo": { "full_name": head } },
        "base": { "repo": { "full_name": "owner/engine" } },
    })
}

/// A service with pull request 5 of this repository, and the artifacts of a run.
pub(super) fn contents(report: &[u8]) -> Contents {
    Contents {
        pulls: vec![pull(5, "owner/engine", SHA)],
        artifacts: vec![
            (31, "threefold-comment".to_owned(), archive(&[("comment.md", report)])),
            (30, "threefold".to_owned(), vec![0; 9]),
        ],
        ..Contents::default()
    }
}

/// Runs the script for an event.
pub(super) fn comment(service: &Service, event: &Value) -> CommandOutput {
    comment_with(&Sandbox::empty(), service, event, &[])
}

pub(super) fn comment_with(
    sandbox: &Sandbox,
    service: &Service,
    event: &Value,
    more: &[(&str, &str)],
) -> CommandOutput {
    sandbox.write("event.json", event.to_string());
    let mut variables = vec![
        ("GITHUB_EVENT_PATH", "event.json"),
        ("GITHUB_REPOSITORY", "owner/engine"),
        ("GITHUB_API_URL", service.address()),
        ("GITHUB_SERVER_URL", "https://github.com"),
        ("THREEFOLD_TOKEN", TOKEN),
    ];
    variables.extend(more);
    run(sandbox, "comment", &variables)
}

#[test]
fn comment_is_written_once_and_then_updated() {
    if !has_programs() {
        return;
    }
    let service = Service::start(contents(REPORT.as_bytes()));
    let output = comment(&service, &event("owner/engine", 1));
    assert_eq!(
        (output.code, output.out.as_str()),
        (Some(0), "pull request 5: https://example.org/comment\n"),
        "{}",
        output.err
    );
    let texts = service.texts();
    assert_eq!(texts.len(), 1);
    assert!(texts[0].starts_with("<!-- threefold:threefold 77.1 -->\n### Stash\n"), "{}", texts[0]);
    assert!(texts[0].contains(REPORT), "{}", texts[0]);

    service.contents().artifacts[0].2 =
        archive(&[("comment.md", REPORT.replace("1 040", "1 041").as_bytes())]);
    let output = comment(&service, &event("owner/engine", 2));
    assert_eq!(output.code, Some(0), "{}", output.err);
    let texts = service.texts();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].contains("1 041 cases") && texts[0].contains("77.2 -->"), "{}", texts[0]);
    let written = service.contents().written.clone();
    assert_eq!(
        written,
        ["POST /repos/owner/engine/issues/5/comments", "PATCH /repos/owner/engine/issues/comments/1000"]
    );

    // The first attempt ends after the second one.
    let output = comment(&service, &event("owner/engine", 1));
    assert_eq!(
        (output.code, output.out.as_str()),
        (Some(0), "pull request 5 has the comment of a later run\n")
    );
    assert_eq!(service.texts(), texts);
}

#[test]
fn comment_of_a_fork_names_it_and_the_label() {
    if !has_programs() {
        return;
    }
    let mut known = contents(REPORT.as_bytes());
    known.pulls = vec![pull(5, "guest/engine", SHA)];
    let service = Service::start(known);
    let more = [
        ("THREEFOLD_LABEL", "threefold: sprt"),
        ("THREEFOLD_PAGE", "https://owner.github.io/engine/{number}/"),
    ];
    let output = comment_with(&Sandbox::empty(), &service, &event("guest/engine", 1), &more);
    assert_eq!(output.code, Some(0), "{}", output.err);
    insta::assert_snapshot!(service.texts()[0]);
    // With the label, the games need not be explained.
    service.contents().pulls[0]["labels"] = json!([{ "name": "threefold: sprt" }]);
    comment_with(&Sandbox::empty(), &service, &event("guest/engine", 2), &more);
    assert!(!service.texts()[0].contains("threefold: sprt"), "{}", service.texts()[0]);
}

#[test]
fn comment_of_a_run_that_could_not_start_says_why() {
    if !has_programs() {
        return;
    }
    let sandbox = Sandbox::new();
    let output = sandbox.run("regress --plan plan.toml --engine ./mine --out out");
    assert_eq!(output.code, Some(3), "{}", output.err);
    let service = Service::start(contents(sandbox.read("out/comment.md").as_bytes()));
    let mut failed = event("owner/engine", 1);
    failed["workflow_run"]["conclusion"] = json!("failure");
    let output = comment(&service, &failed);
    assert_eq!(output.code, Some(0), "{}", output.err);
    insta::assert_snapshot!(service.texts()[0]);
}

#[test]
fn comment_of_a_run_without_a_report_says_so() {
    if !has_programs() {
        return;
    }
    let service = Service::start(Contents { artifacts: Vec::new(), ..contents(b"") });
    let mut failed = event("owner/engine", 1);
    failed["workflow_run"]["conclusion"] = json!("failure");
    let output = comment(&service, &failed);
    assert_eq!(output.code, Some(0), "{}", output.err);
    insta::assert_snapshot!(service.texts()[0]);
}

#[test]
fn comment_of_a_real_run_is_shown_as_it_is() {
    if !has_programs() {
        return;
    }
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run("regress --plan plan.toml --baseline base --accept --out new").code, Some(0));
    for (engine, sign) in
        [("echo,name=Echo,Hash=1", "⚠️"), ("echo,name=Echo,fault=MateSignFlipped,Hash=1", "❌")]
    {
        sandbox.run(&format!("regress --plan plan.toml --baseline base --out new --engine {engine}"));
        let report = sandbox.read("new/comment.md");
        assert!(report.contains(&format!("{sign} **Suites: ")), "{report}");
        assert!(report.contains("    Penta | ["), "{report}");
        let service = Service::start(contents(report.as_bytes()));
        assert_eq!(comment(&service, &event("owner/engine", 1)).code, Some(0));
        assert!(service.texts()[0].contains(&report), "{}", service.texts()[0]);
    }
}

#[test]
fn comment_is_only_for_the_open_pull_request_whose_last_commit_was_tested() {
    if !has_programs() {
        return;
    }
    let other = SHA.replace('1', "2");
    for (pulls, said) in [
        (vec![], "0 open pull requests have the commit"),
        (vec![pull(5, "owner/engine", &other)], "0 open pull requests have the commit"),
        (vec![pull(5, "guest/engine", SHA)], "0 open pull requests have the commit"),
        (
            vec![pull(5, "owner/engine", SHA), pull(6, "owner/engine", SHA)],
            "2 open pull requests have the commit",
        ),
    ] {
        let service = Service::start(Contents { pulls, ..contents(REPORT.as_bytes()) });
        let output = comment(&service, &event("owner/engine", 1));
        assert!(output.code == Some(0) && output.out.starts_with(said), "{}{}", output.out, output.err);
        assert_eq!(service.contents().written, [""; 0]);
    }
    for (key, value, code, said) in [
        ("event", "push", 0, "the run is not that of a pull request"),
        ("conclusion", "skipped", 0, "the run was skipped"),
        ("conclusion", "cancelled", 0, "the run was cancelled"),
        ("head_sha", "main", 1, ""),
        ("repository", "", 1, ""),
    ] {
        let service = Service::start(contents(REPORT.as_bytes()));
        let mut event = event("owner/engine", 1);
        event["workflow_run"][key] = json!(value);
        let output = comment(&service, &event);
        assert!(
            output.code == Some(code) && output.out.starts_with(said),
            "{key}: {}{}",
            output.out,
            output.err
        );
        assert_eq!(service.contents().written, [""; 0]);
    }
}

#[test]
fn comment_of_a_stranger_is_left_alone() {
    if !has_programs() {
        return;
    }
    let mut known = contents(REPORT.as_bytes());
    let by = |login: &str, id: u64, text: &str| json!({ "id": id, "user": { "login": login }, "body": text });
    known.comments.push(by("stranger", 1, "<!-- threefold:threefold 1.1 -->"));
    known.comments.push(by("github-actions[bot]", 2, "<!-- threefold:sanitizers 1.1 -->"));
    known.comments.extend((0..150).map(|number| by("author", 10 + number, "text")));
    known.comments.push(by("github-actions[bot]", 900, "<!-- threefold:threefold 9.1 -->\nbefore"));
    let service = Service::start(known);
    let output = comment(&service, &event("owner/engine", 1));
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert_eq!(service.contents().written, ["PATCH /repos/owner/engine/issues/comments/900"]);
    assert!(service.texts()[152].contains("### Stash"));
}

#[test]
fn each_artifact_has_its_comment() {
    if !has_programs() {
        return;
    }
    let mut known = contents(REPORT.as_bytes());
    known.artifacts.push((
        40,
        "asan-comment".to_owned(),
        archive(&[("comment.md", REPORT.replace("Stash", "ASan").as_bytes())]),
    ));
    let service = Service::start(known);
    let artifacts = [("THREEFOLD_ARTIFACTS", "threefold asan")];
    let output = comment_with(&Sandbox::empty(), &service, &event("owner/engine", 1), &artifacts);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let texts = service.texts();
    assert!(texts[0].contains("### Stash") && texts[1].contains("### ASan"), "{texts:?}");
    assert!(texts[1].starts_with("<!-- threefold:asan 77.1 -->"), "{texts:?}");
}

#[test]
fn token_is_neither_in_arguments_nor_in_logs_nor_sent_to_the_storage() {
    if !has_programs() {
        return;
    }
    let sandbox = Sandbox::empty();
    sandbox.write(
        "bin/curl",
        "#!/bin/sh\nprintf '%s\\n' \"$*\" >>arguments\nPATH=${PATH#*:}\nexec curl \"$@\"\n",
    );
    assert_eq!(sandbox.shell("chmod +x bin/curl").code, Some(0));
    let service = Service::start(contents(REPORT.as_bytes()));
    let output = comment_with(&sandbox, &service, &event("owner/engine", 1), &[]);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let arguments = sandbox.read("arguments");
    assert!(arguments.lines().count() >= 6 && !arguments.contains(TOKEN), "{arguments}");
    assert_eq!(service.contents().written, ["POST /repos/owner/engine/issues/5/comments"]);
    for (token, said) in
        [("ghs_other", "status 401; does the token have the permissions"), ("", "give a token")]
    {
        let output =
            comment_with(&sandbox, &service, &event("owner/engine", 1), &[("THREEFOLD_TOKEN", token)]);
        assert!(output.code == Some(1) && output.err.contains(said), "{}", output.err);
    }
    service.contents().forbids_writing = true;
    let output = comment_with(&sandbox, &service, &event("owner/engine", 1), &[]);
    assert!(output.code == Some(1) && output.err.contains("status 403; does the token"), "{}", output.err);
}

#[test]
fn action_writes_the_comment_with_its_inputs() {
    if !has_programs() {
        return;
    }
    let service = Service::start(contents(REPORT.as_bytes()));
    let sandbox = Sandbox::empty();
    sandbox.write("event.json", event("owner/engine", 1).to_string());
    let inputs =
        [("artifacts", "threefold"), ("label", "threefold: sprt"), ("page", "https://x.org/{number}")];
    let variables = [
        ("GITHUB_EVENT_PATH", "event.json"),
        ("GITHUB_REPOSITORY", "owner/engine"),
        ("GITHUB_API_URL", service.address()),
        ("GITHUB_SERVER_URL", "https://github.com"),
    ];
    let step = ["ci/comment/action.yml", "Comment", "ci/comment"];
    let output = run_step(&sandbox, step, &inputs, &variables);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let text = service.texts().remove(0);
    assert!(text.contains("[page](https://x.org/5). The label `threefold: sprt` starts"), "{text}");
}
