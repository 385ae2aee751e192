//! The scripts that the GitHub Action and the GitLab template run.

use std::path::Path;

use crate::WORKSPACE;
use crate::sandbox::Sandbox;

/// The arguments without a plan and an engine: a job must not test Echo in place of its own engine.
const OWN_PLAN: &str = "[--plan]\n[threefold.toml]\n";

/// Runs a script of `ci/` with variables.
fn run(sandbox: &Sandbox, script: &str, variables: &str) -> crate::sandbox::CommandOutput {
    let script = Path::new(WORKSPACE).join("ci").join(script);
    sandbox.shell(&format!(
        "env -u GITHUB_ACTIONS -u CI_MERGE_REQUEST_DIFF_BASE_SHA {variables} bash {}",
        script.display()
    ))
}

#[test]
fn variables_become_arguments_of_regress() {
    let sandbox = Sandbox::empty();
    sandbox.write("program", "#!/bin/sh\nfor word; do echo \"[$word]\"; done\n");
    let made = sandbox.shell(
        "chmod +x program && git init -q origin && cd origin && git config user.email e@example.org && \
         git config user.name E && git config uploadpack.allowAnySHA1InWant true && git commit -q --allow-empty -m a && \
         git commit -q --allow-empty -m b && cd .. && git clone -q --depth 1 file://$PWD/origin clone && \
         git -C origin rev-parse HEAD~1",
    );
    assert_eq!(made.code, Some(0), "{}", made.err);
    let base = made.out.trim();
    let table = [
        (String::new(), format!("[regress]\n{OWN_PLAN}")),
        ("GITHUB_ACTIONS=true".to_owned(), format!("[regress]\n{OWN_PLAN}[--github]\n")),
        ("THREEFOLD_ENGINE=echo".to_owned(), "[regress]\n[--engine]\n[echo]\n".to_owned()),
        ("THREEFOLD_ARGS=--plan=p.toml".to_owned(), "[regress]\n[--plan=p.toml]\n".to_owned()),
        (
            "THREEFOLD_PLAN='my plan.toml' THREEFOLD_ENGINE=./mine,Hash=16 THREEFOLD_ARGS='--quick --force'"
                .to_owned(),
            "[regress]\n[--plan]\n[my plan.toml]\n[--engine]\n[./mine,Hash=16]\n[--quick]\n[--force]\n"
                .to_owned(),
        ),
        (format!("THREEFOLD_BASE={}", "0".repeat(40)), format!("[regress]\n{OWN_PLAN}")),
        // The clone lacks the commit at first.
        (format!("THREEFOLD_BASE={base}"), format!("[regress]\n{OWN_PLAN}[--base-commit]\n[{base}]\n")),
    ];
    for (variables, expected) in table {
        let variables = format!("-C clone THREEFOLD_PROGRAM=../program {variables}");
        let output = run(&sandbox, "regress.sh", &variables);
        assert_eq!((output.code, output.out), (Some(0), expected), "{variables}: {}", output.err);
    }
    let fetched = sandbox.shell(&format!("git -C clone cat-file -e {base}"));
    assert_eq!(fetched.code, Some(0), "{}", fetched.err);
}

#[test]
fn shards_of_other_jobs_are_merged() {
    let sandbox = Sandbox::empty();
    sandbox.write("program", "#!/bin/sh\nfor word; do echo \"[$word]\"; done\n");
    let made = sandbox.shell(
        "chmod +x program && git init -q . && mkdir -p 'all/shard 1' all/shard-2 && \
         touch 'all/shard 1/run.sqlite' all/shard-2/run.sqlite all/shard-2/cases.csv",
    );
    assert_eq!(made.code, Some(0), "{}", made.err);
    let variables = "THREEFOLD_PROGRAM=./program THREEFOLD_SHARDS=all THREEFOLD_OUT=out THREEFOLD_PLAN=plan.toml \
         THREEFOLD_ARGS=--allow-changed-engine GITHUB_ACTIONS=true";
    let output = run(&sandbox, "regress.sh", variables);
    let expected = "[merge]\n[--trust]\n[--out]\n[out]\n[--github]\n[--allow-changed-engine]\n[all/shard 1/run.sqlite]\n\
                    [all/shard-2/run.sqlite]\n";
    assert_eq!((output.code, output.out.as_str()), (Some(0), expected), "{}", output.err);
}

#[test]
fn arguments_are_split_as_a_shell_does_without_executing_anything() {
    let sandbox = Sandbox::empty();
    sandbox.write("program", "#!/bin/sh\nfor word; do echo \"[$word]\"; done\n");
    assert_eq!(sandbox.shell("chmod +x program && git init -q .").code, Some(0));
    sandbox.write("ran", "");
    for (given, expected) in [
        ("--quick\n--undecided fail\n", &["--quick", "--undecided", "fail"][..]),
        ("  --engine \"./mine,Move Overhead=10\"\n", &["--engine", "./mine,Move Overhead=10"]),
        ("'a b'\"c\\\"\\d\"\\ e '' \"\"f", &["a bc\"\\d e", "", "f"]),
        ("# not --force\n--quick # nor --fresh\na#b", &["--quick", "a#b"]),
        (
            "--one \\\n--two \"$HOME\" $(rm ran) `rm ran` * ;rm",
            &["--one", "--two", "$HOME", "$(rm", "ran)", "`rm", "ran`", "*", ";rm"],
        ),
        ("\"two\nlines\" 'it''s'", &["two\nlines", "its"]),
    ] {
        let variables =
            format!("THREEFOLD_PROGRAM=./program THREEFOLD_ARGS='{}'", given.replace('\'', r"'\''"));
        let output = run(&sandbox, "regress.sh", &variables);
        let plan = if expected[0] == "--engine" { "" } else { OWN_PLAN };
        let expected = expected.iter().fold(String::new(), |text, word| text + &format!("[{word}]\n"));
        assert_eq!(
            (output.code, output.out),
            (Some(0), format!("[regress]\n{plan}{expected}")),
            "{}",
            output.err
        );
    }
    assert!(sandbox.path("ran").exists(), "nothing was executed");
    let output =
        run(&sandbox, "regress.sh", "THREEFOLD_PROGRAM=./program THREEFOLD_ARGS='--engine \"./mine'");
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""));
    assert!(output.err.contains("input `args`): a \" is not closed"), "{}", output.err);
}

#[test]
fn label_starts_the_games() {
    let sandbox = Sandbox::empty();
    sandbox.write("program", "#!/bin/sh\nfor word; do echo \"[$word]\"; done\n");
    assert_eq!(
        sandbox
            .shell(
                "chmod +x program && git init -q . && git config user.email e@example.org && \
        git config user.name E && git commit -q --allow-empty -m a && git rev-parse HEAD >hash"
            )
            .code,
        Some(0)
    );
    let hash = sandbox.read("hash");
    let games = format!("[--base-commit]\n[{}]\n", hash.trim());
    let label = "THREEFOLD_PROGRAM=./program THREEFOLD_BASE=HEAD THREEFOLD_LABEL='threefold: sprt'";
    for (labels, expected) in [
        ("", String::new()),
        ("THREEFOLD_LABELS='bug,threefold: sprts'", String::new()),
        ("THREEFOLD_LABELS='bug,threefold: sprt'", games.clone()),
        ("CI_MERGE_REQUEST_LABELS='threefold: sprt,bug'", games.clone()),
        (
            "THREEFOLD_LABELS='threefold: sprt' THREEFOLD_SETTINGS='tc=8+0.08 elo1=5'",
            format!("{games}[--base-setting]\n[tc=8+0.08]\n[--base-setting]\n[elo1=5]\n"),
        ),
        ("THREEFOLD_SETTINGS='tc=8+0.08'", String::new()),
    ] {
        let output = run(&sandbox, "regress.sh", &format!("{label} {labels}"));
        assert_eq!(
            (output.code, output.out),
            (Some(0), format!("[regress]\n{OWN_PLAN}{expected}")),
            "{labels}: {}",
            output.err
        );
        let is_named = output.err.contains("the pull request lacks the label `threefold: sprt`");
        assert_eq!(is_named, expected.is_empty(), "{labels}: {}", output.err);
    }
    let engine = run(
        &sandbox,
        "regress.sh",
        &format!("THREEFOLD_BASE_ENGINE=./old {}", label.replace("THREEFOLD_BASE=HEAD", "")),
    );
    assert_eq!(engine.out, format!("[regress]\n{OWN_PLAN}"));
}

#[test]
fn base_version_is_the_common_ancestor() {
    let sandbox = Sandbox::empty();
    sandbox.write("program", "#!/bin/sh\nfor word; do echo \"[$word]\"; done\n");
    // `work` begins at the first commit of `main`, which has one more.
    let made = sandbox.shell(
        "chmod +x program && git init -q -b main repository && cd repository && git config user.email e@example.org && \
         git config user.name E && git commit -q --allow-empty -m first && git checkout -q -b work && \
         git commit -q --allow-empty -m work && git checkout -q main && git commit -q --allow-empty -m main && \
         git checkout -q work && git rev-parse main~1 main work",
    );
    assert_eq!(made.code, Some(0), "{}", made.err);
    let commits: Vec<&str> = made.out.lines().collect();
    let [ancestor, target, own] = commits[..] else { panic!("{commits:?}") };
    let arguments = |base: &str| format!("[regress]\n{OWN_PLAN}[--base-commit]\n[{base}]\n");
    for (variables, expected) in [
        (format!("THREEFOLD_BASE={target}"), arguments(ancestor)),
        ("THREEFOLD_BASE=main".to_owned(), arguments(ancestor)),
        (format!("THREEFOLD_BASE={ancestor}"), arguments(ancestor)),
        (format!("CI_MERGE_REQUEST_DIFF_BASE_SHA={ancestor}"), arguments(ancestor)),
        (format!("CI_MERGE_REQUEST_DIFF_BASE_SHA={ancestor} THREEFOLD_BASE={own}"), arguments(own)),
        (
            format!("CI_MERGE_REQUEST_DIFF_BASE_SHA={ancestor} THREEFOLD_BASE_ENGINE=./old"),
            format!("[regress]\n{OWN_PLAN}[--base-engine]\n[./old]\n"),
        ),
        // Another commit on purpose.
        (format!("THREEFOLD_ARGS='--base-commit {target}'"), arguments(target)),
    ] {
        let variables = format!("-C repository THREEFOLD_PROGRAM=../program {variables}");
        let output = run(&sandbox, "regress.sh", &variables);
        assert_eq!((output.code, output.out), (Some(0), expected), "{variables}: {}", output.err);
    }
    let printed = run(&sandbox, "regress.sh base", "-C repository THREEFOLD_BASE=main");
    assert_eq!((printed.code, printed.out), (Some(0), format!("{ancestor}\n")), "{}", printed.err);
    let unknown =
        run(&sandbox, "regress.sh", "-C repository THREEFOLD_PROGRAM=../program THREEFOLD_BASE=missing");
    assert_ne!(
        unknown.code,
        Some(0),
        "a base version that cannot be found is no run without one: {}",
        unknown.out
    );
}

#[test]
fn release_is_installed_after_its_checksum_is_verified() {
    let sandbox = Sandbox::empty();
    sandbox.write("release/threefold-x/threefold", "#!/bin/sh\necho threefold 0.2.0\n");
    let made = sandbox.shell(
        "chmod +x release/threefold-x/threefold && cd release && for target in x86_64-unknown-linux-musl \
         aarch64-unknown-linux-musl x86_64-apple-darwin aarch64-apple-darwin; do name=threefold-$target.tar.xz; \
         tar -cJf $name threefold-x && sha256sum $name > $name.sha256; done",
    );
    assert_eq!(made.code, Some(0), "{}", made.err);
    let variables = "THREEFOLD_VERSION=0.2.0 THREEFOLD_DIR=$PWD/bin THREEFOLD_URL=file://$PWD/release";
    let output = run(&sandbox, "install.sh", variables);
    assert_eq!((output.code, output.out.as_str()), (Some(0), "threefold 0.2.0\n"), "{}", output.err);

    sandbox.shell("for file in release/*.tar.xz; do echo damaged >> $file; done; rm -r bin");
    let output = run(&sandbox, "install.sh", variables);
    assert_ne!(output.code, Some(0), "{}", output.err);
    assert!(!sandbox.path("bin/threefold").exists(), "a damaged archive is not installed");
}

/// The version of the action, the template and the program is one.
#[test]
fn ci_files_name_the_version_of_the_program() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        ("action.yml", format!("    default: {version}\n")),
        ("ci/examples/init-comment.yml", format!("threefold-chess/threefold/ci/comment@v{version}\n")),
        ("ci/gitlab.yml", format!("THREEFOLD_VERSION: \"{version}\"\n")),
        ("ci/examples/stockfish.yml", format!("threefold-chess/threefold@v{version}\n")),
        ("ci/examples/halogen.yml", format!("threefold-chess/threefold@v{version}\n")),
        ("ci/examples/reckless.yml", format!("threefold-chess/threefold@v{version}\n")),
        ("ci/examples/plentychess.yml", format!("threefold-chess/threefold@v{version}\n")),
        ("ci/examples/duckchess.yml", format!("threefold-chess/threefold@v{version}\n")),
        ("ci/examples/weiss.yml", format!("threefold-chess/threefold@v{version}\n")),
    ] {
        let text = std::fs::read_to_string(Path::new(WORKSPACE).join(file)).expect("a file");
        assert!(text.contains(&line), "{file} lacks `{}`", line.trim());
    }
}
