//! Escaping for Markdown: names and engine output come from outside and may hold anything.

use crate::format;

/// Plain text, with Markdown's special characters escaped.
///
/// `#7` and `@name` become inline code: GitHub and GitLab turn them into links and notify people, even after
/// a backslash.
pub(crate) fn plain(text: &str) -> String {
    let sign = |character: char, before: char, after: &[char]| {
        let next = after.first().copied().unwrap_or(' ');
        let is_sign = match character {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '#' => true,
            // An underscore inside a word is no sign, and most names of cases have one.
            '_' => !(before.is_alphanumeric() && next.is_alphanumeric()),
            // Only a character reference, such as `&lt;`, is read as another character.
            '&' => next.is_ascii_alphanumeric() || next == '#',
            _ => false,
        };
        if is_sign { format!("\\{character}") } else { character.to_string() }
    };
    escaped(text, ["`"; 2], sign)
}

/// Plain text inside an HTML block, in which Markdown is not read.
pub(super) fn html_text(text: &str) -> String {
    let sign = |character: char, _: char, _: &[char]| match character {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        other => other.to_string(),
    };
    escaped(text, ["<code>", "</code>"], sign)
}

/// The text with each character escaped by `sign`, which gets the characters before and after it. References are
/// between the marks of inline code.
fn escaped(text: &str, [start, end]: [&str; 2], sign: impl Fn(char, char, &[char]) -> String) -> String {
    let characters: Vec<char> = text.chars().map(format::picture).collect();
    let mut escaped = String::with_capacity(text.len());
    let mut before = ' ';
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let after = &characters[at + 1..];
        let reference = reference(character, before, after);
        if reference > 0 {
            let word: String = characters[at..=at + reference].iter().collect();
            escaped.extend([start, &word, end]);
        } else {
            escaped.push_str(&sign(character, before, after));
        }
        before = characters[at + reference];
        at += reference + 1;
    }
    escaped
}

/// How many characters after this one belong to a reference to an issue, a merge request or a person; 0 for
/// none. A mate score such as `#-5` is treated alike.
fn reference(character: char, before: char, after: &[char]) -> usize {
    let word =
        |is_part: fn(&char) -> bool, from: usize| after[from..].iter().take_while(|it| is_part(it)).count();
    match character {
        '#' | '!' => {
            let sign = usize::from(after.first() == Some(&'-'));
            let digits = word(char::is_ascii_digit, sign);
            if digits == 0 { 0 } else { sign + digits }
        }
        '@' if !before.is_alphanumeric() => word(|it| it.is_ascii_alphanumeric() || "-_/".contains(*it), 0),
        _ => 0,
    }
}

/// The text, cut off after a maximum number of characters.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

/// A link; the label must be escaped already.
pub(crate) fn link(label: &str, target: &str) -> String {
    format!("[{label}]({target})")
}

/// Inline code outside tables.
pub(crate) fn code(text: &str) -> String {
    let text = format::visible(text);
    // CommonMark: a span ends at a run of as many backticks as it begins with, and loses a space at each end.
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
            ("#5 instead of #3", "`#5` instead of `#3`"),
            ("#-5, # 5, ##", "`#-5`, \\# 5, \\#\\#"),
            ("repo#7 GH", "repo`#7` GH"),
            ("see !12, e4!", "see `!12`, e4!"),
            ("by @some-one/team and a@b.org", "by `@some-one/team` and a@b.org"),
            ("a|b", "a\\|b"),
            ("a&lt;b &#9731; & c", "a\\&lt;b \\&`#9731`; & c"),
            ("line\nbreak", "line␊break"),
        ];
        for (given, expected) in table {
            assert_eq!(plain(given), expected);
        }
        assert_eq!(
            html_text("a_b* <&lt;> by @team, #7"),
            "a_b* &lt;&amp;lt;&gt; by <code>@team</code>, <code>#7</code>"
        );
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code("e2e4"), "`e2e4`");
        assert_eq!(code("a|b"), "`a|b`");
    }
}
