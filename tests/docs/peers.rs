//! The tables of the migration page, generated from the options of `threefold fastchess` and `threefold
//! cutechess-cli`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use threefold_drop_in::Peer;
use threefold_drop_in::options::Treatment;

use super::WORKSPACE;
use super::peer_tests::{CUTECHESS, FASTCHESS};

const PAGE: &str = "docs/src/migrating.md";

/// The test of rows that are refused.
const EVERY_ROW: &str = "every_row_is_accepted_or_refused_as_the_table_says";

/// The tests with their rows of a program's table.
const fn tested_rows(peer: Peer) -> &'static [(&'static str, &'static [&'static str])] {
    match peer {
        Peer::Fastchess => FASTCHESS,
        Peer::Cutechess => CUTECHESS,
    }
}

/// A row of the book: the option, its key if it has keys, and what becomes of it.
struct Row {
    option: String,
    key: String,
    treatment: Treatment,
}

impl Row {
    /// The row as the table of tests names it.
    fn name(&self) -> String {
        format!("{} {}", self.option, self.key).trim_end().to_owned()
    }

    /// Its line, with the test that holds it.
    fn line(&self, peer: Peer) -> String {
        let key = match self.key.as_str() {
            _ if self.option == "-each" => "the keys of `-engine`".to_owned(),
            "" => String::new(),
            key => format!("`{key}`"),
        };
        let (outcome, test) = match self.treatment {
            Treatment::Acts(equivalent) => (format!("has: {equivalent}"), self.test(peer)),
            Treatment::Refused(reason) => (format!("has: refused, as there: {reason}"), EVERY_ROW),
        };
        format!("| `{}` | {key} | {} | `{test}` |\n", self.option, outcome.replace('|', "\\|"))
    }

    fn test(&self, peer: Peer) -> &'static str {
        let name = self.name();
        let mut tests = tested_rows(peer).iter().filter(|(_, rows)| rows.contains(&name.as_str()));
        let (test, _) = tests.next().unwrap_or_else(|| panic!("{name} has no test in peer_tests.rs"));
        assert!(tests.next().is_none(), "{name} has two tests");
        test
    }
}

/// The rows of a program's own table.
fn rows(peer: Peer) -> Vec<Row> {
    let mut rows = Vec::new();
    for option in peer.own_options() {
        let row = |key: String, treatment| Row { option: option.flag(), key, treatment };
        if option.name == "each" {
            // Its keys are those of the option before it.
            rows.push(row(String::new(), Treatment::Acts("`--each`")));
            continue;
        }
        rows.extend(option.words.treatment().map(|treatment| row(String::new(), treatment)));
        for key in option.keys() {
            let written = if key.is_bare { key.name.to_owned() } else { format!("{}=", key.name) };
            rows.push(row(written.replace(".=", ".NAME="), key.treatment));
        }
    }
    rows
}

/// The table of a program.
fn markdown(peer: Peer) -> String {
    let heading = format!("| {} | | threefold | test |\n| --- | --- | --- | --- |\n", peer.program());
    rows(peer).iter().fold(heading, |table, row| table + &row.line(peer))
}

/// The page with both tables between their marks replaced.
fn renewed(page: &str) -> String {
    [Peer::Fastchess, Peer::Cutechess].into_iter().fold(page.to_owned(), |page, peer| {
        let [begin, end] = ["begin", "end"].map(|mark| format!("<!-- {}: {mark} -->\n", peer.program()));
        let (before, rest) = page.split_once(&begin).expect("the page marks where the table begins");
        let (_, after) = rest.split_once(&end).expect("the page marks where the table ends");
        format!("{before}{begin}\n{}\n{end}{after}", markdown(peer))
    })
}

#[test]
fn migration_page_has_every_option_of_other_runners() {
    let file = Path::new(WORKSPACE).join(PAGE);
    let page = fs::read_to_string(&file).expect("the migration page");
    let renewed = renewed(&page);
    if super::is_update() {
        fs::write(&file, renewed).expect("the page can be written");
    } else {
        assert_eq!(page, renewed, "run `UPDATE_EXPECT=1 cargo test --test docs`");
    }
}

#[test]
fn stale_rows_are_replaced() {
    let marks = |name: &str| format!("<!-- {name}: begin -->\nSTALE\n<!-- {name}: end -->\n");
    let renewed = renewed(&format!("# Page\n{}{}rest\n", marks("fastchess"), marks("cutechess-cli")));
    assert!(renewed.starts_with("# Page\n") && renewed.ends_with("rest\n") && !renewed.contains("STALE"));
    assert!(renewed.contains("| `-openings` | `start=` | has: `--start` | `"), "{renewed}");
    assert!(renewed.contains("| `-engine` | `option.NAME=` | has: "), "{renewed}");
}

#[test]
fn tests_name_rows_of_the_tables() {
    for peer in [Peer::Fastchess, Peer::Cutechess] {
        let known: BTreeSet<String> = rows(peer).iter().map(Row::name).collect();
        for row in tested_rows(peer).iter().flat_map(|(_, rows)| *rows) {
            assert!(known.contains(*row), "{row} is no row of {}", peer.program());
        }
    }
}

/// The tests that the tables of a page name in their column `test`.
fn named_tests(page: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut has_tests = false;
    for line in page.lines() {
        if !line.starts_with('|') {
            has_tests = false;
        } else if line.ends_with("| test |") {
            has_tests = true;
        } else if has_tests && !line.starts_with("| ---") {
            let cell = line.trim_end_matches(" |").rsplit("| ").next().unwrap_or_default();
            names.extend(cell.split('`').skip(1).step_by(2));
        }
    }
    names
}

/// The names of all tests of the workspace.
fn tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut folders: Vec<PathBuf> =
        ["src", "crates", "tests"].map(|folder| Path::new(WORKSPACE).join(folder)).into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of code") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let code = fs::read_to_string(path).expect("code");
                let after = code.split("#[test]\n").skip(1);
                let names_after = after.filter_map(|code| code.split_once("fn ")?.1.split_once('('));
                names.extend(names_after.map(|(name, _)| name.to_owned()));
            }
        }
    }
    names
}

#[test]
fn tests_of_the_migration_page_exist() {
    let page = fs::read_to_string(Path::new(WORKSPACE).join(PAGE)).expect("the migration page");
    let (named, known) = (named_tests(&page), tests());
    assert!(named.len() > 150, "{}", named.len());
    let missing: Vec<&str> = named.into_iter().filter(|name| !known.contains(*name)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn tests_are_read_from_their_column() {
    let page = "| a | b |\n| --- | --- |\n| x | `no` |\n\n| a | test |\n| --- | --- |\n| `x` | `one`, `two` |\n| y | – |\n";
    assert_eq!(named_tests(page), ["one", "two"]);
    assert!(tests().contains("tests_are_read_from_their_column") && !tests().contains("named_tests"));
}
