//! The columns of a trap in words, for the remarks of its case.

/// A column that is known to the readers of a report by another name than the file's, with its value in words.
/// Other columns keep their names.
pub(super) fn in_words(name: &str, value: &str) -> String {
    match (name, value) {
        ("dtm", moves) => format!("distance to mate: {moves}"),
        ("avoid", moves) => format!("wrong move: {moves}"),
        ("before", counter) => format!("fifty-move counter of the search before: {counter}"),
        ("after", "=") => "after the wrong move: a draw".to_owned(),
        ("after", moves) => format!("distance to mate after the wrong move: {moves}"),
        ("erred", "none") => "errors in the history: none".to_owned(),
        ("erred", plies) => format!("errors in the history: plies {plies}"),
        ("pull", centipawns) => {
            format!("the wrong move looks better by {centipawns} centipawns (3 plies, without the history)")
        }
        ("depth", plies) => format!("a plain search sees it at depth {plies}"),
        ("grade", grade) => format!("difficulty: {grade}"),
        (name, value) => format!("{name}: {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_the_shipped_traps_are_words() {
        for (column, value, expected) in [
            ("erred", "3 4", "errors in the history: plies 3 4"),
            ("erred", "none", "errors in the history: none"),
            ("pull", "275", "the wrong move looks better by 275 centipawns (3 plies, without the history)"),
            ("grade", "fair", "difficulty: fair"),
            ("after", "-12", "distance to mate after the wrong move: -12"),
            ("material", "KRKP", "material: KRKP"),
        ] {
            assert_eq!(in_words(column, value), expected);
        }
    }
}
