//! Reads one block with the moves and the scores in their comments.

use memchr::{memchr, memchr_iter, memmem};

use super::block_results::BlockResults;
use super::game_start::next_tag;
use super::issue::{IssueKind, PgnIssue};
use super::movetext::{Movetext, MovetextEnd};
use super::names::decoded;
use super::scan::{movetext_range, scan};
use super::tags::{self, FirstTag, ResultTags};
use super::validity::{BrokenOffGames, judge};
use crate::scored_game::ScoredGame;

/// The games of a block with their scores; games and lines are counted from the block's beginning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScoredBlock {
    /// The games that count and whose moves are legal, in order.
    pub games: Vec<ScoredGame>,
    /// The number of games that a time loss, an illegal move or a crash ended: their result says nothing about scores.
    pub forfeits: u64,
    /// What [`scan`] finds: problems, and the numbers of games and lines.
    pub results: BlockResults,
}

/// Reads the scores of a block of whole games, of a file whose games begin with `head`.
pub fn scan_scores(block: &[u8], head: FirstTag) -> ScoredBlock {
    let mut found =
        ScoredBlock { results: scan(block, head, BrokenOffGames::Ignored), ..ScoredBlock::default() };
    let mut at = next_tag(block, 0);
    // As in `scan`, the numbers count games without tags, too.
    let mut number = scan(&block[..at], head, BrokenOffGames::Ignored).read;
    while at < block.len() {
        let (tags, moves_at) = ResultTags::parse(block, at, head);
        let next = next_tag(block, moves_at);
        number += 1;
        let moves = &block[movetext_range(block, moves_at..next)];
        let Movetext { ending, extras } = Movetext::parse(moves);
        let text = GameText { head: &block[at..moves_at], moves, ending };
        if let Err(what) = found.take(&tags, &text) {
            let line = memchr_iter(b'\n', &block[..at]).count() as u64 + 1;
            let reason = IssueKind::IllegalMove;
            found.results.issues.push(PgnIssue { reason, game: number, line, what });
        }
        number += extras.iter().filter(|extra| extra.marker.is_some()).count() as u64;
        at = next;
    }
    // The illegal moves follow all issues of the scan; the sort puts them where the file has them.
    found.results.issues.sort_by_key(|issue| issue.line);
    found
}

/// The two parts of a game, and the end of its moves.
struct GameText<'b> {
    head: &'b [u8],
    moves: &'b [u8],
    ending: MovetextEnd,
}

impl ScoredBlock {
    /// Takes a game that counts. One that does not is among the issues of [`scan`].
    fn take(&mut self, tags: &ResultTags<'_>, text: &GameText<'_>) -> Result<(), String> {
        let Ok(valid) = judge(tags, text.ending, BrokenOffGames::Ignored) else {
            return Ok(());
        };
        if is_forfeit(text.head) {
            self.forfeits += 1;
            return Ok(());
        }
        let name = |bytes| decoded(&tags::unescaped(bytes)).0;
        let mut game = ScoredGame {
            players: [name(valid.white), name(valid.black)],
            result: valid.result,
            positions: Vec::new(),
            without_score: 0,
            unread_comment: None,
        };
        let fen = tags.fen.map(String::from_utf8_lossy);
        game.read_moves(fen.as_deref(), &String::from_utf8_lossy(text.moves))?;
        self.games.push(game);
        Ok(())
    }
}

/// Does the tag `Termination` name a fault? These are the names of the PGN standard and of cutechess-cli.
fn is_forfeit(head: &[u8]) -> bool {
    const NAME: &[u8] = b"[Termination \"";
    let Some(at) = memmem::find(head, NAME) else { return false };
    let value = &head[at + NAME.len()..];
    let value = &value[..memchr(b'"', value).unwrap_or(value.len())];
    [&b"time forfeit"[..], b"abandoned", b"stalled connection", b"illegal move", b"unterminated"]
        .contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str =
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {+0.30/9} e5 {-0.10/9} 1-0\n\n";

    #[test]
    fn games_that_count_have_scores_and_the_others_are_reported() {
        let illegal = GAME.replace("e5", "e3");
        let forfeit = GAME.replace("\n\n1.", "\n[Termination \"time forfeit\"]\n\n1.");
        let open = GAME.replace("1-0", "*");
        let text = [GAME, &illegal, &forfeit, &open, GAME].concat();
        let found = scan_scores(text.as_bytes(), FirstTag::Any);
        assert_eq!((found.games.len(), found.forfeits, found.results.read), (2, 1, 5));
        assert_eq!(found.games[1].players, ["A", "B"]);
        assert_eq!(found.games[1].positions.len(), 2);
        let issues: Vec<_> = found.results.issues.iter().map(|it| (it.reason, it.game, it.line)).collect();
        assert_eq!(issues, [(IssueKind::IllegalMove, 2, 7), (IssueKind::Unfinished, 4, 20)]);
    }

    #[test]
    fn illegal_moves_are_numbered_like_all_other_issues() {
        let illegal = GAME.replace("e5", "e3");
        let open = GAME.replace("1-0", "*");
        // Games without tags are before the first tag, and after the second game.
        let text = format!("1. d4 0-1\n\n{illegal}{open}1. c4 1-0\n1. d4 *\n\n{illegal}{open}");
        let found = scan_scores(text.as_bytes(), FirstTag::Any);
        let games = |reason| {
            let issues = found.results.issues.iter().filter(move |issue| issue.reason == reason);
            issues.map(|issue| issue.game).collect::<Vec<_>>()
        };
        assert_eq!((games(IssueKind::IllegalMove), games(IssueKind::Unfinished)), (vec![2, 6], vec![3, 7]));
    }

    #[test]
    fn tags_that_name_no_fault_count() {
        for termination in ["adjudication", "normal", "rules infraction"] {
            let text = GAME.replace("\n\n1.", &format!("\n[Termination \"{termination}\"]\n\n1."));
            assert_eq!(scan_scores(text.as_bytes(), FirstTag::Any).games.len(), 1, "{termination}");
        }
    }
}
