//! `verify-statistics`: what it says, at any number of threads.

use super::Sandbox;

/// The counterexamples need more runs than these to fail, and the command reports it.
#[test]
fn undecided_claims_are_reported() {
    let sandbox = Sandbox::new();
    let output = sandbox.run("verify-statistics --runs 20 --jobs 2");
    assert_eq!(output.code, Some(1), "{}", output.out);
    for part in ["fails, as expected", "HOLDS, unexpectedly", "rows are not as claimed", "e-SPRT"] {
        assert!(output.out.contains(part), "no `{part}` in {}", output.out);
    }
    assert_eq!(output.out, sandbox.run("verify-statistics --runs 20 --jobs 1").out);
}
