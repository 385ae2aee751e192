//! Pairings where ratings cannot decide: at first, after one side lost every game, and for new levels.

use std::collections::HashMap;

use super::allocation::{LEVELS_PER_ANCHOR, PAIRS_PER_STEP};
use super::fit::Unrated;
use super::ratings::RatingSurvey;
use super::strength_option::AnchorEngine;

/// A match to be played.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pairing {
    pub(super) players: [PairedPlayer; 2],
    pub(super) pairs: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum PairedPlayer {
    Level(u32),
    /// By its index among the anchors.
    Anchor(usize),
}

/// Pairs of a pairing that bridges a gap.
const BRIDGE_PAIRS: usize = 2 * PAIRS_PER_STEP;

/// One step of pairs each: neighbours, levels two steps apart, and every anchor with the levels nearest to
/// its rating.
pub(super) fn first_round(levels: &[u32], anchors: &[AnchorEngine]) -> Vec<Pairing> {
    let steps = [1, 2].into_iter();
    let met = steps.flat_map(|steps| levels.iter().zip(levels.iter().skip(steps)));
    let met = met.map(|(one, other)| [PairedPlayer::Level(*one), PairedPlayer::Level(*other)]);
    let met = met.map(|players| Pairing { players, pairs: PAIRS_PER_STEP });
    let called: Vec<(u32, f64)> = levels.iter().map(|&level| (level, f64::from(level))).collect();
    let anchored = anchors.iter().enumerate().flat_map(|(place, anchor)| of_anchor(place, anchor, &called));
    met.chain(anchored).collect()
}

/// An anchor, by its index, with the levels nearest to its rating: one step of pairs each.
pub(super) fn of_anchor(place: usize, anchor: &AnchorEngine, levels: &[(u32, f64)]) -> Vec<Pairing> {
    let off = |&(_, elo): &(u32, f64)| (elo - anchor.rated.on_scale()).abs();
    let mut near = levels.to_vec();
    near.sort_by(|one, other| off(one).total_cmp(&off(other)));
    let pairing = |(level, _)| Pairing {
        players: [PairedPlayer::Anchor(place), PairedPlayer::Level(level)],
        pairs: PAIRS_PER_STEP,
    };
    near.into_iter().take(LEVELS_PER_ANCHOR).map(pairing).collect()
}

/// Pairings after one group of levels lost every game to another. A level halfway between the two nearest is
/// added; if random results put the lower one ahead, these two play again. If anchors won or lost every game,
/// they play the levels at that end. `None` if there is no level between. `levels` gives the levels by player
/// name.
pub(super) fn bridge_pairings(
    known: &HashMap<String, u32>,
    levels: &[u32],
    anchors: &[AnchorEngine],
    unrated: &Unrated,
) -> Option<Vec<Pairing>> {
    let Unrated::Swept { losers, winners } = unrated else { return None };
    let levels_of =
        |names: &[String]| names.iter().filter_map(|name| known.get(name).copied()).collect::<Vec<_>>();
    let anchors_of = |names: &[String]| {
        let places = anchors.iter().enumerate();
        let named = places.filter(|(_, anchor)| names.contains(&anchor.engine.name));
        named.map(|(place, _)| PairedPlayer::Anchor(place)).collect::<Vec<_>>()
    };
    let (lost, won) = (levels_of(losers), levels_of(winners));
    let both = lost.iter().flat_map(|&lost| won.iter().map(move |&won| (lost, won)));
    let (between, met) = match both.min_by_key(|(lost, won)| lost.abs_diff(*won)) {
        Some((lost, won)) if lost + 1 < won => {
            (vec![PairedPlayer::Level(u32::midpoint(lost, won))], vec![lost, won])
        }
        Some((lost, won)) if won < lost => (vec![PairedPlayer::Level(won)], vec![lost]),
        Some(_) => return None,
        None if lost.is_empty() => (anchors_of(losers), levels.iter().take(2).copied().collect()),
        None => (anchors_of(winners), levels.iter().rev().take(2).copied().collect()),
    };
    let pairing = |one: PairedPlayer, other: u32| Pairing {
        players: [one, PairedPlayer::Level(other)],
        pairs: BRIDGE_PAIRS,
    };
    Some(between.iter().flat_map(|&one| met.iter().map(move |&other| pairing(one, other))).collect())
}

/// New levels with the known levels around them, nearest first, one step of pairs each, up to this number of
/// pairs in total; empty if no level is known.
pub(super) fn of_new(survey: &RatingSurvey, added: &[u32], pairs: usize) -> Vec<Pairing> {
    let known: Vec<u32> = survey.levels().map(|(_, known)| known).collect();
    let mut met = Vec::new();
    for &level in added {
        let above = known.partition_point(|&known| known < level);
        let around = above.saturating_sub(2)..(above + 2).min(known.len());
        let mut around = known[around].to_vec();
        around.sort_by_key(|known| known.abs_diff(level));
        met.extend(around.into_iter().map(|known| [PairedPlayer::Level(level), PairedPlayer::Level(known)]));
    }
    met.truncate((pairs / PAIRS_PER_STEP).max(1));
    met.into_iter().map(|players| Pairing { players, pairs: PAIRS_PER_STEP }).collect()
}

/// Shortens these pairings by the same factor if they have more than this number of pairs in total.
pub(super) fn cut(pairings: &mut Vec<Pairing>, pairs: usize) {
    let mut asked: usize = pairings.iter().map(|pairing| pairing.pairs).sum();
    let mut left = pairs.min(asked);
    for pairing in &mut *pairings {
        // What is left is divided by what is still asked, so that rounding does not change the sum.
        let share = (pairing.pairs * left).div_ceil(asked.max(1));
        asked -= pairing.pairs;
        left -= share;
        pairing.pairs = share;
    }
    pairings.retain(|pairing| pairing.pairs > 0);
}

#[cfg(test)]
mod tests {
    use super::super::allocation::tests::survey;
    use super::super::simulated::option;
    use super::*;

    #[test]
    fn rounds_shorten_all_pairings_equally() {
        let pairings = |pairs: &[usize]| -> Vec<Pairing> {
            let players = [PairedPlayer::Level(600), PairedPlayer::Level(800)];
            pairs.iter().map(|&pairs| Pairing { players, pairs }).collect()
        };
        let table: [(usize, &[usize]); 5] =
            [(0, &[]), (3, &[2, 1]), (8, &[4, 3, 1]), (9, &[4, 4, 1]), (99, &[8, 8, 4])];
        for (pairs, left) in table {
            let mut cut_down = pairings(&[8, 8, 4]);
            cut(&mut cut_down, pairs);
            assert_eq!(cut_down, pairings(left), "{pairs}");
        }
    }

    #[test]
    fn one_sided_pairings_get_intermediate_opponents() {
        let anchors: [AnchorEngine; 1] = ["./fish,name=Fish=1100".parse().expect("sound")];
        let known = [600, 1000, 1001, 1100, 1400, 1800].map(|level| (option().name(level), level)).into();
        let bridge = |unrated: &Unrated| bridge_pairings(&known, &[600, 1000, 1400, 1800], &anchors, unrated);
        let bridged = |losers: &[&str], winners: &[&str]| {
            let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            let unrated = Unrated::Swept { losers: names(losers), winners: names(winners) };
            bridge(&unrated).map(|pairings| {
                assert!(pairings.iter().all(|pairing| pairing.pairs == BRIDGE_PAIRS), "{pairings:?}");
                pairings.into_iter().map(|pairing| pairing.players).collect::<Vec<_>>()
            })
        };
        let level = PairedPlayer::Level;
        let fish = PairedPlayer::Anchor(0);
        assert_eq!(
            bridged(&["Echo 1000", "Fish", "Echo 600"], &["Echo 1800", "Echo 1400"]),
            Some(vec![[level(1200), level(1000)], [level(1200), level(1400)]])
        );
        assert_eq!(
            bridged(&["Fish"], &["Echo 600", "Echo 1000"]),
            Some(vec![[fish, level(600)], [fish, level(1000)]])
        );
        assert_eq!(
            bridged(&["Echo 600", "Echo 1800"], &["Fish"]),
            Some(vec![[fish, level(1800)], [fish, level(1400)]])
        );
        assert_eq!(
            bridged(&["Echo 600", "Echo 1100"], &["Echo 1000"]),
            Some(vec![[level(1000), level(1100)]]),
            "luck"
        );
        assert_eq!(bridged(&["Echo 1000"], &["Echo 1001"]), None);
        assert!(bridge(&Unrated::NoGames).is_none());
    }

    #[test]
    fn new_level_plays_its_neighbours() {
        let known = survey(&[(600, 500.0, 10.0, 1.0), (1000, 900.0, 10.0, 1.0), (1400, 1300.0, 10.0, 1.0)]);
        let met = |added: &[u32], pairs| {
            let pairings = of_new(&known, added, pairs);
            assert!(pairings.iter().all(|pairing| pairing.pairs == PAIRS_PER_STEP), "{pairings:?}");
            pairings.into_iter().map(|pairing| pairing.players).collect::<Vec<_>>()
        };
        let level = PairedPlayer::Level;
        assert_eq!(
            met(&[700, 1500], 100),
            [
                [level(700), level(600)],
                [level(700), level(1000)],
                [level(700), level(1400)],
                [level(1500), level(1400)],
                [level(1500), level(1000)],
            ]
        );
        assert_eq!(met(&[700, 1500], 2 * PAIRS_PER_STEP).len(), 2, "no more than there is room for");
    }
}
