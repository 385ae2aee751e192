//! Tables with a caption, heads of columns and of rows. A table wider than the page scrolls and can be
//! reached by keyboard.

use maud::{Markup, html};

/// A table whose first column names the rows.
pub fn table(
    caption: &str,
    columns: &[impl AsRef<str>],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Markup {
    let text = |cell: String| html! { (cell) };
    marked_up(caption, columns, rows.into_iter().map(|row| row.into_iter().map(text).collect()))
}

/// A table whose cells hold markup.
pub(crate) fn marked_up(
    caption: &str,
    columns: &[impl AsRef<str>],
    rows: impl IntoIterator<Item = Vec<Markup>>,
) -> Markup {
    let rows: Vec<Vec<Markup>> = rows.into_iter().collect();
    let is_numeric = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let mut cells = cells.filter(|cell| !cell.0.is_empty() && cell.0 != NO_VALUE).peekable();
        cells.peek().is_some() && cells.all(|cell| is_number(&cell.0))
    };
    // A column with more than two words in a cell gets a width, so that not each word takes a line of its own.
    let has_words = |column: usize| {
        let mut cells = rows.iter().filter_map(|row| row.get(column));
        cells.any(|cell| cell.0.split_whitespace().count() > 2 && !cell.0.starts_with('<'))
    };
    let class = |column: usize| match column {
        0 => None,
        _ if is_numeric(column) => Some("number"),
        _ => has_words(column).then_some("words"),
    };
    let classes: Vec<Option<&str>> = (0..columns.len()).map(class).collect();
    html! {
        div class="scroll" tabindex="0" role="group" aria-label=(caption) {
            table {
                caption { (caption) }
                thead {
                    tr { @for (name, class) in columns.iter().zip(&classes) {
                        th scope="col" class=[class.filter(|&it| it == "number")] { (name.as_ref()) }
                    } }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (column, cell) in row.into_iter().enumerate() {
                                @if column == 0 { th scope="row" { (cell) } }
                                @else { td class=[classes.get(column).copied().flatten()] { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Does a cell begin as a number does, and is it short enough not to be wrapped? Dates and `12 of 40` count: they are aligned right,
/// too.
fn is_number(cell: &str) -> bool {
    cell.chars().count() <= LONGEST_NUMBER
        && cell
            // A cell is escaped already, so `<` and `>` are `&lt;` and `&gt;` in it.
            .trim_start_matches(['+', '-', '−', '<', '&', 'l', 'g', 't', ';', ' '])
            .starts_with(|c: char| c.is_ascii_digit())
}

/// The text of a cell without a value.
const NO_VALUE: &str = "–";

/// The most characters of a cell with a number, which is not wrapped.
const LONGEST_NUMBER: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_a_caption_and_scopes() {
        let rows =
            [["A", "12 of 40", "won", "no"], ["B", "> 9", "3 lost", "won on time"], ["C", "–", "lost", ""]]
                .map(|row| row.map(str::to_owned).to_vec());
        let table = table("Results", &["engine", "games", "how", "why"], rows).into_string();
        for part in [
            "<caption>Results</caption>",
            "<th scope=\"col\" class=\"number\">games</th>",
            "<th scope=\"col\">how</th>",
            "<th scope=\"row\">A</th>",
            "<td>won</td><td class=\"words\">no</td>",
            "<td class=\"number\">12 of 40</td>",
            "tabindex=\"0\"",
        ] {
            assert!(table.contains(part), "{part} in {table}");
        }
    }
}
