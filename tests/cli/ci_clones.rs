//! The action and the GitLab template in clones that are made as the services make them.

use std::fs;
use std::path::Path;

use crate::WORKSPACE;
use crate::sandbox::{CommandOutput, Sandbox};

/// A repository `origin` whose branch `work` left `main` sixty commits ago, with the merge commit of a pull
/// request.
const ORIGIN: &str = "git init -q -b main origin && cd origin && git config user.email e@example.org && \
    git config user.name E && for i in $(seq 60); do git commit -q --allow-empty -m before; done && git tag fork && \
    for i in $(seq 60); do git commit -q --allow-empty -m after; done && git checkout -q -b work fork && \
    git commit -q --allow-empty -m work && git checkout -q --detach main && git merge -q --no-ff -m merge work && \
    git update-ref refs/pull/1/merge HEAD && git checkout -q main && git tag -d fork";

/// A service's way to clone; `FETCH` in it is the commit or the branch that the job is about.
struct Clone {
    name: &'static str,
    commands: &'static str,
    /// What the tested commit and `main` have in common.
    ancestor: &'static str,
}

const CLONES: &[Clone] = &[
    Clone {
        name: "actions/checkout of a pull request",
        commands: "git fetch -q --no-tags --prune --depth=1 origin \
            +$(git -C ../origin rev-parse refs/pull/1/merge):refs/remotes/pull/1/merge && \
            git checkout -q --force refs/remotes/pull/1/merge",
        ancestor: "main",
    },
    Clone {
        name: "actions/checkout of a pull request with fetch-depth: 0",
        commands: "git fetch -q --prune origin '+refs/heads/*:refs/remotes/origin/*' '+refs/tags/*:refs/tags/*' \
            +$(git -C ../origin rev-parse refs/pull/1/merge):refs/remotes/pull/1/merge && \
            git checkout -q --force refs/remotes/pull/1/merge",
        ancestor: "main",
    },
    Clone {
        name: "actions/checkout of a branch",
        commands: "git fetch -q --no-tags --prune --depth=1 origin \
            +$(git -C ../origin rev-parse work):refs/remotes/origin/work && \
            git checkout -q --force -B work refs/remotes/origin/work",
        ancestor: "main~60",
    },
    Clone {
        name: "actions/checkout of a branch with fetch-depth: 0",
        commands: "git fetch -q --prune origin '+refs/heads/*:refs/remotes/origin/*' && \
            git checkout -q --force -B work refs/remotes/origin/work",
        ancestor: "main~60",
    },
    Clone {
        name: "a runner of GitLab",
        commands: "git fetch -q --prune --no-tags --depth 20 origin \
            +$(git -C ../origin rev-parse work):refs/pipelines/1 +refs/heads/work:refs/remotes/origin/work && \
            git checkout -f -q --detach $(git -C ../origin rev-parse work)",
        ancestor: "main~60",
    },
];

/// A sandbox with the repository, and with a program `bin/threefold` that prints its arguments.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::empty();
    sandbox.write("bin/threefold", "#!/bin/sh\nfor word; do echo \"[$word]\"; done\n");
    let made = sandbox.shell(&format!("chmod +x bin/threefold && {ORIGIN}"));
    assert_eq!(made.code, Some(0), "{}", made.err);
    sandbox
}

/// A new clone in the folder `clone`.
fn make(sandbox: &Sandbox, clone: &Clone) {
    let commands = format!(
        "rm -rf clone && git init -q clone && cd clone && git remote add origin file://$(dirname $PWD)/origin && {}",
        clone.commands
    );
    let made = sandbox.shell(&commands);
    assert_eq!(made.code, Some(0), "{}: {}", clone.name, made.err);
}

fn hash(sandbox: &Sandbox, revision: &str) -> String {
    sandbox.shell(&format!("git -C origin rev-parse {revision}")).out.trim().to_owned()
}

/// Runs a script in the clone, with the program in the path and these variables.
fn run(sandbox: &Sandbox, variables: &[(&str, String)], script: &str) -> CommandOutput {
    sandbox.write("script.sh", script);
    let quoted = |(name, value): &(&str, String)| format!("{name}='{}'", value.replace('\'', r"'\''"));
    let variables: Vec<String> = variables.iter().map(quoted).collect();
    sandbox.shell(&format!(
        "cd clone && env -u GITHUB_ACTIONS -u CI_MERGE_REQUEST_DIFF_BASE_SHA PATH=\"$(dirname $PWD)/bin:$PATH\" {} \
         bash -eo pipefail ../script.sh",
        variables.join(" ")
    ))
}

/// The script and the environment of a step of an action, with its inputs filled in.
pub(crate) fn step(file: &str, name: &str, inputs: &[(&str, &str)]) -> (Vec<(String, String)>, String) {
    let action = fs::read_to_string(Path::new(WORKSPACE).join(file)).expect("the action");
    let (_, rest) = action.split_once(&format!("    - name: {name}\n")).expect("a step of this name");
    let step = rest.split("    - name: ").next().expect("its lines");
    let value = |given: &str| {
        let name = given.trim().strip_prefix("${{ inputs.")?.strip_suffix(" }}")?;
        inputs.iter().find(|(input, _)| *input == name).map(|(_, value)| (*value).to_owned())
    };
    let variable = |line: &str| {
        let (name, given) = line.trim().split_once(": ")?;
        Some((name.to_owned(), value(given).unwrap_or_default()))
    };
    let variables = step.lines().filter(|line| line.starts_with("        THREEFOLD_")).filter_map(variable);
    let (_, script) = step.split_once("      run: ").expect("it runs a script");
    let script = match script.strip_prefix("|\n") {
        Some(block) => block.to_owned(),
        None => script.lines().next().expect("a line").trim_matches('\'').to_owned(),
    };
    (variables.collect(), script)
}

#[test]
fn base_branch_is_found_in_every_clone() {
    let sandbox = sandbox();
    let script = format!("bash {WORKSPACE}/ci/regress.sh base");
    for clone in CLONES {
        let (ancestor, older) = (hash(&sandbox, clone.ancestor), hash(&sandbox, "main~70"));
        for (base, expected) in [
            ("main", &ancestor),
            ("origin/main", &ancestor),
            ("refs/heads/main", &ancestor),
            (&older, &older),
        ] {
            make(&sandbox, clone);
            let output = run(&sandbox, &[("THREEFOLD_BASE", base.to_owned())], &script);
            let found = (output.code, output.out.trim());
            assert_eq!(found, (Some(0), expected.as_str()), "{}, {base}: {}", clone.name, output.err);
            let there = sandbox.shell(&format!("git -C clone cat-file -e {expected}"));
            assert_eq!(there.code, Some(0), "{}, {base}: {}", clone.name, there.err);
        }
        let output = run(&sandbox, &[("THREEFOLD_BASE", "mian".to_owned())], &script);
        assert_ne!(output.code, Some(0), "{}: {}", clone.name, output.out);
        let expected =
            "the base version `mian` is no commit of this clone and no branch or commit of its remote";
        assert!(output.err.contains(expected), "{}: {}", clone.name, output.err);
    }
}

#[test]
fn action_tests_against_the_common_ancestor_in_every_clone() {
    let sandbox = sandbox();
    let inputs =
        [("base", "main"), ("plan", "my plan.toml"), ("args", "--quick\n--undecided fail\n"), ("out", "new")];
    for clone in CLONES.iter().filter(|clone| clone.name.starts_with("actions/checkout")) {
        make(&sandbox, clone);
        let ancestor = hash(&sandbox, clone.ancestor);
        for (name, expected) in [
            ("Base version", String::new()),
            (
                "Regression test",
                format!(
                    "[regress]\n[--plan]\n[my plan.toml]\n[--out]\n[new]\n[--base-commit]\n[{ancestor}]\n[--github]\n\
                     [--quick]\n[--undecided]\n[fail]\n"
                ),
            ),
        ] {
            let (variables, script) = step("action.yml", name, &inputs);
            let mut variables: Vec<(&str, String)> =
                variables.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
            variables.push(("GITHUB_ACTIONS", "true".to_owned()));
            variables.push(("GITHUB_ACTION_PATH", WORKSPACE.to_owned()));
            variables.push(("GITHUB_OUTPUT", "../output".to_owned()));
            let output = run(&sandbox, &variables, &script);
            assert_eq!(
                (output.code, output.out),
                (Some(0), expected),
                "{}, {name}: {}",
                clone.name,
                output.err
            );
        }
        let output = sandbox.read("output");
        assert!(output.lines().any(|line| line == format!("commit={ancestor}")), "{}: {output}", clone.name);
        fs::remove_file(sandbox.path("output")).expect("written");
    }
}

#[test]
fn gitlab_template_runs_in_a_clone_of_a_runner() {
    let sandbox = sandbox();
    let clone = CLONES.last().expect("the one of GitLab");
    make(&sandbox, clone);
    let template = fs::read_to_string(Path::new(WORKSPACE).join("ci/gitlab.yml")).expect("the template");
    let (_, rest) = template.split_once("  script:\n").expect("a script");
    let lines = rest.lines().take_while(|line| line.starts_with("    "));
    let script: String =
        lines.filter_map(|line| line.strip_prefix("    - ")).flat_map(|line| [line, "\n"]).collect();
    let base = hash(&sandbox, "main~60");
    let variables = [
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", base.clone()),
        ("THREEFOLD_SCRIPTS", format!("file://{WORKSPACE}/ci")),
        ("THREEFOLD_BUILD", "echo built >built".to_owned()),
        ("THREEFOLD_ARGS", "--engine \"./mine,Move Overhead=10\"\n--quick".to_owned()),
    ];
    let output = run(&sandbox, &variables, &script);
    let expected =
        format!("[regress]\n[--base-commit]\n[{base}]\n[--engine]\n[./mine,Move Overhead=10]\n[--quick]\n");
    assert!(output.out.ends_with(&expected), "{}\n{}", output.out, output.err);
    assert_eq!((output.code, sandbox.read("clone/built")), (Some(0), "built\n".to_owned()), "{}", output.err);
}
