//! Bounded runs in which processes are killed, cut off, and messages come twice: no pair is lost or counted
//! twice.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use nix::sys::signal::Signal;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rusqlite::Connection;

use crate::processes::{self, Ended, Fleet, Submitted};
use crate::proxy::Proxy;
use crate::raw_client::RawClient;

const GAMES: usize = 60;
const COMMAND: &str = "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1,RepetitionPolicy=HistoryDraw \
    --tc 1+0.01 --clock virtual:20000 --games 60 --maxmoves 60 -j 2 --run run.sqlite --out out";

/// The results of all games in order, as the journal has them.
fn results(fleet: &Fleet, folder: &str) -> Vec<(usize, String)> {
    let db = Connection::open(fleet.path(folder).join("run.sqlite")).expect("a journal");
    let mut select = db.prepare("SELECT job, found FROM finding ORDER BY job").expect("a journal");
    let rows = select.query_map([], |row| Ok((row.get::<_, u32>(0)? as usize, row.get(1)?)));
    rows.expect("a journal").collect::<Result<_, _>>().expect("sound")
}

/// Waits until a worker sends results.
fn wait_for_a_result(fleet: &Fleet) {
    let mut client = RawClient::connect(fleet.port());
    client.subscribe("threefold.results.*");
    let found = (0..600).any(|_| client.next().is_some());
    assert!(found, "no result: {}\n{}", fleet.text("fleet/log"), fleet.text("workers.log"));
}

/// Waits until the coordinator has said this.
fn wait_for_text(fleet: &Fleet, text: &str) {
    for _ in 0..1_200 {
        if fleet.text("fleet/log").contains(text) {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("no `{text}`: {}\n{}", fleet.text("fleet/log"), fleet.text("workers.log"));
}

/// The run without trouble.
fn expected(fleet: &Fleet) -> Vec<(usize, String)> {
    let here = fleet.locally("here", COMMAND);
    assert_eq!(here.code, Some(0), "{}", here.text);
    let results = results(fleet, "here");
    assert!(results.iter().map(|(job, _)| *job).eq(0..GAMES));
    results
}

/// What is done to a run.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    /// Workers are killed at random times, and others take their place.
    Workers,
    /// The server is killed and started again.
    Server,
    /// The coordinator is killed and resumed.
    Coordinator,
    /// The coordinator is interrupted by Ctrl-C and resumed.
    Interruption,
    /// Each job and each result is delivered twice.
    Twice,
}

impl Trouble {
    const ALL: [Self; 5] = [Self::Workers, Self::Server, Self::Coordinator, Self::Interruption, Self::Twice];
}

/// Delivers each message once more.
fn repeat_messages(port: u16, is_over: &AtomicBool) -> usize {
    let mut client = RawClient::connect(port);
    client.subscribe("threefold.jobs.*");
    let mut results = RawClient::connect(port);
    results.subscribe("threefold.results.*");
    let (mut seen, mut repeated) = (std::collections::BTreeSet::new(), 0);
    while !is_over.load(Ordering::Relaxed) {
        for client in [&mut client, &mut results] {
            if let Some((subject, payload)) = client.next()
                && seen.insert((subject.clone(), payload.clone()))
            {
                client.publish(&subject, &payload);
                repeated += 1;
            }
        }
    }
    repeated
}

fn resume(fleet: &Fleet) -> Submitted {
    fleet.submit("fleet", "resume run.sqlite")
}

fn suffer(fleet: &mut Fleet, trouble: Trouble, rng: &mut ChaCha8Rng) -> Ended {
    let mut pause = |most: u32| thread::sleep(Duration::from_millis(u64::from(rng.next_u32() % most)));
    let mut submitted = fleet.submit("fleet", COMMAND);
    match trouble {
        Trouble::Workers => {
            for victim in 0..4 {
                pause(900);
                fleet.start_worker("");
                fleet.kill_worker(victim);
            }
            submitted.wait()
        }
        Trouble::Server => {
            pause(2_000);
            fleet.kill_server();
            pause(700);
            fleet.start_server();
            submitted.wait()
        }
        Trouble::Coordinator => {
            for _ in 0..2 {
                // Without a journal there would be nothing to resume.
                while !fleet.path("fleet/run.sqlite").exists() {
                    thread::sleep(Duration::from_millis(20));
                }
                pause(1_500);
                if submitted.has_ended() {
                    break;
                }
                submitted.kill();
                submitted = resume(fleet);
            }
            submitted.wait()
        }
        Trouble::Interruption => {
            while !fleet.path("fleet/run.sqlite").exists() {
                thread::sleep(Duration::from_millis(20));
            }
            pause(1_500);
            submitted.interrupt();
            let ended = submitted.wait();
            if ended.code == Some(130) { resume(fleet).wait() } else { ended }
        }
        Trouble::Twice => {
            let is_over = AtomicBool::new(false);
            let port = fleet.port();
            thread::scope(|scope| {
                let repeater = scope.spawn(|| repeat_messages(port, &is_over));
                let ended = submitted.wait();
                is_over.store(true, Ordering::Relaxed);
                assert!(repeater.join().expect("no panic") > 20);
                ended
            })
        }
    }
}

#[test]
fn killed_workers_lose_no_pair() {
    check_run(Trouble::Workers, 0);
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn killed_server_loses_no_pair() {
    check_run(Trouble::Server, 1);
}

#[test]
fn killed_coordinator_loses_no_pair() {
    check_run(Trouble::Coordinator, 2);
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn interrupted_coordinator_loses_no_pair() {
    check_run(Trouble::Interruption, 3);
}

#[test]
fn messages_that_come_twice_count_once() {
    check_run(Trouble::Twice, 4);
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn no_pair_is_lost_or_counted_twice_in_many_runs() {
    let troubles = Trouble::ALL.iter().cycle().take(20);
    for (seed, &trouble) in (5..).zip(troubles) {
        check_run(trouble, seed);
    }
}

/// A run with trouble has the results of a run without.
fn check_run(trouble: Trouble, seed: u64) {
    if !processes::is_there() {
        return;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut fleet = Fleet::new();
    let expected = expected(&fleet);
    for _ in 0..2 {
        fleet.start_worker("");
    }
    let ended = suffer(&mut fleet, trouble, &mut rng);
    let log = fleet.text("workers.log");
    assert_eq!(ended.code, Some(0), "seed {seed}, {trouble:?}: {}\n{log}", ended.text);
    assert!(results(&fleet, "fleet") == expected, "seed {seed}, {trouble:?}: other results");
}

#[test]
#[ignore = "waits for 20 seconds; `.ci/long` runs it"]
fn server_that_is_away_or_loses_its_data_is_waited_for() {
    if !processes::is_there() {
        return;
    }
    let mut fleet = Fleet::new();
    let expected = expected(&fleet);
    fleet.start_worker("");
    let submitted = fleet.submit("fleet", COMMAND);
    wait_for_a_result(&fleet);
    fleet.kill_server();
    // Longer than any request may take.
    thread::sleep(Duration::from_secs(20));
    fleet.start_server();
    wait_for_text(&fleet, "answers again");
    fleet.kill_server();
    fs::remove_dir_all(fleet.path("store")).expect("the data of the server");
    fleet.start_server();
    let ended = submitted.wait();
    let log = fleet.text("workers.log");
    assert_eq!(ended.code, Some(0), "{}\n{log}", ended.text);
    assert_eq!(results(&fleet, "fleet"), expected);
    for text in ["the NATS server does not answer", "answers again", "has lost the queue of this run"] {
        assert!(ended.text.contains(text), "`{text}` in {}", ended.text);
    }
    for text in ["the NATS server does not answer; waiting for it", "answers again"] {
        assert!(log.contains(text), "`{text}` in {log}");
    }
    assert!(log.lines().count() < 40, "few words: {log}");
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn jobs_that_vanish_are_queued_again() {
    if !processes::is_there() {
        return;
    }
    let mut fleet = Fleet::new();
    let expected = expected(&fleet);
    let submitted = fleet.submit("fleet", COMMAND);
    let mut client = RawClient::connect(fleet.port());
    client.subscribe("threefold.jobs.*");
    (0..100).find_map(|_| client.next()).expect("a job");
    // As a worker would do it that acknowledges without a result.
    thread::sleep(Duration::from_secs(1));
    RawClient::connect(fleet.port()).publish("$JS.API.STREAM.PURGE.threefold-jobs", b"");
    fleet.start_worker("");
    let ended = submitted.wait();
    assert_eq!(ended.code, Some(0), "{}", ended.text);
    assert!(ended.text.contains("jobs are neither queued nor done"), "{}", ended.text);
    assert_eq!(results(&fleet, "fleet"), expected);
}

#[test]
fn run_without_a_coordinator_can_be_removed() {
    if !processes::is_there() {
        return;
    }
    let fleet = Fleet::new();
    let submitted = fleet.submit("fleet", COMMAND);
    let mut client = RawClient::connect(fleet.port());
    client.subscribe("threefold.jobs.*");
    let (subject, _) = (0..100).find_map(|_| client.next()).expect("a job");
    let run = subject.rsplit('.').next().expect("a run");
    let remove = || fleet.locally("here", &format!("fleet remove --nats {} {run}", fleet.url()));
    let refused = remove();
    assert!(refused.code == Some(2) && refused.text.contains("is going on"), "{}", refused.text);
    submitted.kill();
    let removed = remove();
    assert!(removed.code == Some(0) && removed.text.contains("is removed"), "{}", removed.text);
    let status = fleet.locally("here", &format!("fleet status --nats {}", fleet.url()));
    assert!(status.text.contains("Runs: 0"), "{}", status.text);
    let unknown = remove();
    assert!(unknown.code == Some(2) && unknown.text.contains("has no run"), "{}", unknown.text);
}

#[test]
#[ignore = "waits for a minute; `.ci/long` runs it"]
fn worker_without_a_connection_is_replaced_and_comes_back() {
    if !processes::is_there() {
        return;
    }
    let mut fleet = Fleet::new();
    let expected = expected(&fleet);
    let proxy = Proxy::to(fleet.port());
    fleet.start_worker_at(&proxy.url(), "");
    let submitted = fleet.submit("fleet", COMMAND);
    wait_for_a_result(&fleet);
    proxy.cut();
    thread::sleep(Duration::from_mins(1));
    proxy.mend();
    // It alone finishes the run: the jobs that it had are given to it again.
    let ended = submitted.wait();
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.text, fleet.text("workers.log"));
    assert_eq!(results(&fleet, "fleet"), expected);
}

#[test]
#[ignore = "waits for 33 seconds; `.ci/long` runs it"]
fn worker_that_stands_still_is_replaced() {
    if !processes::is_there() {
        return;
    }
    let mut fleet = Fleet::new();
    let expected = expected(&fleet);
    let away = fleet.start_worker("");
    let submitted = fleet.submit("fleet", COMMAND);
    wait_for_a_result(&fleet);
    // It stands still with a job, comes back, and sends its result late.
    fleet.signal_worker(away, Signal::SIGSTOP);
    fleet.start_worker("");
    thread::sleep(Duration::from_secs(33));
    fleet.signal_worker(away, Signal::SIGCONT);
    let ended = submitted.wait();
    assert_eq!(ended.code, Some(0), "{}", ended.text);
    assert_eq!(results(&fleet, "fleet"), expected);
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn full_disk_at_the_coordinator_loses_nothing() {
    if !processes::is_there() {
        return;
    }
    let mut fleet = Fleet::new();
    let expected = expected(&fleet);
    fleet.start_worker("");
    fleet.start_worker("");
    // Files may have 600 KiB, and more is an error of the system, as on a full disk.
    let place = fleet.path("fleet");
    fs::create_dir_all(&place).expect("a writable folder");
    let script = format!(
        "trap '' XFSZ; ulimit -f 1200; exec {} fleet submit --nats {} {COMMAND}",
        env!("CARGO_BIN_EXE_threefold"),
        fleet.url()
    );
    let output = std::process::Command::new("sh").args(["-c", &script]).current_dir(&place).output();
    let output = output.expect("a shell");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("free some space, then `resume` it"), "{text}");
    let partial = results(&fleet, "fleet").len();
    assert!(partial < GAMES, "{partial}");
    let ended = resume(&fleet).wait();
    assert_eq!(ended.code, Some(0), "{}", ended.text);
    assert_eq!(results(&fleet, "fleet"), expected);
}
