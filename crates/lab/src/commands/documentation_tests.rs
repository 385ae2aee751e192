//! The commands of `threefold-lab` that README.md and the book show.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser as _;

use super::Cli;

/// The arguments of a command line that starts `threefold-lab`, by its name, by its path or through cargo.
fn arguments(line: &str) -> Option<Vec<String>> {
    let words = shlex::split(line)?;
    let is_lab = |word: &String| word == "threefold-lab" || word.ends_with("/threefold-lab");
    let rest = match words.first()?.as_str() {
        "cargo" if words.iter().any(is_lab) => words.splitn(2, |word| word == "--").nth(1)?.to_vec(),
        _ if is_lab(&words[0]) => words[1..].to_vec(),
        _ => return None,
    };
    // What a shell does with the output is no argument.
    let redirected = rest.iter().position(|word| word == ">").unwrap_or(rest.len());
    Some(rest[..redirected].to_vec())
}

/// The commands of a page that do not parse, and the number of those that it has.
fn failures(page: &str) -> (usize, Vec<String>) {
    let joined = page.replace("\\\n", " ");
    let commands: Vec<(&str, Vec<String>)> =
        joined.lines().filter_map(|line| Some((line, arguments(line)?))).collect();
    let parse =
        |arguments: &[String]| Cli::try_parse_from([&["threefold-lab".to_owned()], arguments].concat()).err();
    let failure = |(line, arguments): &(&str, Vec<String>)| Some(format!("{line}\n{}", parse(arguments)?));
    (commands.len(), commands.iter().filter_map(failure).collect())
}

#[expect(clippy::disallowed_methods, reason = "the documentation is what is tested")]
fn pages(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the book's folder");
    let paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    let text = |path: &PathBuf| fs::read_to_string(path).expect("a page is text");
    let files = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let here: Vec<String> = files.map(text).collect();
    let below = paths.iter().filter(|path| path.is_dir()).flat_map(|path| pages(path));
    here.into_iter().chain(below).collect()
}

#[test]
fn every_command_of_the_documentation_parses() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let results: Vec<(usize, Vec<String>)> = pages(&book).iter().map(|page| failures(page)).collect();
    let failures: Vec<&String> = results.iter().flat_map(|(_, failures)| failures).collect();
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(results.iter().map(|(commands, _)| commands).sum::<usize>() > 8);
}

#[test]
fn invalid_command_is_found() {
    let sound = "threefold-lab study time --games 200 \\\n    --out x    # a comment\nthreefold bench\n";
    assert_eq!(failures(sound), (1, Vec::new()));
    for wrong in [
        "target/release/threefold-lab studies time",
        "cargo run --release -p threefold-lab -- tune fit a.epd --spreading 60 > log",
    ] {
        assert_eq!(failures(wrong).1.len(), 1, "{wrong}");
    }
}
