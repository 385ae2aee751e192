//! What is read of engine files: hashes, signatures, public keys, the headers of programs, and their compilers.

use threefold_fleet::engine_files::{
    Architecture, EngineFile, EngineFiles, FileHash, FileRole, Machine, ProgramKind, Signature, SigningKey,
    sign,
};

use threefold_player::compiler;

use crate::{Accepted, Target, reads_back, text};

/// The fuzz target `fleet_engine_file`.
pub const TARGET: Target = Target { name: "fleet_engine_file", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "UDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCYSJF",
    "SUAAOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBZ5FE",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
    " ",
    "=",
    "U",
    "SU",
    "A",
    "f",
    "\n",
    "#!/bin/sh\n",
    "\u{7f}ELF",
    "\u{2}\u{1}\u{1}",
    "\0\0\0\0\0\0\0\0\0",
    "\u{2}\0>\0",
    "MZ",
    "PE\0\0",
];

/// Reads the bytes as a header, and as each kind of text.
pub fn check(bytes: &[u8]) -> Accepted {
    let Some(text) = text(bytes) else { return Accepted(program(bytes)) };
    let texts = reads_back::<FileHash>(text) + reads_back::<Signature>(text) + reads_back::<SigningKey>(text);
    seed(text);
    Accepted(program(bytes) + texts)
}

/// A program's kind is one that a list of files may name.
fn program(header: &[u8]) -> usize {
    let compiler = compiler::of_elf(header);
    assert!(compiler.is_none_or(|text| !text.is_empty() && !text.contains(char::is_control)));
    let Ok(kind) = ProgramKind::from_header(header) else { return 0 };
    let is_known = |it: &&Architecture| **it != Architecture::Other;
    for &architecture in kind.architectures.iter().filter(is_known) {
        assert!(kind.runs_on(Machine { format: kind.format, architecture }), "{kind}");
    }
    let (sha256, size) = FileHash::hash_of(header, header.len() as u64).expect("a slice is readable");
    let name = "engine".to_owned();
    let file = EngineFile { text: name.clone(), name, size, sha256, role: FileRole::Program(kind) };
    let files = EngineFiles::new(vec![file]).expect("one program");
    let written = serde_json::to_string(&files).expect("JSON");
    assert_eq!(serde_json::from_str::<EngineFiles>(&written).expect("its own text"), files, "{written}");
    1
}

/// The signature by a seed reads back.
fn seed(text: &str) {
    let (sha256, _) = FileHash::hash_of(text.as_bytes(), text.len() as u64).expect("a slice is readable");
    if let Ok(signature) = sign(text, &sha256) {
        assert_eq!(signature.sha256(), &sha256);
        assert_eq!(reads_back::<Signature>(&signature.to_string()), 1);
    }
}
