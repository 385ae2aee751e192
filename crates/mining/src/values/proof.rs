//! The value of a position under all rules, by minimax over the last plies before the fifty-move rule and by
//! tables where neither that rule nor the game's history can change their value.
//!
//! A win of the tables in p plies holds if the fifty-move counter leaves p plies, and if no position that
//! occurred twice lies on the way: along best play the distance to mate falls with every ply. So no position
//! occurs twice on the way, and none with a distance of p or more at all.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};

use threefold_chess::position::GamePosition;
use threefold_oracle::referee::RuleEnd;
use threefold_oracle::{ProvenValue, Referee, Tables, Wdl};
use threefold_suites::trap::TrueResult;

/// The fifty-move counter at which a game is drawn, in plies.
pub(super) const LIMIT: u32 = 100;
/// The longest minimax search, in plies: with the counter at 97 or more the rule ends each line in time.
const DEPTH: u32 = 4;

/// What a position comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExactValue {
    /// The value for the side to move, with the distance to mate under the rules.
    pub(super) value: ProvenValue,
    /// Every move that keeps the result, in the order of the move generator.
    pub(super) best: Vec<UciMove>,
}

impl ExactValue {
    /// The result for the side to move.
    pub(super) const fn result(&self) -> TrueResult {
        match self.value.wdl() {
            Wdl::Win => TrueResult::Win,
            Wdl::Draw => TrueResult::Draw,
            Wdl::Loss => TrueResult::Loss,
        }
    }
}

/// Derives the value of a position from the game before it; `None` if it is not proven within a few plies.
pub(super) fn exact_value(tables: &Tables, history: &GamePosition) -> Option<ExactValue> {
    let game = Game::new(history)?;
    let mut moves = Vec::new();
    for mv in game.referee.position().legal_moves() {
        let mv = game.referee.uci(mv);
        let value = game.after(mv)?.value(tables, DEPTH - 1)?.one_ply_earlier();
        moves.push((mv, value));
    }
    let value = moves.iter().map(|&(_, value)| value).max_by_key(|value| value.rank())?;
    let keeps = |&&(_, it): &&(UciMove, ProvenValue)| it.wdl() == value.wdl();
    Some(ExactValue { value, best: moves.iter().filter(keeps).map(|&(mv, _)| mv).collect() })
}

/// Whether the side with the bare king can force a draw by the rules within this number of plies.
pub(super) fn is_drawn_within(history: &GamePosition, plies: u32) -> bool {
    Game::new(history).is_some_and(|game| game.bare_king_draws(plies))
}

/// Whether a third occurrence, or the fifty-move rule, ends the game before its last position.
pub(super) fn is_over_before(history: &GamePosition) -> bool {
    let start = GamePosition { start: history.start.clone(), moves: Vec::new() };
    let Ok(mut referee) = Referee::new(&start) else { return true };
    history.moves.iter().any(|&mv| referee.ending().is_some() || referee.play(mv).is_err())
}

/// A game, with every position since the last capture or pawn move.
#[derive(Clone)]
struct Game {
    referee: Referee,
    seen: Vec<Chess>,
}

impl Game {
    fn new(history: &GamePosition) -> Option<Self> {
        let start = GamePosition { start: history.start.clone(), moves: Vec::new() };
        let referee = Referee::new(&start).ok()?;
        let start = Self { referee, seen: Vec::new() };
        history.moves.iter().try_fold(start, |game, &mv| game.after(mv))
    }

    fn after(&self, mv: UciMove) -> Option<Self> {
        let mut next = self.clone();
        next.seen.push(self.referee.position().clone());
        next.referee.play(mv).ok()?;
        if next.referee.position().halfmoves() == 0 {
            next.seen.clear();
        }
        Some(next)
    }

    /// The value for the side to move, by the rules, by tables, or by minimax of this depth.
    fn value(&self, tables: &Tables, depth: u32) -> Option<ProvenValue> {
        // The rules come first: tables have neither the counter nor the history.
        match self.referee.ending() {
            Some(RuleEnd::Checkmate) => Some(ProvenValue::mate_in(0)),
            Some(_) => Some(ProvenValue::Draw),
            None => self.by_tables(tables).or_else(|| self.expanded(tables, depth)),
        }
    }

    fn expanded(&self, tables: &Tables, depth: u32) -> Option<ProvenValue> {
        let depth = depth.checked_sub(1)?;
        let moves = self.referee.position().legal_moves();
        let values = moves.into_iter().map(|mv| self.after(self.referee.uci(mv))?.value(tables, depth));
        ProvenValue::best_of(values.collect::<Option<Vec<_>>>()?)
    }

    fn bare_king_draws(&self, plies: u32) -> bool {
        match (self.referee.ending(), plies.checked_sub(1)) {
            (Some(ending), _) => ending != RuleEnd::Checkmate,
            (None, None) => false,
            (None, Some(plies)) => {
                let here = self.referee.position();
                let draws = |mv| self.after(self.referee.uci(mv)).is_some_and(|it| it.bare_king_draws(plies));
                let is_bare = here.board().by_color(here.turn()).count() == 1;
                let mut moves = here.legal_moves().into_iter();
                if is_bare { moves.any(draws) } else { moves.all(draws) }
            }
        }
    }

    /// The positions that occurred twice before. One with a castling right that is lost cannot recur.
    fn seen_twice(&self) -> impl Iterator<Item = &Chess> {
        let rights = |position: &Chess| position.castles().castling_rights();
        let same = move |one: &Chess, other: &Chess| {
            one.board() == other.board() && one.turn() == other.turn() && rights(one) == rights(other)
        };
        let now = rights(self.referee.position());
        self.seen.iter().enumerate().filter_map(move |(index, it)| {
            let is_second = self.seen[..index].iter().any(|earlier| same(earlier, it));
            (is_second && rights(it) == now).then_some(it)
        })
    }

    /// The value by tables, where the fifty-move rule and the history cannot change it.
    fn by_tables(&self, tables: &Tables) -> Option<ProvenValue> {
        let here = self.referee.position();
        let value = tables.probe(here)?;
        // Both rules only add draws, so a draw of the tables holds.
        let Some(plies) = value.plies() else { return Some(value) };
        let is_farther =
            |earlier: &Chess| tables.probe(earlier).is_some_and(|it| it.plies().is_none_or(|it| it >= plies));
        let is_in_time = here.halfmoves() + u32::from(plies) <= LIMIT;
        (is_in_time && self.seen_twice().all(is_farther)).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    #[test]
    fn value_depends_on_counter_and_history() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        let materials = ["KQK", "KPK"].map(|name| name.parse().expect("a material"));
        tables.make(&materials, &mut |_| {}).expect("few pieces");
        let third = "b1c1 h8g8 c1b1 g8h8 b1c1 h8g8 c1b1";
        let table = [
            // FEN, moves, plies to mate (none: a draw), moves that keep the result
            ("7k/8/6K1/8/8/8/8/1Q6 w - - 99 90", "", Some(Some(1)), 1),
            ("7k/8/4K3/8/8/8/8/1Q6 w - - 99 90", "", Some(None), 29),
            ("8/P7/8/8/8/k7/8/7K b - - 99 90", "", Some(None), 5),
            ("8/P7/8/8/8/k7/8/7K b - - 98 90", "", Some(Some(20)), 5),
            ("7k/8/5K2/8/8/8/8/1Q6 w - - 0 90", third, Some(None), 1),
        ];
        for (fen, moves, plies, keeping) in table {
            let history = GamePosition::parse(fen, moves).expect("sound");
            let proven = exact_value(&tables, &history);
            let found = proven.as_ref().map(|it| it.value.plies());
            let best = proven.map_or(0, |it| it.best.len());
            assert_eq!((found, best), (plies, keeping), "{fen} {moves}");
        }
    }
}
