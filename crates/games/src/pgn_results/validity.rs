//! Whether a game of a PGN file counts, and with which result.

use super::issue::IssueKind;
use super::movetext::{MovetextEnd, ResultToken};
use super::tags::{self, ResultTags};
use crate::pgn_variant;
use threefold_stats::GameResult;

/// What is done with games whose moves end without a result, but whose tag `Result` has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BrokenOffGames {
    /// They do not count: the file may have been cut off there.
    #[default]
    Ignored,
    /// They count by the tag, as Ordo does.
    Counted,
}

/// A game that counts.
pub(super) struct ValidGame<'b> {
    pub(super) white: &'b [u8],
    pub(super) black: &'b [u8],
    /// White's result.
    pub(super) result: GameResult,
}

/// Why a game cannot count.
pub(super) struct InvalidGame {
    pub(super) reason: IssueKind,
    pub(super) what: String,
}

impl InvalidGame {
    fn new(reason: IssueKind, what: impl Into<String>) -> Self {
        Self { reason, what: what.into() }
    }
}

/// Does a game with these tags and this end of its moves count?
pub(super) fn judge<'b>(
    tags: &ResultTags<'b>,
    ending: MovetextEnd,
    broken_off: BrokenOffGames,
) -> Result<ValidGame<'b>, InvalidGame> {
    // First, since the damaged tag may be any of those that are checked below.
    if let Some(line) = tags.damaged {
        return Err(InvalidGame::new(
            IssueKind::DamagedTag,
            format!("the tag `{}` is damaged", excerpt(line)),
        ));
    }
    if let Some(variant) = tags.variant.filter(|variant| !pgn_variant::is_chess(variant)) {
        let what = format!("a game of `{}`, which is not chess", excerpt(variant));
        return Err(InvalidGame::new(IssueKind::OtherVariant, what));
    }
    let player = |tag: Option<&'b [u8]>, colour| {
        tag.filter(|name| !matches!(name.trim_ascii(), b"" | b"?"))
            .ok_or_else(|| InvalidGame::new(IssueKind::MissingPlayer, format!("{colour} has no name")))
    };
    let (white, black) = (player(tags.white, "White")?, player(tags.black, "Black")?);
    if tags::unescaped(white).trim_ascii() == tags::unescaped(black).trim_ascii() {
        let what = format!("`{}` plays against itself", excerpt(white));
        return Err(InvalidGame::new(IssueKind::SamePlayer, what));
    }
    match result(tags.result, ending, broken_off)? {
        ResultToken::Known(result) => Ok(ValidGame { white, black, result }),
        ResultToken::Unfinished => Err(InvalidGame::new(IssueKind::Unfinished, "the game is unfinished")),
    }
}

/// The result that the tag and the end of the moves agree on, or the one that is present.
fn result(
    tag: Option<&[u8]>,
    ending: MovetextEnd,
    broken_off: BrokenOffGames,
) -> Result<ResultToken, InvalidGame> {
    let reported = tag.map(|value| ResultToken::parse(value).ok_or(value)).transpose().map_err(|value| {
        let what = format!("Result `{}`: chess has 1-0, 0-1 and 1/2-1/2", excerpt(value));
        InvalidGame::new(IssueKind::UnknownResult, what)
    })?;
    match (reported, ending) {
        (Some(reported), MovetextEnd::Marked(marker)) if reported != marker => {
            let what = format!("the tag Result says {}, the moves end {}", reported.name(), marker.name());
            Err(InvalidGame::new(IssueKind::Contradictory, what))
        }
        (Some(reported @ ResultToken::Known(_)), MovetextEnd::Missing)
            if broken_off == BrokenOffGames::Ignored =>
        {
            let what = format!("the moves break off; the tag Result says {}", reported.name());
            Err(InvalidGame::new(IssueKind::BrokenOff, what))
        }
        (None, MovetextEnd::Missing | MovetextEnd::NoMoves) => {
            Err(InvalidGame::new(IssueKind::UnknownResult, "neither a tag nor the moves have a result"))
        }
        (Some(marker), _) | (None, MovetextEnd::Marked(marker)) => Ok(marker),
    }
}

/// A few words of foreign text, on one line.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(bytes);
    let mut shown: String =
        text.trim().chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.trim().chars().count() > SHOWN {
        shown.push('…');
    }
    shown
}
