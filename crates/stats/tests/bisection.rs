//! Simulated bisections of a loss of strength: how many games they take, and how often they are right.

use threefold_stats::Normalized;
use threefold_stats::bisection::strength::DROPS;
use threefold_stats::bisection::{EqualCommits, History, StrengthBisection, StrengthStep, Testable};
use threefold_stats::planning::pair_sampler::PairSchedule;
use threefold_stats::planning::{PairDistribution, ReferencePairs};

fn line(size: usize) -> History {
    History::new((0..size).map(|index: usize| index.checked_sub(1).into_iter().collect()).collect())
}

/// Pairs of this many normalized Elo.
fn pairs_at(elo: f64) -> PairDistribution {
    let typical = ReferencePairs::Typical.distribution();
    let level = typical.with_mean(0.5).expect("a mean in the middle");
    let t = Normalized(elo).t_value(2.0);
    level.with_mean(0.5 + t * level.variance().sqrt()).expect("a small shift")
}

/// The games and the share of right answers of bisections with this many suspects and this loss.
fn simulated(suspects: usize, drop: f64, drops: &[Normalized], runs: u64) -> (f64, f64) {
    const BATCH: u64 = 16;
    let history = line(suspects + 1);
    let equal = EqualCommits::none(history.size());
    let schedules = [0.0, -drop].map(|elo| PairSchedule::constant(pairs_at(elo)));
    let testable = vec![Testable::Yes; history.size()];
    let (mut games, mut right) = (0, 0);
    for run in 0..runs {
        let first = 1 + (run as usize * 7) % suspects;
        let mut draws: Vec<_> = schedules.iter().map(|schedule| schedule.run(suspects as u64, run)).collect();
        let mut bisection = StrengthBisection::new(&history, &equal, drops.to_vec());
        let mut playing = None;
        let found = loop {
            match bisection.next_step(&testable, playing) {
                StrengthStep::Play(commit) => {
                    let mut pairs = bisection.pairs(commit);
                    let draws = &mut draws[usize::from(commit >= first)];
                    (0..BATCH).for_each(|_| pairs.counts[draws.draw()] += 1);
                    bisection.set(commit, pairs);
                    playing = Some(commit);
                }
                StrengthStep::Found { commits, .. } => break commits,
                StrengthStep::UsedUp | StrengthStep::NotWeaker(_) => break vec![],
            }
        };
        games += 2 * bisection.all_pairs();
        right += u64::from(found == [first]);
    }
    (games as f64 / runs as f64, right as f64 / runs as f64)
}

#[test]
fn loss_of_strength_is_found_in_as_many_games_as_simulated() {
    let (games, right) = simulated(16, 20.0, &[Normalized(20.0)], 40);
    assert!((6_000.0..14_000.0).contains(&games) && right > 0.8, "{games} games, {right} right");
}

/// Earlier simulations of the same model took 8,038 and 11,761 games if the loss is known, and 12,734 and 16,422 with
/// five values for it, without the pairs of the bad commit that come first here.
#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn games_of_bisections_are_those_of_earlier_simulations() {
    let table = [
        // suspects, loss, runs, games with the known loss, with five values
        (16, 20.0, 400, 8_038.0, 12_734.0),
        (64, 20.0, 400, 11_761.0, 16_422.0),
    ];
    for (suspects, drop, runs, known, unknown) in table {
        for (drops, games) in [(vec![Normalized(drop)], known), (DROPS.to_vec(), unknown)] {
            let found = simulated(suspects, drop, &drops, runs);
            println!("{suspects} suspects, {drop} Elo, {} losses: {found:?}, {games}", drops.len());
            assert!((0.9 * games..1.35 * games).contains(&found.0) && found.1 > 0.88, "{found:?}, {games}");
        }
    }
}
