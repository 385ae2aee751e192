//! The target `fleet_engine_file` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    threefold_fuzz_targets::fleet_engine_file::check(bytes);
});
