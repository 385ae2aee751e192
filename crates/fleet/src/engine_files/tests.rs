//! Tests of the files of engines: lists, relocation, permissions.

#![expect(clippy::disallowed_methods, reason = "files are what is tested")]

use std::fs;
use std::path::{Path, PathBuf};

use nkeys::KeyPair;
use proptest::prelude::*;
use threefold_player::{EngineSource, EngineSpec};

use super::*;

/// A folder with the start of an x86-64 ELF program and some data files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0".to_vec();
    program.extend([7; 100]);
    for (name, bytes) in [
        ("engine", program.as_slice()),
        ("net.nnue", b"network"),
        ("weights.pb", b"weights"),
        ("book.bin", b""),
        ("script", b"#!/bin/sh\n"),
        ("text", b"no program"),
        ("8", b"a file that is called like a number"),
    ] {
        fs::write(folder.path().join(name), bytes).expect("written");
    }
    folder
}

fn spec(text: &str, folder: &Path) -> EngineSpec {
    text.replace('~', &folder.to_string_lossy()).parse().expect("a spec")
}

fn linux() -> Machine {
    Machine { format: ProgramFormat::Elf, architecture: Architecture::X86_64 }
}

#[test]
fn files_of_a_spec_are_program_arguments_options_and_book() {
    let folder = folder();
    let spec = spec(
        "~/engine --weights=~/weights.pb -v ~/text,EvalFile=~/net.nnue,Threads=8,book=~/book.bin",
        folder.path(),
    );
    let files = EngineFiles::read_for(&spec).expect("all can be sent");
    let names: Vec<&str> = files.files().iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["engine", "weights.pb", "text", "net.nnue", "book.bin"]);
    let program = &files.files()[0];
    assert_eq!(program.size, 120);
    assert!(matches!(&program.role, FileRole::Program(kind) if kind.runs_on(linux())), "{program:?}");

    let json = serde_json::to_string(&files).expect("JSON");
    assert_eq!(serde_json::from_str::<EngineFiles>(&json).expect("read back"), files);

    let relocated =
        files.relocate(&spec, &|file| Path::new("/store").join(&file.name)).expect("its own files");
    let EngineSource::Command { program, args, dir: None } = &relocated.source else {
        panic!("{relocated:?}")
    };
    assert_eq!(program, "/store/engine");
    assert_eq!(args, &["--weights=/store/weights.pb", "-v", "/store/text"]);
    let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(relocated.options, [option("EvalFile", "/store/net.nnue"), option("Threads", "8")]);
    assert_eq!(relocated.book.as_deref(), Some(Path::new("/store/book.bin")));
    assert_eq!((&relocated.text, &relocated.name), (&spec.text, &spec.name));
}

#[test]
fn built_in_echo_has_no_files_and_is_always_allowed() {
    let echo: EngineSpec = "echo,nodes=100".parse().expect("a spec");
    let files = EngineFiles::read_for(&echo).expect("no files");
    assert!(files.files().is_empty());
    EnginePermissions::default().check(&files, &[], linux()).expect("allowed");
    assert_eq!(files.relocate(&echo, &|_| PathBuf::new()).expect("the same"), echo);
}

#[test]
fn what_can_not_work_elsewhere_is_refused_with_its_remedy() {
    let folder = folder();
    for (text, remedy) in [
        ("~/engine,dir=~", "leave it out"),
        ("~/engine,stderr=~/log", "leave it out"),
        ("~/engine,SyzygyPath=~", "sends files only"),
        ("~/script", "give the program itself"),
        ("~/text", "ELF, Mach-O or PE"),
        ("~/missing", "check the name"),
        ("~/engine,book=~/missing", "check the name"),
    ] {
        let error = EngineFiles::read_for(&spec(text, folder.path())).expect_err(text).to_string();
        assert!(error.contains(remedy), "{text}: {error}");
    }
}

#[test]
fn worker_relocates_only_what_is_listed() {
    let folder = folder();
    let files = EngineFiles::read_for(&spec("~/engine", folder.path())).expect("can be sent");
    for other in
        ["/bin/sh -c evil", "~/engine,stderr=/tmp/x", "~/engine,dir=/tmp", "~/engine,book=/etc/passwd"]
    {
        let other = spec(other, folder.path());
        assert!(files.relocate(&other, &|file| PathBuf::from(&file.name)).is_err(), "{other}");
    }
    let data = EngineFile { role: FileRole::Data, ..files.files()[0].clone() };
    let data = EngineFiles::new(vec![data]).expect("a list");
    assert!(data.relocate(&spec("~/engine", folder.path()), &|_| PathBuf::new()).is_err());
}

#[test]
fn list_in_a_message_is_checked() {
    let folder = folder();
    let files = EngineFiles::read_for(&spec("~/engine ~/net.nnue", folder.path())).expect("can be sent");
    let [program, data] = files.files() else { panic!("two files") };
    let refused = |files: Vec<EngineFile>, why: &str| {
        let json = serde_json::json!({ "files": files }).to_string();
        let error = serde_json::from_str::<EngineFiles>(&json).expect_err(why).to_string();
        assert!(error.contains(why), "{error}");
    };
    for name in ["", ".", "..", "../x", "/etc/passwd", "a\\b", "C:x", "a\u{7}b", &"x".repeat(256)] {
        refused(vec![EngineFile { name: name.to_owned(), ..data.clone() }], "rename the file");
    }
    for text in ["", "a\nb", &"x".repeat(4_097)] {
        refused(vec![EngineFile { text: text.to_owned(), ..data.clone() }], "can't name a file");
    }
    refused(vec![EngineFile { size: MOST_BYTES + 1, ..data.clone() }], "512 MiB");
    refused(vec![data.clone(), data.clone()], "stands for two files");
    refused(vec![data.clone(), program.clone()], "only the first");
    let none = FileRole::Program(ProgramKind { format: ProgramFormat::Elf, architectures: Vec::new() });
    refused(vec![EngineFile { role: none, ..program.clone() }], "1 to 8 architectures");
    let many = (0..65).map(|number| EngineFile { text: number.to_string(), ..data.clone() }).collect();
    refused(many, "at most 64");
    let json = serde_json::to_string(&files).expect("JSON");
    for (from, to) in
        [("\"files\"", "\"more\":1,\"files\""), ("\"size\"", "\"mode\":7,\"size\""), ("elf", "exe")]
    {
        assert!(serde_json::from_str::<EngineFiles>(&json.replace(from, to)).is_err(), "{to}");
    }
}

#[test]
fn each_file_is_named_or_signed() {
    let folder = folder();
    let files = EngineFiles::read_for(&spec("~/engine ~/net.nnue", folder.path())).expect("can be sent");
    let [program, data] = files.files() else { panic!("two files") };
    let (owner, other) = (KeyPair::new_user(), KeyPair::new_user());
    let sign = |pair: &KeyPair, file: &EngineFile| {
        let signature = sign(&pair.seed().expect("a seed"), &file.sha256).expect("signed");
        signature.to_string().parse::<Signature>().expect("read back")
    };
    let permissions = EnginePermissions {
        hashes: [program.sha256.clone()].into(),
        keys: [owner.public_key().parse().expect("a key")].into(),
    };
    let check = |signatures: &[Signature], machine| permissions.check(&files, signatures, machine);
    let named = check(&[], linux()).expect_err("the network is not allowed");
    assert_eq!(named, Refusal::NotAllowed { name: data.name.clone(), sha256: data.sha256.clone() });
    assert!(named.to_string().contains(&format!("`--allow-engine {}`", data.sha256)), "{named}");
    let stranger = check(&[sign(&other, data)], linux()).expect_err("not trusted");
    assert!(matches!(stranger, Refusal::NotTrusted { .. }), "{stranger}");
    assert!(check(&[sign(&owner, program)], linux()).is_err(), "another file's signature");
    check(&[sign(&other, data), sign(&owner, data)], linux()).expect("named and signed");
    let machine = Machine { architecture: Architecture::Aarch64, ..linux() };
    let refused = check(&[sign(&owner, data)], machine).expect_err("another machine").to_string();
    assert!(refused.contains("elf for x86_64") && refused.contains("elf for aarch64"), "{refused}");
}

#[test]
fn seeds_and_keys_of_other_types_are_refused_and_not_repeated() {
    let hash: FileHash = "0".repeat(64).parse().expect("a hash");
    let (user, account) = (KeyPair::new_user(), KeyPair::new_account());
    let seed = user.seed().expect("a seed");
    assert_eq!(sign(&account.seed().expect("a seed"), &hash), Err(SignError::NotUser));
    assert_eq!(sign(&seed[1..], &hash), Err(SignError::Seed));
    assert!(sign(&format!("{seed}\n"), &hash).is_ok());
    assert_eq!(seed.parse::<SigningKey>(), Err(InvalidKey::Seed));
    assert!(account.public_key().parse::<SigningKey>().is_err());
    assert!(user.public_key().parse::<SigningKey>().is_ok());
    // A signature of the bare hash, or of another kind of text, is none of an engine.
    let bare = data_encoding::BASE64.encode(&user.sign(hash.as_str().as_bytes()).expect("signed"));
    let bare: Signature = format!("{hash} {bare}").parse().expect("a signature of something");
    assert!(!bare.is_by(&user));
}

proptest! {
    #[test]
    fn flipped_byte_of_hash_signature_or_key_is_refused(seed in any::<[u8; 32]>(), content in any::<[u8; 8]>(), bit in 0..8_u32, at in 0..1000_usize) {
        let pair = KeyPair::new_from_raw(nkeys::KeyPairType::User, seed).expect("a key");
        let (sha256, _) = FileHash::hash_of(content.as_slice(), 8).expect("readable");
        let signature = sign(&pair.seed().expect("a seed"), &sha256).expect("signed");
        prop_assert!(signature.is_by(&pair));
        let flip = |text: &str, from: usize| {
            let mut bytes = text.as_bytes().to_vec();
            let at = from + at % (bytes.len() - from);
            bytes[at] ^= 1 << bit;
            String::from_utf8(bytes).ok()
        };
        let text = signature.to_string();
        for (whole, from) in [(&text[..64], 0), (&text[..], 65)] {
            let Some(changed) = flip(whole, from) else { continue };
            let changed = text.replace(whole, &changed);
            let refused = changed.parse::<Signature>().ok().is_none_or(|it| !it.is_by(&pair) || *it.sha256() != sha256);
            prop_assert!(refused, "{}", changed);
        }
        if let Some(key) = flip(&pair.public_key(), 0) {
            prop_assert!(key.parse::<SigningKey>().is_err(), "{}", key);
        }
    }

    #[test]
    fn one_file_that_is_not_allowed_is_enough(count in 1..20_usize, missing in any::<prop::sample::Index>()) {
        let file = |number: usize| EngineFile {
            text: format!("{number}.nnue"),
            name: "net.nnue".to_owned(),
            size: 1,
            sha256: FileHash::hash_of(number.to_le_bytes().as_slice(), 8).expect("readable").0,
            role: FileRole::Data,
        };
        let list: Vec<EngineFile> = (0..count).map(file).collect();
        let files = EngineFiles::new(list.clone()).expect("a list");
        let hashes: BTreeSet<FileHash> = list.iter().map(|file| file.sha256.clone()).collect();
        let mut permissions = EnginePermissions { hashes, keys: BTreeSet::new() };
        prop_assert!(permissions.check(&files, &[], linux()).is_ok());
        let missing = &list[missing.index(count)];
        permissions.hashes.remove(&missing.sha256);
        let refusal = Refusal::NotAllowed { name: missing.name.clone(), sha256: missing.sha256.clone() };
        prop_assert_eq!(permissions.check(&files, &[], linux()), Err(refusal));
    }
}
