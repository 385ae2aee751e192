//! The properties of the smooth manager, P1 to P8, and the closed form of its budget.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::timeman::TreeReuse;
use threefold_chess::clock::Remaining;

/// A clock in milliseconds, its increment, and moves to go; an overhead of 100 ms, the first move of a game.
fn facts(time: f64, increment: f64, moves_to_go: Option<u32>) -> ClockState {
    let of = |millis: f64| Duration::from_secs_f64(millis / 1e3);
    ClockState {
        remaining: Remaining { time: of(time), increment: of(increment) },
        moves_to_go,
        overhead: of(100.0),
        ply: 0,
        inherited: TreeReuse::default(),
    }
}

fn inheriting(facts: ClockState, nodes: u64) -> ClockState {
    ClockState { inherited: TreeReuse { nodes, share: None }, ..facts }
}

/// A manager with these learnt values.
fn learnt(reuse: f64, time_use: f64, speed: f64) -> Smooth {
    let speed = Speed::new(speed, SpeedSmoothing::Always { half: 5e3 });
    Smooth { reuse, time_use, speed, ..Smooth::new(&SmoothParameters::DEFAULT) }
}

/// Without the limit of a part of the clock, for games as long as their period.
fn unbounded(mut smooth: Smooth) -> Smooth {
    smooth.terms.set(Parameter::MaxMoveBudget, Decimal::nearest(1.0));
    smooth.terms.set(Parameter::MovesLeftMidpoint, Decimal::nearest(1000.0));
    smooth
}

fn budget(smooth: &mut Smooth, facts: &ClockState) -> f64 {
    millis(smooth.allot(facts).soft)
}

fn outcome(used: f64, nodes: f64) -> FinishedSearch {
    FinishedSearch { used: Duration::from_secs_f64(used / 1e3), nodes: nodes as u64, regained: None }
}

fn close(one: f64, other: f64, tolerance: f64) -> bool {
    (one - other).abs() <= tolerance
}

#[test]
fn smooth_budget_matches_the_published_numbers() {
    // 60 s + 0.6 s at move 20, ρ 0.5, u 0.7: 33.65 moves are expected to be left.
    let table = [
        // clock, increment, moves to go, inherited nodes, budget
        (60_000.0, 600.0, None, 0),
        (60_000.0, 600.0, Some(10), 0),
        (60_000.0, 600.0, None, 30_000),
        (60_000.0, 600.0, None, 10_000_000),
        (90.0, 0.0, None, 0),
        (1_000.0, 10_000.0, None, 0),
    ];
    for (time, increment, moves_to_go, inherited) in table {
        let mut smooth = learnt(0.5, 0.7, 20_000.0);
        let facts = ClockState { ply: 40, ..facts(time, increment, moves_to_go) };
        let found = budget(&mut smooth, &inheriting(facts, inherited));
        // The closed form: the speed cancels except for reused nodes.
        let left = GameLengthModel { midpoint: 51.5, steepness: 7.0 }.left(40, moves_to_go);
        let average = (time + increment * (left - 1.0) - 100.0).max(0.0) / left;
        let expected = (average / (1.0 - 0.5) - inherited as f64 / 20.0).max(0.0) / 0.7;
        let expected = expected.min(0.3 * time).min((time - 100.0).max(0.0));
        assert!(close(found, expected, 1e-3), "{time}+{increment}: {found} for {expected}");
    }
}

#[test]
fn initial_speed_acts_on_the_second_budget_as_published() {
    // A first search of 1 s at 100 000 nodes per second, which the second inherits in part.
    let second_budget = |mut smooth: Smooth, initial: f64| {
        smooth.terms.set(Parameter::InitNps, Decimal::nearest(initial));
        let has_piggybank = smooth.piggybank.is_some();
        let mut smooth =
            if has_piggybank { Smooth::with_piggybank(&smooth.terms) } else { Smooth::new(&smooth.terms) };
        let first = budget(&mut smooth, &facts(60_000.0, 0.0, Some(40)));
        smooth.until(&SearchProgress { elapsed: Duration::from_secs(1), nodes: 100_000 });
        smooth.end(&outcome(1_000.0, 100_000.0));
        let plan = [smooth.reuse, smooth.time_use, smooth.speed.a_second()];
        (first, plan, budget(&mut smooth, &inheriting(facts(59_000.0, 0.0, Some(39)), 30_000)))
    };
    let page = |initial| second_budget(Smooth::new(&SmoothParameters::DEFAULT), initial);
    for initial in [1_000.0, 20_000.0, 100_000.0, 1e9] {
        let (first, [reuse, time_use, speed], second) = page(initial);
        // The initial speed cancels where no nodes are inherited.
        assert!(close(first, page(20_000.0).0, 1e-3), "{initial}: {first}");
        let expected_speed = approach(initial, 100_000.0, 5.0, 1.0);
        assert!(close(speed, expected_speed, 1e-6), "{initial}: {speed}");
        let average = (59_000.0 - 100.0) / 39.0;
        let expected = (average / (1.0 - reuse) - 30_000.0 / (speed / 1e3)).max(0.0) / time_use;
        assert!(close(second, expected, 1e-3), "{initial}: {second} for {expected}");
    }
    assert!(page(1e9).2 > page(20_000.0).2 + 500.0, "the option has an effect");
    // As merged, the first search's own speed replaces it.
    let merged = |initial| second_budget(Smooth::with_piggybank(&SmoothParameters::DEFAULT), initial);
    assert_eq!(merged(1_000.0), merged(1e9));
}

#[test]
fn search_ends_with_its_budget_or_if_no_other_move_can_be_searched() {
    let mut smooth = learnt(0.5, 0.7, 1_000.0);
    let end = budget(&mut smooth, &facts(60_000.0, 0.0, None));
    assert!(end > 100.0, "{end}");
    let calm = IterationStats {
        depth: 8,
        nodes: [3_000.0, 1_000.0],
        best: 1_000.0,
        least: Some(100.0),
        ..IterationStats::default()
    };
    let is_enough = |elapsed: f64, iteration: &IterationStats| {
        smooth.is_enough(&SearchProgress { elapsed: duration(elapsed), nodes: 100 }, iteration)
    };
    assert!(is_enough(end + 1.0, &IterationStats { least: None, ..calm }), "the budget is spent");
    assert!(is_enough(end - 1.0, &calm), "a node is left");
    assert!(!is_enough(end - 1.0, &IterationStats { fallen: 30, ..calm }), "the score has dropped");
    assert!(
        !is_enough(end - 1.0, &IterationStats { best: 0.0, least: Some(0.0), ..calm }),
        "another move is cheap"
    );
}

#[test]
fn p2_budget_is_the_average_without_learning() {
    for (time, moves) in [(60_000.0, 40), (60_000.0, 10), (1_000.0, 4)] {
        let mut smooth = learnt(0.0, 1.0, 20_000.0);
        let average = (time - 100.0) / f64::from(moves);
        assert!(close(budget(&mut smooth, &facts(time, 0.0, Some(moves))), average, 1e-3), "{time}/{moves}");
    }
}

#[test]
fn p7_whole_clock_is_used_and_use_is_learnt() {
    for (constant, moves) in [(0.5, 60_u32), (0.35, 60), (0.9, 30)] {
        let mut smooth = unbounded(learnt(0.0, 0.7, 20_000.0));
        let mut clock = 60_000.0;
        for to_go in (1..=moves).rev() {
            let used = constant * budget(&mut smooth, &facts(clock, 0.0, Some(to_go)));
            smooth.end(&outcome(used, 20.0 * used));
            clock -= used;
        }
        // The rest is the overhead and unused time of the last moves.
        assert!(clock < 0.05 * 60_000.0, "{constant}: {clock} ms left");
        assert!(close(smooth.time_use, constant, 0.06), "{constant}: thought to be {}", smooth.time_use);
    }
}

#[test]
fn p8_trees_have_equal_size_with_constant_reuse() {
    for share in [0.2, 0.5, 0.65] {
        let mut smooth = unbounded(learnt(0.5, 1.0, 20_000.0));
        let (mut clock, mut tree) = (600_000.0, 0.0);
        let mut trees = Vec::new();
        for to_go in (1..=100_u32).rev() {
            let inherited = share * tree;
            let mut facts = inheriting(facts(clock, 0.0, Some(to_go)), inherited as u64);
            facts.inherited.share = (tree > 0.0).then_some(share);
            let used = budget(&mut smooth, &facts);
            smooth.end(&outcome(used, 20.0 * used));
            clock -= used;
            tree = inherited + 20.0 * used;
            trees.push(tree);
        }
        // After the share is learnt, and before the overhead matters.
        let settled = &trees[40..80];
        let (least, most) = settled
            .iter()
            .fold((f64::MAX, 0.0_f64), |(least, most), &tree| (least.min(tree), most.max(tree)));
        assert!(most / least < 1.02, "{share}: trees of {least} to {most} nodes");
        assert!(close(smooth.reuse, share, 0.01), "{share}: thought to be {}", smooth.reuse);
    }
}

#[test]
fn piggybank_saves_on_certain_moves_and_pays_for_uncertain_ones() {
    let facts = facts(60_000.0, 0.0, Some(40));
    let mut plain = learnt(0.0, 1.0, 20_000.0);
    let mut saving = Smooth::with_piggybank(&SmoothParameters::DEFAULT);
    (saving.reuse, saving.time_use) = (0.0, 1.0);
    let planned = saving.allot(&facts);
    // 59 900 ms minus 5 400 saved at the start, divided by 40, of which 12 % are saved.
    let expected = (59_900.0 - 5_400.0) / 40.0;
    assert!(close(millis(planned.soft), expected * 0.88, 1e-3));
    assert!(close(millis(planned.hard) - millis(planned.soft), 0.94 * 5_400.0, 1e-2));
    assert!(millis(planned.soft) < budget(&mut plain, &facts));
    let late = SearchProgress { elapsed: Duration::from_millis(1_100), nodes: 22_000 };
    assert_eq!(saving.until(&late), planned.soft);
    saving.watch(&late, &mut [(0, 10_000), (1, 12_000)].into_iter());
    assert_eq!(saving.until(&late), planned.hard);
    // A move that used savings is no sample of the time use.
    saving.end(&outcome(1_300.0, 26_000.0));
    assert!(close(saving.time_use, 1.0, 1e-9));
}

proptest! {
    #[test]
    fn p1_approach_is_a_semigroup(from in -1e3..1e3, to in -1e3..1e3, step in 0.1..100.0, one in 0.0..50.0, other in 0.0..50.0) {
        prop_assert!(close(approach(from, to, step, 0.0), from, 1e-9));
        prop_assert!(close(approach(from, to, step, step), f64::midpoint(from, to), 1e-9));
        let twice = approach(approach(from, to, step, one), to, step, other);
        prop_assert!(close(twice, approach(from, to, step, one + other), 1e-6));
    }

    #[test]
    fn p3_budget_decreases_with_reuse(reuse in 0.0..0.7, time in 200.0..1e6, one in 0..1_000_000_u64, more in 0..1_000_000_u64) {
        let facts = facts(time, 0.0, Some(30));
        let plan = |nodes| budget(&mut learnt(reuse, 0.7, 20_000.0), &inheriting(facts, nodes));
        prop_assert!(plan(one + more) <= plan(one));
        // The target tree size is reached, so nothing is left to do.
        let target = 20.0 * (time - 100.0) / 30.0 / (1.0 - reuse);
        prop_assert!(plan(target.ceil() as u64 + 1) == 0.0);
    }

    #[test]
    fn p4_budget_is_within_its_part_and_the_clock(reuse in 0.0..0.7, time_use in 0.3..1.0, time in 0.0..1e6, increment in 0.0..1e5, moves in prop::option::of(1..80_u32), banks in any::<bool>()) {
        let terms = SmoothParameters::DEFAULT;
        let smooth = if banks { Smooth::with_piggybank(&terms) } else { Smooth::new(&terms) };
        let TimeAllotment { soft, hard } = Smooth { reuse, time_use, ..smooth }.allot(&facts(time, increment, moves));
        let usable = (time - 100.0).max(0.0);
        prop_assert!(millis(soft) <= (0.3 * time).min(usable) + 1e-3);
        prop_assert!(millis(hard) <= usable + 1e-3);
        prop_assert!(soft <= hard);
    }

    #[test]
    fn p5_immediate_moves_are_not_learnt_from(reuse in 0.0..0.7, time_use in 0.3..1.0, time in 1e3..1e6) {
        let mut smooth = learnt(reuse, time_use, 20_000.0);
        smooth.allot(&facts(time, 0.0, None));
        smooth.end(&outcome(0.0, 0.0));
        let next = ClockState { inherited: TreeReuse { nodes: 0, share: Some(0.0) }, ..facts(time, 0.0, None) };
        smooth.allot(&next);
        prop_assert!(close(smooth.reuse, reuse, 1e-9) && close(smooth.time_use, time_use, 1e-9));
    }

    #[test]
    fn p6_plans_do_not_depend_on_the_machine_speed(reuse in 0.0..0.7, time in 1e3..1e6, inherited in 0..1_000_000_u64, factor in 1..50_u64) {
        let facts = facts(time, 0.0, None);
        let plan = |factor: u64| {
            let mut smooth = learnt(reuse, 0.7, 20_000.0 * factor as f64);
            budget(&mut smooth, &inheriting(facts, inherited * factor))
        };
        prop_assert!(close(plan(factor), plan(1), 2e-3));
    }
}
