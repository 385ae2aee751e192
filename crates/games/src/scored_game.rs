//! The scores that engines gave during a game, with what a model of results needs of each position.

use shakmaty::{Chess, Color, Position};

use crate::game::GameRecord;
use crate::move_reader;
use crate::pgn_tokens::{PgnToken, PgnTokens};
use crate::position_line;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Score;
use threefold_chess::uci::WdlClaim;
use threefold_oracle::Referee;
use threefold_stats::GameResult;

/// A position in which an engine gave a score with its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredPosition {
    /// The number of the move, as the game counts it.
    pub move_number: u16,
    /// The material of both sides: 9 for a queen, 5 for a rook, 3 for a bishop or a knight, 1 for a pawn. 78 at the start.
    pub material: u16,
    /// The side to move.
    pub turn: Color,
    /// The score in centipawns from its view; `None` for a mate.
    pub score: Option<i32>,
    /// The chances that the engine claims, from its view.
    pub claim: Option<WdlClaim>,
}

/// A game with its scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredGame {
    /// Names of White and Black.
    pub players: [String; 2],
    /// White's result.
    pub result: GameResult,
    /// The positions with a score.
    pub positions: Vec<ScoredPosition>,
    /// The number of moves with a comment that has no score, or in a journal without a score.
    pub without_score: u64,
    /// The first comment without a score.
    pub unread_comment: Option<String>,
}

impl ScoredGame {
    /// The result for a colour.
    pub const fn result_for(&self, colour: Color) -> GameResult {
        match colour {
            Color::White => self.result,
            Color::Black => self.result.reversed(),
        }
    }

    /// A game of a journal; `None` if an engine's fault ended it, or the record does not hold a legal game.
    pub fn from_record(game: &GameRecord) -> Option<Self> {
        if game.end.is_fault() {
            return None;
        }
        let result = match game.outcome.winner() {
            Some(Color::White) => GameResult::Win,
            Some(Color::Black) => GameResult::Loss,
            None => GameResult::Draw,
        };
        let mut referee = Referee::new(&game.opening).ok()?;
        let (mut positions, mut without_score) = (Vec::new(), 0);
        for played in &game.played {
            match played.score {
                Some(score) => positions.push(ScoredPosition {
                    score: centipawns(score),
                    claim: played.details.as_ref().and_then(|details| details.wdl),
                    ..ScoredPosition::new(referee.position())
                }),
                None => without_score += 1,
            }
            referee.play(played.mv).ok()?;
        }
        Some(Self { players: game.players.clone(), result, positions, without_score, unread_comment: None })
    }

    /// Adds the positions of a game in PGN. `fen` is the tag of its start.
    ///
    /// # Errors
    /// If the start or a move is illegal or can't be read.
    pub(crate) fn read_moves(&mut self, fen: Option<&str>, movetext: &str) -> Result<(), String> {
        let start = match fen {
            None => GamePosition::start_position(),
            Some(fen) => position_line::position(fen).map_err(|error| format!("the tag FEN: {error}"))?,
        };
        let mut referee = Referee::new(&start).map_err(|error| format!("the tag FEN: {error}"))?;
        let mut asked = None;
        for (_, token) in PgnTokens::new(movetext) {
            match token {
                PgnToken::Word(word) => {
                    let mv = move_reader::parse_move(&referee, word).map_err(|error| error.to_string())?;
                    asked = Some(ScoredPosition::new(referee.position()));
                    referee.play(mv).map_err(|error| error.to_string())?;
                }
                // Only the first comment after a move is the engine's.
                PgnToken::Comment(comment) => {
                    if let Some(position) = asked.take() {
                        self.take_comment(position, comment);
                    }
                }
                PgnToken::Result => break,
                _ => {}
            }
        }
        Ok(())
    }

    fn take_comment(&mut self, position: ScoredPosition, comment: &str) {
        if let Some(score) = comment_score(comment) {
            self.positions.push(ScoredPosition { score, claim: comment_claim(comment), ..position });
        } else {
            self.without_score += 1;
            if self.unread_comment.is_none() && comment.trim() != "book" {
                self.unread_comment = Some(comment.to_owned());
            }
        }
    }
}

impl ScoredPosition {
    fn new(position: &Chess) -> Self {
        let board = position.board();
        let count = |squares: shakmaty::Bitboard| squares.count() as u16;
        let material = 9 * count(board.queens())
            + 5 * count(board.rooks())
            + 3 * (count(board.bishops()) + count(board.knights()))
            + count(board.pawns());
        let move_number = u16::try_from(position.fullmoves().get()).unwrap_or(u16::MAX);
        Self { move_number, material, turn: position.turn(), score: None, claim: None }
    }
}

const fn centipawns(score: Score) -> Option<i32> {
    match score {
        Score::Cp(value) => Some(value.0),
        Score::Mate(_) => None,
    }
}

/// The score with which the comment of an engine begins, as fastchess, cutechess-cli and this program write it:
/// `+0.34/12 0.015s`, `-1.20 17/28 583 363004`, `+M5/9`. The inner value is in centipawns, and `None` for a mate. The
/// outer one is `None` if the comment does not begin with a score.
pub fn comment_score(comment: &str) -> Option<Option<i32>> {
    let (score, _) =
        comment.trim_start().split_once(|letter: char| letter == '/' || letter.is_whitespace())?;
    let size = score.strip_prefix(['+', '-']).unwrap_or(score);
    if let Some(moves) = size.strip_prefix(['M', '#']) {
        return (!moves.is_empty() && moves.bytes().all(|byte| byte.is_ascii_digit())).then_some(None);
    }
    // `f64` would also be parsed from `inf`, `nan` and `1e5`.
    let is_number = size.starts_with(|letter: char| letter.is_ascii_digit())
        && size.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let pawns: f64 = score.strip_prefix('+').unwrap_or(score).parse().ok().filter(|_| is_number)?;
    // Rounded: 100 · 0.29 is 28.999… in floating point.
    Some(Some((100.0 * pawns).round() as i32))
}

/// The chances that a comment has: the field `wdl=312/641/47` of this program, or the words `wdl 312 641 47` of a line that
/// the comment quotes.
fn comment_claim(comment: &str) -> Option<WdlClaim> {
    let end = |letter: char| letter == ',' || letter == '"' || letter.is_whitespace();
    if let Some((_, field)) = comment.split_once("wdl=") {
        return field.split(end).next()?.parse().ok();
    }
    let (_, words) = comment.split_once(" wdl ")?;
    let mut numbers = words.split(end).filter(|word| !word.is_empty()).map(|word| word.parse().ok());
    WdlClaim::new(numbers.next()??, numbers.next()??, numbers.next()??)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> ScoredGame {
        ScoredGame {
            players: ["A", "B"].map(str::to_owned),
            result: GameResult::Win,
            positions: Vec::new(),
            without_score: 0,
            unread_comment: None,
        }
    }

    #[test]
    fn scores_of_comments_are_read() {
        let table = [
            ("+0.34/12 0.015s, n=9", Some(Some(34))),
            ("-1.20 17/28 583 363004", Some(Some(-120))),
            ("0.00/1", Some(Some(0))),
            ("+2.53/20", Some(Some(253))),
            (" +0.07/3\n0.1s", Some(Some(7))),
            ("+M5/9", Some(None)),
            ("-M4/2 0.1s", Some(None)),
            ("#3/9", Some(None)),
            ("book", None),
            ("[%eval 0.3] [%clk 1:00]", None),
            ("0.015s", None),
            ("+0.34", None),
            ("nan/3", None),
            ("1e3/3", None),
            ("+M/3", None),
            ("a good move", None),
            ("", None),
        ];
        for (comment, score) in table {
            assert_eq!(comment_score(comment), score, "{comment}");
        }
    }

    #[test]
    fn claims_of_comments_are_read() {
        let table = [
            ("+0.34/12 0.015s, n=9, wdl=312/641/47", Some("312/641/47")),
            ("+0.34/12 0.015s, wdl=312/641/47, White mates", Some("312/641/47")),
            ("+0.34/12, line=\"info depth 9 score cp 34 wdl 312 641 47 pv e2e4\"", Some("312/641/47")),
            ("+0.34/12, line=\"info depth 9 score cp 34 wdl\n312 641 47\"", None),
            ("+0.34/12, wdl=312/641/48", None),
            ("+0.34/12", None),
        ];
        for (comment, claim) in table {
            assert_eq!(comment_claim(comment).map(|claim| claim.to_string()).as_deref(), claim, "{comment}");
        }
    }

    #[test]
    fn positions_have_the_material_and_the_number_before_the_move() {
        let mut game = game();
        let moves = "1. e4 {+0.30/9 0.1s} d5 {-0.20/8} 2. exd5 {+0.90/9} (2. e5 {+7.00/9}) Qxd5 {no score} 3. Nc3 {+M9/3} {+5.00/3} 1-0";
        game.read_moves(None, moves).expect("sound");
        let found: Vec<_> =
            game.positions.iter().map(|it| (it.move_number, it.material, it.turn, it.score)).collect();
        let (white, black) = (Color::White, Color::Black);
        assert_eq!(
            found,
            [
                (1, 78, white, Some(30)),
                (1, 78, black, Some(-20)),
                (2, 78, white, Some(90)),
                (3, 76, white, None)
            ]
        );
        assert_eq!((game.without_score, game.unread_comment.as_deref()), (1, Some("no score")));
        assert_eq!((game.result_for(white), game.result_for(black)), (GameResult::Win, GameResult::Loss));
    }

    #[test]
    fn start_of_a_game_is_its_tag() {
        let mut other = game();
        other.read_moves(Some("4k3/8/8/8/8/8/4P3/4K3 b - - 0 41"), "41... Kd7 {-1.00/5} *").expect("sound");
        assert_eq!((other.positions[0].move_number, other.positions[0].material), (41, 1));
        let unread = [(None, "1. e5 {+0.1/1} *"), (None, "1. hello *"), (Some("8/8"), "1. e4 *")];
        for (fen, moves) in unread {
            assert!(game().read_moves(fen, moves).is_err(), "{moves}");
        }
    }
}
