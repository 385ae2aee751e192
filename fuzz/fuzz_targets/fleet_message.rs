//! The target `fleet_message` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    threefold_fuzz_targets::fleet_message::check(bytes);
});
