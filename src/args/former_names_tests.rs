//! Former names of flags and commands are accepted for one release, and no help shows them.

use clap::{CommandFactory as _, Parser as _};

use super::Cli;

/// The arguments with the former name, and with the present one.
const NAMES: &[(&str, &str)] = &[
    ("regress --concurrency 3", "regress --jobs 3"),
    ("suite mate --engine echo --concurrency 3", "suite mate --engine echo -j 3"),
    ("match --engine echo --concurrency 3", "match --engine echo --jobs 3"),
    ("match --engine echo --patience 9", "match --engine echo --search-timeout 9"),
    ("resume run.sqlite --concurrency 3", "resume run.sqlite --jobs 3"),
    ("rate games.pgn --concurrency 3", "rate games.pgn --jobs 3"),
    ("rate games.pgn --loose A=2000,30", "rate games.pgn --prior A=2000,30"),
    ("rate games.pgn --superiority", "rate games.pgn --los"),
    ("plan --elo1 5 --concurrency 3", "plan --elo1 5 --jobs 3"),
    ("plan --verify --threads 3", "plan --verify --jobs 3"),
    ("calibrate --judged 9", "calibrate --judge-moves 9"),
    ("calibrate --within 800:2600", "calibrate --precise-range 800:2600"),
    ("calibrate --previous old.csv", "calibrate --compare-with old.csv"),
    ("tablebase build KRK --threads 3", "tablebase build KRK --jobs 3"),
    ("tablebase build --men 4", "tablebase build --pieces 4"),
    ("tablebase verify --threads 3", "tablebase verify --jobs 3"),
    ("positions judged --count 3", "positions middlegame --count 3"),
    ("positions mates --each 3", "positions mates --per-distance 3"),
];

fn parsed(words: &str) -> String {
    let words = std::iter::once("threefold").chain(words.split(' '));
    Cli::try_parse_from(words).map_or_else(|error| error.to_string(), |cli| format!("{cli:?}"))
}

#[test]
fn former_names_mean_the_same() {
    for (former, present) in NAMES {
        assert!(parsed(present).starts_with("Cli"), "{}", parsed(present));
        assert_eq!(parsed(former), parsed(present), "{former}");
    }
}

#[test]
fn no_help_shows_a_former_name() {
    let mut command = Cli::command();
    command.build();
    for (former, present) in NAMES {
        let mut asked = &mut command;
        for word in present.split(' ').take_while(|word| !word.starts_with('-')) {
            if asked.find_subcommand(word).is_some() {
                asked = asked.find_subcommand_mut(word).expect("just found");
            }
        }
        let help = asked.render_long_help().to_string();
        let gone = former.split(' ').filter(|word| word.starts_with("--") && !present.contains(word));
        for flag in gone {
            assert!(!help.contains(&format!("{flag} <")), "{flag} in {help}");
        }
    }
}
