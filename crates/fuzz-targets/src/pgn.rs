//! PGN: books whose games are openings, and files of games that are rated.

use threefold_chess::clock::Control;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_games::game::{GameEnd, GameOutcome, GameRecord};
use threefold_games::opening::{self, BookFormat};
use threefold_games::pgn::{PgnOptions, PgnTags, pgn};
use threefold_games::pgn_results::{Block, Blocks, BrokenOffGames, scan};
use threefold_oracle::Referee;

use crate::{Accepted, Target, cases, epd};

/// The fuzz target `pgn`.
pub const TARGET: Target = Target { name: "pgn", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "[Event \"e\"]\n",
    "[White \"A\"]\n",
    "[Black \"B\"]\n",
    "[Round \"2.1\"]\n",
    "[Result \"1-0\"]\n",
    "[Result \"*\"]\n",
    "[ECO \"A00\"]\n",
    "[SetUp \"1\"]\n",
    "[FEN \"k7/8/1K6/8/8/8/8/1R6 w - - 0 1\"]\n",
    "[FEN \"8/8\"]\n",
    "[",
    "]",
    "\"",
    "\\\"",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    " ",
    "1.",
    "12...",
    "e4",
    "e5",
    "Nf3",
    "Nc6",
    "O-O",
    "exd8=Q+",
    "Kd7",
    "Rh1",
    "Qxf7#",
    "e2-e4",
    "Ng1f3",
    "e7e5",
    "a8Q",
    "♘",
    "0-0",
    "e.p.",
    "--",
    "Z0",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "$1",
    "$999",
    "!",
    "?!",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    " ",
    "\u{feff}",
];

/// Reads a book with whole games and with short ones, and a file of results.
pub fn check(bytes: &[u8]) -> Accepted {
    let whole = book(bytes, None);
    let short = book(bytes, Some(Ply(3)));
    assert!(short >= whole, "what is legal to its end is legal up to its third ply");
    Accepted(whole + short + results(bytes))
}

fn book(bytes: &[u8], plies: Option<Ply>) -> usize {
    let book = match opening::parse_book(bytes, BookFormat::Pgn, plies) {
        Ok(book) => book,
        Err(error) => {
            epd::line_is_there(&error, bytes);
            return 0;
        }
    };
    for opening in &book.openings {
        let referee = Referee::new(&opening.history).expect("an accepted opening is legal");
        assert_eq!(referee.ending(), None, "something is left to play");
        assert!(plies.is_none_or(|Ply(most)| opening.history.moves.len() <= usize::from(most)));
        let text = written(&opening.history);
        let again = opening::parse_book(text.as_bytes(), BookFormat::Pgn, None);
        let again = again.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again.openings.len(), 1, "{text}");
        assert_eq!(again.openings[0].history, opening.history, "{text}");
    }
    book.openings.len()
}

/// A game of these moves, in the program's format.
fn written(position: &GamePosition) -> String {
    let game = GameRecord::new(
        ["A", "B"],
        position.clone(),
        GameOutcome::White,
        GameEnd::IllegalMove("[Event \"x\"] } 0-1".to_owned()),
    );
    let tags = PgnTags {
        event: "a \"quoted\" \\ name".to_owned(),
        site: "?".to_owned(),
        round: "1.1".to_owned(),
        controls: [Control::default(); 2],
        ..PgnTags::default()
    };
    pgn(&game, &tags, &PgnOptions::default()).expect("an accepted opening is legal")
}

/// Counts the games; each game that does not count must have an issue.
fn results(bytes: &[u8]) -> usize {
    let mut blocks = Blocks::new(bytes);
    let mut block = Block::default();
    let (mut counted, mut lines) = (0, 0);
    while blocks.next(&mut block).unwrap_or(false) {
        let block_results = scan(block.text(), blocks.head(), BrokenOffGames::Ignored);
        assert!(
            block_results.games.iter().all(|game| game.white.max(game.black) < block_results.names.len())
        );
        assert!(block_results.games.iter().all(|game| game.white != game.black), "two different players");
        assert!(block_results.games.len() as u64 <= block_results.read);
        assert!(
            block_results
                .issues
                .iter()
                .all(|complaint| (1..=block_results.lines + 1).contains(&complaint.line))
        );
        assert!(
            block_results.games.len() as u64 == block_results.read || !block_results.issues.is_empty(),
            "nothing is dropped in silence"
        );
        counted += block_results.games.len();
        lines += block_results.lines;
    }
    assert!(lines <= cases::lines(bytes) as u64);
    counted
}
