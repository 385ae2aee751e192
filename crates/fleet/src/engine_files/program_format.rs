//! The file format and the processor architecture of a program, from its first bytes.
//!
//! A worker checks them before it starts a program, and refuses one that its machine can't run. The header
//! does not say which extensions of the instruction set (such as AVX2) a program needs.

use std::fmt;

use serde::{Deserialize, Serialize};
use threefold_named_enum::named_enum;

named_enum! {
    /// The format of program files.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum ProgramFormat {
        /// Linux and most other Unix systems
        Elf = "elf",
        /// macOS
        MachO = "mach-o",
        /// Windows
        Pe = "pe",
    }
}

named_enum! {
    /// A processor architecture, with its number of bits.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Architecture {
        /// Intel and AMD, 64 bits
        X86_64 = "x86_64",
        /// Intel and AMD, 32 bits
        X86 = "x86",
        /// ARM, 64 bits
        Aarch64 = "aarch64",
        /// ARM, 32 bits
        Arm = "arm",
        /// RISC-V, 64 bits
        Riscv64 = "riscv64",
        /// PowerPC, 64 bits
        Powerpc64 = "powerpc64",
        /// Another one
        Other = "other",
    }
}

/// What a program needs of a machine: its format, and one of its architectures.
///
/// ```
/// use threefold_fleet::engine_files::{NoProgram, ProgramKind};
///
/// assert_eq!(ProgramKind::from_header(b"#!/bin/sh\n"), Err(NoProgram::Script));
/// assert_eq!(ProgramKind::from_header(b"text"), Err(NoProgram::Unknown));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramKind {
    /// The format of the file.
    pub format: ProgramFormat,
    /// The architectures that it has code for; more than one only in macOS's universal programs.
    pub architectures: Vec<Architecture>,
}

/// What a machine runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// The format of its programs.
    pub format: ProgramFormat,
    /// The architecture of its processor.
    pub architecture: Architecture,
}

/// Why the fleet does not send a file as a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoProgram {
    /// It starts with `#!`: an interpreter runs it.
    Script,
    /// It has no header of a known format.
    Unknown,
}

/// The most architectures of a universal program.
pub(super) const MOST_ARCHITECTURES: usize = 8;
/// The number of bytes of a program that are enough for [`ProgramKind::from_header`].
pub(super) const HEADER_SIZE: usize = 4_096;

impl Machine {
    /// The machine that this program runs on.
    pub fn present() -> Self {
        let format = if cfg!(windows) {
            ProgramFormat::Pe
        } else if cfg!(target_vendor = "apple") {
            ProgramFormat::MachO
        } else {
            ProgramFormat::Elf
        };
        Self { format, architecture: std::env::consts::ARCH.parse().unwrap_or(Architecture::Other) }
    }
}

impl ProgramKind {
    /// The kind of a program, of which `header` has the first 4,096 bytes, or all.
    ///
    /// # Errors
    ///
    /// If it is a script, or has no header of a known format.
    pub fn from_header(header: &[u8]) -> Result<Self, NoProgram> {
        if header.starts_with(b"#!") {
            return Err(NoProgram::Script);
        }
        let (format, architectures) = if header.starts_with(b"\x7fELF") {
            (ProgramFormat::Elf, elf(header).map(|it| vec![it]))
        } else if header.starts_with(b"MZ") {
            (ProgramFormat::Pe, portable_executable(header).map(|it| vec![it]))
        } else {
            (ProgramFormat::MachO, mach_o(header))
        };
        architectures.map(|architectures| Self { format, architectures }).ok_or(NoProgram::Unknown)
    }

    /// Can this machine run it?
    pub fn runs_on(&self, machine: Machine) -> bool {
        self.format == machine.format
            && machine.architecture != Architecture::Other
            && self.architectures.contains(&machine.architecture)
    }
}

/// `N` bytes from this offset on.
fn bytes<const N: usize>(header: &[u8], at: usize) -> Option<[u8; N]> {
    header.get(at..)?.first_chunk().copied()
}

/// The machine of an ELF header: System V ABI, `e_machine`.
fn elf(header: &[u8]) -> Option<Architecture> {
    let machine = bytes(header, 18)?;
    // `EI_DATA`: the byte order of the header.
    let machine = match header.get(5)? {
        1 => u16::from_le_bytes(machine),
        2 => u16::from_be_bytes(machine),
        _ => return None,
    };
    // With 32-bit pointers, the number of x86-64 means the x32 ABI, which counts as another architecture.
    let is_64_bit = *header.get(4)? == 2;
    Some(match (machine, is_64_bit) {
        (62, true) => Architecture::X86_64,
        (3, false) => Architecture::X86,
        (183, true) => Architecture::Aarch64,
        (40, false) => Architecture::Arm,
        (243, true) => Architecture::Riscv64,
        (21, true) => Architecture::Powerpc64,
        _ => Architecture::Other,
    })
}

/// The machine of a PE header: Microsoft's PE format, "COFF File Header".
fn portable_executable(header: &[u8]) -> Option<Architecture> {
    // `e_lfanew` of the DOS header.
    let start = usize::try_from(u32::from_le_bytes(bytes(header, 0x3c)?)).ok()?;
    if bytes(header, start)? != *b"PE\0\0" {
        return None;
    }
    Some(match u16::from_le_bytes(bytes(header, start.checked_add(4)?)?) {
        0x8664 => Architecture::X86_64,
        0x14c => Architecture::X86,
        0xaa64 => Architecture::Aarch64,
        0x1c0 | 0x1c4 => Architecture::Arm,
        0x5064 => Architecture::Riscv64,
        _ => Architecture::Other,
    })
}

/// The architectures of a Mach-O file, universal or not: `mach-o/loader.h`, `mach-o/fat.h`.
fn mach_o(header: &[u8]) -> Option<Vec<Architecture>> {
    let little_endian = u32::from_le_bytes(bytes(header, 0)?);
    if matches!(little_endian, 0xfeed_face | 0xfeed_facf) {
        return Some(vec![apple_architecture(u32::from_le_bytes(bytes(header, 4)?))]);
    }
    // The sizes of `fat_arch` and of `fat_arch_64`.
    let entry_size = match u32::from_be_bytes(bytes(header, 0)?) {
        0xcafe_babe => 20,
        0xcafe_babf => 32,
        _ => return None,
    };
    // A Java class has the same first bytes, and its version in place of the count.
    let count = usize::try_from(u32::from_be_bytes(bytes(header, 4)?)).ok()?;
    if count == 0 || count > MOST_ARCHITECTURES {
        return None;
    }
    let cpu_type = |index: usize| bytes(header, 8 + index * entry_size).map(u32::from_be_bytes);
    (0..count).map(|index| cpu_type(index).map(apple_architecture)).collect()
}

/// The architecture of a `cpu_type_t`: `mach/machine.h`.
fn apple_architecture(cpu_type: u32) -> Architecture {
    match cpu_type {
        0x0100_0007 => Architecture::X86_64,
        7 => Architecture::X86,
        0x0100_000c => Architecture::Aarch64,
        12 => Architecture::Arm,
        _ => Architecture::Other,
    }
}

/// `elf for x86_64`.
impl fmt::Display for ProgramKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.architectures.iter().map(|it| it.name()).collect();
        write!(f, "{} for {}", self.format, names.join(" and "))
    }
}

/// `elf for x86_64`.
impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for {}", self.format, self.architecture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn elf_header(class: u8, machine: u8) -> Vec<u8> {
        let mut header = b"\x7fELF".to_vec();
        header.extend([class, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, machine, 0]);
        header
    }

    fn pe_header(machine: u16) -> Vec<u8> {
        let mut header = vec![0; 0x80];
        header[..2].copy_from_slice(b"MZ");
        header[0x3c] = 0x80;
        header.extend(b"PE\0\0");
        header.extend(machine.to_le_bytes());
        header
    }

    #[test]
    fn header_has_format_and_architecture() {
        let universal = b"\xca\xfe\xba\xbe\0\0\0\x02\x01\0\0\x07\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\x0c";
        let java = b"\xca\xfe\xba\xbe\0\0\0\x34\0\x10";
        for (header, expected) in [
            (elf_header(2, 62), Ok("elf for x86_64")),
            (elf_header(1, 62), Ok("elf for other")),
            (elf_header(2, 183), Ok("elf for aarch64")),
            (elf_header(1, 3), Ok("elf for x86")),
            (elf_header(2, 62)[..19].to_vec(), Err(NoProgram::Unknown)),
            (pe_header(0x8664), Ok("pe for x86_64")),
            (pe_header(0xaa64), Ok("pe for aarch64")),
            (b"MZ, not a program".to_vec(), Err(NoProgram::Unknown)),
            (b"\xcf\xfa\xed\xfe\x0c\0\0\x01".to_vec(), Ok("mach-o for aarch64")),
            (universal.to_vec(), Ok("mach-o for x86_64 and aarch64")),
            (java.to_vec(), Err(NoProgram::Unknown)),
            (b"#!/bin/sh\n".to_vec(), Err(NoProgram::Script)),
            (Vec::new(), Err(NoProgram::Unknown)),
        ] {
            let kind = ProgramKind::from_header(&header).map(|kind| kind.to_string());
            assert_eq!(kind.as_deref(), expected.as_deref(), "{header:x?}");
        }
    }

    #[test]
    fn program_runs_only_on_its_format_and_architecture() {
        let kind = ProgramKind::from_header(&elf_header(2, 62)).expect("a program");
        let machine = Machine { format: ProgramFormat::Elf, architecture: Architecture::X86_64 };
        assert!(kind.runs_on(machine));
        assert!(!kind.runs_on(Machine { architecture: Architecture::Aarch64, ..machine }));
        assert!(!kind.runs_on(Machine { format: ProgramFormat::Pe, ..machine }));
        let unknown = ProgramKind::from_header(&elf_header(2, 99)).expect("a program");
        assert!(!unknown.runs_on(Machine { architecture: Architecture::Other, ..machine }));
    }

    #[test]
    fn running_program_runs_here() {
        let mut header = Vec::new();
        let program =
            std::fs::File::open(std::env::current_exe().expect("there is one")).expect("it is readable");
        std::io::Read::read_to_end(&mut std::io::Read::take(program, HEADER_SIZE as u64), &mut header)
            .expect("readable");
        let kind = ProgramKind::from_header(&header).expect("a program");
        assert!(kind.runs_on(Machine::present()), "{kind} on {}", Machine::present());
    }

    proptest! {
        #[test]
        fn any_header_is_read_without_a_panic(start in prop::sample::select(vec![
            &b"\x7fELF"[..], b"MZ", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"",
        ]), rest in prop::collection::vec(any::<u8>(), 0..200)) {
            let header = [start, &rest].concat();
            if let Ok(kind) = ProgramKind::from_header(&header) {
                prop_assert!((1..=MOST_ARCHITECTURES).contains(&kind.architectures.len()));
            }
        }
    }
}
