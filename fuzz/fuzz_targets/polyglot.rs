//! The target `polyglot` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    threefold_fuzz_targets::polyglot::check(bytes);
});
