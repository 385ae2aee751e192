//! The table of Echo's options, generated from the code.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use threefold_echo::options::{self, Listing, OptionKind, OptionRow};

use super::WORKSPACE;

const PAGE: &str = "docs/src/echo.md";
const BEGIN: &str = "<!-- options: begin -->\n";
const END: &str = "<!-- options: end -->";

/// The values of an option, and its default.
fn values(kind: &OptionKind) -> (String, String) {
    match kind {
        OptionKind::Check { default } => ("`false`, `true`".to_owned(), format!("`{default}`")),
        OptionKind::Spin { default, min, max } => (format!("{min} to {max}"), format!("`{default}`")),
        OptionKind::Combo { default, choices } => {
            let choices: Vec<String> = choices.iter().map(|choice| format!("`{choice}`")).collect();
            (choices.join(", "), format!("`{default}`"))
        }
        OptionKind::Number { default } => ("a number".to_owned(), format!("`{default}`")),
        OptionKind::Text => ("text".to_owned(), "empty".to_owned()),
        OptionKind::Button => ("button".to_owned(), String::new()),
    }
}

fn table(rows: &[OptionRow]) -> String {
    let mut table = "| option | values | default | meaning |\n| --- | --- | --- | --- |\n".to_owned();
    for OptionRow { name, summary, kind, .. } in rows {
        let (values, default) = values(kind);
        writeln!(table, "| `{name}` | {values} | {default} | {summary} |").expect("a string");
    }
    table
}

fn generated() -> String {
    let players = options::listed(Listing::Players);
    let all = options::listed(Listing::Experimental);
    let others: Vec<OptionRow> = all.into_iter().filter(|row| !players.contains(row)).collect();
    format!(
        "\nListed by `uci`:\n\n{}\nListed by `threefold uci --experimental`, too:\n\n{}\n",
        table(&players),
        table(&others)
    )
}

/// The page with the table between its marks replaced.
fn renewed(page: &str) -> String {
    let (before, rest) = page.split_once(BEGIN).expect("the page marks where the options begin");
    let (_, after) = rest.split_once(END).expect("the page marks where the options end");
    format!("{before}{BEGIN}{}{END}{after}", generated())
}

#[test]
#[cfg_attr(
    any(feature = "lab", feature = "mutants"),
    ignore = "a build with these features has more options"
)]
fn echo_page_has_every_option() {
    let file = Path::new(WORKSPACE).join(PAGE);
    let page = fs::read_to_string(&file).expect("the page of Echo");
    let renewed = renewed(&page);
    if super::is_update() {
        fs::write(&file, renewed).expect("the page can be written");
    } else {
        assert_eq!(page, renewed, "run `UPDATE_EXPECT=1 cargo test --test docs`");
    }
}

#[test]
fn missing_option_is_added() {
    let renewed = renewed(&format!("# Echo\n{BEGIN}STALE\n{END}\nrest\n"));
    assert!(renewed.contains(
        "| `RepetitionPolicy` | `HistoryDraw`, `HistoryIgnored`, `Threefold` | `HistoryIgnored` |"
    ));
    assert!(renewed.starts_with("# Echo\n") && renewed.ends_with("\nrest\n") && !renewed.contains("STALE"));
}
