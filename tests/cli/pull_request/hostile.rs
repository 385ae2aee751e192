//! Artifacts that a fork could make: their text is not shown, and nothing else happens.

use super::github::{REPORT, comment, comment_with, contents, event};
use super::has_programs;
use super::service::{Contents, Service, archive};
use crate::sandbox::Sandbox;

/// What is said instead of a text that threefold does not write.
const NOT_SHOWN: &str =
    "**The report is not shown here: its text has a form that threefold does not write.**";

/// Lines that would do something in a comment. `tests` of the crate `report` have the same rules.
const LINES: &[&str] = &[
    "by @team",
    "\\`@team`",
    "``@team`",
    "| a `b | @c` |",
    "`open",
    "[x](javascript:y)",
    "[1](y)",
    "[1]: y",
    "![1](y)",
    "<img src=x onerror=y>",
    "<!-- threefold:other 1.1 -->",
    "</details>",
    "&lt;",
    "fixes #7",
    "# Title",
    "~~~",
    "```",
    "/close",
    "  /approve",
    "http://example.org",
    "WWW.example.org",
    "gh-7",
    "!7",
    "%7",
    "$x$",
    "a\u{1b}[2J",
    "a\0b",
    "a\rb",
    "a\tb",
    "\u{202e}txt",
    "\u{85}",
    "a\u{200b}b",
    "\u{2060}",
    "\u{ad}",
    "\u{feff}",
    "\u{180e}",
    "\u{e0041}",
];

#[test]
fn text_that_threefold_does_not_write_is_not_shown() {
    if !has_programs() {
        return;
    }
    let mut texts: Vec<Vec<u8>> =
        LINES.iter().map(|line| format!("{REPORT}\n{line}\n").into_bytes()).collect();
    // The first line of a text that is longer than the buffer of a pipe.
    texts.push(format!("@team\n{}", "text\n".repeat(11_000)).into_bytes());
    texts.push([REPORT.as_bytes(), b"\xff\n"].concat());
    texts.push(vec![b'a'; 60_001]);
    texts.push(Vec::new());
    // Each is the artifact of a job: one run of the script reads them all.
    let names: Vec<String> = (0..texts.len()).map(|number| format!("job-{number}")).collect();
    let artifact = |(id, (name, text)): (u64, (&String, &Vec<u8>))| {
        (id, format!("{name}-comment"), archive(&[("comment.md", text)]))
    };
    let artifacts = (0..).zip(names.iter().zip(&texts)).map(artifact).collect();
    let service = Service::start(Contents { artifacts, ..contents(b"") });
    let all = [("THREEFOLD_ARTIFACTS", &*names.join(" "))];
    let output = comment_with(&Sandbox::empty(), &service, &event("owner/engine", 1), &all);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let shown = service.texts();
    assert_eq!(shown.len(), texts.len(), "{}", output.out);
    for ((text, shown), name) in texts.iter().zip(&shown).zip(&names) {
        let text = String::from_utf8_lossy(text);
        assert!(shown.starts_with(&format!("<!-- threefold:{name} 77.1 -->")), "{text:.200}: {shown:.400}");
        assert!(shown.contains(NOT_SHOWN) && !shown.contains("@team"), "{text:.200}: {shown:.400}");
        assert_eq!(shown.lines().count(), 6, "{text:.200}: {shown}");
    }
}

#[test]
fn archive_that_no_artifact_of_the_action_is_does_nothing() {
    if !has_programs() {
        return;
    }
    let bomb = vec![0; 30_000_000];
    let archives = [
        archive(&[("comment.md", &bomb)]),
        archive(&[("../comment.md", REPORT.as_bytes())]),
        archive(&[("other.md", REPORT.as_bytes())]),
        b"no archive".to_vec(),
        // More bytes than any archive of a comment has.
        vec![0; 1_000_001],
    ];
    for bytes in archives {
        let service = Service::start(contents(b""));
        service.contents().artifacts[0].2 = bytes;
        let output = comment(&service, &event("owner/engine", 1));
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(service.texts()[0].contains(NOT_SHOWN), "{:?}", service.texts());
        assert_eq!(service.contents().written.len(), 1);
    }
}
