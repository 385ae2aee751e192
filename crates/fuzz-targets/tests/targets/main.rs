//! Runs every target over its corpus, and for a limited time over random input.
//!
//! `FUZZ_SECONDS=60 cargo test -p threefold-fuzz-targets` runs each for a minute; `FUZZ_SEED` sets another
//! seed.

#![expect(clippy::disallowed_methods, reason = "a corpus is files, and random input takes a bounded time")]

mod inputs;
mod inventory;
mod random;

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use threefold_fuzz_targets::{Accepted, TARGETS, Target};

use random::Budget;

fn main() -> ExitCode {
    // Panics are results of this test and reported at its end, so the panic hook prints nothing.
    panic::set_hook(Box::new(|_| {}));
    let arguments = Arguments::from_args();
    let budget = Budget::from_environment();
    let mut trials = vec![
        Trial::test("every_target_has_its_file_its_corpus_and_its_row", || {
            unless(&inventory::read(&fuzz_folder()).gaps())
        }),
        Trial::test("a_target_that_lacks_something_is_named", || reported(inventory::every_gap_is_named)),
        Trial::test("broken_invariant_is_found_shrunk_and_kept", || {
            reported(broken_invariant_is_found_shrunk_and_kept)
        }),
    ];
    for target in TARGETS {
        trials.push(Trial::test(format!("{}_holds_over_its_corpus", target.name), || corpus_holds(target)));
        trials.push(Trial::test(format!("{}_holds_for_random_input", target.name), move || {
            let inputs = inputs::inputs(
                corpus(target)?.into_iter().map(|(_, bytes)| bytes).collect(),
                target.vocabulary,
            );
            random::run(target, &inputs, budget, &kept()).map(|_| ()).map_err(Failed::from)
        }));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn fuzz_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// Folder of failing inputs.
fn kept() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

fn unless(gaps: &[String]) -> Result<(), Failed> {
    if gaps.is_empty() { Ok(()) } else { Err(gaps.join("\n").into()) }
}

fn reported(test: impl FnOnce() + panic::UnwindSafe) -> Result<(), Failed> {
    panic::catch_unwind(test).map_err(|cause| random::said(cause.as_ref()).into())
}

/// The files of a target's corpus with their names, in order.
fn corpus(target: &Target) -> Result<Vec<(String, Vec<u8>)>, Failed> {
    let folder = fuzz_folder().join("corpus").join(target.name);
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry?.path();
        files.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), fs::read(&path)?));
    }
    files.sort();
    Ok(files)
}

/// Every file satisfies the properties. Some files must be accepted and some refused, so that both are
/// tested.
fn corpus_holds(target: &'static Target) -> Result<(), Failed> {
    let (mut accepted, mut refused) = (0, 0);
    for (name, bytes) in corpus(target)? {
        let checked = panic::catch_unwind(|| (target.check)(&bytes));
        match checked.map_err(|cause| {
            format!("fuzz/corpus/{}/{name}: {}", target.name, random::said(cause.as_ref()))
        })? {
            Accepted(0) => refused += 1,
            Accepted(_) => accepted += 1,
        }
    }
    if accepted > 0 && refused > 0 {
        return Ok(());
    }
    Err(format!(
        "fuzz/corpus/{}: {accepted} accepted and {refused} refused; it needs some of each",
        target.name
    )
    .into())
}

fn broken_invariant_is_found_shrunk_and_kept() {
    const BROKEN: Target = Target {
        name: "broken",
        check: |bytes| {
            assert!(!bytes.contains(&b'7'), "a seven");
            Accepted(0)
        },
        vocabulary: &["6", "7", "8"],
    };
    let inputs = inputs::inputs(vec![b"line 1\nline 2\n".to_vec()], BROKEN.vocabulary);
    let found = random::run(&BROKEN, &inputs, Budget::from_environment(), &kept())
        .expect_err("it has a broken invariant");
    assert!(
        found.starts_with("a seven\nFUZZ_SEED=") && found.contains("keep them as fuzz/corpus/broken/"),
        "{found}"
    );
    let file = found.split(" bytes of ").nth(1).and_then(|rest| rest.split(';').next()).expect("a file");
    let input = fs::read(file).expect("it is kept");
    assert!(input.contains(&b'7') && input.len() <= 14, "shrunk: {input:?}");
    fs::remove_file(file).expect("it is there");
}
