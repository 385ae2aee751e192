//! The comment of a merge request of GitLab.

use serde_json::json;

use super::github::REPORT;
use super::service::{Contents, Service, TOKEN};
use super::{has_programs, run};
use crate::sandbox::{CommandOutput, Sandbox};

fn comment(sandbox: &Sandbox, service: &Service, pipeline: &str) -> CommandOutput {
    let api = format!("{}/api/v4", service.address());
    let variables = [
        ("GITLAB_CI", "true"),
        ("CI_API_V4_URL", api.as_str()),
        ("CI_PROJECT_ID", "9"),
        ("CI_PROJECT_URL", "https://gitlab.com/owner/engine"),
        ("CI_MERGE_REQUEST_IID", "3"),
        ("CI_MERGE_REQUEST_LABELS", "bug,search"),
        ("CI_PIPELINE_ID", pipeline),
        ("CI_PIPELINE_URL", "https://gitlab.com/owner/engine/-/pipelines/44"),
        ("CI_COMMIT_SHA", super::github::SHA),
        ("THREEFOLD_LABEL", "threefold: sprt"),
        ("THREEFOLD_TOKEN", TOKEN),
    ];
    run(sandbox, "comment", &variables)
}

#[test]
fn comment_of_a_merge_request_is_written_once_and_then_updated() {
    if !has_programs() {
        return;
    }
    let sandbox = Sandbox::empty();
    sandbox.write("reports/latest/comment.md", REPORT);
    let mut known = Contents::default();
    let stranger = json!({ "id": 1, "author": { "id": 7 }, "body": "<!-- threefold:threefold 1.0 -->" });
    known.comments.push(stranger);
    let service = Service::start(known);
    let output = comment(&sandbox, &service, "44");
    assert_eq!(output.code, Some(0), "{}", output.err);
    insta::assert_snapshot!(service.texts()[1]);
    sandbox.write("reports/latest/comment.md", REPORT.replace("1 040", "a + b & 100 %"));
    assert_eq!(comment(&sandbox, &service, "44").code, Some(0));
    assert!(
        service.texts()[1].contains("not shown"),
        "an ampersand is none of threefold: {:?}",
        service.texts()
    );
    sandbox.write("reports/latest/comment.md", REPORT.replace("1 040", "a + b 100 %"));
    assert_eq!(comment(&sandbox, &service, "44").code, Some(0));
    assert!(service.texts()[1].contains("(a + b 100 % cases"), "{:?}", service.texts());
    let notes = "/api/v4/projects/9/merge_requests/3/notes";
    assert_eq!(
        service.contents().written,
        [format!("POST {notes}"), format!("PUT {notes}/1001"), format!("PUT {notes}/1001")]
    );
}

#[test]
fn link_in_the_artifact_is_not_followed() {
    if !has_programs() {
        return;
    }
    for made in [
        "mkdir -p reports/latest && ln -s ../../secret reports/latest/comment.md",
        "mkdir reports && ln -s ../other reports/latest",
    ] {
        let sandbox = Sandbox::empty();
        sandbox.write("secret", "a secret\n");
        sandbox.write("other/comment.md", "a secret\n");
        assert_eq!(sandbox.shell(made).code, Some(0));
        let service = Service::start(Contents::default());
        let output = comment(&sandbox, &service, "44");
        assert_eq!(output.code, Some(0), "{}", output.err);
        let text = service.texts().remove(0);
        assert!(!text.contains("secret") && text.contains("No result: the job ended"), "{text}");
    }
}
