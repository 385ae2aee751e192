//! Opening books made of games: the first moves of each game are an opening.
//!
//! Variations and comments are skipped; a `FEN` tag sets the start. An illegal move is an error: a silently
//! shortened opening would test something else.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;

use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_oracle::Referee;

use super::{Opening, OpeningError, check, line_at};

/// Reads every game of a book, cut after this number of plies, and checks each.
pub fn read_pgn(bytes: &[u8], plies: Option<Ply>) -> Result<Vec<Opening>, OpeningError> {
    let taken = Cell::new(0);
    let mut reader = Reader::new(CountingReader { bytes, taken: &taken });
    let mut visitor = OpeningVisitor { plies: plies.map_or(usize::MAX, |plies| usize::from(plies.0)) };
    let mut openings = Vec::new();
    loop {
        // Bytes that were only buffered are not part of a game yet, nor are the blank lines before it.
        let ahead = &bytes[taken.get() - reader.buffer().len()..];
        let blank = ahead.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let start = bytes.len() - ahead.len() + blank;
        let entry = openings.len() + 1;
        let game = reader.read_game(&mut visitor).map_err(|error| GameFlaw::in_game(error.to_string()));
        let read = match game {
            Ok(None) => return Ok(openings),
            Ok(Some(read)) => read,
            Err(flaw) => Err(flaw),
        };
        let checked = read.and_then(|opening| {
            let text = || opening.line.moves_text();
            check(&opening.line).map_err(|(cause, remedy)| GameFlaw { text: text(), cause, remedy })?;
            Ok(opening)
        });
        openings.push(checked.map_err(|GameFlaw { text, cause, remedy }| OpeningError::Entry {
            line: line_at(bytes, start),
            entry,
            text,
            cause,
            remedy,
        })?);
    }
}

/// A reader that counts the bytes taken, to find the line where a game starts.
struct CountingReader<'a> {
    bytes: &'a [u8],
    taken: &'a Cell<usize>,
}

impl Read for CountingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = (&self.bytes[self.taken.get()..]).read(buffer)?;
        self.taken.set(self.taken.get() + count);
        Ok(count)
    }
}

/// What is wrong with a game.
struct GameFlaw {
    text: String,
    cause: String,
    remedy: &'static str,
}

impl GameFlaw {
    fn in_game(cause: String) -> Self {
        Self { text: "the game".to_owned(), cause, remedy: "write games as PGN does, `1. e4 e5 *`" }
    }
}

/// A game's tags so far.
#[derive(Default)]
struct OpeningTags {
    start: Option<Fen>,
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
}

/// A game's moves so far.
struct OpeningMoves {
    opening: Opening,
    referee: Referee,
}

struct OpeningVisitor {
    plies: usize,
}

impl Visitor for OpeningVisitor {
    type Tags = OpeningTags;
    type Movetext = OpeningMoves;
    type Output = Result<Opening, GameFlaw>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, OpeningTags> {
        ControlFlow::Continue(OpeningTags::default())
    }

    fn tag(&mut self, tags: &mut OpeningTags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let text = value.decode_utf8_lossy().into_owned();
        match name {
            b"FEN" => match Fen::from_ascii(text.as_bytes()) {
                Ok(fen) => tags.start = Some(fen),
                Err(error) => {
                    let remedy = "give the tag a FEN of four or six fields";
                    return ControlFlow::Break(Err(GameFlaw { text, cause: error.to_string(), remedy }));
                }
            },
            b"ECO" => tags.eco = Some(text),
            b"Opening" => tags.opening = Some(text),
            b"Variation" => tags.variation = Some(text),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, mut tags: OpeningTags) -> ControlFlow<Self::Output, OpeningMoves> {
        let line = tags
            .start
            .take()
            .map_or_else(GamePosition::start_position, |start| GamePosition { start, moves: Vec::new() });
        match Referee::new(&line) {
            Ok(referee) => ControlFlow::Continue(OpeningMoves {
                opening: Opening { line, name: tags.name(), eco: tags.eco },
                referee,
            }),
            Err(error) => ControlFlow::Break(Err(GameFlaw {
                text: line.start.to_string(),
                cause: error.to_string(),
                remedy: "give the tag FEN a position that the rules of chess allow",
            })),
        }
    }

    fn san(&mut self, movetext: &mut OpeningMoves, san: SanPlus) -> ControlFlow<Self::Output> {
        let OpeningMoves { opening, referee } = movetext;
        if opening.line.moves.len() >= self.plies {
            return ControlFlow::Continue(());
        }
        let number = opening.line.moves.len() + 1;
        let played = san.san.to_move(referee.position()).map_err(|error| error.to_string()).and_then(|mv| {
            let wire = referee.uci(mv);
            referee.play(wire).map_err(|error| error.to_string())?;
            Ok(wire)
        });
        match played {
            Ok(mv) => {
                opening.line.moves.push(mv);
                ControlFlow::Continue(())
            }
            Err(cause) => ControlFlow::Break(Err(GameFlaw {
                text: san.to_string(),
                cause: format!("ply {number} of the game: {cause}"),
                remedy: "correct the move, or cut the game before it",
            })),
        }
    }

    fn end_game(&mut self, movetext: OpeningMoves) -> Self::Output {
        Ok(movetext.opening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(bytes: &[u8], plies: Option<Ply>) -> Vec<String> {
        read_pgn(bytes, plies).expect("sound").iter().map(|opening| opening.line.moves_text()).collect()
    }

    #[test]
    fn pgn_openings_are_read_and_truncated() {
        let games = b"\n[Event \"x\"]\n[ECO \"C20\"]\n[Opening \"King's pawn\"]\n\n\
            1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 1/2-1/2\n\n\
            [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O Kd7 *\n";
        assert_eq!(moves(games, None), ["e2e4 e7e5 g1f3 b8c6", "e1g1 e8d7"]);
        assert_eq!(moves(games, Some(Ply(3))), ["e2e4 e7e5 g1f3", "e1g1 e8d7"]);
        assert_eq!(moves(games, Some(Ply(0))), ["", ""]);
        let read = read_pgn(games, None).expect("sound");
        assert_eq!(read[0].eco.as_deref(), Some("C20"));
        assert_eq!(read[0].name.as_deref(), Some("King's pawn"));
        assert_eq!(read[1].line.start.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    }

    #[test]
    fn pgn_opening_errors_name_the_line() {
        let table = [
            // game 2 of a book, from line 5; parts of the answer
            ("1. e4 e5 2. Ke3 *", ["line 5, opening 2: `Ke3`", "ply 3 of the game", "correct the move"]),
            ("1. f3 e5 2. g4 Qh4# 0-1", ["line 5, opening 2", "the game is over there", "leave something"]),
            ("[FEN \"8/8\"]\n\n1. e4 *", ["line 5, opening 2: `8/8`", "FEN", "give the tag a FEN"]),
            ("[FEN \"8/8/8/8/8/8/8/8 w - -\"]\n\n*", ["line 5, opening 2", "no legal position", "allow"]),
        ];
        for (bad, answers) in table {
            let text = format!("[Event \"x\"]\n\n1. d4 d5 *\n\n{bad}\n\n1. c4 *\n");
            let error = read_pgn(text.as_bytes(), None).expect_err(bad).to_string();
            for answer in answers {
                assert!(error.contains(answer), "{bad}: {error}");
            }
        }
    }

    #[test]
    fn errors_after_the_opening_are_ignored() {
        assert_eq!(moves(b"1. e4 e5 2. Ke3 *", Some(Ply(2))), ["e2e4 e7e5"]);
    }
}
