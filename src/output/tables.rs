//! Tables for a terminal: a line below the header and none between the rows.

use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};

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
