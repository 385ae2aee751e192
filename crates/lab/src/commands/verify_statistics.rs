//! `verify-statistics`: checks every claimed error rate and coverage by simulation, on several threads.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::verify_takes::{self, progress};
use crate::args::VerifyStatisticsArgs;
use threefold::exit::Exit;
use threefold::output::tables::table;
use threefold::streams;
use threefold_stats::interval::Interval;
use threefold_stats::planning::exact_error::{ErrorLimit, ExactError, exact};
use threefold_stats::planning::simulation::Procedure;
use threefold_stats::planning::verification::{
    ClaimGroup, ClaimRuns, ClaimStandard, ClaimSubject, LONGEST, StatisticalClaim, VerificationSize, claims,
};

/// Runs of one claim that a thread takes at a time.
const SHARE: u64 = 200;

/// A claim and the result of its simulation.
struct Found {
    claim: StatisticalClaim,
    tried: ClaimRuns,
    /// For the e-value test, its length relative to the SPRT on the same pairs.
    length: Option<f64>,
}

impl Found {
    fn holds(&self) -> bool {
        let judged = self.claim.chapter == ClaimGroup::Errors;
        self.claim.holds(&self.tried) && self.length.is_none_or(|length| !judged || length <= LONGEST)
    }
}

/// Runs all simulations and prints the results.
pub fn run(args: &VerifyStatisticsArgs) -> anyhow::Result<Exit> {
    let VerifyStatisticsArgs { runs, seed, takes, jobs } = *args;
    if takes {
        return verify_takes::run(runs, seed, jobs.count());
    }
    let exact = exact();
    let found = run_claims(claims(VerificationSize::FULL), seed, runs, jobs.count());
    let VerificationSize { looks, .. } = VerificationSize::FULL;
    let chapters = [
        "Exact error rates of small tests, over all orders of results:".to_owned(),
        exact_table(&exact),
        format!("\nError rates at the hypotheses; {runs} runs each, seed {seed}, 99.9 % intervals:"),
        tests_table(&found, ClaimGroup::Errors),
        "\nError rates if the distribution of pairs changes during the test, with a constant mean:"
            .to_owned(),
        tests_table(&found, ClaimGroup::Changes),
        format!(
            "\n95 % intervals, checked after each of {looks} pairs: share of runs in which an interval ever misses the truth:"
        ),
        coverage_table(&found),
        "\nTests with a deadline at which the fixed test has a power of 80 %:".to_owned(),
        deadline_table(&found),
    ];
    streams::result(&chapters.join("\n"))?;
    let failed = exact.iter().filter(|exact| !exact.holds()).count()
        + found.iter().filter(|found| !found.holds()).count();
    let all = exact.len() + found.len();
    if failed == 0 {
        streams::result(&format!("\nAll {all} rows are as claimed."))?;
        Ok(Exit::Fine)
    } else {
        streams::result(&format!("\n{failed} of {all} rows are not as claimed."))?;
        Ok(Exit::Worse)
    }
}

/// Distributes the runs of all claims over threads; the sums do not depend on the assignment.
fn run_claims(claims: Vec<StatisticalClaim>, seed: u64, runs: u64, threads: NonZeroUsize) -> Vec<Found> {
    let shares = runs.div_ceil(SHARE);
    let all = shares * claims.len() as u64;
    let (taken, sums) = (AtomicU64::new(0), Mutex::new(vec![ClaimRuns::default(); claims.len()]));
    let bar = progress(all);
    let work = || {
        loop {
            let share = taken.fetch_add(1, Ordering::Relaxed);
            if all <= share {
                break;
            }
            let (index, part) = ((share / shares) as usize, share % shares);
            let first = part * SHARE;
            let tried = claims[index].run(VerificationSize::FULL, seed, first..runs.min(first + SHARE));
            sums.lock().expect("no thread panics while it adds")[index] += tried;
            bar.inc(1);
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(work);
        }
    });
    bar.finish_and_clear();
    let tried = sums.into_inner().expect("no thread panics while it adds");
    let lengths: Vec<Option<f64>> = claims.iter().map(|claim| length(claim, &claims, &tried)).collect();
    let found = claims.into_iter().zip(tried).zip(lengths);
    found.map(|((claim, tried), length)| Found { claim, tried, length }).collect()
}

fn length(claim: &StatisticalClaim, claims: &[StatisticalClaim], tried: &[ClaimRuns]) -> Option<f64> {
    let by = |claim: &StatisticalClaim, wanted| matches!(claim.subject, ClaimSubject::Test { procedure, .. } if procedure == wanted);
    let mean = |wanted| {
        let mut same_case = claims.iter().zip(tried).filter(|(other, _)| other.has_same_case(claim));
        same_case.find(|(other, _)| by(other, wanted)).map(|(_, tried)| tried.mean_pairs())
    };
    if !by(claim, Procedure::Betting) {
        return None;
    }
    Some(mean(Procedure::Betting)? / mean(Procedure::LikelihoodRatio)?)
}

fn exact_table(exact: &[ExactError]) -> String {
    let rows = exact.iter().map(|exact| {
        let (allowed, verdict) = match exact.demand {
            ErrorLimit::AtMost(most) => (format!("≤ {}", percent(most)), holds(exact.holds())),
            ErrorLimit::Above(least) => (format!("≤ {}", percent(least)), must_fail(exact.holds())),
            ErrorLimit::Shown => ("not claimed".to_owned(), "shown"),
        };
        vec![
            exact.rule.clone(),
            exact.distribution.to_owned(),
            exact.trials.clone(),
            precise_percent(exact.chance),
            allowed,
            verdict.to_owned(),
        ]
    });
    table(&["test", "distribution", "trials", "exact error rate", "claimed", ""], rows)
}

fn tests_table(found: &[Found], chapter: ClaimGroup) -> String {
    let rows = found.iter().filter(|found| found.claim.chapter == chapter).filter_map(|found| {
        let ClaimSubject::Test { test, procedure, truth } = &found.claim.subject else { return None };
        Some(vec![
            found.claim.pairs.clone(),
            format!("[{}, {}]", test.elo0(), test.elo1()),
            procedure.to_string(),
            truth.to_string(),
            rate(&found.tried),
            format!("≤ {}", percent(found.claim.allowed)),
            format!("{:.0}", found.tried.mean_pairs()),
            found.length.map_or_else(String::new, |length| format!("×{length:.2}")),
            verdict(found).to_owned(),
        ])
    });
    table(&["pairs", "bounds", "test", "truth", "errors", "claimed", "mean pairs", "", ""], rows)
}

fn coverage_table(found: &[Found]) -> String {
    let rows = found.iter().filter(|found| found.claim.chapter == ClaimGroup::Coverage).map(|found| {
        let interval = match found.claim.subject {
            ClaimSubject::Anytime => "anytime (mixture)",
            ClaimSubject::FixedLength | ClaimSubject::Test { .. } | ClaimSubject::Deadline { .. } => {
                "fixed-N (mean ± 1.96 standard errors)"
            }
        };
        vec![
            found.claim.pairs.clone(),
            interval.to_owned(),
            rate(&found.tried),
            format!("≤ {}", percent(found.claim.allowed)),
            verdict(found).to_owned(),
        ]
    });
    table(&["pairs", "interval", "ever missed", "claimed", ""], rows)
}

fn deadline_table(found: &[Found]) -> String {
    let rows = found.iter().filter_map(|found| {
        let ClaimSubject::Deadline { test, rate: counted } = &found.claim.subject else { return None };
        Some(vec![
            found.claim.pairs.clone(),
            test.hypotheses().to_string(),
            test.pairs().to_string(),
            counted.to_string(),
            rate(&found.tried),
            format!("≤ {}", percent(found.claim.allowed)),
            format!("{:.0}", found.tried.mean_pairs()),
            verdict(found).to_owned(),
        ])
    });
    table(&["pairs", "bounds", "deadline", "counted", "rate", "claimed", "mean pairs", ""], rows)
}

fn verdict(found: &Found) -> &'static str {
    match found.claim.standard {
        ClaimStandard::NotRefuted | ClaimStandard::Shown => holds(found.holds()),
        ClaimStandard::Refuted => must_fail(found.holds()),
    }
}

const fn holds(is_confirmed: bool) -> &'static str {
    if is_confirmed { "holds" } else { "FAILS" }
}

const fn must_fail(is_confirmed: bool) -> &'static str {
    if is_confirmed { "fails, as expected" } else { "HOLDS, unexpectedly" }
}

/// `4.90 % (4.41 to 5.42)`.
fn rate(tried: &ClaimRuns) -> String {
    let Interval { low, high } = tried.interval();
    let share = tried.errors().share().unwrap_or(f64::NAN);
    format!("{:.2} % ({:.2} to {:.2})", share * 100.0, low * 100.0, high * 100.0)
}

fn percent(share: f64) -> String {
    format!("{} %", share * 100.0)
}

/// Exact error rates may be small.
fn precise_percent(share: f64) -> String {
    if share < 1e-4 { format!("{:.1e} %", share * 100.0) } else { format!("{:.4} %", share * 100.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verification_tables_do_not_depend_on_the_number_of_threads() {
        let describe = |threads| {
            let mut claims = claims(VerificationSize::FULL);
            claims.retain(|claim| claim.chapter == ClaimGroup::Errors);
            let threads = NonZeroUsize::new(threads).expect("some");
            tests_table(&run_claims(claims, 4, 450, threads), ClaimGroup::Errors)
        };
        let one = describe(1);
        assert_eq!(one, describe(3));
        assert!(one.contains("holds") && one.contains("×1."), "{one}");
    }

    #[test]
    fn false_claim_is_reported() {
        let claim = |standard| {
            let mut claim = claims(VerificationSize::FULL).swap_remove(0);
            claim.standard = standard;
            claim
        };
        let table = [
            (ClaimStandard::NotRefuted, 90, None, "FAILS"),
            (ClaimStandard::NotRefuted, 50, Some(1.1), "holds"),
            (ClaimStandard::NotRefuted, 50, Some(1.4), "FAILS"),
            (ClaimStandard::Refuted, 90, None, "fails, as expected"),
            (ClaimStandard::Refuted, 50, None, "HOLDS, unexpectedly"),
        ];
        for (standard, errors, length, text) in table {
            let tried = ClaimRuns { runs: 1000, errors, pairs: 1000 };
            assert_eq!(
                verdict(&Found { claim: claim(standard), tried, length }),
                text,
                "{standard} {errors}"
            );
        }
    }
}
