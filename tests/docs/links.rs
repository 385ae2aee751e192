//! Links: each relative one has a target, each anchor a heading, and each page of the book its place in
//! SUMMARY.md.

use std::collections::{BTreeMap, BTreeSet};

use super::BOOK;
use super::markdown::outline;

/// Targets that no file can have.
const ELSEWHERE: [&str; 3] = ["http://", "https://", "mailto:"];

/// The links of a page that lead nowhere. A page of the book may lead to the book alone, since it is
/// published without the rest.
pub(crate) fn breaches(
    path: &str,
    text: &str,
    pages: &BTreeMap<String, String>,
    exists: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut breaches = Vec::new();
    for (line, target) in outline(text).links {
        if ELSEWHERE.iter().any(|scheme| target.starts_with(scheme)) {
            continue;
        }
        let (file, anchor) = target.split_once('#').map_or((target.as_str(), None), |(f, a)| (f, Some(a)));
        let found = if file.is_empty() { Some(path.to_owned()) } else { resolved(path, file) };
        let mut breach = |what: &str| breaches.push(format!("{path}:{line}: `{target}`: {what}"));
        let Some(found) = found else {
            breach("leads out of the repository");
            continue;
        };
        let in_book = |path: &str| path.starts_with(&format!("{BOOK}/"));
        if in_book(path) && !in_book(&found) {
            breach("leads out of the book");
        } else if !exists(&found) {
            breach("there is no such file");
        } else if let Some(anchor) = anchor {
            match pages.get(&found) {
                Some(page) if outline(page).anchors.contains(anchor) => {}
                _ => breach("there is no such heading"),
            }
        }
    }
    breaches
}

/// Where the files and folders begin that pages name in code type.
const NAMED: [&str; 8] = ["crates/", "src/", "tests/", "suites/", "positions/", "docs/", "fuzz/", ".ci/"];

/// The files and folders of the repository that a page names and that are not there. `NAME` is a placeholder,
/// and `data/` is the folder of a study's figures.
pub(crate) fn missing_files(path: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let is_path =
        |code: &str| code.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-./".contains(letter));
    let mut breaches = Vec::new();
    for (line, code) in outline(text).codes {
        let named = if NAMED.iter().any(|start| code.starts_with(start)) {
            code.clone()
        } else if path.starts_with(BOOK) && code.starts_with("data/") {
            resolved(path, &code).expect("inside the book")
        } else {
            continue;
        };
        if is_path(&named) && !named.contains("NAME") && !exists(&named) {
            breaches.push(format!("{path}:{line}: `{code}`: there is no such file"));
        }
    }
    breaches
}

/// A path that is relative to the folder of another one; none if it leads above the workspace.
fn resolved(path: &str, file: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            "." | "" => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Pages of the book that SUMMARY.md does not list, and pages that it lists twice or that are not there.
pub(crate) fn unlisted(pages: &BTreeMap<String, String>) -> Vec<String> {
    let summary = format!("{BOOK}/SUMMARY.md");
    let text = pages.get(&summary).expect("the book has a SUMMARY.md");
    let mut listed = BTreeSet::new();
    let mut breaches = Vec::new();
    for (line, target) in outline(text).links {
        let page = resolved(&summary, &target).unwrap_or_default();
        if !pages.contains_key(&page) {
            breaches.push(format!("{summary}:{line}: `{target}` is not there"));
        }
        if !listed.insert(page) {
            breaches.push(format!("{summary}:{line}: `{target}` is listed twice"));
        }
    }
    let of_book = pages.keys().filter(|page| page.starts_with(BOOK) && **page != summary);
    let orphans = of_book.filter(|page| !listed.contains(*page));
    breaches.extend(orphans.map(|page| format!("{page}: is not listed in {summary}")));
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(pages: &[(&str, &str)]) -> BTreeMap<String, String> {
        pages.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn broken_links_and_anchors_are_found() {
        let pages = pages(&[
            ("README.md", "# Top\n"),
            ("docs/src/a.md", "# One\n\n[a](b.md#two) [b](#one) [c](https://example.org/x)\n"),
            ("docs/src/b.md", "## Two\n"),
        ]);
        let exists = |path: &str| pages.contains_key(path) || path == "docs/src/img/p.png";
        let check = |path: &str, text: &str| breaches(path, text, &pages, exists);
        assert_eq!(check("docs/src/a.md", &pages["docs/src/a.md"]), [""; 0]);
        let table = [
            ("docs/src/a.md", "[x](c.md)", "docs/src/a.md:1: `c.md`: there is no such file"),
            ("docs/src/a.md", "\n![x](img/q.png)", "docs/src/a.md:2: `img/q.png`: there is no such file"),
            ("docs/src/a.md", "[x](b.md#three)", "docs/src/a.md:1: `b.md#three`: there is no such heading"),
            ("docs/src/a.md", "[x](#two)", "docs/src/a.md:1: `#two`: there is no such heading"),
            (
                "docs/src/a.md",
                "[x](../../README.md)",
                "docs/src/a.md:1: `../../README.md`: leads out of the book",
            ),
            ("README.md", "[x](../y.md)", "README.md:1: `../y.md`: leads out of the repository"),
        ];
        for (path, text, breach) in table {
            assert_eq!(check(path, text), [breach]);
        }
        assert_eq!(check("README.md", "[x](docs/src/img/p.png) [y](docs/src/b.md#two)"), [""; 0]);
    }

    #[test]
    fn missing_file_is_found() {
        let exists = |path: &str| ["src/main.rs", "docs/src/a/data/x.csv"].contains(&path);
        let page = "`src/main.rs` `fuzz/corpus/NAME` `src/*.rs` `data/x.csv` `reports/latest`\n";
        assert_eq!(missing_files("docs/src/a/b.md", page, exists), [""; 0]);
        let missing = missing_files("docs/src/a/b.md", "`src/lib.rs`\n\n`data/y.csv`\n", exists);
        let lines = ["docs/src/a/b.md:1: `src/lib.rs`", "docs/src/a/b.md:3: `data/y.csv`"];
        assert_eq!(missing, lines.map(|line| format!("{line}: there is no such file")));
    }

    #[test]
    fn unlisted_missing_and_duplicate_pages_are_found() {
        let sound = [
            ("docs/src/SUMMARY.md", "- [A](a.md)\n- [B](x/b.md)\n"),
            ("docs/src/a.md", ""),
            ("docs/src/x/b.md", ""),
        ];
        assert_eq!(unlisted(&pages(&sound)), [""; 0]);
        assert_eq!(unlisted(&pages(&sound[..2])), ["docs/src/SUMMARY.md:2: `x/b.md` is not there"]);
        let mut orphan = sound;
        orphan[0].1 = "- [A](a.md)\n";
        assert_eq!(unlisted(&pages(&orphan)), ["docs/src/x/b.md: is not listed in docs/src/SUMMARY.md"]);
        let mut twice = sound;
        twice[0].1 = "- [A](a.md)\n- [A](a.md)\n- [B](x/b.md)\n";
        assert_eq!(unlisted(&pages(&twice)), ["docs/src/SUMMARY.md:2: `a.md` is listed twice"]);
    }
}
