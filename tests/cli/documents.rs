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
fn completions_cover_every_command_for_every_shell() {
    let sandbox = Sandbox::empty();
    let commands = commands(&sandbox);
    assert!(commands.len() > 14, "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = sandbox.run(&format!("completions {shell}"));
        assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{shell}");
        for command in &commands {
            assert!(output.out.contains(command.as_str()), "{shell}: {command}");
        }
        // The script must not pass through the filter that makes control characters visible.
        assert!(!output.out.contains(['\u{2400}', '\u{fffd}']), "{shell}");
    }
    let output = sandbox.run("completions tcsh");
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("bash, elvish, fish, powershell, zsh"), "{}", output.err);
}

#[test]
fn bash_completes_commands_and_options() {
    let sandbox = Sandbox::empty();
    sandbox.write("threefold.bash", sandbox.run("completions bash").out);
    let answer = |words: &str, last: usize| {
        let line = format!(
            "source ./threefold.bash; COMP_WORDS=({words}); COMP_CWORD={last}; \
             _threefold threefold \"${{COMP_WORDS[{last}]}}\" \"${{COMP_WORDS[{last} - 1]}}\"; echo \"${{COMPREPLY[@]}}\""
        );
        let output = sandbox.shell(&line);
        assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{words}");
        output.out
    };
    assert_eq!(answer("threefold regr", 1), "regress\n");
    assert!(answer("threefold sprt --elo", 2).contains("--elo0 --elo1"));
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
