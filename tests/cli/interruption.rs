//! Ctrl-C, `kill` and `kill -9` at moments that the test chooses, and what `resume` makes of it: the games of
//! an uninterrupted run, byte for byte, none lost and none played twice.
//!
//! The moments are exact on any machine: the engine under test hands everything on to Echo until it was asked
//! for so many moves, and then falls silent until it is ended.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use threefold_harness::run::{PartProgress, RunRecord};

use crate::room::{DEADLINE, Room, Said, THREEFOLD};

pub(crate) const GAMES: usize = 10;
/// Full moves of each game.
pub(crate) const MOVES: usize = 6;

/// Falls silent at what `at` matches, once it was there more often than the file `patience` says. Every game
/// it is told of leaves a line in `games`.
///
/// It is the same engine whatever it waits for: that stands in the file `at`. What it calls itself stands in `name`.
pub(crate) fn gate() -> String {
    format!(
        "patience=$(cat patience 2>/dev/null || echo 1000000)\n\
         at=$(cat at)\n\
         while read -r line; do\n\
         case \"$line\" in $at)\n\
         patience=$((patience - 1))\n\
         [ $patience -ge 0 ] || {{ : > silent; exec cat > /dev/null; }};;\n\
         esac\n\
         printf '%s\\n' \"$line\"\n\
         case \"$line\" in ucinewgame) echo begun >> games;; quit) exit;; esac\n\
         done | '{THREEFOLD}' uci | sed -u \"s/^id name .*/id name $(cat name 2>/dev/null || echo Gate)/\"\n"
    )
}

pub(crate) fn sprt(room: &Room, at: &str) -> Vec<String> {
    room.write("at", at);
    let gate = room.script("gate", &gate());
    let words = format!(
        "sprt --engine GATE --engine echo,name=Echo,Hash=1 --each Hash=1 --elo0 -10 --elo1 10 --nodes 40 \
         --games {GAMES} --maxmoves {MOVES} --openings book.epd --pgn all.pgn --out new --run run.sqlite -j 2"
    );
    words.split(' ').map(|word| if word == "GATE" { gate.clone() } else { word.to_owned() }).collect()
}

/// The same with one worker, whose games are those that count, one after the other.
pub(crate) fn sprt_alone(room: &Room, at: &str) -> Vec<String> {
    let mut words = sprt(room, at);
    assert_eq!(words.pop().as_deref(), Some("2"));
    words.push("1".to_owned());
    words
}

pub(crate) fn begin(room: &Room, words: &[String]) -> Child {
    Command::new(THREEFOLD)
        .args(words)
        .current_dir(room.path("."))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

#[expect(clippy::disallowed_methods, reason = "a test that waits for a process gives up some time")]
pub(crate) fn wait_for(file: &Path) {
    let began = Instant::now();
    while !file.exists() {
        assert!(began.elapsed() < DEADLINE, "{} never came", file.display());
        thread::sleep(Duration::from_millis(2));
    }
    fs::remove_file(file).expect("it is there");
}

pub(crate) fn signal(child: &Child, signal: Signal) {
    kill(Pid::from_raw(i32::try_from(child.id()).expect("a process")), signal).expect("it is there");
}

/// Runs a command until the engine falls silent, and sends it a signal then.
pub(crate) fn interrupt(room: &Room, words: &[String], patience: usize, signal: Signal) -> Said {
    room.write("patience", patience.to_string());
    let child = begin(room, words);
    wait_for(&room.path("silent"));
    self::signal(&child, signal);
    let output = child.wait_with_output().expect("it ends");
    // The other worker's engine may have fallen silent, too.
    let _ = fs::remove_file(room.path("silent"));
    fs::remove_file(room.path("patience")).expect("it was written");
    Said::from(output)
}

/// How many games a journal holds, and how many of them count.
pub(crate) fn journaled(room: &Room) -> (usize, usize) {
    let run = RunRecord::read(&room.path("run.sqlite")).expect("a sound journal");
    let parts = run.parts();
    let sum = |of: fn(&PartProgress<'_>) -> usize| parts.iter().map(|part| of(&part.progress)).sum();
    (sum(|progress| progress.ended), sum(|progress| progress.counted))
}

/// Whole games in a file of them.
fn count(games: &str) -> usize {
    games
        .split_inclusive("\n\n")
        .collect::<Vec<_>>()
        .chunks_exact(2)
        .filter(|game| game[1].ends_with("\n\n"))
        .count()
}

pub(crate) fn begun(room: &Room) -> usize {
    let games = fs::read_to_string(room.path("games")).unwrap_or_default();
    let _ = fs::remove_file(room.path("games"));
    games.lines().count()
}

/// An uninterrupted run: what it printed, its games, and its cases.
pub(crate) fn uninterrupted() -> (Said, String, String) {
    let room = Room::new();
    let words = sprt(&room, "nothing");
    let said = room.run_words(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(begun(&room), GAMES);
    (said, room.read("all.pgn"), room.read("new/summary.md"))
}

#[test]
fn a_killed_test_is_resumed_without_loss_or_repetition() {
    let (whole, games, _) = uninterrupted();
    // Questions that one worker's engine answers: before the first, within a game, between two, near the end.
    for patience in [0, 3, MOVES, 2 * MOVES + 1, 4 * MOVES] {
        let room = Room::new();
        let words = sprt(&room, "go*");
        let killed = interrupt(&room, &words, patience, Signal::SIGKILL);
        assert_eq!(killed.code, None);
        assert!(!room.path("new").exists(), "nothing is half-written");
        begun(&room);
        let (found, counted) = journaled(&room);
        // What was journaled last may be missing, or be cut off.
        let written = room.read("all.pgn");
        assert!(games.starts_with(&written), "killed after {patience} questions: {written}");
        let whole_games = count(&written);
        assert!(
            (counted.max(1) - 1..=counted).contains(&whole_games),
            "{whole_games} of {counted}: {written}"
        );
        assert!((patience / MOVES..GAMES).contains(&found), "{found} games after {patience} questions");
        let resumed = room.run("resume run.sqlite -j 2");
        assert_eq!((resumed.code, &resumed.out), (whole.code, &whole.out), "{patience}\n{}", resumed.err);
        assert_eq!(begun(&room), GAMES - found, "killed after {patience} questions");
        assert!(room.read("all.pgn") == games, "killed after {patience} questions");
    }
}

#[test]
fn an_interrupted_test_is_resumed_twice_and_ends_as_if_nothing_had_been() {
    let (whole, games, _) = uninterrupted();
    let table = [
        // during a game, between games, before the first one
        (Signal::SIGINT, "go*", MOVES + 2, 2 * MOVES + 3),
        (Signal::SIGTERM, "go*", MOVES + 2, 3),
        (Signal::SIGINT, "ucinewgame", 1, 2),
        (Signal::SIGTERM, "ucinewgame", 0, 1),
        // while engines are started
        (Signal::SIGINT, "uci", 0, 0),
    ];
    for (signal, at, first, second) in table {
        let room = Room::new();
        let words = sprt(&room, at);
        let resume: Vec<String> = ["resume", "run.sqlite", "-j", "2"].map(str::to_owned).to_vec();
        let mut before = 0;
        for (words, patience) in [(&words, first), (&resume, second)] {
            let said = interrupt(&room, words, patience, signal);
            assert_eq!(
                (said.code, said.out.as_str()),
                (Some(130), ""),
                "{signal} {at} {patience}\n{}",
                said.err
            );
            assert!(said.err.ends_with("Go on with:\n  threefold resume run.sqlite\n"), "{}", said.err);
            assert!(!room.path("new").exists(), "nothing is half-written");
            let (found, counted) = journaled(&room);
            let written = room.read("all.pgn");
            assert!(games.starts_with(&written), "{signal} {at} {patience}: {written}");
            assert_eq!(count(&written), counted, "{signal} {at} {patience}: {written}");
            assert!((before..GAMES).contains(&found), "{signal} {at} {patience}: {found} after {before}");
            before = found;
        }
        begun(&room);
        let resumed = room.run("resume run.sqlite");
        assert_eq!((resumed.code, &resumed.out), (whole.code, &whole.out), "{}", resumed.err);
        assert_eq!(begun(&room), GAMES - before);
        assert!(room.read("all.pgn") == games, "{signal} {at}");
    }
}

#[test]
fn a_search_in_this_process_is_interrupted_at_once() {
    let room = Room::new();
    let commands = [
        "match --engine echo --engine echo --nodes 1000000000000 --games 2 --openings book.epd --run a.sqlite",
        "suite traps.toml --engine echo --nodes 1000000000000 --run b.sqlite --json",
    ];
    for command in commands {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let mut child = begin(&room, &words);
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let first = lines.next().expect("a line").expect("UTF-8");
        assert!(first.starts_with("journal: "), "{first}");
        signal(&child, Signal::SIGINT);
        let rest: Vec<String> = lines.map(|line| line.expect("UTF-8")).collect();
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(130), &b""[..]), "{rest:?}");
        assert!(rest.last().is_some_and(|line| line.starts_with("  threefold resume ")), "{rest:?}");
    }
}

#[test]
fn reports_of_an_unfinished_run_say_so() {
    let room = Room::new();
    let words = sprt(&room, "go*");
    interrupt(&room, &words, 2 * MOVES + 1, Signal::SIGINT);
    let said = room.run("report run.sqlite --out partial");
    // The report was written; that the run is unfinished is what it says.
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(room.read("partial/summary.md").contains("interrupted"), "{}", room.read("partial/summary.md"));
    // Reading it took nothing away.
    assert_eq!(room.run("resume run.sqlite").code, Some(0));
}

#[test]
fn run_under_way_is_read_by_anyone_and_written_by_nobody_else() {
    let room = Room::new();
    let words = sprt_alone(&room, "go*");
    room.write("patience", (2 * MOVES + 1).to_string());
    let mut child = begin(&room, &words);
    wait_for(&room.path("silent"));
    let said = room.run("resume run.sqlite");
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains("run.sqlite: is in use by another process; wait"), "{}", said.err);
    let said = room.run("report run.sqlite --out other");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(room.read("other/games.pgn").matches("[Event ").count() >= 2);
    child.kill().expect("it is there");
    child.wait().expect("it ends");
}

#[test]
fn journal_of_a_killed_run_is_readable_without_its_log() {
    let room = Room::new();
    let words = sprt_alone(&room, "go*");
    interrupt(&room, &words, 4 * MOVES, Signal::SIGKILL);
    let found = journaled(&room).0;
    fs::copy(room.path("run.sqlite"), room.path("artefact.sqlite")).expect("room on the disk");
    let said = room.run("report artefact.sqlite --out partial");
    assert_eq!(said.code, Some(0), "{}", said.err);
    let kept = room.read("partial/games.pgn").matches("[Event ").count();
    assert!(kept + 4 > found && found >= 4, "{kept} of {found}");
}

#[test]
fn interrupted_run_is_one_file() {
    let room = Room::new();
    let words = sprt(&room, "go*");
    interrupt(&room, &words, 2 * MOVES + 1, Signal::SIGINT);
    let beside: Vec<_> =
        room.files().into_keys().filter(|file| file.to_string_lossy().starts_with("run.sqlite")).collect();
    assert_eq!(beside, [Path::new("run.sqlite")]);
}
