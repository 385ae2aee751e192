//! `threefold --version`: version, commit and build profile, also where there is no repository.

use std::path::Path;

use crate::sandbox::Sandbox;

#[path = "../../build/version.rs"]
mod text;

/// Makes a repository in the folder `name`, with one commit.
fn repository(sandbox: &Sandbox, name: &str) {
    let output = sandbox.shell(&format!(
        "mkdir -p {name} && cd {name} && git init -q && git -c user.name=a -c user.email=a@example.org \
         commit -q --allow-empty -m first"
    ));
    assert_eq!(output.code, Some(0), "{}", output.err);
}

fn version_in(sandbox: &Sandbox, folder: &str, out: &str) -> String {
    text::text("1.2.3", text::commit(&sandbox.path(folder)).as_ref(), Path::new(out))
}

#[test]
fn version_names_the_commit_and_the_profile() {
    let printed = Sandbox::empty().run("--version").out;
    let version = printed.trim_end().strip_prefix("threefold ").expect("the program's name");
    let details =
        version.strip_prefix(concat!(env!("CARGO_PKG_VERSION"), " (")).expect("the package's version");
    let details: Vec<&str> = details.strip_suffix(')').expect("a bracket").split(", ").collect();
    let profile = details.last().copied().unwrap_or_default();
    assert!(!profile.is_empty() && !profile.contains(' '), "{printed}");
    let commit = text::commit(Path::new(crate::WORKSPACE));
    assert_eq!(details.len(), if commit.is_some() { 2 } else { 1 }, "{printed}");
    // `OUT_DIR` of this test's package is the build script's.
    assert_eq!(version, text::text(env!("CARGO_PKG_VERSION"), commit.as_ref(), Path::new(env!("OUT_DIR"))));
}

#[test]
fn version_without_a_repository_has_no_commit() {
    let sandbox = Sandbox::empty();
    sandbox.write("archive/Cargo.toml", "");
    assert_eq!(version_in(&sandbox, "archive", "/a/target/dist/build/threefold-1f/out"), "1.2.3 (dist)");
    // A source archive that was unpacked inside of another repository.
    repository(&sandbox, ".");
    assert_eq!(version_in(&sandbox, "archive", "/a/target/debug/build/threefold-1f/out"), "1.2.3 (debug)");
    assert_eq!(version_in(&sandbox, "archive", "/elsewhere"), "1.2.3 (unknown profile)");
}

#[test]
fn version_has_seven_digits_of_the_commit_and_watches_it() {
    let sandbox = Sandbox::empty();
    repository(&sandbox, "clone");
    let version = version_in(&sandbox, "clone", "/a/target/release/build/threefold-1f/out");
    let commit = sandbox.shell("git -C clone rev-parse HEAD").out;
    assert_eq!(version, format!("1.2.3 ({}, release)", &commit[..7]));
    let watched = || {
        let commit = text::commit(&sandbox.path("clone")).expect("a commit");
        let files: Vec<String> =
            commit.watched.iter().map(|file| sandbox.read(&format!("clone/{file}"))).collect();
        assert!(!files.is_empty(), "{commit:?}");
        files
    };
    // A new commit and another branch each change a file that is watched; staging a file does not.
    let mut before = watched();
    for (action, changes) in [
        ("git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m second", true),
        ("git switch -q -c other", true),
        ("touch new && git add new", false),
    ] {
        assert_eq!(sandbox.shell(&format!("cd clone && {action}")).code, Some(0), "{action}");
        let after = watched();
        assert_eq!(before != after, changes, "{action}");
        before = after;
    }
}
