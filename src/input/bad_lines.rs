//! `--skip-bad-lines`: leaves out the lines of position files that can't be read.
//!
//! A line that is left out becomes a comment, so the numbers of the other lines stay, and the journal shows
//! what was left out.

use crate::streams;
use threefold_suites::{SourceFile, Suite, SuiteError, SuiteSource};

/// What a line that is left out begins with.
const COMMENT: &str = "# left out: ";

/// The suite without the lines of its position files that have errors. A notice counts them for each file.
///
/// # Errors
/// If the suite has another error, or nothing is left of it.
pub fn left_out(mut source: SuiteSource) -> anyhow::Result<SuiteSource> {
    let mut errors: Vec<SuiteError> = Vec::new();
    // A line can be wrong in several ways, of which only the first is known: an id that occurs twice, for
    // example.
    while let Err(error) = Suite::read(&source) {
        for error in error.all() {
            let line = error.line.and_then(|line| line.checked_sub(1));
            let file = source.positions.iter_mut().find(|file| file.file == error.file);
            let is_done = file.zip(line).is_some_and(|(file, line)| comment_out(file, line));
            // An error that no comment removes would be found again without end.
            anyhow::ensure!(is_done, error.line());
            errors.push(error.clone());
        }
    }
    for file in &source.positions {
        let wrong: Vec<&SuiteError> = errors.iter().filter(|error| error.file == file.file).collect();
        if wrong.is_empty() {
            continue;
        }
        let lines = file.text.lines().count();
        streams::notice(&format!("warning: {}: {} of {lines} lines are left out:", file.file, wrong.len()));
        for error in wrong {
            streams::notice(&format!("  {}", error.line()));
        }
    }
    Ok(source)
}

/// Makes a line, counted from 0, a comment; `false` if it is one already.
fn comment_out(file: &mut SourceFile, line: usize) -> bool {
    let mut lines: Vec<String> = file.text.lines().map(str::to_owned).collect();
    let Some(text) = lines.get_mut(line).filter(|text| !text.starts_with(COMMENT)) else { return false };
    text.insert_str(0, COMMENT);
    file.text = lines.join("\n") + "\n";
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_chess::clock::Limits;
    use threefold_suites::Kind;

    fn suite(kind: &str, text: &str) -> SuiteSource {
        let file = SourceFile { file: "p.epd".to_owned(), text: text.to_owned() };
        SuiteSource::from_positions(Kind::named(kind).expect("a kind"), file, &Limits::nodes(9))
    }

    #[test]
    fn bad_lines_become_comments() {
        let sound = "k7/8/1K6/8/8/8/8/1R6 w - - bm Rh1; id \"1\";";
        let text = format!("{sound}\nhello\n{sound}\n\nk7/8/1K6/8/8/8/8/1R6 w - - bm Rh9; id \"2\";\n");
        let source = left_out(suite("best-move", &text)).expect("a line is left");
        let lines: Vec<&str> = source.positions[0].text.lines().collect();
        let comments: Vec<bool> = lines.iter().map(|line| line.starts_with(COMMENT)).collect();
        assert_eq!(comments, [false, true, true, false, true]);
        assert_eq!(Suite::read(&source).expect("sound").definitions.len(), 1);
    }

    #[test]
    fn suite_without_a_sound_line_is_an_error() {
        for (kind, text) in [("best-move", "hello\n"), ("repetition", "id,class\nx,y\n")] {
            left_out(suite(kind, text)).expect_err(kind);
        }
    }
}
