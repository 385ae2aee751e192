//! Output files: they are checked before the run, special files are written directly, and existing files are
//! kept unless an option says otherwise.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use crate::sandbox::{CommandOutput, GAMES, Sandbox, THREEFOLD};

/// A command with an output file, and a text that the file must contain.
const COMMANDS: &[(&str, &str)] = &[
    (GAMES_TO, "[Event "),
    ("rate games.pgn --white 0 --draw-rate 0.5 --csv FILE", "rank,"),
    ("rate games.pgn --white 0 --draw-rate 0.5 --json FILE", "\"players\""),
    ("rate broken.pgn games.pgn --white 0 --draw-rate 0.5 --warnings FILE", "broken.pgn"),
    ("positions prove 6k1/8/6K1/8/8/8/8/R7_w_-_-_0_1 --within 3 --proof FILE", "6k1/8/6K1"),
    ("positions openings --count 1 --nodes 10 --out FILE", "/"),
    (
        "suite --positions mates.epd --kind mate --engine echo,Hash=1,fault=MateSignFlipped --nodes 1 --missed-mates FILE",
        "bm #",
    ),
    ("positions signature --engine echo,Hash=1 --positions mates.epd --depth 1 --out FILE", "/"),
];

const GAMES_TO: &str = "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --nodes 60 --games 4 \
    --openings book.epd --pgn FILE";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&format!("{GAMES} --pgn games.pgn --run games.sqlite"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    sandbox.write("broken.pgn", "[White \"A\"]\n\n1. e4 *\n");
    sandbox
}

/// Runs a command with words separated by spaces; `_` is a space inside a word.
fn run(sandbox: &Sandbox, command: &str, file: &str) -> CommandOutput {
    let words: Vec<String> =
        command.split_whitespace().map(|word| word.replace('_', " ").replace("FILE", file)).collect();
    sandbox.run_words(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn existing_file_is_refused_unless_forced() {
    let sandbox = sandbox();
    for (command, content) in COMMANDS {
        sandbox.write("there", "my own\n");
        let before = sandbox.files();
        let output = run(&sandbox, command, "there");
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{command}\n{}", output.err);
        assert!(output.err.contains("there: exists already; give --"), "{command}\n{}", output.err);
        assert!(output.err.contains("--force to replace it"), "{command}\n{}", output.err);
        assert_eq!(output.err.contains("--append"), command.contains("--pgn"), "{command}\n{}", output.err);
        assert!(before == sandbox.files(), "{command}: {:?}", sandbox.files().keys());
        let output = run(&sandbox, &format!("{command} --force"), "there");
        assert_eq!(output.code, Some(0), "{command}\n{}", output.err);
        let text = sandbox.read("there");
        assert!(text.contains(content) && !text.contains("my own"), "{command}\n{text}");
    }
}

/// Makes a device like `/dev/null`; false if the system refuses.
#[cfg(target_os = "linux")]
fn make_null_device(path: &Path) -> bool {
    use nix::sys::stat::{SFlag, makedev, mknod};
    mknod(path, SFlag::S_IFCHR, Mode::from_bits_truncate(0o666), makedev(1, 3)).is_ok()
}

/// Only Linux has device numbers that are known in advance.
#[cfg(not(target_os = "linux"))]
fn make_null_device(_: &Path) -> bool {
    false
}

#[test]
fn devices_pipes_and_links_are_not_replaced() {
    let sandbox = sandbox();
    for (command, content) in COMMANDS {
        // A null device in the sandbox, where the system lets one be made: a mistake must not replace that of
        // the machine.
        let device = sandbox.path("null");
        if make_null_device(&device) {
            let output = run(&sandbox, command, "null");
            assert_eq!(output.code, Some(0), "{command}\n{}", output.err);
            assert!(fs::metadata(&device).expect("there").file_type().is_char_device(), "{command}");
            fs::remove_file(&device).expect("there");
        }

        fs::create_dir(sandbox.path("real")).expect("a folder");
        symlink("real/file", sandbox.path("link")).expect("a link");
        let output = run(&sandbox, command, "link");
        assert_eq!(output.code, Some(0), "{command}\n{}", output.err);
        assert!(sandbox.path("link").is_symlink(), "{command}");
        assert!(sandbox.read("real/file").contains(content), "{command}");
        let output = run(&sandbox, command, "link");
        assert_eq!(output.code, Some(2), "{command}: what the link leads to is there by now");
        fs::remove_file(sandbox.path("link")).expect("there");
        fs::remove_dir_all(sandbox.path("real")).expect("there");

        mkfifo(&sandbox.path("pipe"), Mode::S_IRWXU).expect("a pipe");
        let reader = std::thread::spawn({
            let pipe = sandbox.path("pipe");
            move || fs::read_to_string(pipe).expect("readable")
        });
        let output = run(&sandbox, command, "pipe");
        assert_eq!(output.code, Some(0), "{command}\n{}", output.err);
        assert!(fs::metadata(sandbox.path("pipe")).expect("there").file_type().is_fifo(), "{command}");
        assert!(reader.join().expect("it ends").contains(content), "{command}");
        fs::remove_file(sandbox.path("pipe")).expect("there");
    }
}

#[test]
fn open_descriptor_is_written_at_its_position() {
    let sandbox = sandbox();
    // As `/dev/stdout` is on Linux; the link is in the sandbox, so that a mistake cannot damage the system's.
    symlink("/proc/self/fd/1", sandbox.path("stdout")).expect("a link");
    for (stdout, redirected) in
        [("stdout", ">"), ("stdout", ">>"), ("/proc/self/fd/1", ">"), ("stdout", "| cat >")]
    {
        let words = GAMES_TO.replace("FILE", stdout);
        let output = sandbox.shell(&format!("echo first > out.txt; $T {words} {redirected} out.txt"));
        assert_eq!(output.code, Some(0), "{}", output.err);
        let text = sandbox.read("out.txt");
        assert_eq!(text.starts_with("first\n"), redirected == ">>", "{text}");
        assert!(text.contains("A minus B"), "{text}");
        assert_eq!(text.matches("[Event ").count(), 4, "{stdout} {redirected}");
        assert!(sandbox.path("stdout").is_symlink());
    }
    let words = GAMES_TO.replace("FILE", ">(cat > substituted)");
    let output = sandbox.shell(&format!("$T {words} > out.txt; sleep 0.3"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert_eq!(sandbox.read("substituted").matches("[Event ").count(), 4);
}

#[test]
fn unwritable_path_is_reported_before_any_engine_starts() {
    let sandbox = sandbox();
    let engine = sandbox.script("marked", "echo started > started\n");
    let games = "--nodes 60 --games 4 --openings book.epd";
    sandbox.write("file", "");
    for (option, place) in [
        ("--pgn", "nodir/x.pgn"),
        ("--pgn", "file/x.pgn"),
        ("--pgn", "/proc/nope/x.pgn"),
        ("--pgn", "."),
        ("--out", "file"),
        ("--out", "file/new"),
        ("--out", "/proc/nope"),
    ] {
        let before = sandbox.files();
        let command = format!("match {option} {place} --engine echo {games}");
        let mut words: Vec<&str> = command.split(' ').collect();
        words.extend(["--engine", &engine]);
        let output = sandbox.run_words(&words);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{option} {place}\n{}", output.err);
        assert!(output.err.contains(&format!("{place}: ")), "{option} {place}\n{}", output.err);
        assert!(before == sandbox.files(), "{option} {place}: {:?}", sandbox.files().keys());
        assert!(!sandbox.path("nodir").exists());
    }
    let regress = "regress --plan plan.toml --quick --out file/new";
    let output = sandbox.run(regress);
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert!(output.err.contains("file/new: can't be written"), "{}", output.err);
}

#[test]
fn verdict_is_printed_even_if_reports_cannot_be_written() {
    let sandbox = Sandbox::new();
    let engine = sandbox.script("late", &format!("echo > new; exec '{THREEFOLD}' uci\n"));
    let words = format!("{GAMES} --out new --run run.sqlite");
    let mut words: Vec<&str> = words.split_whitespace().collect();
    let at = words.iter().position(|word| word.starts_with("echo")).expect("an engine");
    words[at] = &engine;
    let output = sandbox.run_words(&words);
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert!(output.out.contains("match: 4 games"), "{}", output.out);
    assert!(output.err.contains("threefold report run.sqlite --out "), "{}", output.err);
    assert_eq!(sandbox.run("report run.sqlite --out other").code, Some(0));
}

#[test]
fn path_that_is_not_utf8_is_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let sandbox = Sandbox::new();
    for (option, place) in [("--pgn", &b"g\xff.pgn"[..]), ("--out", b"new\xff")] {
        let output = std::process::Command::new(THREEFOLD)
            .args(GAMES.split(' '))
            .arg(option)
            .arg(OsStr::from_bytes(place))
            .current_dir(sandbox.path(""))
            .output()
            .expect("it runs");
        let output = CommandOutput::from(output);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
        assert!(output.err.contains("its name is not UTF-8; name another place"), "{}", output.err);
    }
}
