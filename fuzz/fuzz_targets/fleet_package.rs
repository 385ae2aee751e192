//! The target `fleet_package` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    threefold_fuzz_targets::fleet_package::check(bytes);
});
