//! Adds lines to the table `[settings]` of a suite file.

/// The line that begins the table.
const HEADER: &str = "[settings]";

/// Adds a line at the head of the table: a sub-table such as `[[settings.games]]` may follow.
pub(super) fn add(text: &mut String, line: &str) {
    if let Some(end) = header_end(text) {
        text.insert_str(end, line);
    } else {
        text.push('\n');
        text.push_str(HEADER);
        text.push('\n');
        text.push_str(line);
    }
}

/// The place after the line that begins the table. It may have a comment, or another line end.
fn header_end(text: &str) -> Option<usize> {
    let mut end = 0;
    text.split_inclusive('\n').find_map(|line| {
        end += line.len();
        let after_header = line.strip_prefix(HEADER)?.trim();
        let is_header = after_header.is_empty() || after_header.starts_with('#');
        (is_header && line.ends_with('\n')).then_some(end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_is_added_to_the_table_that_is_there() {
        for (before, after) in [
            ("a = 1", "a = 1\n[settings]\nnew = 2\n"),
            ("a = 1\n", "a = 1\n\n[settings]\nnew = 2\n"),
            ("[settings]\nb = 3\n", "[settings]\nnew = 2\nb = 3\n"),
            ("a = 1\r\n[settings]\r\nb = 3\r\n", "a = 1\r\n[settings]\r\nnew = 2\nb = 3\r\n"),
            ("[settings]  # ours\n[[settings.c]]\n", "[settings]  # ours\nnew = 2\n[[settings.c]]\n"),
        ] {
            let mut text = before.to_owned();
            add(&mut text, "new = 2\n");
            assert_eq!(text, after);
            toml::from_str::<toml::Table>(&text).expect("a table");
        }
    }
}
