//! A block of a file, as its games and its faults.
//!
//! A game is its tags and the text up to the next line that begins a tag. That rule holds even inside a
//! comment: an engine that died in the middle of one must not swallow the games after it.

use std::ops::Range;

use memchr::memchr_iter;

use super::complaint::{Complaint, Reason};
use super::label::Label;
use super::movetext::{Ending, Marker, Moves};
use super::names::{Encoding, Names};
use super::page::{Game, Page};
use super::tags::{self, Head, Tags};
use threefold_stats::GameResult;

/// Reads a block that begins and ends where games do, of a file whose games begin with `head`.
pub fn scan(block: &[u8], head: Head) -> Page {
    let mut scanner = Scanner::new(block);
    let mut at = next_tag(block, 0);
    if !block[..at].trim_ascii().is_empty() {
        scanner.take_text_without_tags(&block[..at]);
    }
    while at < block.len() {
        let (tags, moves_at) = Tags::read(block, at, head);
        let next = next_tag(block, moves_at);
        scanner.take_game(&tags, at, moves_at..next);
        at = next;
    }
    scanner.page.lines = scanner.line_at(block.len());
    scanner.page
}

/// Where the next tag begins a line, from a byte that begins one; the end if there is none.
fn next_tag(block: &[u8], from: usize) -> usize {
    if tags::begins(&block[from..]) {
        return from;
    }
    // A bracket is rare in moves, and so sought faster than the end of a line.
    memchr_iter(b'[', &block[from..])
        .map(|found| from + found)
        .find(|&at| block[..at].last() == Some(&b'\n') && tags::begins(&block[at..]))
        .unwrap_or(block.len())
}

struct Scanner<'b> {
    block: &'b [u8],
    page: Page,
    names: Names<'b>,
    /// A byte, and how many lines end before it.
    counted: (usize, u64),
}

impl<'b> Scanner<'b> {
    fn new(block: &'b [u8]) -> Self {
        Self { block, page: Page::default(), names: Names::new(), counted: (0, 0) }
    }

    fn take_game(&mut self, tags: &Tags<'b>, at: usize, moves: Range<usize>) {
        self.page.read += 1;
        let text = Moves::read(&self.block[moves.clone()]);
        match judge(tags, text.ending) {
            Ok(sound) => {
                self.count(&sound, Label::of(tags), at);
                if text.ending == Ending::NoMoves {
                    self.complain(at, Reason::NoMoves, "no moves; counted by its tag Result".to_owned());
                }
                if tags.result.is_none() {
                    let what = "no tag Result; counted by the end of its moves".to_owned();
                    self.complain(at, Reason::NoResultTag, what);
                }
            }
            Err(Flaw { reason, what }) => self.complain(at, reason, what),
        }
        for extra in text.extras {
            self.take_extra(moves.start + extra.at, extra.marker);
        }
    }

    fn count(&mut self, sound: &Sound<'b>, label: Label, at: usize) {
        let [white, black] =
            [sound.white, sound.black].map(|name| self.names.index(name, &mut self.page.names));
        self.page.games.push(Game { white, black, result: sound.result, label });
        for player in [white, black] {
            if self.names.encoding(player) == Encoding::Latin {
                let what = format!("`{}` is not UTF-8: read as Latin-1", self.page.names[player]);
                self.complain(at, Reason::Encoding, what);
            }
        }
    }

    /// What follows a game's end, or stands before the first game.
    fn take_extra(&mut self, at: usize, marker: Option<Marker>) {
        if let Some(marker) = marker {
            self.page.read += 1;
            let what = format!("a game without tags that ends {}: nobody knows who played", marker.name());
            self.complain(at, Reason::MissingPlayer, what);
        } else {
            let text = excerpt(self.block[at..].split(|&byte| byte == b'\n').next().unwrap_or_default());
            self.complain(at, Reason::StrayText, format!("`{text}` belongs to no game"));
        }
    }

    fn take_text_without_tags(&mut self, text: &[u8]) {
        let start = text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
        let moves = Moves::read(&text[start..]);
        match moves.ending {
            Ending::Marked(marker) => self.take_extra(start, Some(marker)),
            Ending::Missing => self.take_extra(start, None),
            Ending::NoMoves => {}
        }
        for extra in moves.extras {
            self.take_extra(start + extra.at, extra.marker);
        }
    }

    fn complain(&mut self, at: usize, reason: Reason, what: String) {
        let line = self.line_at(at) + 1;
        self.page.complaints.push(Complaint { reason, game: self.page.read, line, what });
    }

    /// How many lines end before a byte. The bytes asked for never go back by more than a game.
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

/// What a game that counts says.
struct Sound<'b> {
    white: &'b [u8],
    black: &'b [u8],
    /// White's.
    result: GameResult,
}

/// Why a game can't count.
struct Flaw {
    reason: Reason,
    what: String,
}

impl Flaw {
    fn new(reason: Reason, what: impl Into<String>) -> Self {
        Self { reason, what: what.into() }
    }
}

fn judge<'b>(tags: &Tags<'b>, ending: Ending) -> Result<Sound<'b>, Flaw> {
    if let Some(line) = tags.damaged {
        return Err(Flaw::new(Reason::DamagedTag, format!("the tag `{}` is damaged", excerpt(line))));
    }
    let player = |tag: Option<&'b [u8]>, colour| {
        tag.filter(|name| !matches!(name.trim_ascii(), b"" | b"?"))
            .ok_or_else(|| Flaw::new(Reason::MissingPlayer, format!("{colour} has no name")))
    };
    let (white, black) = (player(tags.white, "White")?, player(tags.black, "Black")?);
    if tags::unescaped(white).trim_ascii() == tags::unescaped(black).trim_ascii() {
        let what = format!("`{}` plays against itself", excerpt(white));
        return Err(Flaw::new(Reason::SamePlayer, what));
    }
    match result(tags.result, ending)? {
        Marker::Known(result) => Ok(Sound { white, black, result }),
        Marker::Unfinished => Err(Flaw::new(Reason::Unfinished, "the game is unfinished")),
    }
}

/// The result that the tag and the end of the moves agree on, or that one of them tells.
fn result(tag: Option<&[u8]>, ending: Ending) -> Result<Marker, Flaw> {
    let told = tag.map(|value| Marker::of(value).ok_or(value)).transpose().map_err(|value| {
        let what = format!("Result `{}`: chess has 1-0, 0-1 and 1/2-1/2", excerpt(value));
        Flaw::new(Reason::UnknownResult, what)
    })?;
    match (told, ending) {
        (Some(told), Ending::Marked(marker)) if told != marker => {
            let what = format!("the tag Result says {}, the moves end {}", told.name(), marker.name());
            Err(Flaw::new(Reason::Contradictory, what))
        }
        (Some(told @ Marker::Known(_)), Ending::Missing) => {
            let what = format!("the moves break off; the tag Result says {}", told.name());
            Err(Flaw::new(Reason::BrokenOff, what))
        }
        (None, Ending::Missing | Ending::NoMoves) => {
            Err(Flaw::new(Reason::UnknownResult, "neither a tag nor the moves tell a result"))
        }
        (Some(marker), _) | (None, Ending::Marked(marker)) => Ok(marker),
    }
}

/// A few words of foreign text, on one line.
fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(bytes);
    let mut shown: String =
        text.trim().chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.trim().chars().count() > SHOWN {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use pgn_reader::{RawTag, Reader, Skip, Visitor};
    use proptest::prelude::*;
    use shakmaty::Outcome;

    use super::super::complaint::Consequence;
    use super::*;

    const FIRST: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";

    /// Reason, game and line.
    type Told = (Reason, u64, u64);

    #[test]
    fn whatever_is_no_sound_game_is_told_with_its_line() {
        let players = "[White \"C\"]\n[Black \"D\"]\n";
        let table: &[(String, &[Told], usize)] = &[
            // after FIRST, which ends with line 6: complaints, games counted of the rest
            (format!("{players}[Result \"0-1\"]\n\n0-1"), &[], 1),
            (format!("{players}[Result \"*\"]\n\n1. e4 *"), &[(Reason::Unfinished, 2, 7)], 0),
            (format!("{players}[Result \"1-0\"]\n\n1. e4 0-1"), &[(Reason::Contradictory, 2, 7)], 0),
            (format!("{players}[Result \"1-0\"]\n\n1. e4 *"), &[(Reason::Contradictory, 2, 7)], 0),
            (format!("{players}[Result \"?\"]\n\n1. e4 1-0"), &[(Reason::UnknownResult, 2, 7)], 0),
            (players.to_owned(), &[(Reason::UnknownResult, 2, 7)], 0),
            (format!("{players}[Result \"1-0\"]\n"), &[(Reason::NoMoves, 2, 7)], 1),
            (format!("{players}\n1. e4 1-0\n"), &[(Reason::NoResultTag, 2, 7)], 1),
            ("\n\n[White \"C\"]\n[Result \"1-0\"]\n\n1-0".to_owned(), &[(Reason::MissingPlayer, 2, 9)], 0),
            (
                format!("{}[Result \"1-0\"]\n\n1-0", players.replace('D', "?")),
                &[(Reason::MissingPlayer, 2, 7)],
                0,
            ),
            (
                format!("{}[Result \"1-0\"]\n\n1-0", players.replace('D', "C")),
                &[(Reason::SamePlayer, 2, 7)],
                0,
            ),
            (format!("{players}[Result \"1-0\"]\n\n1. e4 {{+0.1"), &[(Reason::BrokenOff, 2, 7)], 0),
            (format!("{players}[Result \"1-\n\n1. e4 1-0"), &[(Reason::DamagedTag, 2, 7)], 0),
            ("hello\nthere\n".to_owned(), &[(Reason::StrayText, 1, 7)], 0),
            ("1. d4 0-1\n".to_owned(), &[(Reason::MissingPlayer, 2, 7)], 0),
            // What breaks off does not take the next game with it, wherever it breaks off.
            (format!("[White \"C\"]\n[Bla\n{FIRST}"), &[(Reason::MissingPlayer, 2, 7)], 1),
            (format!("{players}[Result \"1-0\"]\n\n1. e4 {{+0.\n{FIRST}"), &[(Reason::BrokenOff, 2, 7)], 1),
        ];
        for (text, complaints, counted) in table {
            let page = scan(format!("{FIRST}{text}").as_bytes(), Head::Any);
            let found: Vec<_> =
                page.complaints.iter().map(|found| (found.reason, found.game, found.line)).collect();
            assert_eq!((found.as_slice(), page.games.len() - 1), (*complaints, *counted), "{text}");
            let doubtful =
                complaints.iter().filter(|(reason, ..)| reason.consequence() != Consequence::SetAside);
            let set_aside = complaints.len() - doubtful.count();
            assert_eq!(page.read, (1 + counted + set_aside) as u64, "{text}: none is lost");
        }
        let page = scan(format!("hello\n{FIRST}").as_bytes(), Head::Any);
        assert_eq!((page.complaints[0].reason, page.complaints[0].game), (Reason::StrayText, 0));
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
        /// On sound games a reader of moves, who knows nothing of this one, finds the same.
        #[test]
        fn sound_games_are_read_as_a_reader_of_moves_reads_them(
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
            let page = scan(text.as_bytes(), Head::Any);
            let ours: Vec<_> = page.games.iter().map(|game| {
                let name = |index: usize| page.names[index].clone();
                ([name(game.white), name(game.black)], Marker::Known(game.result).name().to_owned())
            }).collect();
            prop_assert_eq!(&page.complaints, &[]);
            prop_assert_eq!(ours, theirs);
        }
    }
}
