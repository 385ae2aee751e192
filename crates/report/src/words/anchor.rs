//! The anchors of `index.html`, to which other formats link: `suite-NAME` and `case-SUITE--ID`.
//!
//! They are made of names alone, so that a link into the page of one run is right for the page of the next.

use sha2::{Digest, Sha256};

use crate::model::report::SuitePart;

/// The anchor of a suite.
pub(crate) fn suite(part: &SuitePart) -> String {
    format!("suite-{}", slug(&part.name))
}

/// The anchor of a case of a suite.
pub(crate) fn case(part: &SuitePart, id: &str) -> String {
    case_of_suite(&part.name, id)
}

/// Two hyphens are between the names. Neither name has two, so another suite and case have another anchor.
fn case_of_suite(suite: &str, id: &str) -> String {
    format!("case-{}--{}", slug(suite), slug(id))
}

/// A name with only the characters that need no escape in an `id`, a URL and a shell; each run of others is
/// one hyphen. If the name has others, a hash of it follows, because other names may have the same characters.
fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' => slug.push(character),
            _ if slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    let kept = slug.trim_matches('-');
    match kept {
        _ if kept == name => slug,
        "" => hash(name),
        _ => format!("{kept}-{}", hash(name)),
    }
}

/// The same in every run.
fn hash(name: &str) -> String {
    let [a, b, c, d, ..]: [u8; 32] = Sha256::digest(name.as_bytes()).into();
    format!("{:08x}", u32::from_be_bytes([a, b, c, d]))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn slugs_keep_distinguishing_characters() {
        let table = [
            ("only-win-repeats.KNPK.001", "only-win-repeats.KNPK.001"),
            ("mate, old", "mate-old-HASH"),
            ("<a href=\"x\">", "a-href-x-HASH"),
            ("#7 …", "7-HASH"),
            ("мат", "HASH"),
            ("", ""),
        ];
        for (name, expected) in table {
            assert_eq!(slug(name), expected.replace("HASH", &hash(name)));
        }
    }

    #[test]
    fn slugs_of_different_names_are_different() {
        let names = ["e4", "e4!", "e4?", "Contempt=10", "Contempt=-10", "мат", "пат", "a-b", "a--b"];
        let slugs: BTreeSet<String> = names.map(slug).into();
        assert_eq!(slugs.len(), names.len(), "{slugs:?}");
    }

    #[test]
    fn hyphens_of_names_do_not_make_two_cases_one() {
        let names = [("a", "b-c"), ("a-b", "c"), ("a--b", "c"), ("a", "-b-c"), ("a-", "b-c")];
        let anchors: BTreeSet<String> = names.map(|(suite, id)| case_of_suite(suite, id)).into();
        assert_eq!(anchors.len(), names.len(), "{anchors:?}");
    }

    #[test]
    fn anchors_name_the_part_and_the_case() {
        let report = crate::model::fixture::report();
        let part = &report.suites[1];
        assert_eq!(suite(part), "suite-mate-old-dc2f7c69");
        assert_eq!(case(part, "ladder_2"), "case-mate-old-dc2f7c69--ladder_2");
    }
}
