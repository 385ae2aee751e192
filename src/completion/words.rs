//! The words of the command line that is completed.

use std::env;

/// The words after the program, as the script passed them on.
pub(super) fn of_line() -> Vec<String> {
    let given = env::args_os().map(|word| word.to_string_lossy().into_owned());
    let given: Vec<String> = given.skip_while(|word| word != "--").skip(1).collect();
    joined(&given, given.len()).words.into_iter().skip(1).collect()
}

/// Words that bash has divided at `=` and `:`, put together again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JoinedWords {
    /// The words up to the one that is completed.
    pub(super) words: Vec<String>,
    /// The beginning of the last word, which bash does not replace.
    pub(super) kept: String,
}

/// Puts the pieces of bash together up to the one with this index, and removes the backslashes before blanks. Pieces that
/// were divided by blanks in the line look the same, so a `=` between blanks is joined, too.
pub(super) fn joined(pieces: &[String], index: usize) -> JoinedWords {
    let mut words: Vec<String> = Vec::new();
    let (mut kept, mut is_open) = (String::new(), false);
    for piece in pieces.iter().take(index.saturating_add(1)) {
        let piece = piece.replace("\\ ", " ");
        let is_break = !piece.is_empty() && piece.chars().all(|letter| matches!(letter, '=' | ':'));
        if let Some(last) = words.last_mut().filter(|_| is_break || is_open) {
            kept.clone_from(last);
            last.push_str(&piece);
        } else {
            kept.clear();
            words.push(piece);
        }
        if is_break {
            // bash completes the empty word after it.
            kept = words.last().cloned().unwrap_or_default();
        }
        is_open = is_break;
    }
    JoinedWords { words, kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_bash_are_joined_up_to_the_completed_one() {
        let table = [
            // pieces, the index, the words, what bash keeps
            (&["t", "match", "--eng"][..], 2, &["t", "match", "--eng"][..], ""),
            (
                &["t", "--engine", "./a,Hash", "=", "16,Th"],
                4,
                &["t", "--engine", "./a,Hash=16,Th"],
                "./a,Hash=",
            ),
            (&["t", "--engine", "./a,Hash", "="], 3, &["t", "--engine", "./a,Hash="], "./a,Hash="),
            (&["t", "--engine", "=", "./a"], 3, &["t", "--engine=./a"], "--engine="),
            (
                &["t", "--openings", "builtin", ":", "bal", "--more"],
                4,
                &["t", "--openings", "builtin:bal"],
                "builtin:",
            ),
            (&["t", "a", ""], 2, &["t", "a", ""], ""),
            (&["t", "./a,Move\\ Ov"], 1, &["t", "./a,Move Ov"], ""),
        ];
        for (pieces, index, words, kept) in table {
            let pieces: Vec<String> = pieces.iter().map(|&piece| piece.to_owned()).collect();
            let found = joined(&pieces, index);
            assert_eq!(
                (found.words, found.kept.as_str()),
                (words.iter().map(|&it| it.to_owned()).collect(), kept)
            );
        }
    }
}
