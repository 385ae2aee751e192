//! Engines that are programs: a worker runs those that its owner allows, and no others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::processes::{self, Fleet};

const STOCKFISH: &str = "/usr/games/stockfish";

/// A server, if there is an engine to play with.
fn fleet() -> Option<Fleet> {
    let found = Path::new(STOCKFISH).exists();
    assert!(found || std::env::var_os("CI").is_none(), "{STOCKFISH} is not installed; CI needs it");
    if found && processes::is_there() { Some(Fleet::new()) } else { None }
}

fn command() -> String {
    command_of(Path::new(STOCKFISH))
}

fn command_of(engine: &Path) -> String {
    let engine = engine.display();
    format!(
        "match --engine {engine},name=A,Hash=1 --engine echo,name=B,Hash=1 --nodes 2000 --games 6 --maxmoves 30 -j 2 --out out"
    )
}

fn sha256(file: &Path) -> String {
    let output = Command::new("sha256sum").arg(file).output().expect("coreutils");
    String::from_utf8_lossy(&output.stdout).split_whitespace().next().expect("a hash").to_owned()
}

/// Waits until the status of the fleet has a text.
fn wait_for_status(fleet: &Fleet, wanted: &str) {
    let mut last = String::new();
    for _ in 0..300 {
        last = fleet.locally("here", &format!("fleet status --nats {}", fleet.url())).text;
        if last.contains(wanted) {
            return;
        }
        thread::sleep(Duration::from_millis(200));
    }
    panic!("no `{wanted}`: {last}\n{}", fleet.text("workers.log"));
}

/// The file of Stockfish in a worker's store.
fn stored(fleet: &Fleet, store: &str, hash: &str) -> PathBuf {
    fleet.path(store).join(hash).join("stockfish")
}

/// Is a process with this program running under seccomp?
fn is_confined(program: &Path) -> bool {
    let processes = fs::read_dir("/proc").expect("Linux").flatten();
    processes.into_iter().any(|process| {
        let status = fs::read_to_string(process.path().join("status")).unwrap_or_default();
        fs::read_link(process.path().join("exe")).is_ok_and(|exe| exe == program)
            && status.contains("Seccomp:\t2")
    })
}

#[test]
fn engine_runs_only_where_it_is_allowed() {
    let Some(mut fleet) = fleet() else { return };
    let hash = sha256(Path::new(STOCKFISH));
    // Only the coordinator has it, and only until its files are sent.
    let own = fleet.path("stockfish");
    fs::copy(STOCKFISH, &own).expect("space");
    let command = command_of(&own);
    let store = |fleet: &Fleet, name: &str| format!("--store {}", fleet.path(name).display());
    let options = store(&fleet, "store-a");
    fleet.start_worker(&options);
    let mut submitted = fleet.submit("fleet", &command);
    wait_for_status(&fleet, "is not allowed on this worker");
    assert!(!stored(&fleet, "store-a", &hash).exists(), "nothing is fetched before it is allowed");
    // The command says so, too, and not only the status.
    let is_shown = |_| {
        thread::sleep(Duration::from_millis(200));
        submitted.text().contains("no worker works for this run: w0: ")
    };
    assert!((0..300).any(is_shown), "{}", submitted.text());
    assert!(submitted.text().contains("is not allowed on this worker"), "{}", submitted.text());
    fs::remove_file(&own).expect("its owner");
    let options = format!("{} --allow-engine {hash}", store(&fleet, "store-b"));
    fleet.start_worker(&options);
    let program = stored(&fleet, "store-b", &hash);
    let mut was_confined = false;
    while !submitted.has_ended() {
        was_confined = was_confined || is_confined(&program);
        thread::sleep(Duration::from_millis(5));
    }
    let ended = submitted.wait();
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.text, fleet.text("workers.log"));
    assert!(was_confined || !cfg!(target_os = "linux"), "the engine has no limits");
    fs::copy(STOCKFISH, &own).expect("space");
    let here = fleet.locally("here", &command);
    assert_eq!(here.code, Some(0), "{}", here.text);
    let games = |folder: &str| fs::read(fleet.path(folder).join("out/games.pgn")).expect("games");
    assert!(games("fleet") == games("here"), "the same games as on one machine");
}

#[test]
fn changed_engine_is_not_run() {
    let Some(mut fleet) = fleet() else { return };
    let hash = sha256(Path::new(STOCKFISH));
    let with_store =
        |fleet: &Fleet, name: &str| format!("--store {} --allow-engine {hash}", fleet.path(name).display());
    let options = with_store(&fleet, "store-a");
    fleet.start_worker(&options);
    assert_eq!(fleet.submit("first", &command()).wait().code, Some(0), "{}", fleet.text("workers.log"));
    let file = stored(&fleet, "store-a", &hash);
    let mut bytes = fs::read(&file).expect("readable");
    *bytes.last_mut().expect("not empty") ^= 1;
    // The engine may still run, and then only its name can be given to another file.
    fs::remove_file(&file).expect("its owner");
    fs::write(&file, bytes).expect("writable");
    let submitted = fleet.submit("second", &command());
    wait_for_status(&fleet, "changed");
    assert!(!file.exists(), "it is removed");
    let options = with_store(&fleet, "store-b");
    fleet.start_worker(&options);
    let ended = submitted.wait();
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.text, fleet.text("workers.log"));
}

#[test]
fn signed_engine_runs_where_the_key_is_trusted() {
    // A key for this test alone.
    const SEED: &str = "SUAHLKX3QDT2B72TVULQ6CJBG6ER5X5VCBYZIRXY337MGVGGJWD7LZ6GQQ";
    const KEY: &str = "UDBZMA6XHUTWFMQKAMXJUABJIDCACMFE3NA3ESAPRUV63IZULB6SFB45";
    let Some(mut fleet) = fleet() else { return };
    fs::write(fleet.path("team.nk"), SEED).expect("writable");
    let signed =
        fleet.locally("here", &format!("fleet sign --key {} {STOCKFISH}", fleet.path("team.nk").display()));
    assert_eq!(signed.code, Some(0), "{}", signed.text);
    assert!(!signed.text.contains(SEED));
    fs::write(fleet.path("signatures"), signed.text).expect("writable");
    let options = format!("--store {} --trust-key {KEY}", fleet.path("store-a").display());
    fleet.start_worker(&options);
    let unsigned = fleet.submit("unsigned", &command());
    wait_for_status(&fleet, "is not allowed on this worker");
    unsigned.kill();
    let command = format!("--signatures {} {}", fleet.path("signatures").display(), command());
    let ended = fleet.submit("fleet", &command).wait();
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.text, fleet.text("workers.log"));
}
