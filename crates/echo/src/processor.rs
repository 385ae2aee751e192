//! Checks that the processor has the instruction sets that the build requires.
//!
//! `.cargo/config.toml` builds Echo for x86-64-v2 (with popcount), or more if configured. On an older
//! processor the program would crash at the first such instruction; this check prints a message instead.

use std::fmt;

/// An instruction set that the build uses and this processor lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingInstructionSet(&'static str);

impl fmt::Display for MissingInstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "this build is for processors with {}, which this one lacks; build one for it with \
             RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release",
            self.0
        )
    }
}

/// Whether this processor supports the build. Only x86-64 builds require optional instruction sets.
#[cfg(target_arch = "x86_64")]
pub fn check() -> Result<(), MissingInstructionSet> {
    use std::arch::x86_64::__cpuid;

    // Not `is_x86_feature_detected!`, which assumes the build's instruction sets.
    let most = __cpuid(0).eax;
    let basic = __cpuid(1).ecx;
    let extended = if most >= 7 { __cpuid(7).ebx } else { 0 };
    let sets = [
        ("SSE4.2", cfg!(target_feature = "sse4.2"), basic >> 20),
        ("POPCNT", cfg!(target_feature = "popcnt"), basic >> 23),
        ("FMA", cfg!(target_feature = "fma"), basic >> 12),
        ("AVX2", cfg!(target_feature = "avx2"), extended >> 5),
        ("BMI1", cfg!(target_feature = "bmi1"), extended >> 3),
        ("BMI2", cfg!(target_feature = "bmi2"), extended >> 8),
    ];
    match sets.into_iter().find(|&(_, asked, has)| asked && has & 1 == 0) {
        Some((name, ..)) => Err(MissingInstructionSet(name)),
        None => Ok(()),
    }
}

/// Whether this processor supports the build. Only x86-64 builds require optional instruction sets.
#[cfg(not(target_arch = "x86_64"))]
pub fn check() -> Result<(), MissingInstructionSet> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_of_this_test_is_supported() {
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn missing_instruction_set_message_has_a_remedy() {
        let reported = MissingInstructionSet("AVX2").to_string();
        assert!(reported.contains("AVX2") && reported.contains("RUSTFLAGS"), "{reported}");
    }
}
