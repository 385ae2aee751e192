//! Outputs that users name: they are tried before the work begins, what is no regular file is written through,
//! and what is there already stays unless they say otherwise.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};

use nix::sys::stat::{Mode, SFlag, makedev, mknod};
use nix::unistd::mkfifo;

use crate::room::{GAMES, Room, Said, THREEFOLD};

/// A command with an output of its own, and what its output must contain.
const COMMANDS: &[(&str, &str)] = &[
    (GAMES_TO, "[Event "),
    ("rate games.pgn --csv FILE", "rank,"),
    ("rate games.pgn --json FILE", "\"players\""),
    ("rate broken.pgn games.pgn --warnings FILE", "broken.pgn"),
    ("positions prove 6k1/8/6K1/8/8/8/8/R7_w_-_-_0_1 --within 3 --proof FILE", "6k1/8/6K1"),
    ("positions openings --count 1 --nodes 10 --out FILE", "/"),
    ("positions signature --engine echo,Hash=1 --positions mates.epd --depth 1 --out FILE", "/"),
];

const GAMES_TO: &str = "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --nodes 60 --games 4 \
    --openings book.epd --pgn FILE";

fn room() -> Room {
    let room = Room::new();
    let said = room.run(&format!("{GAMES} --pgn games.pgn --run games.sqlite"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    room.write("broken.pgn", "[White \"A\"]\n\n1. e4 *\n");
    room
}

/// Runs a command whose words are parted by blanks; `_` stands for a blank in a word.
fn run(room: &Room, command: &str, file: &str) -> Said {
    let words: Vec<String> =
        command.split_whitespace().map(|word| word.replace('_', " ").replace("FILE", file)).collect();
    room.run_words(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn an_existing_file_is_refused_before_the_work_and_replaced_by_force() {
    let room = room();
    for (command, content) in COMMANDS {
        room.write("there", "my own\n");
        let before = room.files();
        let said = run(&room, command, "there");
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{command}\n{}", said.err);
        assert!(said.err.contains("there: exists already; give --"), "{command}\n{}", said.err);
        assert!(said.err.contains("--force to replace it"), "{command}\n{}", said.err);
        assert_eq!(said.err.contains("--append"), command.contains("--pgn"), "{command}\n{}", said.err);
        assert!(before == room.files(), "{command}: {:?}", room.files().keys());
        let said = run(&room, &format!("{command} --force"), "there");
        assert_eq!(said.code, Some(0), "{command}\n{}", said.err);
        let text = room.read("there");
        assert!(text.contains(content) && !text.contains("my own"), "{command}\n{text}");
    }
}

#[test]
fn devices_pipes_and_links_stay_what_they_are() {
    let room = room();
    for (command, content) in COMMANDS {
        // A device of the room's own, where the system lets one be made: a mistake must not cost the machine its own.
        let device = room.path("null");
        let mode = Mode::from_bits_truncate(0o666);
        if mknod(&device, SFlag::S_IFCHR, mode, makedev(1, 3)).is_ok() {
            let said = run(&room, command, "null");
            assert_eq!(said.code, Some(0), "{command}\n{}", said.err);
            assert!(fs::metadata(&device).expect("there").file_type().is_char_device(), "{command}");
            fs::remove_file(&device).expect("there");
        }

        fs::create_dir(room.path("real")).expect("a folder");
        symlink("real/file", room.path("link")).expect("a link");
        let said = run(&room, command, "link");
        assert_eq!(said.code, Some(0), "{command}\n{}", said.err);
        assert!(room.path("link").is_symlink(), "{command}");
        assert!(room.read("real/file").contains(content), "{command}");
        let said = run(&room, command, "link");
        assert_eq!(said.code, Some(2), "{command}: what the link leads to is there by now");
        fs::remove_file(room.path("link")).expect("there");
        fs::remove_dir_all(room.path("real")).expect("there");

        mkfifo(&room.path("pipe"), Mode::S_IRWXU).expect("a pipe");
        let reader = std::thread::spawn({
            let pipe = room.path("pipe");
            move || fs::read_to_string(pipe).expect("readable")
        });
        let said = run(&room, command, "pipe");
        assert_eq!(said.code, Some(0), "{command}\n{}", said.err);
        assert!(fs::metadata(room.path("pipe")).expect("there").file_type().is_fifo(), "{command}");
        assert!(reader.join().expect("it ends").contains(content), "{command}");
        fs::remove_file(room.path("pipe")).expect("there");
    }
}

#[test]
fn an_open_descriptor_is_written_where_it_stands() {
    let room = room();
    // As `/dev/stdout` is on Linux; the link is the room's own, so that a mistake costs nobody else's.
    symlink("/proc/self/fd/1", room.path("stdout")).expect("a link");
    for (stdout, redirected) in
        [("stdout", ">"), ("stdout", ">>"), ("/proc/self/fd/1", ">"), ("stdout", "| cat >")]
    {
        let words = GAMES_TO.replace("FILE", stdout);
        let said = room.shell(&format!("echo first > out.txt; $T {words} {redirected} out.txt"));
        assert_eq!(said.code, Some(0), "{}", said.err);
        let text = room.read("out.txt");
        assert_eq!(text.starts_with("first\n"), redirected == ">>", "{text}");
        assert!(text.contains("A minus B"), "{text}");
        assert_eq!(text.matches("[Event ").count(), 4, "{stdout} {redirected}");
        assert!(room.path("stdout").is_symlink());
    }
    let words = GAMES_TO.replace("FILE", ">(cat > substituted)");
    let said = room.shell(&format!("$T {words} > out.txt; sleep 0.3"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(room.read("substituted").matches("[Event ").count(), 4);
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_any_engine_starts() {
    let room = room();
    let engine = room.script("marked", "echo started > started\n");
    let games = "--nodes 60 --games 4 --openings book.epd";
    room.write("file", "");
    for (option, place) in [
        ("--pgn", "nodir/x.pgn"),
        ("--pgn", "file/x.pgn"),
        ("--pgn", "/proc/nope/x.pgn"),
        ("--pgn", "."),
        ("--out", "file"),
        ("--out", "file/new"),
        ("--out", "/proc/nope"),
    ] {
        let before = room.files();
        let command = format!("match {option} {place} --engine echo {games}");
        let mut words: Vec<&str> = command.split(' ').collect();
        words.extend(["--engine", &engine]);
        let said = room.run_words(&words);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{option} {place}\n{}", said.err);
        assert!(said.err.contains(&format!("{place}: ")), "{option} {place}\n{}", said.err);
        assert!(before == room.files(), "{option} {place}: {:?}", room.files().keys());
        assert!(!room.path("nodir").exists());
    }
    let regress = "regress --plan plan.toml --quick --out file/new";
    let said = room.run(regress);
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains("file/new: can't be written"), "{}", said.err);
}

#[test]
fn a_verdict_is_told_though_its_reports_cannot_be_written() {
    let room = Room::new();
    let engine = room.script("late", &format!("echo > new; exec '{THREEFOLD}' uci\n"));
    let words = format!("{GAMES} --out new --run run.sqlite");
    let mut words: Vec<&str> = words.split_whitespace().collect();
    let at = words.iter().position(|word| word.starts_with("echo")).expect("an engine");
    words[at] = &engine;
    let said = room.run_words(&words);
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.out.contains("match: 4 games"), "{}", said.out);
    assert!(said.err.contains("threefold report run.sqlite --out "), "{}", said.err);
    assert_eq!(room.run("report run.sqlite --out other").code, Some(0));
}

#[test]
fn a_place_that_the_journal_cannot_name_is_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let room = Room::new();
    for (option, place) in [("--pgn", &b"g\xff.pgn"[..]), ("--out", b"new\xff")] {
        let output = std::process::Command::new(THREEFOLD)
            .args(GAMES.split(' '))
            .arg(option)
            .arg(OsStr::from_bytes(place))
            .current_dir(room.path(""))
            .output()
            .expect("it runs");
        let said = Said::from(output);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
        assert!(said.err.contains("its name is not UTF-8; name another place"), "{}", said.err);
    }
}
