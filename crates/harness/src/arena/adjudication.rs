//! Ends that the players' own scores bring about, before the rules do.
//!
//! An automaton that is shown each move with the score its mover claimed. Match runners differ here, and the
//! differences change results; what this one does:
//!
//! * **Score**: the mover's last exact claim, else its last bound. A move without a claim breaks every streak
//!   of its mover and the draw count.
//! * **Draw**: counts consecutive plies whose score is a judgement (no mate) within ± `score`. Any other
//!   score zeroes the count; a capture or pawn move zeroes it too, before its own ply is counted. Fires at
//!   2 · `moves` plies, once `from_move` full moves are completed **by the position's own move number**
//!   (as fastchess; a book's EPD and PGN form behave alike).
//! * **Resign, one-sided**: per colour, `moves` consecutive own scores ≤ −`score`; being mated counts. Fires
//!   right after the loser's move.
//! * **Resign, two-sided**: besides, the winner's last `moves` own scores are ≥ `score` (as cutechess). The
//!   signs are checked: two engines that both claim to be winning resign nothing.
//! * **Length**: a draw after 2 · `max_moves` plies beyond the opening.
//! * **Order**, when several fire at one ply: resign, draw, length.

use shakmaty::{ByColor, Color};

use threefold_chess::score::Score;

use super::game::{End, Outcome};

/// Draws by agreement of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawRule {
    /// Not before so many full moves are completed, by the position's own move number.
    pub from_move: u32,
    /// Consecutive full moves of both sides within `score`.
    pub moves: u32,
    /// Centipawns.
    pub score: u32,
}

/// Resignation by scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResignRule {
    /// Consecutive full moves.
    pub moves: u32,
    /// Centipawns.
    pub score: u32,
    /// Must the opponent agree, with the opposite sign?
    pub two_sided: bool,
}

/// When a game is ended before the rules end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Adjudication {
    /// Draw by scores.
    pub draw: Option<DrawRule>,
    /// Resignation by scores.
    pub resign: Option<ResignRule>,
    /// A draw after this many full moves beyond the opening.
    pub max_moves: Option<u32>,
}

/// What the automaton is shown of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Who moved.
    pub mover: Color,
    /// What the mover claimed, from its own view.
    pub score: Option<Score>,
    /// Was it a capture or a pawn move?
    pub irreversible: bool,
    /// Full moves completed, by the position's own move number.
    pub completed: u32,
}

/// The automaton: streaks so far in one game.
#[derive(Debug, Clone)]
pub struct Adjudicator {
    rules: Adjudication,
    plies: u64,
    level: u64,
    losing: ByColor<u64>,
    winning: ByColor<u64>,
}

/// No streak yet.
const NONE: ByColor<u64> = ByColor { white: 0, black: 0 };

impl Adjudicator {
    /// At the start of a game, the opening played.
    pub const fn new(rules: Adjudication) -> Self {
        Self { rules, plies: 0, level: 0, losing: NONE, winning: NONE }
    }

    /// Takes a move in; how the game ends with it, if it does.
    pub fn see(&mut self, shown: Shown) -> Option<(Outcome, End)> {
        self.plies += 1;
        self.count_level(shown);
        self.count_decided(shown);
        self.resigned(shown.mover).or_else(|| self.drawn(shown.completed)).or_else(|| self.too_long())
    }

    fn count_level(&mut self, shown: Shown) {
        let Some(rule) = self.rules.draw else { return };
        if shown.irreversible {
            self.level = 0;
        }
        self.level = match shown.score {
            Some(Score::Cp(cp)) if cp.0.unsigned_abs() <= rule.score => self.level + 1,
            Some(Score::Cp(_) | Score::Mate(_)) | None => 0,
        };
    }

    fn count_decided(&mut self, shown: Shown) {
        let Some(rule) = self.rules.resign else { return };
        let (lost, won) = match shown.score {
            Some(Score::Cp(cp)) => (
                cp.0 <= 0_i32.saturating_sub_unsigned(rule.score),
                cp.0 >= 0_i32.saturating_add_unsigned(rule.score),
            ),
            Some(Score::Mate(mate)) => (!mate.is_win(), mate.is_win()),
            None => (false, false),
        };
        for (streak, goes_on) in [(&mut self.losing, lost), (&mut self.winning, won)] {
            let own = streak.get_mut(shown.mover);
            *own = if goes_on { *own + 1 } else { 0 };
        }
    }

    /// Either move can complete a two-sided agreement; a one-sided one only the loser's own.
    fn resigned(&self, mover: Color) -> Option<(Outcome, End)> {
        let rule = self.rules.resign?;
        let needed = u64::from(rule.moves.max(1));
        let gives_up = |loser: Color| {
            let agreed = !rule.two_sided || *self.winning.get(!loser) >= needed;
            *self.losing.get(loser) >= needed && agreed
        };
        let loser = [mover, !mover].into_iter().find(|&loser| gives_up(loser))?;
        Some((Outcome::win(!loser), End::Resigned))
    }

    fn drawn(&self, completed: u32) -> Option<(Outcome, End)> {
        let rule = self.rules.draw?;
        let fires = self.level >= 2 * u64::from(rule.moves.max(1)) && completed >= rule.from_move;
        fires.then_some((Outcome::Draw, End::DrawAdjudicated))
    }

    fn too_long(&self) -> Option<(Outcome, End)> {
        let limit = 2 * u64::from(self.rules.max_moves?);
        (self.plies >= limit).then_some((Outcome::Draw, End::TooLong))
    }
}
