//! Who meets whom where the ratings so far can't say: at first, where one side lost every game, and where a level is new.

use super::allotment::{HANDFUL, MET};
use super::dial::{Anchor, Dial};
use super::fit::Unrated;
use super::survey::Survey;

/// A match to be played.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Meeting {
    pub(super) players: [Player; 2],
    pub(super) pairs: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Player {
    Level(u32),
    /// By its place among the anchors.
    Anchor(usize),
}

/// Pairs of a meeting that is to bridge what was swept.
const BRIDGE: usize = 2 * HANDFUL;

/// In a handful of pairs each: neighbours, levels two steps apart, and every anchor against the levels that are called
/// most nearly what it is rated.
pub(super) fn at_first(levels: &[u32], anchors: &[Anchor]) -> Vec<Meeting> {
    let steps = [1, 2].into_iter();
    let met = steps.flat_map(|steps| levels.iter().zip(levels.iter().skip(steps)));
    let met = met.map(|(one, other)| [Player::Level(*one), Player::Level(*other)]);
    let met = met.map(|players| Meeting { players, pairs: HANDFUL });
    let called: Vec<(u32, f64)> = levels.iter().map(|&level| (level, f64::from(level))).collect();
    let anchored = anchors.iter().enumerate().flat_map(|(place, anchor)| of_anchor(place, anchor, &called));
    met.chain(anchored).collect()
}

/// An anchor, by its place among them, against the levels whose Elo are nearest to what it is rated, in a handful of pairs
/// each.
pub(super) fn of_anchor(place: usize, anchor: &Anchor, levels: &[(u32, f64)]) -> Vec<Meeting> {
    let off = |&(_, elo): &(u32, f64)| (elo - anchor.rated.stands_at()).abs();
    let mut near = levels.to_vec();
    near.sort_by(|one, other| off(one).total_cmp(&off(other)));
    let meeting =
        |(level, _)| Meeting { players: [Player::Anchor(place), Player::Level(level)], pairs: HANDFUL };
    near.into_iter().take(MET).map(meeting).collect()
}

/// Where one side of the dial lost every game against the other: a level halfway between the two that are nearest, or,
/// where luck has the lower one ahead, these two; and where it is anchors who lost or won, they against the levels at
/// that end. `None` where there is nothing between.
pub(super) fn bridging(
    dial: &Dial,
    levels: &[u32],
    anchors: &[Anchor],
    unrated: &Unrated,
) -> Option<Vec<Meeting>> {
    let Unrated::Swept { losers, winners } = unrated else { return None };
    let levels_of = |names: &[String]| names.iter().filter_map(|name| dial.level(name)).collect::<Vec<_>>();
    let anchors_of = |names: &[String]| {
        let places = anchors.iter().enumerate();
        let named = places.filter(|(_, anchor)| names.contains(&anchor.engine.name));
        named.map(|(place, _)| Player::Anchor(place)).collect::<Vec<_>>()
    };
    let (lost, won) = (levels_of(losers), levels_of(winners));
    let both = lost.iter().flat_map(|&lost| won.iter().map(move |&won| (lost, won)));
    let (between, met) = match both.min_by_key(|(lost, won)| lost.abs_diff(*won)) {
        Some((lost, won)) if lost + 1 < won => {
            (vec![Player::Level(u32::midpoint(lost, won))], vec![lost, won])
        }
        Some((lost, won)) if won < lost => (vec![Player::Level(won)], vec![lost]),
        Some(_) => return None,
        None if lost.is_empty() => (anchors_of(losers), levels.iter().take(2).copied().collect()),
        None => (anchors_of(winners), levels.iter().rev().take(2).copied().collect()),
    };
    let meeting = |one: Player, other: u32| Meeting { players: [one, Player::Level(other)], pairs: BRIDGE };
    Some(between.iter().flat_map(|&one| met.iter().map(move |&other| meeting(one, other))).collect())
}

/// New levels against those around them that are known, the nearest first, in a handful of pairs each, and in no more
/// than so many; nobody where there are none.
pub(super) fn of_new(survey: &Survey, added: &[u32], pairs: usize) -> Vec<Meeting> {
    let known: Vec<u32> = survey.levels().map(|(_, known)| known).collect();
    let mut met = Vec::new();
    for &level in added {
        let above = known.partition_point(|&known| known < level);
        let around = above.saturating_sub(2)..(above + 2).min(known.len());
        let mut around = known[around].to_vec();
        around.sort_by_key(|known| known.abs_diff(level));
        met.extend(around.into_iter().map(|known| [Player::Level(level), Player::Level(known)]));
    }
    met.truncate((pairs / HANDFUL).max(1));
    met.into_iter().map(|players| Meeting { players, pairs: HANDFUL }).collect()
}

/// Makes these meetings shorter, all by the same share, where they are more than so many pairs together.
pub(super) fn cut(meetings: &mut Vec<Meeting>, pairs: usize) {
    let mut asked: usize = meetings.iter().map(|meeting| meeting.pairs).sum();
    let mut left = pairs.min(asked);
    for meeting in &mut *meetings {
        let share = (meeting.pairs * left).div_ceil(asked.max(1));
        asked -= meeting.pairs;
        left -= share;
        meeting.pairs = share;
    }
    meetings.retain(|meeting| meeting.pairs > 0);
}

#[cfg(test)]
mod tests {
    use super::super::allotment::tests::survey;
    use super::super::simulated::dial;
    use super::*;

    #[test]
    fn meetings_are_cut_alike() {
        let meetings = |pairs: &[usize]| -> Vec<Meeting> {
            let players = [Player::Level(600), Player::Level(800)];
            pairs.iter().map(|&pairs| Meeting { players, pairs }).collect()
        };
        let table: [(usize, &[usize]); 5] =
            [(0, &[]), (3, &[2, 1]), (8, &[4, 3, 1]), (9, &[4, 4, 1]), (99, &[8, 8, 4])];
        for (pairs, left) in table {
            let mut cut_down = meetings(&[8, 8, 4]);
            cut(&mut cut_down, pairs);
            assert_eq!(cut_down, meetings(left), "{pairs}");
        }
    }

    #[test]
    fn what_was_swept_is_bridged() {
        let anchors: [Anchor; 1] = ["./fish,name=Fish=1100".parse().expect("sound")];
        let bridge = |unrated: &Unrated| bridging(&dial(), &[600, 1000, 1400, 1800], &anchors, unrated);
        let bridged = |losers: &[&str], winners: &[&str]| {
            let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            let unrated = Unrated::Swept { losers: names(losers), winners: names(winners) };
            bridge(&unrated).map(|meetings| {
                assert!(meetings.iter().all(|meeting| meeting.pairs == BRIDGE), "{meetings:?}");
                meetings.into_iter().map(|meeting| meeting.players).collect::<Vec<_>>()
            })
        };
        let level = Player::Level;
        let fish = Player::Anchor(0);
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
    fn a_new_level_meets_those_around_it() {
        let known = survey(&[(600, 500.0, 10.0, 1.0), (1000, 900.0, 10.0, 1.0), (1400, 1300.0, 10.0, 1.0)]);
        let met = |added: &[u32], pairs| {
            let meetings = of_new(&known, added, pairs);
            assert!(meetings.iter().all(|meeting| meeting.pairs == HANDFUL), "{meetings:?}");
            meetings.into_iter().map(|meeting| meeting.players).collect::<Vec<_>>()
        };
        let level = Player::Level;
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
        assert_eq!(met(&[700, 1500], 2 * HANDFUL).len(), 2, "no more than there is room for");
    }
}
