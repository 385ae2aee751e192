//! Several runs at once: priorities and shares, with running workers.

use std::thread;
use std::time::Duration;

use crate::processes::{self, Fleet};

/// Games of about a tenth of a second each, more than a test has time for.
fn command(title: &str, options: &str) -> String {
    format!(
        "{options} match --engine echo,name={title},Hash=1 --engine echo,name=Base,Hash=1 --nodes 2000 --games 20000 \
         --maxmoves 40 -j 1 --run run.sqlite --out out"
    )
}

/// The jobs that a run has done, as `fleet status` lists them.
fn done(fleet: &Fleet, title: &str) -> u64 {
    let status = fleet.locally("here", &format!("fleet status --nats {}", fleet.url()));
    let line = status.text.lines().find(|line| line.contains(title)).unwrap_or_default();
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    cells.get(4).and_then(|cell| cell.parse().ok()).unwrap_or(0)
}

/// Waits until a run has done a number of jobs.
fn wait_for(fleet: &Fleet, title: &str, jobs: u64) {
    for _ in 0..300 {
        if done(fleet, title) >= jobs {
            return;
        }
        thread::sleep(Duration::from_millis(200));
    }
    panic!("{title} does not go on: {}", fleet.text("workers.log"));
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn higher_priority_goes_first_and_shares_divide_the_time() {
    if !processes::is_there() {
        return;
    }
    let mut fleet = Fleet::new();
    let one = fleet.submit("one", &command("One", "--share 1"));
    let three = fleet.submit("three", &command("Three", "--share 3"));
    wait_for(&fleet, "One", 0);
    fleet.start_worker("");
    let both = || [done(&fleet, "One"), done(&fleet, "Three")];
    wait_for(&fleet, "One", 1);
    wait_for(&fleet, "Three", 1);
    // Slices of ten seconds: one and three of them. Seconds are counted, because the machine may be busy with
    // other things.
    let (mut before, mut seconds) = (both(), [0.0; 2]);
    for _ in 0..40 {
        thread::sleep(Duration::from_secs(1));
        let now = both();
        (0..2).filter(|&run| now[run] > before[run]).for_each(|run| seconds[run] += 1.0);
        before = now;
    }
    let share = seconds[1] / (seconds[0] + seconds[1]);
    assert!((0.6..=0.9).contains(&share), "{seconds:?}: {share}");

    let urgent = fleet.submit("urgent", &command("Urgent", "--priority 1"));
    wait_for(&fleet, "Urgent", 20);
    let begun = both();
    thread::sleep(Duration::from_secs(15));
    assert_eq!(both(), begun, "the others wait");
    urgent.interrupt();
    assert_eq!(urgent.wait().code, Some(130));
    wait_for(&fleet, "Three", begun[1] + 1);
    for run in [one, three] {
        run.interrupt();
        assert_eq!(run.wait().code, Some(130));
    }
}
