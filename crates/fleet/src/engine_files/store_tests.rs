//! Tests of the store of engine files.

#![expect(clippy::disallowed_methods, reason = "files are what is tested")]

use std::fs;
use std::path::Path;

use super::*;

fn file(bytes: &[u8], role: FileRole) -> EngineFile {
    let (sha256, size) = FileHash::hash_of(bytes, MOST_BYTES).expect("readable");
    EngineFile { text: "x/engine".to_owned(), name: "engine".to_owned(), size, sha256, role }
}

fn program() -> FileRole {
    FileRole::Program(ProgramKind { format: ProgramFormat::Elf, architectures: vec![Architecture::X86_64] })
}

fn store() -> (tempfile::TempDir, EngineStore) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = EngineStore::open(&folder.path().join("engines")).expect("a store");
    (folder, store)
}

#[test]
fn stored_file_keeps_its_name_and_bytes() {
    let (folder, store) = store();
    let file = file(b"engine", program());
    assert!(store.get(&file).expect("readable").is_none());
    let path = store.insert(&file, b"engine".as_slice()).expect("stored");
    assert_eq!(store.get(&file).expect("readable"), Some(path.clone()));
    assert_eq!(path, folder.path().join("engines").join(file.sha256.as_str()).join("engine"));
    assert_eq!(fs::read(&path).expect("readable"), b"engine");
    assert_eq!(store.insert(&file, b"engine".as_slice()).expect("stored again"), path);
}

#[cfg(unix)]
#[test]
fn stored_files_belong_to_the_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, store) = store();
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    for (bytes, role, expected) in [(b"1", program(), 0o500), (b"2", FileRole::Data, 0o400)] {
        let path = store.insert(&file(bytes, role), bytes.as_slice()).expect("stored");
        assert_eq!(mode(&path), expected);
        let folder = path.parent().expect("one");
        assert_eq!((mode(folder), mode(folder.parent().expect("one"))), (0o700, 0o700));
    }
}

#[test]
fn wrong_bytes_are_refused_and_leave_nothing() {
    let (folder, store) = store();
    let file = file(b"engine", program());
    for wrong in [&b"engin"[..], b"engines", b"ENGINE", b""] {
        let error = store.insert(&file, wrong).expect_err("not the file").to_string();
        assert!(error.contains("thrown away"), "{error}");
    }
    let large = EngineFile { size: MOST_BYTES + 1, ..file };
    assert!(matches!(store.insert(&large, b"".as_slice()), Err(StoreError::TooLarge { .. })));
    assert_eq!(fs::read_dir(folder.path().join("engines")).expect("there").count(), 0);
}

#[cfg(unix)]
#[test]
fn changed_file_is_refused_and_removed() {
    use std::os::unix::fs::symlink;
    let (folder, store) = store();
    let file = file(b"engine", program());
    let place = store.place(&file);
    let parent = place.parent().expect("one");
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("created");
    fs::write(elsewhere.join("engine"), "engine").expect("written");
    let replace_by_bytes = |bytes: &str| {
        fs::remove_file(&place).expect("removed");
        fs::write(&place, bytes).expect("written");
    };
    let changes: [(&str, &dyn Fn()); 4] = [
        ("as long", &|| replace_by_bytes("ENGINE")),
        ("longer", &|| replace_by_bytes("engine and more")),
        ("a link to the same bytes", &|| {
            fs::remove_file(&place).expect("removed");
            symlink(elsewhere.join("engine"), &place).expect("linked");
        }),
        ("a linked folder", &|| {
            fs::remove_dir_all(parent).expect("removed");
            symlink(&elsewhere, parent).expect("linked");
        }),
    ];
    for (what, change) in changes {
        store.insert(&file, b"engine".as_slice()).expect("stored");
        change();
        let error = store.get(&file).expect_err(what).to_string();
        assert!(error.contains("removed"), "{error}");
        assert!(store.get(&file).expect("readable").is_none(), "{what}");
    }
    assert!(elsewhere.join("engine").exists(), "only the link is removed");
}
