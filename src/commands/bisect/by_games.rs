//! Bisecting by games: pairs of each commit against the good one, until one commit has the probability 95 %.

use std::collections::BTreeMap;

use super::answer::{self, Answer, Finding, builds};
use super::games::{self, GameQuestion};
use super::tester::{CommitTester, Tested};
use super::{BisectArgs, Input};
use crate::exit::Exit;
use crate::session::commit_builds::CommitBuilds;
use threefold_player::EngineSpec;
use threefold_report::format::{count, grouped};
use threefold_report::words::rerun::shell_word;
use threefold_run::RunRecord;
use threefold_stats::Pentanomial;
use threefold_stats::bisection::strength::{CERTAIN, DROPS};
use threefold_stats::bisection::{StrengthBisection, StrengthStep, Testable};
use threefold_stats::elo::{self, Normalized};

/// Bisects, and prints the answer.
pub(super) fn run(input: &Input<'_>, builds: CommitBuilds) -> anyhow::Result<Exit> {
    let question = GameQuestion::choose(input)?;
    let drops = input.args.drop.map_or_else(|| DROPS.to_vec(), |drop| vec![Normalized(drop)]);
    let text = format!("{}\n{drops:?}\n{}\n{}", input.identity(), input.args.batch, question.text());
    let mut tester = CommitTester::open(input.args, &input.commits, builds, &text)?;
    let good = match tester.engine(0)? {
        Tested::Done(engine) => engine,
        Tested::Skipped(why) => anyhow::bail!("GOOD {}: {why}", input.commits.short(0)),
        Tested::Interrupted => return Ok(Exit::Interrupted),
    };
    let mut played = pairs_of_journals(&tester)?;
    loop {
        let bisection = bisection(&tester, &drops, &played)?;
        let playing = tester.file.state.playing.clone();
        let playing =
            (0..=input.commits.bad()).find(|&it| Some(input.commits.hash(it)) == playing.as_deref());
        let has_games_left = bisection.all_pairs() * 2 < input.args.games as u64;
        let commit = match bisection.next_step(&testable(&tester), playing) {
            StrengthStep::Play(commit) if has_games_left => commit,
            // The list of commits has a meaning only if there is a loss.
            StrengthStep::Play(_) | StrengthStep::UsedUp if bisection.bad_is_weaker() < CERTAIN => {
                let remedy =
                    if has_games_left { "give --openings with more positions" } else { "give more --games" };
                anyhow::bail!(
                    "BAD {} is not shown to be weaker than GOOD {}: the probability is {:.0} %, {}; {remedy}",
                    input.commits.short(input.commits.bad()),
                    input.commits.short(0),
                    100.0 * bisection.bad_is_weaker(),
                    after(input, &question, &bisection),
                );
            }
            StrengthStep::Play(_) => return finish(input, &tester, &bisection, undecided(&bisection)),
            StrengthStep::Found { commits, probability } => {
                let finding = match commits[..] {
                    [commit] => Finding::commit(commit, Some(probability)),
                    _ => Finding::any_of(commits, Some(probability)),
                };
                return finish(input, &tester, &bisection, finding);
            }
            StrengthStep::NotWeaker(probability) => anyhow::bail!(
                "BAD {} is as strong as GOOD {} with a probability of {:.0} %, {}; there is nothing to find",
                input.commits.short(input.commits.bad()),
                input.commits.short(0),
                100.0 * probability,
                after(input, &question, &bisection),
            ),
            StrengthStep::UsedUp => {
                tester.inform("the openings are used up: further games only repeat earlier ones");
                return finish(input, &tester, &bisection, undecided(&bisection));
            }
        };
        if !play(&mut tester, &question, commit, &good, &mut played)? {
            return Ok(Exit::Interrupted);
        }
        if played.contains_key(&commit) {
            show(&tester, &self::bisection(&tester, &drops, &played)?, commit);
        }
    }
}

/// The most probable commits, where no single one is certain.
fn undecided(bisection: &StrengthBisection<'_>) -> Finding {
    Finding::any_of(likely(&bisection.posterior(), CERTAIN), Some(CERTAIN))
}

/// `after 16 pairs at nodes=5000: -12.3 ± 8.1 normalized Elo`, the result of BAD
fn after(input: &Input<'_>, question: &GameQuestion, bisection: &StrengthBisection<'_>) -> String {
    let pairs = bisection.pairs(input.commits.bad());
    format!("after {} at {}: {}", count(pairs.trials() as usize, "pair"), question.limits(), strength(&pairs))
}

/// The pairs of each commit against the good one.
type Played = BTreeMap<usize, Pentanomial>;

/// Plays a batch; was it not interrupted?
fn play(
    tester: &mut CommitTester<'_>,
    question: &GameQuestion,
    commit: usize,
    good: &EngineSpec,
    played: &mut Played,
) -> anyhow::Result<bool> {
    match question.play(tester, commit, good)? {
        Tested::Done(counted) => {
            let before = played.insert(commit, counted).unwrap_or_default();
            // `record` below writes this, too: a continued bisection plays this commit while it is undecided.
            tester.file.state.playing = Some(tester.commits.hash(commit).to_owned());
            // A batch without a new distinct pair shows that the openings are used up.
            let is_used_up = counted.trials() <= before.trials();
            tester.record(commit, |known| known.is_used_up = is_used_up)?;
        }
        Tested::Skipped(why) => {
            anyhow::ensure!(commit != tester.commits.bad(), "BAD {}: {why}", tester.commits.short(commit));
            // Its earlier pairs do not count any more; `pairs_of_journals` leaves them out, too.
            played.remove(&commit);
        }
        Tested::Interrupted => return Ok(false),
    }
    Ok(true)
}

/// The pairs of all journals. A batch counts when it is finished.
fn pairs_of_journals(tester: &CommitTester<'_>) -> anyhow::Result<Played> {
    let mut played = Played::new();
    for commit in 1..=tester.commits.bad() {
        let pairs = games::finished_pairs(&tester.file.journal(tester.commits.hash(commit)))?;
        if let (Some(pairs), None) = (pairs, tester.known(commit).skipped) {
            played.insert(commit, pairs);
        }
    }
    Ok(played)
}

/// The bisection with these pairs.
fn bisection<'c>(
    tester: &CommitTester<'c>,
    drops: &[Normalized],
    played: &Played,
) -> anyhow::Result<StrengthBisection<'c>> {
    let commits = tester.commits;
    let mut bisection = StrengthBisection::new(commits.history(), &tester.equal(), drops.to_vec());
    anyhow::ensure!(
        !bisection.suspects().is_empty(),
        "GOOD {} and BAD {}, and all commits between them, have the same node count of `bench`: they play the same; \
         --ignore-bench plays them all the same",
        commits.short(0),
        commits.short(commits.bad())
    );
    for (&commit, &pairs) in played {
        bisection.set(commit, pairs);
    }
    Ok(bisection)
}

/// What can be done with each commit.
fn testable(tester: &CommitTester<'_>) -> Vec<Testable> {
    let of = |commit| {
        let known = tester.known(commit);
        if known.skipped.is_some() {
            Testable::No
        } else if known.is_used_up {
            Testable::UsedUp
        } else {
            Testable::Yes
        }
    };
    (0..=tester.commits.bad()).map(of).collect()
}

/// Prints a line about the commit that was played.
fn show(tester: &CommitTester<'_>, bisection: &StrengthBisection<'_>, commit: usize) {
    let posterior = bisection.posterior();
    let (short, pairs) = (tester.commits.short(commit), bisection.pairs(commit));
    let is_first = bisection.bad_is_weaker() < CERTAIN;
    let chance = if is_first { bisection.bad_is_weaker() } else { bisection.is_bad(commit, &posterior) };
    let left = likely(&posterior, CERTAIN).len();
    let rest = if is_first {
        String::new()
    } else {
        format!("; {} left at 95 %, about {}", count(left, "commit"), builds(left))
    };
    tester.inform(&format!(
        "{short} {}, {}: bad with {:.0} %{rest}",
        count(pairs.trials() as usize, "pair"),
        strength(&pairs),
        100.0 * chance
    ));
}

/// Normalized Elo beyond this has no meaning: nearly all pairs ended alike, so their spread is not known.
const MOST_ELO: f64 = 1_000.0;

/// `-12.3 ± 8.1 normalized Elo`, or `12.5 % of the points`
fn strength(pairs: &Pentanomial) -> String {
    match elo::normalized(pairs) {
        None => "no pairs".to_owned(),
        Some(elo) if elo.value.0.abs() > MOST_ELO => {
            format!("{:.1} % of the points", 100.0 * pairs.points() / pairs.games() as f64)
        }
        Some(elo) => format!("{:+.1} ± {:.1} normalized Elo", elo.value.0, (elo.high.0 - elo.low.0) / 2.0),
    }
}

/// The most probable commits that have this probability together, in their order.
fn likely(posterior: &[f64], share: f64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..posterior.len()).filter(|&commit| posterior[commit] > 0.0).collect();
    order.sort_by(|&one, &other| posterior[other].total_cmp(&posterior[one]));
    let mut sum = 0.0;
    let mut likely: Vec<usize> = order
        .into_iter()
        .take_while(|&commit| {
            let is_needed = sum < share;
            sum += posterior[commit];
            is_needed
        })
        .collect();
    likely.sort_unstable();
    likely
}

/// Prints the answer.
fn finish(
    input: &Input<'_>,
    tester: &CommitTester<'_>,
    bisection: &StrengthBisection<'_>,
    finding: Finding,
) -> anyhow::Result<Exit> {
    let posterior = bisection.posterior();
    let mut evidence = Vec::new();
    let mut again = Vec::new();
    for commit in 1..=input.commits.bad() {
        let pairs = bisection.pairs(commit);
        if pairs.trials() == 0 {
            continue;
        }
        evidence.push(format!(
            "{} {} {:?}, {}, bad with {:.0} %",
            input.commits.short(commit),
            count(pairs.trials() as usize, "pair"),
            pairs.counts,
            strength(&pairs),
            100.0 * bisection.is_bad(commit, &posterior)
        ));
    }
    if let &[commit] = &finding.commits[..] {
        let file = tester.file.journal(input.commits.hash(commit));
        if file.exists() {
            again.push(format!("threefold report {} --out DIR", shell_word(&file.display().to_string())));
            again.extend(sprt(input.args, &RunRecord::read(&file)?));
        }
    }
    let games = 2 * bisection.all_pairs();
    let extra = vec![format!("{} games", grouped(games))];
    answer::print(input, tester, &Answer { finding, evidence, again, extra })
}

/// The command that tests the commit against the good one, with the limits of the command line.
fn sprt(args: &BisectArgs, run: &RunRecord) -> Option<String> {
    let limits = [
        args.tc.as_ref().map(|tc| format!("--tc {tc}")),
        args.st.as_ref().map(|st| format!("--st {st}")),
        args.nodes.map(|nodes| format!("--nodes {nodes}")),
        args.depth.map(|depth| format!("--depth {depth}")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    let engines = run.spec().parts.first()?.task.engines();
    let engines: Vec<String> =
        engines.iter().map(|engine| format!("--engine {}", shell_word(&engine.text))).collect();
    let drop = args.drop.unwrap_or(DROPS[0].0);
    (!limits.is_empty())
        .then(|| format!("threefold sprt {} {} --elo0 -{drop} --elo1 0", engines.join(" "), limits.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_are_all_lost_have_no_elo() {
        let text = |counts| strength(&Pentanomial { counts });
        assert_eq!(text([0; 5]), "no pairs");
        assert_eq!(text([20, 0, 0, 0, 0]), "0.0 % of the points");
        assert_eq!(text([18, 2, 0, 0, 0]), "2.5 % of the points");
        assert!(text([10, 20, 40, 20, 10]).starts_with("+0.0 ± "), "{}", text([10, 20, 40, 20, 10]));
    }
}
