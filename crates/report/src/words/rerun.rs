//! The command that runs a case again.

use threefold_chess::clock::Limits;
use threefold_player::visible::visible_lines;
use threefold_suites::reference::{BUILT_IN, stem};
use threefold_suites::{Suite, SuiteSource};

/// A word for a POSIX shell, in quotes if it needs them.
///
/// ```
/// use threefold_report::words::rerun::shell_word;
/// assert_eq!(shell_word("echo,Hash=1"), "echo,Hash=1");
/// assert_eq!(shell_word("sh it's.sh"), r"'sh it'\''s.sh'");
/// assert_eq!(shell_word("a\u{1b}[2J"), r#""$(printf 'a\033\1332J')""#);
/// assert_eq!(shell_word("\u{1b}\na\n\n"), "\"$(printf '\\033\\012a')\n\n\"");
/// ```
pub fn shell_word(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./,=:+@".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if visible_lines(word) == word {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    // A script must not have characters that change how it reads, and must still start the same program.
    // `-` is not plain here, since `printf` would read a leading one as an option.
    let octal = |byte: u8| {
        let plain = byte.is_ascii_alphanumeric() || b"_./,=:+@ ".contains(&byte);
        // Always three digits, since `printf` would take a digit that follows for a part of the number.
        if plain { char::from(byte).to_string() } else { format!("\\{byte:03o}") }
    };
    // A shell removes line ends at the end of an output, so these follow it.
    let text = word.trim_end_matches('\n');
    let line_ends = &word[text.len()..];
    format!("\"$(printf '{}'){line_ends}\"", text.bytes().map(octal).collect::<String>())
}

/// `threefold suite` with a suite, or with one of its cases, under these limits or those of the suite.
pub fn suite_command(
    source: &SuiteSource,
    suite: &Suite,
    limits: Option<&Limits>,
    case: Option<&str>,
    engine: &str,
) -> String {
    let file = &source.suite_file.file;
    // `--positions FILE --kind KIND` has a suite file with the name of the position file.
    let is_bare = source.positions.iter().any(|positions| positions.file == *file);
    let file = if file.starts_with(BUILT_IN) { stem(file) } else { file.clone() };
    let mut words: Vec<String> = ["threefold", "suite"].map(str::to_owned).to_vec();
    if is_bare {
        words.extend(["--positions".to_owned(), file, "--kind".to_owned(), suite.kind.name.to_owned()]);
        words.extend(setting_options(source));
    } else {
        words.push(file);
        words.extend(case.iter().flat_map(|case| ["--case".to_owned(), (*case).to_owned()]));
    }
    words.extend(["--engine".to_owned(), engine.to_owned()]);
    // Without a suite file the command alone can give the limits of the suite.
    let limits = if is_bare { limits.or(Some(&suite.limits)) } else { limits };
    if let Some(Limits { nodes, depth, movetime, clocks, .. }) = limits {
        let values = [
            ("--nodes", nodes.map(|nodes| nodes.to_string())),
            ("--depth", depth.map(|depth| depth.0.to_string())),
            ("--movetime", movetime.map(|time| time.as_millis().to_string())),
            ("--tc", clocks.map(|clocks| clocks.to_string())),
        ];
        let given = values.into_iter().filter_map(|(option, value)| Some([option.to_owned(), value?]));
        words.extend(given.flatten());
    }
    words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
}

/// The settings of a suite without a suite file, as options.
fn setting_options(source: &SuiteSource) -> Vec<String> {
    let files = source.files().map(|files| files.child_values).unwrap_or_default();
    let files = files.iter().flat_map(|file| ["--child-values".to_owned(), file.file.clone()]);
    let settings = source.settings().into_iter();
    settings
        .flat_map(|(key, value)| ["--setting".to_owned(), format!("{key}={value}")])
        .chain(files)
        .collect()
}
