//! `ci/pull-request.sh` against a small service of its own: the comment of a pull request, and the settings
//! that comments give.

mod github;
mod gitlab;
mod hostile;
mod service;
mod settings;

use std::path::Path;

use crate::WORKSPACE;
use crate::ci_clones::step;
use crate::sandbox::{CommandOutput, Sandbox};
use service::TOKEN;

/// Runs the script with variables, and checks that no output has the token.
fn run(sandbox: &Sandbox, command: &str, variables: &[(&str, &str)]) -> CommandOutput {
    let script = Path::new(WORKSPACE).join("ci/pull-request.sh");
    shell(sandbox, &format!("bash -x {} {command}", script.display()), variables)
}

fn shell(sandbox: &Sandbox, command: &str, variables: &[(&str, &str)]) -> CommandOutput {
    let variables: Vec<String> =
        variables.iter().map(|(name, value)| format!("{name}='{}'", value.replace('\'', r"'\''"))).collect();
    // Nothing of a service that this test may run in.
    let line = format!("env -i PATH=\"$PWD/bin:$PATH\" HOME=\"$PWD\" {} {command}", variables.join(" "));
    let output = sandbox.shell(&line);
    assert!(!output.out.contains(TOKEN) && !output.err.contains(TOKEN), "{}{}", output.out, output.err);
    output
}

/// Runs a step of an action with its inputs and the variables of the service. The token is that of the service.
fn run_step(
    sandbox: &Sandbox,
    [file, name, folder]: [&str; 3],
    inputs: &[(&str, &str)],
    service: &[(&str, &str)],
) -> CommandOutput {
    let (variables, script) = step(file, name, inputs);
    sandbox.write("script.sh", script);
    let mut variables: Vec<(&str, &str)> =
        variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let folder = Path::new(WORKSPACE).join(folder).display().to_string();
    variables.extend([
        ("GITHUB_ACTION_PATH", folder.as_str()),
        ("GITHUB_OUTPUT", "output"),
        ("THREEFOLD_TOKEN", TOKEN),
    ]);
    variables.extend(service);
    shell(sandbox, "bash -eo pipefail script.sh", &variables)
}

/// Are the programs there that the script needs?
fn has_programs() -> bool {
    let has = |program: &&str| {
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .any(|folder| folder.join(program).exists())
    };
    let missing: Vec<&str> = ["curl", "jq", "unzip"].into_iter().filter(|program| !has(program)).collect();
    if !missing.is_empty() {
        assert!(std::env::var_os("CI").is_none(), "{} must be installed", missing.join(", "));
    }
    missing.is_empty()
}
