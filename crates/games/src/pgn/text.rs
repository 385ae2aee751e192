//! Text from engines in a PGN file: on one line, visible, and never parsed as PGN syntax.

use std::borrow::Cow;

use threefold_player::visible::picture;

/// One line of text without invisible characters: an engine's text may contain anything.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { picture(character) }).collect()
}

/// Text in a comment: a brace would end it.
pub(super) fn braceless(text: &str) -> String {
    text.replace('}', ")").replace('{', "(")
}

/// Text in quotation marks in a comment.
pub(super) fn quotable(text: &str) -> String {
    braceless(&plain(text)).replace('"', "'")
}

/// Wraps lines at 80 characters; a longer word gets its own line. A word that would be syntax at the start of
/// a line (`[` starts a tag, `%` a comment line) stays with the word before it.
pub(super) fn wrap(text: &str) -> String {
    let mut wrapped = String::with_capacity(text.len());
    let mut column = 0;
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut word = Cow::Borrowed(word);
        while let Some(next) = words.next_if(|next| next.starts_with(['[', '%'])) {
            word = Cow::Owned(format!("{word} {next}"));
        }
        let width = if word.is_ascii() { word.len() } else { word.chars().count() };
        if column > 0 {
            let fits = column + 1 + width <= 80;
            wrapped.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        wrapped.push_str(&word);
        column += width;
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{PgnEngine, PgnOptions, PgnTags, pgn};
    use super::*;
    use crate::game::{GameEnd, GameOutcome, GameRecord};
    use crate::pgn_results::{Block, BlockResults, Blocks, BrokenOffGames, scan};
    use threefold_chess::position::GamePosition;
    use threefold_player::visible::visible_lines;
    use threefold_player::{EngineId, FaultCause, RecordedFault};

    #[test]
    fn pgn_lines_never_begin_with_a_tag_or_an_escape() {
        let long = "x".repeat(78);
        for bad in ["[Frame", "%escape", "[", "[[", "%"] {
            let wrapped = wrap(&format!("{{{long} {bad} {bad} y {long} {bad}}}"));
            assert!(wrapped.lines().count() > 1, "{wrapped}");
            assert!(wrapped.lines().all(|line| !line.starts_with(['[', '%'])), "{wrapped}");
        }
        assert_eq!(plain("a\nb\u{1b}[2J\u{202e}c\u{200f}"), "a b [2J\u{fffd}c\u{fffd}");
    }

    /// Words that could break the syntax.
    fn words() -> impl Strategy<Value = String> {
        let word = prop_oneof![
            Just("[Frame \"0\"]".to_owned()),
            Just("[Event \"x\"]".to_owned()),
            Just("[White \"y\"]\n\n1. e4 1-0\n\n".to_owned()),
            Just("%".to_owned()),
            Just("; 1-0".to_owned()),
            Just("{ } ( ) $1 *".to_owned()),
            Just("\u{202e}\u{1b}]0;x\u{7}\r\n".to_owned()),
            "[ -~]{1,90}",
            ".{0,12}",
        ];
        prop::collection::vec(word, 0..30).prop_map(|words| words.join(" "))
    }

    proptest! {
        /// Whatever the names and texts of engines are, all written games are read again, and all of them
        /// count.
        #[test]
        fn rating_reads_every_written_game(
            games in prop::collection::vec((words(), words(), words(), any::<bool>()), 1..6),
        ) {
            let mut text = String::new();
            for (number, (name, event, last, illegal)) in games.iter().enumerate() {
                let end = if *illegal { GameEnd::IllegalMove(last.clone()) } else { GameEnd::EngineFault(RecordedFault { cause: FaultCause::Crash, detail: last.clone() }) };
                let record = GameRecord::new([format!("A{number} {name}"), format!("B{number} {name}")], GamePosition::start_position(), GameOutcome::White, end);
                let controls = ["inf"; 2].map(|control| control.parse().expect(control));
                let (site, round) = (last.clone(), name.clone());
                let named = EngineId { name: Some(name.clone()), author: Some(last.clone()) };
                let engines = [PgnEngine { id: named, build: Some(event.clone()) }, PgnEngine::default()];
                let opening = Some(event.clone());
                let tags = PgnTags { event: event.clone(), engines, site, round, controls, opening, eco: None };
                text.push_str(&pgn(&record, &tags, &PgnOptions::default()).expect("legal"));
            }
            prop_assert_eq!(&visible_lines(&text), &text, "nothing invisible is left");
            let mut blocks = Blocks::new(text.as_bytes());
            let mut block = Block::default();
            let mut all_results: Vec<BlockResults> = Vec::new();
            while blocks.next(&mut block).expect("memory is read") {
                all_results.push(scan(block.text(), blocks.head(), BrokenOffGames::Ignored));
            }
            let complaints: Vec<_> = all_results.iter().flat_map(|block_results| &block_results.issues).collect();
            prop_assert!(complaints.is_empty(), "{:?}\n{}", complaints, text);
            prop_assert_eq!(all_results.iter().map(|block_results| block_results.games.len()).sum::<usize>(), games.len(), "{}", text);
        }
    }
}
