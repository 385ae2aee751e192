//! The anchors of `index.html`, to which other formats link: `suite-NAME` and `case-SUITE-ID`.
//!
//! They are made of names alone, so that a link into the page of one run is right for the page of the next.

use crate::model::report::SuitePart;

/// The anchor of a suite.
pub(crate) fn suite(part: &SuitePart) -> String {
    format!("suite-{}", slug(&part.name))
}

/// The anchor of a case of a suite.
pub(crate) fn case(part: &SuitePart, id: &str) -> String {
    format!("case-{}-{}", slug(&part.name), slug(id))
}

/// A name with only the characters that need no escape in an `id`, a URL and a shell; each run of others is
/// one hyphen.
fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' => slug.push(character),
            _ if slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    slug.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_keep_distinguishing_characters() {
        let table = [
            ("only-win-repeats.KNPK.001", "only-win-repeats.KNPK.001"),
            ("mate, old", "mate-old"),
            ("<a href=\"x\">", "a-href-x"),
            ("#7 …", "7"),
            ("", ""),
        ];
        for (name, expected) in table {
            assert_eq!(slug(name), expected);
        }
    }

    #[test]
    fn anchors_name_the_part_and_the_case() {
        let report = crate::model::fixture::report();
        let part = &report.suites[1];
        assert_eq!(suite(part), "suite-mate-old");
        assert_eq!(case(part, "ladder_2"), "case-mate-old-ladder_2");
    }
}
