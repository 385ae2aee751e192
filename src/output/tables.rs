//! Tables and lists for a terminal. A table has a line below the header and none between the rows.

use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};
use console::Term;

use threefold_report::format::wrapped;

const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Renders a table with these column titles. Cells are not wrapped.
pub fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    table_in(header, rows, None)
}

/// Renders a table whose long cells are wrapped to a terminal of this width in columns; `None`: not wrapped.
pub fn table_in(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>, width: Option<u16>) -> String {
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table.set_header(header.iter().copied());
    table.add_rows(rows);
    table.to_string()
}

/// The columns of standard output if it is a terminal.
pub fn terminal_width() -> Option<u16> {
    let terminal = Term::stdout();
    terminal.is_term().then(|| terminal.size().1)
}

/// A label with a list, wrapped between words to a terminal of this width in columns; `None`: not wrapped. The
/// lines after the first are indented.
pub fn labelled_list(label: &str, items: &[&str], width: Option<u16>) -> String {
    const INDENT: &str = "  ";
    wrapped(&format!("{label}: {}", items.join(", ")), INDENT, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labelled_list_is_wrapped_to_the_width() {
        let table = [
            (None, "plans: one, two, three, four"),
            (Some(80), "plans: one, two, three, four"),
            (Some(28), "plans: one, two, three, four"),
            (Some(27), "plans: one, two, three,\n  four"),
            (Some(12), "plans: one,\n  two,\n  three,\n  four"),
            // A word that is longer than a line has its own line.
            (Some(3), "plans:\n  one,\n  two,\n  three,\n  four"),
        ];
        for (width, expected) in table {
            let found = labelled_list("plans", &["one", "two", "three", "four"], width);
            assert_eq!(found, expected, "{width:?}");
        }
    }
}
