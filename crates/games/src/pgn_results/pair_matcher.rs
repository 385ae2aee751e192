//! Finds the pairs among games.
//!
//! Two games of the same players with colours reversed are a pair if their round tags and openings say so
//! (see [`PairLabel`]). If rounds do not number their games, consecutive games from the same position are a
//! pair. The assignment to pairs changes standard errors, never ratings.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

use super::pair_label::{GameNumbering, PairLabel};
use threefold_stats::GameResult;

/// The number of games that wait for a partner before the oldest are counted as single games. Partners are
/// close to each other in a file; the limit bounds the memory for files without pairs.
const WAITING: usize = 1 << 18;

/// A player, in the order of appearance.
pub(super) type PlayerNumber = usize;

/// A hash table keyed by a few numbers. It is used for every game, and its order has no effect.
pub(super) type NumberTable<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// Wyhash's step for one word: the two halves of a 128-bit product, XORed.
#[derive(Debug, Default)]
pub(super) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0xa076_1d64_78bd_642f) * 0xe703_7ed1_a0b4_28db;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

/// A game that may have a partner.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnpairedGame {
    pub(super) white: PlayerNumber,
    pub(super) black: PlayerNumber,
    /// White's result.
    pub(super) result: GameResult,
    pub(super) label: PairLabel,
}

/// A game without a partner.
#[derive(Debug, Clone, Copy)]
pub(super) struct SingleGame {
    pub(super) white: PlayerNumber,
    pub(super) black: PlayerNumber,
    /// White's result.
    pub(super) result: GameResult,
}

impl UnpairedGame {
    /// Are these two consecutive games of a file a pair?
    fn is_partner(&self, next: &Self) -> bool {
        let swapped = self.white == next.black && self.black == next.white;
        let same_round = self.label.round.is_some() && self.label.round == next.label.round;
        let unnumbered = [self.label.numbered, next.label.numbered] == [GameNumbering::No; 2];
        swapped && (same_round || unnumbered && self.label.opening == next.label.opening)
    }

    const fn single(&self) -> SingleGame {
        SingleGame { white: self.white, black: self.black, result: self.result }
    }
}

/// Games whose partner has not been seen yet.
#[derive(Debug, Default)]
pub(super) struct PairMatcher {
    last: Option<UnpairedGame>,
    /// By White, Black and the label that the partner will have.
    young: NumberTable<(PlayerNumber, PlayerNumber, u64), GameResult>,
    /// Games that have waited longer.
    old: NumberTable<(PlayerNumber, PlayerNumber, u64), GameResult>,
}

impl PairMatcher {
    /// The result of a game's partner, if that was seen before; otherwise the game waits for it. Games that
    /// have waited too long go to `single`.
    pub(super) fn take(
        &mut self,
        game: UnpairedGame,
        single: &mut impl FnMut(SingleGame),
    ) -> Option<GameResult> {
        // Games without a round are a pair only as neighbours, so the last game is compared before the
        // tables.
        if let Some(last) = self.last.take() {
            if last.is_partner(&game) {
                return Some(last.result);
            }
            self.wait(last, single);
        }
        let earlier = self.earlier(&game);
        if earlier.is_none() {
            self.last = Some(game);
        }
        earlier
    }

    /// Passes all waiting games to `single`.
    pub(super) fn flush(&mut self, single: &mut impl FnMut(SingleGame)) {
        self.last.take().iter().map(UnpairedGame::single).for_each(&mut *single);
        for games in [&mut self.old, &mut self.young] {
            hand_out(games, single);
        }
    }

    fn earlier(&mut self, game: &UnpairedGame) -> Option<GameResult> {
        let wanted = (game.black, game.white, game.label.round?);
        [&mut self.young, &mut self.old]
            .into_iter()
            .filter(|games| !games.is_empty()) // which would be asked in vain, and mostly is
            .find_map(|games| games.remove(&wanted))
    }

    fn wait(&mut self, game: UnpairedGame, single: &mut impl FnMut(SingleGame)) {
        let Some(meeting) = game.label.round else { return single(game.single()) };
        if self.young.len() >= WAITING {
            hand_out(&mut self.old, single);
            // Two tables age together in place of an order by age, which would cost a list of all games.
            std::mem::swap(&mut self.young, &mut self.old);
        }
        match self.young.entry((game.white, game.black, meeting)) {
            Entry::Vacant(place) => _ = place.insert(game.result),
            // The same game of the same round again, as a resumed match may write it.
            Entry::Occupied(_) => single(game.single()),
        }
    }
}

fn hand_out(
    games: &mut NumberTable<(PlayerNumber, PlayerNumber, u64), GameResult>,
    single: &mut impl FnMut(SingleGame),
) {
    for ((white, black, _), result) in games.drain() {
        single(SingleGame { white, black, result });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_without_a_partner_becomes_a_single_game() {
        let label =
            |meeting| PairLabel { round: Some(meeting), opening: None, numbered: GameNumbering::InRound };
        let game = |white, black, meeting| UnpairedGame {
            white,
            black,
            result: GameResult::Draw,
            label: label(meeting),
        };
        let mut partners = PairMatcher::default();
        let mut singles = 0;
        let enough = 2 * WAITING as u64 + 2;
        for meeting in 0..=enough {
            assert_eq!(partners.take(game(0, 1, meeting), &mut |_| singles += 1), None);
            assert!(partners.young.len() + partners.old.len() <= 2 * WAITING);
        }
        assert_eq!(partners.take(game(1, 0, 0), &mut |_| singles += 1), None, "forgotten");
        assert!(partners.take(game(1, 0, enough - 1), &mut |_| singles += 1).is_some(), "still known");
        partners.flush(&mut |_| singles += 1);
        assert_eq!(singles, enough + 1, "none is lost");
    }
}
