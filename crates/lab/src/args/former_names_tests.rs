//! Former names of flags are accepted for one release.

use clap::Parser as _;

use super::Cli;

fn parsed(words: &str) -> String {
    let words = std::iter::once("threefold-lab").chain(words.split(' '));
    Cli::try_parse_from(words).map_or_else(|error| error.to_string(), |cli| format!("{cli:?}"))
}

#[test]
fn former_names_mean_the_same() {
    // The arguments with the former name, and with the present one.
    let table = [
        ("tune games --out a.epd --threads 3", "tune games --out a.epd --jobs 3"),
        ("tune fit a.epd --rate 2", "tune fit a.epd --learning-rate 2"),
        ("tune fit a.epd --spread 60", "tune fit a.epd --prior-sd 60"),
        ("tune fit a.epd --trust 0.7", "tune fit a.epd --lambda 0.7"),
        ("study repetition --effort-suite a.toml", "study repetition --cost-suite a.toml"),
        ("mutants --concurrency 3", "mutants -j 3"),
        (
            "strength-curve --accept a.csv --within 800:2600",
            "strength-curve --accept a.csv --precise-range 800:2600",
        ),
    ];
    for (former, present) in table {
        assert!(parsed(present).starts_with("Cli"), "{}", parsed(present));
        assert_eq!(parsed(former), parsed(present), "{former}");
    }
}
