//! Shell completion scripts and manual pages cover every command, and bash and groff accept them.

use std::fs;
use std::process::Command;

use crate::sandbox::Sandbox;

/// The commands that `threefold --help` lists.
fn commands(sandbox: &Sandbox) -> Vec<String> {
    let help = sandbox.run("--help").out;
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let (list, _) = list.split_once("\n\n").expect("an end of the list");
    // The continuation line of a summary is indented further.
    let lines = list.lines().filter_map(|line| line.strip_prefix("  "));
    let names = lines.filter(|line| !line.starts_with(' ')).filter_map(|line| line.split_whitespace().next());
    names.filter(|&name| name != "help").map(str::to_owned).collect()
}

#[test]
fn every_shell_has_a_script_that_asks_the_program() {
    let sandbox = Sandbox::empty();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = sandbox.run(&format!("completions {shell}"));
        assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{shell}");
        assert!(output.out.contains("THREEFOLD_COMPLETE"), "{shell}: {}", output.out);
        // The script must not pass through the filter that makes control characters visible.
        assert!(!output.out.contains(['\u{2400}', '\u{fffd}']), "{shell}");
    }
    let output = sandbox.run("completions tcsh");
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("bash, elvish, fish, powershell, zsh"), "{}", output.err);
}

/// What bash offers for the last of these pieces of a line, which it has divided at blanks, `=` and `:`.
fn offered(sandbox: &Sandbox, pieces: &str) -> Vec<String> {
    let last = pieces.split_whitespace().count() - usize::from(!pieces.ends_with(' '));
    let empty = if pieces.ends_with(' ') { "''" } else { "" };
    let line = format!(
        "PATH=\"$(dirname $T):$PATH\" XDG_CACHE_HOME=\"$PWD/cache\"; export XDG_CACHE_HOME; source ./threefold.bash; \
         COMP_WORDS=({pieces}{empty}); COMP_CWORD={last}; _threefold; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let output = sandbox.shell(&line);
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{pieces}");
    output.out.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_suites_cases_and_options() {
    let sandbox = Sandbox::new();
    sandbox.write("threefold.bash", sandbox.run("completions bash").out);
    let missing = |pieces: &str, expected: &[String]| -> Vec<String> {
        let offered = offered(&sandbox, pieces);
        expected.iter().filter(|value| !offered.contains(value)).cloned().collect()
    };
    assert_eq!(missing("threefold ", &commands(&sandbox)), [""; 0]);
    let table = [
        ("threefold regr", "regress"),
        ("threefold sprt --elo", "--elo1"),
        ("threefold suite repet", "repetition"),
        ("threefold match --openings builtin : bal", "balanced"),
        ("threefold match --engine echo,RepetitionDet", "echo,RepetitionDetector="),
        ("threefold match --engine echo,Hash = 16,Move", "16,Move\\ Overhead="),
    ];
    for (pieces, expected) in table {
        assert_eq!(missing(pieces, &[expected.to_owned()]), [""; 0], "{:?}", offered(&sandbox, pieces));
    }
    // Suites of the plan, and their cases.
    sandbox.write("threefold.toml", "version = 1\nengine = \"echo\"\nsuites = [\"traps.toml\"]\n");
    assert_eq!(offered(&sandbox, "threefold suite tra"), ["traps.toml"]);
    let cases = offered(&sandbox, "threefold suite --case ");
    assert!(cases.len() > 3, "{cases:?}");
    for line in
        ["suite traps.toml --case ", "explain --suite traps.toml ", "explain reports/latest/run.sqlite "]
    {
        assert_eq!(missing(&format!("threefold {line}"), &cases), [""; 0], "{line}");
    }
}

#[test]
fn options_of_an_engine_are_known_from_its_last_run() {
    let sandbox = Sandbox::new();
    sandbox.write("threefold.bash", sandbox.run("completions bash").out);
    sandbox.write(
        "mine",
        "#!/bin/sh\n: > started\nwhile read -r line; do case \"$line\" in\nuci) echo 'option name My Hash type spin default 1 \
         min 1 max 9'; echo uciok;;\nisready) echo readyok;;\ngo*) echo bestmove e2e4;;\nquit) exit;;\nesac; done\n",
    );
    assert_eq!(sandbox.shell("chmod +x mine").code, Some(0));
    assert_eq!(offered(&sandbox, "threefold match --engine ./mi"), ["./mine"]);
    assert_eq!(offered(&sandbox, "threefold match --engine ./mine,My"), [""]);
    assert!(!sandbox.path("started").exists(), "a completion starts no engine");
    let run =
        sandbox.shell("XDG_CACHE_HOME=\"$PWD/cache\" $T suite mates.toml --engine ./mine,st=0.01 --force");
    assert!(sandbox.path("started").exists(), "{}", run.err);
    assert_eq!(offered(&sandbox, "threefold match --engine ./mine,My"), ["./mine,My\\ Hash="]);
    assert_eq!(offered(&sandbox, "threefold bench --engine ./mine --scan My"), ["My\\ Hash="]);
}

#[test]
fn manual_pages_cover_every_command() {
    let sandbox = Sandbox::empty();
    let output = sandbox.run("man --dir share/man1");
    assert_eq!((output.code, output.out.as_str()), (Some(0), ""), "{}", output.err);
    for command in commands(&sandbox) {
        let page = sandbox.read(&format!("share/man1/threefold-{command}.1"));
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{command}\n{page}");
    }
    let page = sandbox.read("share/man1/threefold.1");
    assert!(page.contains(".TH threefold 1") && page.contains("threefold\\-regress(1)"), "{page}");
    let pages = fs::read_dir(sandbox.path("share/man1")).expect("a folder").count();
    assert!(pages > 25, "positions and tablebase have pages for each of their commands: {pages}");
    // Existing pages are replaced.
    assert_eq!(sandbox.run("man --dir share/man1").code, Some(0));
    // groff reports no warnings, if it is installed.
    if Command::new("groff").arg("--version").output().is_ok() {
        let output = sandbox.shell("cat share/man1/*.1 | groff -Kutf8 -man -Tutf8 -ww > /dev/null");
        assert_eq!((output.code, output.err.as_str()), (Some(0), ""));
    }
}

#[test]
fn man_refuses_a_folder_that_is_a_file() {
    let sandbox = Sandbox::empty();
    sandbox.write("taken", "");
    let output = sandbox.run("man --dir taken");
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("taken: can't be written"), "{}", output.err);
}
