//! Hints for options of other match runners, under this program's command line.

use clap::Parser as _;

use super::Cli;
use crate::args::hints::improve;

fn message(line: &str) -> String {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let mut error = Cli::try_parse_from(&words).expect_err("not an option here");
    improve(&mut error, &words[1..]);
    error.render().to_string()
}

#[test]
fn options_of_other_match_runners_are_named_as_such() {
    for (line, expected) in [
        (
            "threefold sprt --engine a --engine b --elo0 0 --elo1 5 --rounds 4",
            "tip: in this program, --games N is the number of games",
        ),
        (
            "threefold match -engine cmd=./m -each tc=8+0.08",
            "tip: `-engine` is an option of fastchess and cutechess-cli",
        ),
        ("threefold sprt -each tc=8+0.08", "`threefold fastchess -each …` and"),
    ] {
        let message = message(line);
        assert!(message.contains(expected) && !message.contains("--run'"), "{line}: {message}");
    }
    let other = message("threefold match --engine a --engine b --gamse 4");
    assert!(other.contains("a similar argument exists: '--games'"), "{other}");
}
