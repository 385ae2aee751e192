//! Reads one block: its games and its problems.
//!
//! A game is its tags and the text up to the next line that begins with a tag (see `game_start`).

use std::ops::Range;

use memchr::memchr_iter;

use super::block_results::{BlockResults, CountedGame};
use super::game_start::next_tag;
use super::issue::{IssueKind, PgnIssue};
use super::moves;
use super::movetext::{self, Movetext, MovetextEnd, ResultToken};
use super::names::{Encoding, PlayerNames};
use super::pair_label::PairLabel;
use super::tags::{FirstTag, ResultTags};
use super::validity::{BrokenOffGames, InvalidGame, ValidGame, excerpt, judge};
use crate::foreign_text::MARK;

/// Reads a block of whole games, of a file whose games begin with `head`.
pub fn scan(block: &[u8], head: FirstTag, broken_off: BrokenOffGames) -> BlockResults {
    let mut scanner = Scanner::new(block, broken_off);
    let mut at = next_tag(block, 0);
    if !block[..at].trim_ascii().is_empty() {
        scanner.take_text_without_tags(&block[..at]);
    }
    while at < block.len() {
        let (tags, moves_at) = ResultTags::parse(block, at, head);
        let next = next_tag(block, moves_at);
        scanner.take_game(&tags, at, movetext_range(block, moves_at..next));
        at = next;
    }
    scanner.block_results.lines = scanner.line_at(block.len());
    scanner.block_results
}

/// The movetext of a game whose text after the tags is this range.
pub(super) fn movetext_range(block: &[u8], text: Range<usize>) -> Range<usize> {
    let moves = &block[text.clone()];
    // Files that were put together may have a byte order mark before each file's first tag.
    text.start..text.start + moves.strip_suffix(MARK).unwrap_or(moves).len()
}

struct Scanner<'b> {
    block: &'b [u8],
    block_results: BlockResults,
    names: PlayerNames<'b>,
    broken_off: BrokenOffGames,
    /// A byte offset, and the number of lines before it.
    counted: (usize, u64),
}

impl<'b> Scanner<'b> {
    fn new(block: &'b [u8], broken_off: BrokenOffGames) -> Self {
        let (block_results, names) = (BlockResults::default(), PlayerNames::new());
        Self { block, block_results, names, broken_off, counted: (0, 0) }
    }

    fn take_game(&mut self, tags: &ResultTags<'b>, at: usize, moves: Range<usize>) {
        self.block_results.read += 1;
        let text = Movetext::parse(&self.block[moves.clone()]);
        match judge(tags, text.ending, self.broken_off) {
            Ok(sound) => {
                let moves = moves::identity(tags.fen, &self.block[moves.clone()]);
                self.count(&sound, PairLabel::from_tags(tags), moves, at);
                let by_tag = match text.ending {
                    MovetextEnd::NoMoves => Some((IssueKind::NoMoves, "no moves")),
                    MovetextEnd::Missing => {
                        Some((IssueKind::NoResultToken, "the moves end without a result"))
                    }
                    MovetextEnd::Marked(_) => None,
                };
                if let Some((reason, what)) = by_tag {
                    self.report_issue(at, reason, format!("{what}; counted by its tag Result"));
                }
                if tags.result.is_none() {
                    let what = "no tag Result; counted by the end of its moves".to_owned();
                    self.report_issue(at, IssueKind::NoResultTag, what);
                }
            }
            Err(InvalidGame { reason, what }) => self.report_issue(at, reason, what),
        }
        for extra in text.extras {
            self.take_extra(moves.start + extra.at, extra.marker);
        }
    }

    fn count(&mut self, sound: &ValidGame<'b>, label: PairLabel, moves: Option<u64>, at: usize) {
        let [white, black] =
            [sound.white, sound.black].map(|name| self.names.index(name, &mut self.block_results.names));
        self.block_results.games.push(CountedGame { white, black, result: sound.result, moves, label });
        for player in [white, black] {
            if self.names.encoding(player) == Encoding::Latin {
                let what = format!("`{}` is not UTF-8: read as Latin-1", self.block_results.names[player]);
                self.report_issue(at, IssueKind::Encoding, what);
            }
        }
    }

    /// Handles text after a game's end or before the first game.
    fn take_extra(&mut self, at: usize, marker: Option<ResultToken>) {
        if let Some(marker) = marker {
            self.block_results.read += 1;
            let what = format!("a game without tags that ends {}: its players are unknown", marker.name());
            self.report_issue(at, IssueKind::MissingPlayer, what);
        } else {
            let text = excerpt(self.block[at..].split(|&byte| byte == b'\n').next().unwrap_or_default());
            self.report_issue(at, IssueKind::StrayText, format!("`{text}` belongs to no game"));
        }
    }

    fn take_text_without_tags(&mut self, text: &[u8]) {
        if movetext::is_blank(text) {
            return;
        }
        let start = text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
        let moves = Movetext::parse(&text[start..]);
        match moves.ending {
            MovetextEnd::Marked(marker) => self.take_extra(start, Some(marker)),
            MovetextEnd::Missing => self.take_extra(start, None),
            MovetextEnd::NoMoves => {}
        }
        for extra in moves.extras {
            self.take_extra(start + extra.at, extra.marker);
        }
    }

    fn report_issue(&mut self, at: usize, reason: IssueKind, what: String) {
        let line = self.line_at(at) + 1;
        self.block_results.issues.push(PgnIssue { reason, game: self.block_results.read, line, what });
    }

    /// The number of lines before a byte. Offsets never go back by more than a game.
    fn line_at(&mut self, at: usize) -> u64 {
        let (from, lines) = self.counted;
        let count = |range: &[u8]| memchr_iter(b'\n', range).count() as u64;
        let lines = if from <= at {
            lines + count(&self.block[from..at])
        } else {
            lines - count(&self.block[at..from])
        };
        self.counted = (at, lines);
        lines
    }
}

#[cfg(test)]
mod tests {
    use pgn_reader::{RawTag, Reader, Skip, Visitor};
    use proptest::prelude::*;
    use shakmaty::Outcome;
    use std::ops::ControlFlow;

    use super::super::issue::Consequence;
    use super::*;

    const FIRST: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";

    /// Kind, game and line.
    type ReportedIssue = (IssueKind, u64, u64);

    #[test]
    fn invalid_games_are_reported_with_their_line() {
        let players = "[White \"C\"]\n[Black \"D\"]\n";
        let table: &[(String, &[ReportedIssue], usize)] = &[
            // after FIRST, which ends with line 6: complaints, games counted of the rest
            (format!("{players}[Result \"0-1\"]\n\n0-1"), &[], 1),
            (format!("{players}[Result \"*\"]\n\n1. e4 *"), &[(IssueKind::Unfinished, 2, 7)], 0),
            (format!("{players}[Result \"1-0\"]\n\n1. e4 0-1"), &[(IssueKind::Contradictory, 2, 7)], 0),
            (format!("{players}[Result \"1-0\"]\n\n1. e4 *"), &[(IssueKind::Contradictory, 2, 7)], 0),
            (format!("{players}[Result \"?\"]\n\n1. e4 1-0"), &[(IssueKind::UnknownResult, 2, 7)], 0),
            (players.to_owned(), &[(IssueKind::UnknownResult, 2, 7)], 0),
            (format!("{players}[Result \"1-0\"]\n"), &[(IssueKind::NoMoves, 2, 7)], 1),
            (format!("{players}\n1. e4 1-0\n"), &[(IssueKind::NoResultTag, 2, 7)], 1),
            ("\n\n[White \"C\"]\n[Result \"1-0\"]\n\n1-0".to_owned(), &[(IssueKind::MissingPlayer, 2, 9)], 0),
            (
                format!("{}[Result \"1-0\"]\n\n1-0", players.replace('D', "?")),
                &[(IssueKind::MissingPlayer, 2, 7)],
                0,
            ),
            (
                format!("{}[Result \"1-0\"]\n\n1-0", players.replace('D', "C")),
                &[(IssueKind::SamePlayer, 2, 7)],
                0,
            ),
            (
                format!("{players}[Result \"1-0\"]\n[Variant \"Atomic\"]\n\n1. e4 1-0"),
                &[(IssueKind::OtherVariant, 2, 7)],
                0,
            ),
            (format!("{players}[Variant \"fischerandom\"]\n[Result \"1-0\"]\n\n1. e4 1-0"), &[], 1),
            (format!("{players}[Result \"1-0\"]\n\n1. e4 {{+0.1"), &[(IssueKind::BrokenOff, 2, 7)], 0),
            (format!("{players}[Result \"1-\n\n1. e4 1-0"), &[(IssueKind::DamagedTag, 2, 7)], 0),
            ("hello\nthere\n".to_owned(), &[(IssueKind::StrayText, 1, 7)], 0),
            ("1. d4 0-1\n".to_owned(), &[(IssueKind::MissingPlayer, 2, 7)], 0),
            // A game that is cut off does not swallow the next one, wherever the cut is.
            (format!("[White \"C\"]\n[Bla\n{FIRST}"), &[(IssueKind::MissingPlayer, 2, 7)], 1),
            (
                format!("{players}[Result \"1-0\"]\n\n1. e4 {{+0.\n{FIRST}"),
                &[(IssueKind::BrokenOff, 2, 7)],
                1,
            ),
        ];
        for (text, complaints, counted) in table {
            let block_results =
                scan(format!("{FIRST}{text}").as_bytes(), FirstTag::Any, BrokenOffGames::Ignored);
            let found: Vec<_> =
                block_results.issues.iter().map(|found| (found.reason, found.game, found.line)).collect();
            assert_eq!((found.as_slice(), block_results.games.len() - 1), (*complaints, *counted), "{text}");
            let doubtful =
                complaints.iter().filter(|(reason, ..)| reason.consequence() != Consequence::Excluded);
            let excluded = complaints.len() - doubtful.count();
            assert_eq!(block_results.read, (1 + counted + excluded) as u64, "{text}: none is lost");
        }
        for text in ["% written by a tool\n", "; a comment\n", "{a comment}\n% and\n\n"] {
            let block_results =
                scan(format!("{text}{FIRST}").as_bytes(), FirstTag::Any, BrokenOffGames::Ignored);
            assert_eq!((block_results.issues.len(), block_results.games.len()), (0, 1), "{text}");
        }
        let block_results =
            scan(format!("hello\n{FIRST}").as_bytes(), FirstTag::Any, BrokenOffGames::Ignored);
        assert_eq!((block_results.issues[0].reason, block_results.issues[0].game), (IssueKind::StrayText, 0));
    }

    #[test]
    fn games_without_a_result_token_count_by_their_tag_on_demand() {
        let text = FIRST.replace("1. e4 1-0", "1. e4 e5");
        for (broken_off, games, reason) in [
            (BrokenOffGames::Ignored, 0, IssueKind::BrokenOff),
            (BrokenOffGames::Counted, 2, IssueKind::NoResultToken),
        ] {
            let block_results = scan(text.repeat(2).as_bytes(), FirstTag::Any, broken_off);
            let reasons: Vec<_> = block_results.issues.iter().map(|issue| issue.reason).collect();
            assert_eq!((block_results.games.len(), reasons), (games, vec![reason; 2]));
        }
        let unfinished = text.replace("1-0", "*");
        assert_eq!(scan(unfinished.as_bytes(), FirstTag::Any, BrokenOffGames::Counted).games, []);
    }

    /// Players and result as pgn-reader finds them.
    struct Heads;

    impl Visitor for Heads {
        type Tags = [String; 2];
        type Movetext = ([String; 2], String);
        type Output = ([String; 2], String);

        fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
            ControlFlow::Continue(Default::default())
        }

        fn tag(
            &mut self,
            tags: &mut Self::Tags,
            name: &[u8],
            value: RawTag<'_>,
        ) -> ControlFlow<Self::Output> {
            match name {
                b"White" => tags[0] = value.decode_utf8_lossy().into_owned(),
                b"Black" => tags[1] = value.decode_utf8_lossy().into_owned(),
                _ => {}
            }
            ControlFlow::Continue(())
        }

        fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
            ControlFlow::Continue((tags, String::new()))
        }

        fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
            ControlFlow::Continue(Skip(true))
        }

        fn outcome(&mut self, game: &mut Self::Movetext, outcome: Outcome) -> ControlFlow<Self::Output> {
            game.1 = outcome.to_string();
            ControlFlow::Continue(())
        }

        fn end_game(&mut self, game: Self::Movetext) -> Self::Output {
            game
        }
    }

    proptest! {
        /// On valid games, an independent PGN reader finds the same.
        #[test]
        fn results_equal_those_of_a_full_pgn_parser(
            games in prop::collection::vec((
                "[A-Z][a-z ]{0,6}\\\\?[0-9]",
                prop::sample::select(vec!["1-0", "0-1", "1/2-1/2"]),
                "(1\\. e4 |e5 |\\{[a-z;% (]{0,9}\\} |\\([a-h]4 1-0 \\) |\\$1 |\n|;[a-z{]{0,9}\n){0,9}",
                prop::sample::select(vec!["\n", "\r\n"]),
            ), 1..9),
        ) {
            let mut text = String::new();
            for (name, result, moves, end) in &games {
                let name = name.replace('\\', "\\\\");
                let moves = moves.split('\n').filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n");
                let game = format!("[White \"{name}\"]\n[Black \"b\"]\n[Result \"{result}\"]\n\n{moves}\n{result}\n\n");
                text.push_str(&game.replace("\n\n\n", "\n\n").replace('\n', end));
            }
            let mut reader = Reader::new(text.as_bytes());
            let mut theirs = Vec::new();
            while let Some(game) = reader.read_game(&mut Heads).expect("memory is read") {
                theirs.push(game);
            }
            let block_results = scan(text.as_bytes(), FirstTag::Any, BrokenOffGames::Ignored);
            let ours: Vec<_> = block_results.games.iter().map(|game| {
                let name = |index: usize| block_results.names[index].clone();
                ([name(game.white), name(game.black)], ResultToken::Known(game.result).name().to_owned())
            }).collect();
            prop_assert_eq!((ours, &block_results.issues[..]), (theirs, &[][..]));
        }
    }
}
