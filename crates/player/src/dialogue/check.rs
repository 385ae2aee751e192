//! What a dialogue checks of a search.

use std::cmp::Ordering;
use std::time::Duration;

use super::search_output::SearchOutput;
use threefold_chess::clock::duration::to_hundredths;
use threefold_chess::score::{MateDistance, Score};

/// A condition on a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// The best move is one of these.
    Best(Vec<String>),
    /// It takes at most this time from `go`, or from `ponderhit`, without waits for a CPU.
    TakesAtMost(Duration),
    /// It takes at least this time. Waits for a CPU count, unless the dialogue assumes this condition.
    TakesAtLeast(Duration),
    /// All searches that were awaited take at most this time together, waits for a CPU included.
    TakeInAll(Duration),
    /// The last exact score is this mate. Without a score the condition is met.
    Mate(i32),
    /// If the last exact score is a mate, it is no shorter than this one, for the same side.
    MateAtLeast(i32),
    /// The last exact score is no mate.
    NoMate,
    /// In the last claimed chances (`wdl`), that of a win is greater than that of a loss, or less.
    Wdl(Ordering),
    /// No depth above this is reported.
    DepthAtMost(u16),
    /// This depth or a larger one is reported, if any is.
    DepthAtLeast(u16),
    /// No selective depth above this is reported.
    SeldepthAtMost(u16),
    /// This selective depth or a larger one is reported.
    SeldepthAtLeast(u16),
    /// This share of the hash table or more is reported as full, in thousandths, if any is.
    HashfullAtLeast(u16),
    /// At most this number of nodes is reported.
    NodesAtMost(u64),
    /// At least this number of nodes is reported, if any is.
    NodesAtLeast(u64),
    /// In one at least of the last pairs of searches, the second reports at most this share of the nodes of the first.
    NodesAtMostPercent {
        /// The share, in per cent.
        percent: u64,
        /// The number of pairs.
        pairs: usize,
    },
    /// The second searches of the last pairs report at most this share of the nodes of the first ones, all together.
    NodesAtMostPercentInAll {
        /// The share, in per cent.
        percent: u64,
        /// The number of pairs.
        pairs: usize,
    },
    /// Each pair of searches is the same search twice. The second ones of the last pairs report a share of the nodes of the first ones
    /// that is at most this much greater than in the first pairs.
    NodesAtMostPercentMore {
        /// The difference of the shares, in points of per cent.
        points: u64,
        /// The number of last pairs.
        last: usize,
        /// The number of first pairs of the dialogue.
        first: usize,
    },
    /// A principal variation comes within this time.
    PvWithin(Duration),
    /// Each line with a `time` comes at most this time after it.
    LinesWithin(Duration),
}

/// What follows from a check that is not met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// The engine fails.
    Fails,
    /// The dialogue does not apply to the engine.
    DoesNotApply,
}

impl Check {
    /// What the last of these searches did instead; `None` if the condition is met, or there is no search. The consequence decides
    /// whether waits for a CPU count.
    pub(crate) fn unmet(&self, searches: &[SearchOutput], consequence: Consequence) -> Option<String> {
        let search = searches.last()?;
        let best = || search.best_word().unwrap_or_default();
        match self {
            Self::Best(moves) if moves.iter().any(|mv| mv == best()) => None,
            Self::Best(moves) => Some(format!("it plays `{}`, which is not {}", best(), moves.join(" or "))),
            Self::TakesAtMost(most) => (search.own_time() > *most).then(|| {
                let (took, most) = (to_hundredths(search.own_time()), to_hundredths(*most));
                format!("its move takes {took}, more than {most}")
            }),
            Self::TakesAtLeast(least) => too_short(search, *least, consequence),
            Self::TakeInAll(most) => too_long_in_all(searches, *most),
            Self::Mate(moves) => {
                let expected = MateDistance::from_moves(*moves).map(Score::Mate);
                let score = search.last_score()?;
                (Some(score) != expected)
                    .then(|| format!("it reports `score {score}` instead of `score mate {moves}`"))
            }
            Self::MateAtLeast(moves) => {
                let Score::Mate(mate) = search.last_score()? else { return None };
                let is_shorter = mate.moves().signum() != moves.signum() || mate.moves().abs() < moves.abs();
                is_shorter.then(|| {
                    format!("it reports `score mate {}`, and the shortest mate is {moves}", mate.moves())
                })
            }
            Self::NoMate => {
                let score = search.last_score().filter(|score| matches!(score, Score::Mate(_)))?;
                Some(format!("it reports `score {score}` where no mate is possible"))
            }
            Self::Wdl(expected) => unmet_wdl(search, *expected),
            Self::DepthAtMost(most) => too_large("depth", search.deepest(), *most),
            Self::DepthAtLeast(least) => too_small("depth", search.deepest(), *least),
            Self::SeldepthAtMost(most) => too_large("seldepth", search.selective_depth(), *most),
            Self::SeldepthAtLeast(least) => {
                too_small("seldepth", Some(search.selective_depth().unwrap_or_default()), *least)
            }
            Self::HashfullAtLeast(least) => too_small("hashfull", search.fullest(), *least),
            Self::NodesAtMost(most) => {
                let nodes = search.nodes().filter(|nodes| nodes > most)?;
                Some(format!("it reports {nodes} nodes, more than {most}"))
            }
            Self::NodesAtLeast(least) => {
                let nodes = search.nodes().filter(|nodes| nodes < least)?;
                Some(format!("it reports {nodes} nodes, fewer than {least}"))
            }
            Self::NodesAtMostPercent { percent, pairs } => too_many_nodes(searches, *percent, *pairs),
            Self::NodesAtMostPercentInAll { percent, pairs } => too_many_in_all(searches, *percent, *pairs),
            Self::NodesAtMostPercentMore { points, last, first } => {
                too_many_more_nodes(searches, *points, *last, *first)
            }
            Self::PvWithin(most) => search.first_pv().is_none_or(|first| first > *most).then(|| {
                let most = to_hundredths(*most);
                format!("it shows no principal variation within {most}")
            }),
            Self::LinesWithin(most) => {
                let (line, held_back) = search.latest_line().filter(|(_, held_back)| held_back > most)?;
                Some(format!("`{line}` comes {} after its `time`", to_hundredths(held_back)))
            }
        }
    }
}

/// What a search took, if less than this.
fn too_short(search: &SearchOutput, least: Duration, consequence: Consequence) -> Option<String> {
    let took = match consequence {
        // An engine plans its time by the wall clock, so a wait for a CPU shortens what it takes itself.
        Consequence::Fails => search.elapsed(),
        Consequence::DoesNotApply => search.own_time(),
    };
    (took < least).then(|| {
        let (took, least) = (to_hundredths(took), to_hundredths(least));
        format!("its move takes {took}, less than {least}")
    })
}

/// The largest number that was reported, if more than this.
fn too_large(name: &str, found: Option<u16>, most: u16) -> Option<String> {
    let found = found.filter(|&found| found > most)?;
    Some(format!("it reports {name} {found}, more than {most}"))
}

/// The largest number that was reported, if less than this.
fn too_small(name: &str, found: Option<u16>, least: u16) -> Option<String> {
    let found = found.filter(|&found| found < least)?;
    Some(format!("it reports no {name} above {found}; {least} is expected"))
}

/// What all searches took together, if more than this.
fn too_long_in_all(searches: &[SearchOutput], most: Duration) -> Option<String> {
    // An engine plans its time by the wall clock, so waits for a CPU hardly lengthen a search.
    let took: Duration = searches.iter().map(SearchOutput::elapsed).sum();
    (took > most).then(|| {
        let (took, most) = (to_hundredths(took), to_hundredths(most));
        format!("its {} moves take {took} in all, more than {most}", searches.len())
    })
}

/// What a search claims instead of chances that favour this side.
fn unmet_wdl(search: &SearchOutput, expected: Ordering) -> Option<String> {
    let Some(claim) = search.last_wdl() else {
        return Some("it shows no `wdl` of three numbers that sum to 1000".to_owned());
    };
    let (win, draw, loss) = (claim.win(), claim.draw(), claim.loss());
    let likely = if expected == Ordering::Greater { "win" } else { "loss" };
    (win.cmp(&loss) != expected).then(|| {
        format!("it claims `wdl {win} {draw} {loss}`, where a {likely} of the side to move is likelier")
    })
}

/// What the last of these searches did, if in each of the last pairs the second has more than this share of the nodes of the
/// first.
fn too_many_nodes(searches: &[SearchOutput], percent: u64, pairs: usize) -> Option<String> {
    let exceeds = |pair: &[SearchOutput]| {
        let (of, nodes) = (pair[0].nodes()?, pair[1].nodes()?);
        (nodes.saturating_mul(100) > of.saturating_mul(percent)).then(|| {
            format!("it searches {nodes} nodes after {of} for the same search, more than {percent} %")
        })
    };
    // One pair within the share, or without counts of nodes, meets the condition for all.
    let all: Option<Vec<String>> = searches.rchunks_exact(2).take(pairs).map(exceeds).collect();
    all?.into_iter().next()
}

/// The share of nodes in the last pairs, if it is more than this.
fn too_many_in_all(searches: &[SearchOutput], percent: u64, pairs: usize) -> Option<String> {
    let share = share_of_last(searches, pairs).filter(|&share| share > percent)?;
    let what = "the second searches of pairs take";
    Some(format!("{what} {share} % of the nodes of the first ones, more than {percent} %"))
}

/// The shares of nodes in the last pairs and in the first ones, if they differ by more than this many points.
fn too_many_more_nodes(searches: &[SearchOutput], points: u64, last: usize, first: usize) -> Option<String> {
    let before = share_of_nodes(searches.get(..2 * first)?)?;
    let share = share_of_last(searches, last)?;
    (share > before + points).then(|| {
        format!("repeated searches take {share} % of the nodes of the first ones, and took {before} % at the beginning")
    })
}

/// The share in the last pairs.
fn share_of_last(searches: &[SearchOutput], pairs: usize) -> Option<u64> {
    share_of_nodes(&searches[searches.len().checked_sub(2 * pairs)?..])
}

/// The share of nodes that the second searches of these pairs report, of those of the first, in per cent.
fn share_of_nodes(pairs: &[SearchOutput]) -> Option<u64> {
    let sum =
        |offset: usize| pairs.iter().skip(offset).step_by(2).map(SearchOutput::nodes).sum::<Option<u64>>();
    (100 * sum(1)?).checked_div(sum(0)?)
}
