//! The tables of the migration page, generated from the options of `threefold fastchess` and `threefold cutechess-cli`.

use std::fs;
use std::path::Path;

use threefold::drop_in::options::markdown;
use threefold::peer::Peer;

use super::WORKSPACE;

const PAGE: &str = "docs/src/migrating.md";

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
    assert!(renewed.contains("| `-openings` | `start=` | has: `--start` |"), "{renewed}");
    assert!(renewed.contains("| `-engine` | `option.NAME=` | has: "), "{renewed}");
}
