//! The target `tune_parameters` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    threefold_fuzz_targets::tune_parameters::check(bytes);
});
