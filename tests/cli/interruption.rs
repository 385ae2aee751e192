//! `kill`, `kill -9` and Ctrl-C at chosen moments, then `resume`: the games are identical to those of an
//! uninterrupted run, none lost and none played twice.
//!
//! The moments are exact on any machine: the engine under test passes everything on to Echo for a number of
//! moves, and then stops answering until it is killed.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use threefold_run::{PartProgress, RunRecord};

use crate::sandbox::{CommandOutput, DEADLINE, Sandbox, THREEFOLD};

pub(crate) const GAMES: usize = 10;
/// Full moves of each game.
pub(crate) const MOVES: usize = 6;

/// An engine that stops answering at lines that match the file `at`, after the number of matches in the file
/// `patience`. It writes a line to `games` for every new game.
///
/// The program is the same for all settings; `name` has its UCI name.
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

pub(crate) fn sprt(sandbox: &Sandbox, at: &str) -> Vec<String> {
    // The games only: the first move before the run has a time limit, too.
    sandbox.write("at", at.replace("go*", "go nodes 40"));
    let gate = sandbox.script("gate", &gate());
    let words = format!(
        "sprt --engine GATE --engine echo,name=Echo,Hash=1 --each Hash=1 --elo0 -10 --elo1 10 --nodes 40 \
         --games {GAMES} --maxmoves {MOVES} --openings book.epd --pgn all.pgn --out new --run run.sqlite -j 2"
    );
    words.split(' ').map(|word| if word == "GATE" { gate.clone() } else { word.to_owned() }).collect()
}

/// The same with one worker, so that all games count in order.
pub(crate) fn sprt_alone(sandbox: &Sandbox, at: &str) -> Vec<String> {
    let mut words = sprt(sandbox, at);
    assert_eq!(words.pop().as_deref(), Some("2"));
    words.push("1".to_owned());
    words
}

pub(crate) fn begin(sandbox: &Sandbox, words: &[String]) -> Child {
    Command::new(THREEFOLD)
        .args(words)
        .current_dir(sandbox.path("."))
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

/// Waits until the journal has a number of ended games. The next game of a worker begins while the last one
/// is recorded, so the engine may stop answering a moment before that.
#[expect(clippy::disallowed_methods, reason = "a test that waits for a process gives up some time")]
fn wait_for_record(sandbox: &Sandbox, games: usize) {
    let began = Instant::now();
    while games > 0 && journaled(sandbox).0 < games {
        assert!(began.elapsed() < DEADLINE, "{games} ended games were never recorded");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Runs a command until the engine stops answering and its ended games are recorded, then sends the command a
/// signal.
pub(crate) fn interrupt(
    sandbox: &Sandbox,
    words: &[String],
    patience: usize,
    signal: Signal,
) -> CommandOutput {
    sandbox.write("patience", patience.to_string());
    let child = begin(sandbox, words);
    wait_for(&sandbox.path("silent"));
    wait_for_record(sandbox, patience / MOVES);
    self::signal(&child, signal);
    let output = child.wait_with_output().expect("it ends");
    // The other worker's engine may have fallen silent, too.
    let _ = fs::remove_file(sandbox.path("silent"));
    fs::remove_file(sandbox.path("patience")).expect("it was written");
    CommandOutput::from(output)
}

/// Number of games in a journal, and of those that count.
pub(crate) fn journaled(sandbox: &Sandbox) -> (usize, usize) {
    let run = RunRecord::read(&sandbox.path("run.sqlite")).expect("a sound journal");
    let parts = run.parts();
    let sum = |of: fn(&PartProgress<'_>) -> usize| parts.iter().map(|part| of(&part.progress)).sum();
    (sum(|progress| progress.ended), sum(|progress| progress.counted))
}

/// Number of complete games in a PGN file.
fn count(games: &str) -> usize {
    games
        .split_inclusive("\n\n")
        .collect::<Vec<_>>()
        .chunks_exact(2)
        .filter(|game| game[1].ends_with("\n\n"))
        .count()
}

pub(crate) fn begun(sandbox: &Sandbox) -> usize {
    let games = fs::read_to_string(sandbox.path("games")).unwrap_or_default();
    let _ = fs::remove_file(sandbox.path("games"));
    games.lines().count()
}

/// An uninterrupted run: its output, its games, and its summary.
pub(crate) fn uninterrupted() -> (CommandOutput, String, String) {
    let sandbox = Sandbox::new();
    let words = sprt(&sandbox, "nothing");
    let output = sandbox.run_words(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert_eq!(begun(&sandbox), GAMES);
    (output, sandbox.read("all.pgn"), sandbox.read("new/summary.md"))
}

/// Writes the files of a run, and gives its arguments.
type Arguments = fn(&Sandbox, &str) -> Vec<String>;

#[test]
fn killed_test_resumes_without_loss_or_repetition() {
    let (whole, games, _) = uninterrupted();
    // Searches of one worker's engine before the kill: none, within a game, between two, near the end. With
    // one worker, at most the last pair is counted and not yet in the file. With two, one game can complete
    // several pairs at once.
    let (one, two): (Arguments, Arguments) = (sprt_alone, sprt);
    let commands = [
        (two, 0, GAMES),
        (two, 3, GAMES),
        (two, MOVES, GAMES),
        (two, 2 * MOVES + 1, GAMES),
        (two, 4 * MOVES, GAMES),
        (one, 4 * MOVES, 2),
    ];
    for (command, patience, missing) in commands {
        let sandbox = Sandbox::new();
        let words = command(&sandbox, "go*");
        let killed = interrupt(&sandbox, &words, patience, Signal::SIGKILL);
        assert_eq!(killed.code, None);
        assert!(!sandbox.path("new").exists(), "no reports of an unfinished run");
        begun(&sandbox);
        let (found, counted) = journaled(&sandbox);
        let written = sandbox.read("all.pgn");
        assert!(games.starts_with(&written), "killed after {patience} searches: {written}");
        let whole_games = count(&written);
        assert!(
            (counted.saturating_sub(missing)..=counted).contains(&whole_games),
            "{whole_games} of {counted}: {written}"
        );
        assert!((patience / MOVES..GAMES).contains(&found), "{found} games after {patience} questions");
        let resumed = sandbox.run("resume run.sqlite -j 2");
        assert_eq!((resumed.code, &resumed.out), (whole.code, &whole.out), "{patience}\n{}", resumed.err);
        assert_eq!(begun(&sandbox), GAMES - found, "killed after {patience} questions");
        assert!(sandbox.read("all.pgn") == games, "killed after {patience} questions");
    }
}

#[test]
fn twice_interrupted_test_equals_an_uninterrupted_one() {
    let (whole, games, _) = uninterrupted();
    let table = [
        // during a game, between games, before the first one
        (Signal::SIGTERM, "go*", MOVES + 2, 2 * MOVES + 3),
        (Signal::SIGTERM, "go*", MOVES + 2, 3),
        (Signal::SIGTERM, "ucinewgame", 1, 2),
        (Signal::SIGTERM, "ucinewgame", 0, 1),
        // while engines are started
        (Signal::SIGINT, "uci", 0, 0),
    ];
    for (signal, at, first, second) in table {
        let sandbox = Sandbox::new();
        let words = sprt(&sandbox, at);
        let resume: Vec<String> = ["resume", "run.sqlite", "-j", "2"].map(str::to_owned).to_vec();
        let mut before = 0;
        for (words, patience) in [(&words, first), (&resume, second)] {
            let output = interrupt(&sandbox, words, patience, signal);
            assert_eq!(
                (output.code, output.out.as_str()),
                (Some(130), ""),
                "{signal} {at} {patience}\n{}",
                output.err
            );
            assert!(
                output.err.ends_with("Continue with:\n  threefold resume run.sqlite\n"),
                "{}",
                output.err
            );
            assert!(!sandbox.path("new").exists(), "no reports of an unfinished run");
            let (found, counted) = journaled(&sandbox);
            let written = sandbox.read("all.pgn");
            assert!(games.starts_with(&written), "{signal} {at} {patience}: {written}");
            assert_eq!(count(&written), counted, "{signal} {at} {patience}: {written}");
            assert!((before..GAMES).contains(&found), "{signal} {at} {patience}: {found} after {before}");
            before = found;
        }
        begun(&sandbox);
        let resumed = sandbox.run("resume run.sqlite");
        assert_eq!((resumed.code, &resumed.out), (whole.code, &whole.out), "{}", resumed.err);
        assert_eq!(begun(&sandbox), GAMES - before);
        assert!(sandbox.read("all.pgn") == games, "{signal} {at}");
    }
}

/// Sends Ctrl-C to a test whose engine has fallen silent in its third game, and reads the answer.
fn interrupted_in_the_third_game(
    sandbox: &Sandbox,
    words: &[String],
) -> (Child, impl Iterator<Item = String>) {
    sandbox.write("patience", (2 * MOVES + 1).to_string());
    let mut child = begin(sandbox, words);
    wait_for(&sandbox.path("silent"));
    signal(&child, Signal::SIGINT);
    let mut lines =
        BufReader::new(child.stderr.take().expect("piped")).lines().map(|line| line.expect("UTF-8"));
    let answer = "the run ends after the games and cases in progress; press Ctrl-C again to stop at once";
    assert!(lines.any(|line| line == answer));
    (child, lines)
}

#[test]
fn first_ctrl_c_ends_after_the_game_in_progress() {
    let (whole, games, _) = uninterrupted();
    let sandbox = Sandbox::new();
    let words = sprt_alone(&sandbox, "go*");
    sandbox.script(
        "gate",
        &gate().replace("exec cat > /dev/null", "while [ ! -e goes_on ]; do sleep 0.02; done"),
    );
    let (child, lines) = interrupted_in_the_third_game(&sandbox, &words);
    sandbox.write("goes_on", "");
    assert_eq!(lines.last().as_deref(), Some("  threefold resume run.sqlite"));
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(130));
    assert_eq!((journaled(&sandbox).0, begun(&sandbox)), (3, 3), "no game is lost, and none begins");
    fs::remove_file(sandbox.path("patience")).expect("it was written");
    let resumed = sandbox.run("resume run.sqlite");
    assert_eq!((resumed.code, &resumed.out), (whole.code, &whole.out), "{}", resumed.err);
    assert_eq!(begun(&sandbox), GAMES - 3);
    // The tag has the checksum of the script.
    let without_engine = |games: &str| -> Vec<String> {
        games.lines().filter(|line| !line.contains("Engine \"Gate ")).map(str::to_owned).collect()
    };
    assert_eq!(without_engine(&sandbox.read("all.pgn")), without_engine(&games));
}

#[test]
fn second_ctrl_c_stops_at_once() {
    let sandbox = Sandbox::new();
    let words = sprt_alone(&sandbox, "go*");
    let (child, lines) = interrupted_in_the_third_game(&sandbox, &words);
    signal(&child, Signal::SIGINT);
    assert_eq!(lines.last().as_deref(), Some("  threefold resume run.sqlite"));
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(130));
    assert_eq!(journaled(&sandbox).0, 2, "the game in progress is lost");
}

#[test]
fn fastchess_stops_at_the_first_ctrl_c() {
    let sandbox = Sandbox::new();
    sandbox.write("at", "go nodes 40");
    sandbox.script("gate", &gate());
    let echo = format!("cmd={THREEFOLD} args=uci name=Echo");
    let line = format!(
        "fastchess -engine cmd=sh args=gate.sh name=Gate -engine {echo} -each nodes=40 -rounds 5 -repeat"
    );
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let output = interrupt(&sandbox, &words, 0, Signal::SIGINT);
    assert_eq!(output.code, Some(1), "{}{}", output.out, output.err);
}

#[test]
fn built_in_search_is_interrupted_at_once() {
    let sandbox = Sandbox::new();
    let commands = [
        "match --engine echo --engine echo --nodes 1000000000000 --games 2 --openings book.epd --run a.sqlite",
        "suite traps.toml --engine echo --nodes 1000000000000 --run b.sqlite --json",
    ];
    for command in commands {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let mut child = begin(&sandbox, &words);
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let first = lines.next().expect("a line").expect("UTF-8");
        assert!(first.starts_with("journal: "), "{first}");
        signal(&child, Signal::SIGTERM);
        let rest: Vec<String> = lines.map(|line| line.expect("UTF-8")).collect();
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(130), &b""[..]), "{rest:?}");
        assert!(rest.last().is_some_and(|line| line.starts_with("  threefold resume ")), "{rest:?}");
    }
}

#[test]
fn reports_mark_unfinished_runs() {
    let sandbox = Sandbox::new();
    let words = sprt(&sandbox, "go*");
    interrupt(&sandbox, &words, 2 * MOVES + 1, Signal::SIGTERM);
    let output = sandbox.run("report run.sqlite --out partial");
    // The report was written; that the run is unfinished is what it says.
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(
        sandbox.read("partial/summary.md").contains("**Interrupted after "),
        "{}",
        sandbox.read("partial/summary.md")
    );
    // Reading it took nothing away.
    assert_eq!(sandbox.run("resume run.sqlite").code, Some(0));
}

#[test]
fn running_journal_is_readable_and_locked_for_writing() {
    let sandbox = Sandbox::new();
    let words = sprt_alone(&sandbox, "go*");
    sandbox.write("patience", (2 * MOVES + 1).to_string());
    let mut child = begin(&sandbox, &words);
    wait_for(&sandbox.path("silent"));
    let output = sandbox.run("resume run.sqlite");
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert!(output.err.contains("run.sqlite: is in use by another process; wait"), "{}", output.err);
    let output = sandbox.run("report run.sqlite --out other");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(sandbox.read("other/games.pgn").matches("[Event ").count() >= 2);
    child.kill().expect("it is there");
    child.wait().expect("it ends");
}

#[test]
fn journal_of_a_killed_run_is_readable_without_its_log() {
    let sandbox = Sandbox::new();
    let words = sprt_alone(&sandbox, "go*");
    interrupt(&sandbox, &words, 4 * MOVES, Signal::SIGKILL);
    let found = journaled(&sandbox).0;
    fs::copy(sandbox.path("run.sqlite"), sandbox.path("artefact.sqlite")).expect("room on the disk");
    let output = sandbox.run("report artefact.sqlite --out partial");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let kept = sandbox.read("partial/games.pgn").matches("[Event ").count();
    assert!(kept + 4 > found && found >= 4, "{kept} of {found}");
}

#[test]
fn interrupted_run_leaves_one_file() {
    let sandbox = Sandbox::new();
    let words = sprt(&sandbox, "go*");
    interrupt(&sandbox, &words, 2 * MOVES + 1, Signal::SIGTERM);
    let files: Vec<_> =
        sandbox.files().into_keys().filter(|file| file.to_string_lossy().starts_with("run.sqlite")).collect();
    assert_eq!(files, [Path::new("run.sqlite")]);
}
