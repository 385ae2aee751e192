//! Messages for command lines that a user of another program writes, or that have a wrong number.

use crate::sandbox::Sandbox;

#[test]
fn message_says_what_to_write_instead() {
    let sandbox = Sandbox::new();
    sandbox.write("mine", "not a program\n");
    let engines = "--engine echo,name=A --engine echo,name=B --openings book.epd";
    for (command, expected) in [
        (
            format!("match {engines} --nodes 9 --rounds 4"),
            "--rounds is for Swiss tournaments; give --tournament swiss, too, or the number of games by --games",
        ),
        ("match -engine cmd=./m -each tc=8+0.08".to_owned(), "`threefold fastchess -engine …`"),
        (
            format!("match {engines} --engine cmd=./m --nodes 9"),
            "`cmd=./m` is the form of fastchess and cutechess-cli",
        ),
        (format!("match {engines} --engine mine --nodes 9"), "the file in this folder is `./mine`"),
        (format!("match {engines} --nodes 0"), "'--nodes <N>': give a whole number from 1"),
        (format!("match {engines} --nodes 9 -j 0"), "'--jobs <N>': give a whole number from 1"),
        (format!("match {engines} --tc -1+0.1"), "`-1+0.1`"),
        ("suite mates.toml --engine echo --setting foo=1".to_owned(), "--setting foo=1: "),
        (
            "plan --elo1 5 --draw-ratio 60".to_owned(),
            "--draw-ratio 60: give a share from 0 to 1, such as 0.6",
        ),
    ] {
        let output = sandbox.run(&command);
        assert!(matches!(output.code, Some(2 | 3)), "{command}: {output:?}");
        assert!(output.err.contains(expected), "{command}: {}", output.err);
    }
}

#[test]
fn help_of_cutechess_cli_is_its_own() {
    let sandbox = Sandbox::empty();
    let help = sandbox.run("help cutechess-cli");
    assert!(help.out.contains("Example:\n  threefold cutechess-cli -engine cmd=./new"), "{}", help.out);
}

#[test]
fn quiet_regression_run_prints_no_place_of_the_baseline() {
    let sandbox = Sandbox::new();
    let accept = sandbox.run("regress --plan plan.toml --accept --baseline .threefold/baseline -q");
    assert_eq!(accept.code, Some(0), "{}", accept.err);
    for (options, is_said) in [("", true), (" -q", false)] {
        let output = sandbox.run(&format!("regress --plan plan.toml --quick --out new{options}"));
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert_eq!(output.err.contains("baseline: .threefold/baseline"), is_said, "{}", output.err);
    }
}
