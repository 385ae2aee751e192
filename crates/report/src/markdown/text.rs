//! Escaping for Markdown: names and engine output come from outside and may hold anything.

use super::super::format;

/// Plain text, with Markdown's special characters escaped.
pub(crate) fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().map(format::picture).peekable();
    while let Some(character) = characters.next() {
        // An underscore inside a word is no sign, and most names of cases have one.
        let inside = before.is_alphanumeric() && characters.peek().is_some_and(|next| next.is_alphanumeric());
        let is_sign = match character {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' => true,
            '#' => !characters.peek().is_some_and(char::is_ascii_digit),
            '_' => !inside,
            _ => false,
        };
        if is_sign {
            escaped.push('\\');
        }
        escaped.push(character);
        before = character;
    }
    escaped
}

/// Inline code.
pub(crate) fn code(text: &str) -> String {
    let text = format::visible(text).replace('|', "\\|");
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    if longest > 0 { format!("{fence} {text} {fence}") } else { format!("{fence}{text}{fence}") }
}

/// A table; cells must be escaped already.
pub(crate) fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut lines = vec![line(header), line(&vec!["---"; header.len()])];
    lines.extend(rows.into_iter().map(|row| line(&row)));
    lines.join("\n")
}

fn line<S: AsRef<str>>(cells: &[S]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_characters_are_escaped() {
        let table = [
            ("mate_in_3", "mate_in_3"),
            ("_x_", "\\_x\\_"),
            ("#5 instead of #3", "#5 instead of #3"),
            ("a|b", "a\\|b"),
            ("line\nbreak", "line␊break"),
        ];
        for (given, expected) in table {
            assert_eq!(plain(given), expected);
        }
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code("e2e4"), "`e2e4`");
    }
}
