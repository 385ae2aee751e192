//! The scripts that the GitHub Action and the GitLab template run.

use std::path::Path;

use crate::WORKSPACE;
use crate::sandbox::Sandbox;

/// Runs a script of `ci/` with variables.
fn run(sandbox: &Sandbox, script: &str, variables: &str) -> crate::sandbox::CommandOutput {
    let script = Path::new(WORKSPACE).join("ci").join(script);
    sandbox.shell(&format!("env -u GITHUB_ACTIONS -u GITHUB_PATH {variables} bash {}", script.display()))
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
        (String::new(), "[regress]\n".to_owned()),
        ("GITHUB_ACTIONS=true".to_owned(), "[regress]\n[--github]\n".to_owned()),
        (
            "THREEFOLD_PLAN='my plan.toml' THREEFOLD_ENGINE=./mine,Hash=16 THREEFOLD_ARGS='--quick --force'"
                .to_owned(),
            "[regress]\n[--plan]\n[my plan.toml]\n[--engine]\n[./mine,Hash=16]\n[--quick]\n[--force]\n"
                .to_owned(),
        ),
        (format!("THREEFOLD_BASE={}", "0".repeat(40)), "[regress]\n".to_owned()),
        // The clone lacks the commit at first.
        (format!("THREEFOLD_BASE={base}"), format!("[regress]\n[--base-commit]\n[{base}]\n")),
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
fn release_is_installed_after_its_checksum_is_verified() {
    let sandbox = Sandbox::empty();
    sandbox.write("release/threefold-x/threefold", "#!/bin/sh\necho threefold 0.2.0\n");
    let made = sandbox.shell(
        "chmod +x release/threefold-x/threefold && cd release && for target in x86_64-unknown-linux-musl \
         aarch64-unknown-linux-musl x86_64-apple-darwin aarch64-apple-darwin; do name=threefold-$target.tar.xz; \
         tar -cJf $name threefold-x && sha256sum $name > $name.sha256; done",
    );
    assert_eq!(made.code, Some(0), "{}", made.err);
    let variables = "THREEFOLD_VERSION=0.2.0 THREEFOLD_DIR=$PWD/bin THREEFOLD_URL=file://$PWD/release GITHUB_PATH=$PWD/path";
    let output = run(&sandbox, "install.sh", variables);
    assert_eq!((output.code, output.out.as_str()), (Some(0), "threefold 0.2.0\n"), "{}", output.err);
    assert!(sandbox.read("path").trim().ends_with("/bin"));

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
        ("ci/gitlab.yml", format!("THREEFOLD_VERSION: \"{version}\"\n")),
    ] {
        let text = std::fs::read_to_string(Path::new(WORKSPACE).join(file)).expect("a file");
        assert!(text.contains(&line), "{file} lacks `{}`", line.trim());
    }
}
