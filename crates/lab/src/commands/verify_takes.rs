//! `verify-statistics --takes`: simulates the published table of several takes, on several threads.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use threefold::exit::Exit;
use threefold::output::tables::table;
use threefold::streams;
use threefold_stats::Risks;
use threefold_stats::interval::Interval;
use threefold_stats::planning::takes::TakesCounts;
use threefold_stats::planning::takes_table::{SimulatedRow, TAKES_TABLE, TakesRow};
use threefold_stats::planning::verification::ClaimStandard;
use threefold_stats::takes::Guarantee;

/// Runs of one row that a thread takes at a time.
const SHARE: u64 = 10;

/// With this number of runs, an error rate of 4 % has an interval below 5 %.
const ENOUGH: u64 = 10_000;

/// Simulates all rows and prints them with the published figures.
pub(super) fn run(runs: u64, seed: u64, threads: NonZeroUsize) -> anyhow::Result<Exit> {
    let found = simulate(runs, seed, threads);
    let rows = TAKES_TABLE.iter().zip(&found).map(|(row, found)| cells(row, found));
    let columns = [
        "true nElo",
        "games to the end",
        "some passes",
        "family: share",
        "some passes",
        "null passes",
        "each: share",
        "some passes",
        "null passes",
    ];
    streams::result(&format!(
        "Several takes, [0, 5] nElo, {runs} runs each, seed {seed}; the published figure in brackets:\n{}",
        table(&columns, rows)
    ))?;
    // Few runs cannot show that the limit is kept, only that it is not.
    let standard = if runs < ENOUGH { ClaimStandard::NotRefuted } else { ClaimStandard::Shown };
    let mut is_as_published = true;
    for (row, found) in TAKES_TABLE.iter().zip(&found) {
        let differences = row.differences(found);
        // The interval of the counted passes is too wide to show a level that is just below the limit.
        let precise = row.level(Guarantee::Family, seed, runs);
        let is_kept = match precise {
            Some(level) if standard == ClaimStandard::Shown => level.high <= Risks::USUAL.alpha,
            _ => row.keeps_the_level(found, standard),
        };
        let percent = |level: Interval| format!("{:.2} to {:.2} %", 100.0 * level.low, 100.0 * level.high);
        let by_ratios = precise.map(|level| format!(", by likelihood ratios {}", percent(level)));
        let level =
            format!("99.9 % interval {}{}", percent(found.null_interval()), by_ratios.unwrap_or_default());
        let kept = if is_kept { "as claimed" } else { "NOT as claimed" };
        streams::result(&format!("{:?}: a take passes for which H0 is true: {level}, {kept}", row.truths))?;
        for line in &differences {
            streams::result(&format!("{:?}: DIFFERS: {line}", row.truths))?;
        }
        is_as_published &= differences.is_empty() && is_kept;
    }
    Ok(if is_as_published { Exit::Fine } else { Exit::Worse })
}

/// Distributes the runs of all rows over threads; the sums do not depend on the assignment.
fn simulate(runs: u64, seed: u64, threads: NonZeroUsize) -> Vec<SimulatedRow> {
    let shares = runs.div_ceil(SHARE);
    let all = shares * TAKES_TABLE.len() as u64;
    let sums = Mutex::new(vec![SimulatedRow::default(); TAKES_TABLE.len()]);
    let (taken, bar) = (AtomicU64::new(0), progress(all));
    let work = || {
        loop {
            let share = taken.fetch_add(1, Ordering::Relaxed);
            if all <= share {
                break;
            }
            let (index, part) = ((share / shares) as usize, share % shares);
            let first = part * SHARE;
            let found = TAKES_TABLE[index].run(seed, first..runs.min(first + SHARE));
            sums.lock().expect("no thread panics while it adds")[index].add(found);
            bar.inc(1);
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(work);
        }
    });
    bar.finish_and_clear();
    sums.into_inner().expect("no thread panics while it adds")
}

/// A progress bar; hidden without a terminal.
pub(super) fn progress(all: u64) -> ProgressBar {
    if !Term::stderr().is_term() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("verifying {bar:32.cyan/dim} {percent:>3} % {elapsed:>4}");
    bar.with_style(style.expect("the template is ours"))
}

fn cells(row: &TakesRow, found: &SimulatedRow) -> Vec<String> {
    let share = |part: u64, counts: &TakesCounts| part as f64 / counts.runs as f64;
    let both = |found: f64, published: f64| format!("{found:.3} ({published})");
    let truths: Vec<String> = row.truths.iter().map(ToString::to_string).collect();
    let (games, some) = row.to_the_end;
    let end = &found.to_the_end;
    let mut cells = vec![
        truths.join(" "),
        format!("{:.0} ({games})", end.mean_games()),
        both(share(end.some_passed, end), some),
    ];
    for (guarantee, published) in [(Guarantee::Family, row.family), (Guarantee::Each, row.each)] {
        let counts = found.of(guarantee);
        let figures =
            [found.share(guarantee), share(counts.some_passed, counts), share(counts.null_passed, counts)];
        cells.extend(figures.iter().zip(published).map(|(&found, published)| both(found, published)));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_table_does_not_depend_on_the_number_of_threads() {
        let [one, three] = [1, 3].map(|threads| simulate(2, 4, NonZeroUsize::new(threads).expect("some")));
        assert_eq!(one, three);
        assert_eq!(cells(&TAKES_TABLE[0], &one[0]).len(), 9);
    }
}
