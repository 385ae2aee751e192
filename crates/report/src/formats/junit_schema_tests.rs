//! `junit.xml` against the schema that Jenkins' xUnit plugin checks files with, the strictest in use.
//!
//! The table below has the elements and attributes of that schema which this program writes. The schema has
//! no `file` or properties of a `testcase`, so that place and link of a case are in its text.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::model::baseline_fixture::fail_in_the_baseline;
use crate::model::fixture;
use crate::model::report::Report;

/// An element: its name, the elements that it may hold, its required attributes, and its optional ones.
type Rule = (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

const RULES: &[Rule] = &[
    ("testsuites", &["testsuite"], &[], &["name", "time", "tests", "failures", "errors"]),
    (
        "testsuite",
        &["properties", "testcase", "system-out", "system-err"],
        &["name", "tests", "failures", "errors"],
        &["skipped", "time", "timestamp", "file", "url"],
    ),
    ("properties", &["property"], &[], &[]),
    ("property", &[], &["name", "value"], &[]),
    (
        "testcase",
        &["skipped", "error", "failure", "system-out", "system-err"],
        &["name"],
        &["time", "classname", "group"],
    ),
    ("failure", &[], &[], &["type", "message"]),
    ("error", &[], &[], &["type", "message"]),
    ("skipped", &[], &[], &["type", "message"]),
    ("system-out", &[], &[], &[]),
    ("system-err", &[], &[], &[]),
];

fn rendered(report: &Report) -> String {
    String::from_utf8((crate::formats::junit::FORMAT.render)(report).expect("renders")).expect("UTF-8")
}

/// Checks an element, and returns its name.
fn check(element: &BytesStart<'_>, parent: Option<&str>) -> String {
    let name = String::from_utf8(element.name().as_ref().to_vec()).expect("UTF-8");
    let (_, _, required, optional) = RULES
        .iter()
        .find(|(known, ..)| *known == name)
        .unwrap_or_else(|| panic!("<{name}> is no element of JUnit"));
    match parent {
        None => assert_eq!(name, "testsuites"),
        Some(parent) => {
            let (_, children, ..) =
                RULES.iter().find(|(known, ..)| *known == parent).expect("checked before");
            assert!(children.contains(&name.as_str()), "<{parent}> may not hold <{name}>");
        }
    }
    let attributes: Vec<(String, String)> = element
        .attributes()
        .map(|attribute| {
            let attribute = attribute.expect("well-formed");
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
            (text(attribute.key.as_ref()), text(&attribute.value))
        })
        .collect();
    for name_of_attribute in *required {
        assert!(
            attributes.iter().any(|(key, _)| key == name_of_attribute),
            "<{name}> lacks {name_of_attribute}"
        );
    }
    for (key, value) in attributes {
        let is_known = required.contains(&key.as_str()) || optional.contains(&key.as_str());
        assert!(is_known, "<{name}> may not have {key}");
        match key.as_str() {
            "tests" | "failures" | "errors" => {
                assert!(value.parse::<u64>().is_ok(), "{key}=\"{value}\"");
            }
            "time" => {
                let (seconds, thousandths) = value.split_once('.').unwrap_or((&value, ""));
                let are_digits = |text: &str| text.chars().all(|it| it.is_ascii_digit());
                assert!(are_digits(seconds) && are_digits(thousandths) && thousandths.len() <= 3, "{value}");
            }
            _ => {}
        }
    }
    name
}

/// Checks a file, and returns its numbers of cases, failures and errors.
fn validated(text: &str) -> (usize, usize, usize) {
    let mut reader = Reader::from_str(text);
    let mut open: Vec<String> = Vec::new();
    let mut counts = (0, 0, 0);
    loop {
        let (element, is_empty) = match reader.read_event().expect("well-formed") {
            Event::Start(element) => (element, false),
            Event::Empty(element) => (element, true),
            Event::End(_) => {
                open.pop();
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        let name = check(&element, open.last().map(String::as_str));
        counts.0 += usize::from(name == "testcase");
        counts.1 += usize::from(name == "failure");
        counts.2 += usize::from(name == "error");
        if !is_empty {
            open.push(name);
        }
    }
    assert!(open.is_empty() && counts.0 > 0, "{open:?}");
    counts
}

#[test]
fn junit_keeps_to_the_schema_of_jenkins() {
    let mut report = fixture::report();
    report.suites[0].cases[0].verdict.time = Some(std::time::Duration::from_micros(1_234_567));
    let text = rendered(&report);
    let (cases, failures, errors) = validated(&text);
    assert_eq!((failures, errors), (4, 1), "{text}");
    let root = format!("tests=\"{cases}\" failures=\"{failures}\" errors=\"{errors}\">");
    assert!(text.contains(&root), "{root}:\n{text}");
}

#[test]
fn a_pass_has_no_failure_and_no_error() {
    let mut report = fixture::report();
    report.suites.truncate(1);
    report.suites[0].thresholds.clear();
    // What fails, the baseline fails as well.
    fail_in_the_baseline(&mut report);
    report.failure_reasons.clear();
    let text = rendered(&report);
    let (_, failures, errors) = validated(&text);
    assert_eq!((failures, errors), (0, 0), "{text}");
    assert!(text.contains("the baseline fails as well"), "{text}");
}

#[test]
#[should_panic(expected = "<testcase> may not have file")]
fn an_attribute_that_the_schema_lacks_is_found() {
    validated(
        "<testsuites><testsuite name=\"a\" tests=\"1\" failures=\"0\" errors=\"0\"><testcase name=\"b\" file=\"c\"/>\
         </testsuite></testsuites>",
    );
}
