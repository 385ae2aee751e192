//! Which baseline `regress` compares with, and where a new one goes, when none is named.

use std::fs;

use crate::room::{Room, Said};

/// A room with a plan of one small suite, whose root is that of a git repository.
fn repository() -> Room {
    let room = Room::new();
    room.write(".git/HEAD", "");
    room.write("sub/deeper/note", "");
    room.write(
        "small.toml",
        "version = 1\ntitle = \"Small\"\nseed = 1\nengine = \"echo,name=Echo,Hash=1\"\nsuites = [\"mates.toml\"]\n",
    );
    room
}

fn regress(room: &Room, folder: &str, plan: &str, more: &str) -> Said {
    room.shell(&format!("cd {folder} && $T regress --plan {plan} --out out {more}"))
}

/// Does the last report of a folder compare the cases with a baseline?
fn is_compared(room: &Room, folder: &str) -> bool {
    room.read(&format!("{folder}/out/summary.md")).contains("\n5 cases compared: ")
}

#[test]
fn baseline_is_accepted_into_the_repository_and_found_from_below() {
    let room = repository();
    let said = regress(&room, "sub/deeper", "../../small.toml", "");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.err.contains("no baseline; `threefold regress --accept`"), "{}", said.err);
    assert!(!is_compared(&room, "sub/deeper"), "{}", said.err);

    let said = regress(&room, "sub/deeper", "../../small.toml", "--accept");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(room.path(".threefold/baseline/cases.csv").exists(), "at the root: {}", said.err);
    assert!(!room.path("sub/deeper/.threefold").exists());
    for (folder, plan) in [(".", "small.toml"), ("sub/deeper", "../../small.toml")] {
        let said = regress(&room, folder, plan, "");
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert!(said.err.contains("baseline: ") && said.err.contains(".threefold/baseline"), "{}", said.err);
        assert!(is_compared(&room, folder), "{folder}: {}", said.err);
    }

    // A folder that is named wins; what is kept nearest is renewed.
    let said = regress(&room, ".", "small.toml", "--baseline nowhere");
    assert_eq!(said.code, Some(2), "{}", said.err);
    fs::remove_file(room.path(".threefold/baseline/cases.csv")).expect("it is there");
    room.write("sub/.threefold/baseline/cases.csv", "old");
    let said = regress(&room, "sub/deeper", "../../small.toml", "--accept");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_ne!(room.read("sub/.threefold/baseline/cases.csv"), "old");
    assert!(!room.path(".threefold/baseline/cases.csv").exists());
}

#[test]
fn baseline_outside_the_repository_is_not_found() {
    let room = repository();
    let said = regress(&room, ".", "small.toml", "--accept");
    assert_eq!(said.code, Some(0), "{}", said.err);
    room.write("sub/.git", "gitdir: elsewhere");
    let said = regress(&room, "sub/deeper", "../../small.toml", "");
    assert!(said.err.contains("no baseline; "), "a repository inside: {}", said.err);
    fs::remove_file(room.path("sub/.git")).expect("it is there");
    fs::remove_dir_all(room.path(".git")).expect("it is there");
    let said = regress(&room, "sub/deeper", "../../small.toml", "");
    assert!(said.err.contains("no baseline; "), "no repository: {}", said.err);
    let said = regress(&room, ".", "small.toml", "");
    assert!(is_compared(&room, "."), "the current folder: {}", said.err);
}

#[test]
fn built_in_baseline_is_for_echo_under_the_built_in_plan() {
    let room = repository();
    let notice = |words: &[&str]| room.run_words(words).err.lines().next().unwrap_or_default().to_owned();
    let own = "baseline: built in, for Echo";
    assert_eq!(notice(&["regress", "--engine", "echo,NoSuchOption=1"]), own);
    let others: [&[&str]; 2] = [
        &["regress", "--engine", "sh none.sh"],
        &["regress", "--plan", "small.toml", "--engine", "echo,NoSuchOption=1"],
    ];
    for words in others {
        assert!(notice(words).starts_with("no baseline; "), "{words:?}: {}", notice(words));
    }
}
