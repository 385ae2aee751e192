//! Opening books made of games: the first moves of each game are an opening.
//!
//! Variations and comments are skipped; a `FEN` tag sets the start. A text that is no legal move is an error:
//! a silently shortened opening would test something else. Moves are read in several notations (see
//! [`move_reader`]).

use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_oracle::Referee;

use super::{BookFormat, Opening, OpeningError, check, line_at, other_form};
use crate::move_reader;
use crate::pgn_tokens::{PgnToken, PgnTokens};
use crate::pgn_variant;
use crate::position_line;

/// Reads and checks every opening of a book: a game, cut after this number of plies.
pub fn read_pgn(text: &str, plies: Option<Ply>) -> Result<Vec<Opening>, OpeningError> {
    let max_plies = plies.map_or(usize::MAX, |plies| usize::from(plies.0));
    let mut reader = BookReader { max_plies, openings: Vec::new(), game: OpenGame::default() };
    let read =
        PgnTokens::new(text).try_for_each(|(at, token)| reader.take(at, token)).and_then(|()| reader.end());
    let Err(GameFlaw { at, text: wrong, cause, remedy }) = read else { return Ok(reader.openings) };
    if let Some(found) = other_form(text, BookFormat::Pgn) {
        return Err(OpeningError::OtherForm { format: BookFormat::Pgn, found });
    }
    let line = line_at(text.as_bytes(), at);
    Err(OpeningError::Entry { line, entry: reader.openings.len() + 1, text: wrong, cause, remedy })
}

/// What is wrong with a game.
struct GameFlaw {
    /// The offset of the wrong text.
    at: usize,
    text: String,
    cause: String,
    remedy: &'static str,
}

impl GameFlaw {
    /// A comment or a variation that is not closed.
    fn unclosed(at: usize, text: &str, what: &str, remedy: &'static str) -> Self {
        let cause = format!("the {what} that begins here has no end");
        Self { at, text: text.to_owned(), cause, remedy }
    }
}

/// The games read so far.
struct BookReader {
    /// The length of an opening; later moves of a game are not read.
    max_plies: usize,
    openings: Vec<Opening>,
    game: OpenGame,
}

/// A game whose end has not been read yet.
#[derive(Default)]
struct OpenGame {
    tags: OpeningTags,
    moves: Option<OpeningMoves>,
    /// An empty line follows the moves read so far.
    is_after_empty_line: bool,
}

/// A game's tags so far.
#[derive(Default)]
struct OpeningTags {
    /// The offset of the first tag.
    at: usize,
    names: Vec<String>,
    /// The start, with the offset of its tag.
    start: Option<(usize, GamePosition)>,
    eco: Option<String>,
    opening: Option<String>,
    variation: Option<String>,
}

impl OpeningTags {
    fn name(&self) -> Option<String> {
        let parts: Vec<&str> =
            [self.opening.as_deref(), self.variation.as_deref()].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Does a tag with this name begin another game?
    fn begins_next(&self, name: &str) -> bool {
        !self.names.is_empty() && (name == "Event" || self.names.iter().any(|known| known == name))
    }

    fn take(&mut self, at: usize, name: &str, value: String) -> Result<(), GameFlaw> {
        if self.names.is_empty() {
            self.at = at;
        }
        self.names.push(name.to_owned());
        match name {
            "FEN" => match position_line::position(&value) {
                Ok(start) => self.start = Some((at, start)),
                Err(error) => {
                    let remedy = "give the tag a FEN of four or six fields";
                    return Err(GameFlaw { at, text: value, cause: error.to_string(), remedy });
                }
            },
            "Variant" if !pgn_variant::is_chess(value.as_bytes()) => {
                let cause = "a game of this variant is not one of chess".to_owned();
                let remedy = "give games of chess or Chess960";
                return Err(GameFlaw { at, text: value, cause, remedy });
            }
            "ECO" => self.eco = Some(value),
            "Opening" => self.opening = Some(value),
            "Variation" => self.variation = Some(value),
            _ => {}
        }
        Ok(())
    }
}

/// A game's moves so far.
struct OpeningMoves {
    /// The offset of the game.
    at: usize,
    opening: Opening,
    referee: Referee,
    /// The number of moves read, with those after the opening.
    read: usize,
    /// The number of the first move. Without a tag `FEN` it is 1. With one, it follows from the first move
    /// number of the game, which may differ from the number in the tag.
    numbered_from: Option<u64>,
}

impl OpeningMoves {
    /// The moves of a game with these tags; `at` is the offset of its first word.
    fn begin(tags: OpeningTags, at: usize) -> Result<Self, GameFlaw> {
        let name = tags.name();
        let game_at = if tags.names.is_empty() { at } else { tags.at };
        let numbered_from = tags.start.is_none().then_some(1);
        let (start_at, history) = tags.start.unwrap_or_else(|| (game_at, GamePosition::start_position()));
        let referee = Referee::new(&history).map_err(|error| GameFlaw {
            at: start_at,
            text: history.start.to_string(),
            cause: error.to_string(),
            remedy: "give the tag FEN a position that the rules of chess allow",
        })?;
        Ok(Self {
            at: game_at,
            opening: Opening { history, name, eco: tags.eco },
            referee,
            read: 0,
            numbered_from,
        })
    }

    /// The number of plies before the next move, counted from White's move with the first number.
    fn plies_before_next(&self) -> usize {
        usize::from(self.opening.history.start.as_setup().turn.is_black()) + self.read
    }

    /// The number of the next move, in a game whose first move has the number `from`.
    fn next_number(&self, from: u64) -> u64 {
        from.saturating_add(self.plies_before_next() as u64 / 2)
    }

    /// Is this the number of the next move?
    fn is_next(&self, number: u64, dots: usize) -> bool {
        // A game without move numbers so far is numbered as in its start position.
        let in_start = || self.opening.history.start.as_setup().fullmoves.get().into();
        let next = self.next_number(self.numbered_from.unwrap_or_else(in_start));
        number == next && (dots >= 2) == (self.plies_before_next() % 2 == 1)
    }

    /// Checks a move number. If it is not that of the next move, moves are missing.
    fn check_number(&mut self, at: usize, number: u64, max_plies: usize) -> Result<(), GameFlaw> {
        // Moves after the opening are not read, so their numbers do not matter.
        if self.opening.history.moves.len() >= max_plies {
            return Ok(());
        }
        let before = self.plies_before_next() as u64 / 2;
        let from = *self.numbered_from.get_or_insert(number.saturating_sub(before));
        let next = self.next_number(from);
        if number == next {
            return Ok(());
        }
        Err(GameFlaw {
            at,
            text: format!("{number}."),
            cause: format!("the next move of the game has the number {next}"),
            remedy: "write the missing moves, or correct the number",
        })
    }

    fn play(&mut self, at: usize, word: &str, max_plies: usize) -> Result<(), GameFlaw> {
        self.read += 1;
        if self.opening.history.moves.len() >= max_plies {
            return Ok(());
        }
        let ply = self.read;
        let flaw = |cause: String| GameFlaw {
            at,
            text: word.to_owned(),
            cause: format!("ply {ply} of the game: {cause}"),
            remedy: "correct the move, or cut the game before it",
        };
        let mv = move_reader::parse_move(&self.referee, word).map_err(|error| flaw(error.to_string()))?;
        self.referee.play(mv).map_err(|error| flaw(error.to_string()))?;
        self.opening.history.moves.push(mv);
        Ok(())
    }
}

impl BookReader {
    fn take(&mut self, at: usize, token: PgnToken<'_>) -> Result<(), GameFlaw> {
        match token {
            PgnToken::Tag { name, value } => {
                if self.game.moves.is_some() || self.game.tags.begins_next(name) {
                    self.end()?;
                }
                self.game.tags.take(at, name, value)
            }
            PgnToken::NoTag(line)
                if ["[FEN", "[SetUp", "[Variant"].iter().any(|tag| line.starts_with(tag)) =>
            {
                Err(GameFlaw {
                    at,
                    text: line.to_owned(),
                    cause: "this is no tag".to_owned(),
                    remedy: "write a tag as `[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]`",
                })
            }
            // Other damaged tags do not change what is played, so they are skipped.
            PgnToken::NoTag(_) | PgnToken::Comment(_) => Ok(()),
            PgnToken::EmptyLine => {
                self.game.is_after_empty_line = self.game.moves.is_some();
                Ok(())
            }
            PgnToken::MoveNumber { number, dots } => {
                if self.game.is_after_empty_line
                    && !self.game.moves.as_ref().is_some_and(|moves| moves.is_next(number, dots))
                {
                    self.end()?;
                }
                let max_plies = self.max_plies;
                self.game.moves(at)?.check_number(at, number, max_plies)
            }
            PgnToken::Word(word) => {
                if self.game.is_after_empty_line {
                    self.end()?;
                }
                let max_plies = self.max_plies;
                self.game.moves(at)?.play(at, word, max_plies)
            }
            PgnToken::Result if self.game.is_empty() => Err(GameFlaw {
                at,
                text: "a result".to_owned(),
                cause: "it belongs to no game".to_owned(),
                remedy: "remove it",
            }),
            PgnToken::Result => {
                self.game.moves(at)?;
                self.end()
            }
            PgnToken::OpenComment => Err(GameFlaw::unclosed(at, "{", "comment", "write `}` after it")),
            PgnToken::OpenVariation => Err(GameFlaw::unclosed(at, "(", "variation", "write `)` after it")),
        }
    }

    /// Ends the open game, if there is one.
    fn end(&mut self) -> Result<(), GameFlaw> {
        if self.game.is_empty() {
            return Ok(());
        }
        // A game without moves is an opening, too: its start position.
        let at = self.game.tags.at;
        self.game.moves(at)?;
        let game = std::mem::take(&mut self.game);
        let Some(OpeningMoves { at, opening, .. }) = game.moves else { return Ok(()) };
        check(&opening.history).map_err(|(cause, remedy)| {
            let text = if opening.history.moves.is_empty() {
                opening.history.start.to_string()
            } else {
                opening.history.moves_text()
            };
            GameFlaw { at, text, cause, remedy }
        })?;
        self.openings.push(opening);
        Ok(())
    }
}

impl OpenGame {
    /// Has nothing of it been read?
    fn is_empty(&self) -> bool {
        self.moves.is_none() && self.tags.names.is_empty()
    }

    /// Its moves, for more text of the game. If there are none yet, they begin at this offset.
    fn moves(&mut self, at: usize) -> Result<&mut OpeningMoves, GameFlaw> {
        self.is_after_empty_line = false;
        if self.moves.is_none() {
            let tags = std::mem::take(&mut self.tags);
            self.moves = Some(OpeningMoves::begin(tags, at)?);
        }
        Ok(self.moves.as_mut().expect("it was just set"))
    }
}

#[cfg(test)]
#[path = "pgn_tests.rs"]
mod tests;
