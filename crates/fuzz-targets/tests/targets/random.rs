//! Random input for a limited time; the same seed gives the same inputs.
//!
//! Each input is written to a file before it is tried, so that an abort or an endless loop leaves its input.

use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use proptest::prelude::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use threefold_fuzz_targets::Target;

/// Inputs between two checks of the clock.
const BATCH: u32 = 16;
/// Time limit for shrinking a failing input.
const SHRINKING_STEPS: u32 = 20_000;
const SHRINKING_MILLIS: u32 = 10_000;
/// Time limit of one input; the slowest takes a fraction of a second.
const HANG: Duration = Duration::from_mins(2);

/// Duration and seed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    time: Duration,
    seed: u64,
}

impl Budget {
    /// `FUZZ_SECONDS` for each kind of input (1.5), from `FUZZ_SEED` (29).
    pub(crate) fn from_environment() -> Self {
        fn number<T: std::str::FromStr>(name: &str, default: T) -> T {
            let read =
                |given: String| given.parse().unwrap_or_else(|_| panic!("{name}={given} is no number"));
            env::var(name).map_or(default, read)
        }
        Self { time: Duration::from_secs_f64(number("FUZZ_SECONDS", 1.5)), seed: number("FUZZ_SEED", 29) }
    }
}

/// Tries inputs until the time is over; returns their number, or the smallest input that violates a property.
pub(crate) fn run(
    target: &Target,
    inputs: &impl Strategy<Value = Vec<u8>>,
    budget: Budget,
    folder: &Path,
) -> Result<u64, String> {
    let tried = AtomicU64::new(0);
    let current = folder.join(format!("{}-current", target.name));
    let (done, waiting) = channel::<()>();
    let outcome = thread::scope(|scope| {
        let (tried, current) = (&tried, &current);
        scope.spawn(move || end_if_hanging(target, &waiting, tried, current));
        let outcome = try_inputs(target, inputs, budget, tried, current);
        drop(done);
        outcome
    });
    fs::remove_file(&current).map_err(|error| error.to_string())?;
    outcome.map(|()| tried.into_inner()).map_err(|(what, input)| {
        let file = keep(target, &input, folder);
        format!(
            "{what}\nFUZZ_SEED={} breaks an invariant with the {} bytes of {}; fix the cause, and keep them as {}",
            budget.seed,
            input.len(),
            file.display(),
            corpus_place(target, &file)
        )
    })
}

fn try_inputs(
    target: &Target,
    inputs: &impl Strategy<Value = Vec<u8>>,
    budget: Budget,
    tried: &AtomicU64,
    current: &Path,
) -> Result<(), (String, Vec<u8>)> {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&budget.seed.to_le_bytes());
    let config = Config {
        cases: BATCH,
        failure_persistence: None,
        max_shrink_iters: SHRINKING_STEPS,
        max_shrink_time: SHRINKING_MILLIS,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let begun = Instant::now();
    while begun.elapsed() < budget.time {
        let outcome = runner.run(inputs, |input| {
            fs::write(current, &input).expect("room for an input");
            let checked = panic::catch_unwind(AssertUnwindSafe(|| (target.check)(&input)));
            tried.fetch_add(1, Ordering::Relaxed);
            checked.map(|_| ()).map_err(|cause| TestCaseError::fail(said(cause.as_ref())))
        });
        match outcome {
            Ok(()) => {}
            Err(TestError::Fail(reason, input)) => return Err((reason.to_string(), input)),
            Err(TestError::Abort(reason)) => return Err((reason.to_string(), Vec::new())),
        }
    }
    Ok(())
}

/// Ends the process if one input takes too long, because a test can't be interrupted.
#[expect(clippy::print_stderr, reason = "nothing reports a test that ends its process")]
fn end_if_hanging(target: &Target, over: &Receiver<()>, tried: &AtomicU64, current: &Path) {
    let mut before = tried.load(Ordering::Relaxed);
    while over.recv_timeout(HANG) == Err(RecvTimeoutError::Timeout) {
        let now = tried.load(Ordering::Relaxed);
        if now == before {
            eprintln!("{}: {HANG:?} for the input in {}", target.name, current.display());
            process::exit(101);
        }
        before = now;
    }
}

/// The message of a panic.
pub(crate) fn said(cause: &(dyn std::any::Any + Send)) -> String {
    let text =
        cause.downcast_ref::<String>().map(String::as_str).or_else(|| cause.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without words").to_owned()
}

/// Writes the input under a name derived from its content.
fn keep(target: &Target, input: &[u8], folder: &Path) -> PathBuf {
    let hash = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let file = folder.join(format!("{}-{hash:016x}", target.name));
    fs::write(&file, input).expect("room for an input");
    file
}

fn corpus_place(target: &Target, file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    format!("fuzz/corpus/{}/{}", target.name, name.trim_start_matches(&format!("{}-", target.name)))
}
