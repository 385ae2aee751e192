//! Names for several engines. Results are by name, so no two may have the same.

use std::iter;
use std::path::{Component, Path};

use threefold_player::spec::HarnessKey;
use threefold_player::{EngineSource, EngineSpec, SpecError, SpecKey};

/// The engines with names of their own. Programs with the same file name are called by the last of their folders that
/// differ: `new/stash` and `old/stash`. Names that are still the same get a number.
///
/// # Errors
/// If a name can't be part of a specification.
pub fn distinct(engines: &[EngineSpec]) -> Result<Vec<EngineSpec>, SpecError> {
    let mut named: Vec<EngineSpec> = Vec::with_capacity(engines.len());
    for engine in engines {
        let name = name_by_folders(engine, engines).unwrap_or_else(|| engine.name.clone());
        let numbered = (2..=engines.len() + 1).map(|number| format!("{name} #{number}"));
        let name = iter::once(name.clone())
            .chain(numbered)
            .find(|name| named.iter().all(|earlier| earlier.name != *name))
            .expect("fewer names are taken than there are numbers");
        named.push(if name == engine.name {
            engine.clone()
        } else {
            engine.with(&[(HarnessKey::Name, name.as_str())])?
        });
    }
    Ok(named)
}

/// The program of an engine with the fewest folders that no other program has; `None` if it needs none, or has a name that the
/// user chose.
fn name_by_folders(engine: &EngineSpec, engines: &[EngineSpec]) -> Option<String> {
    let program = unnamed_program(engine)?;
    let others: Vec<&Path> = engines
        .iter()
        .filter(|other| other.name == engine.name)
        .filter_map(unnamed_program)
        .filter(|other| *other != program)
        .collect();
    let most = program.components().count().checked_sub(1).filter(|_| !others.is_empty())?;
    let is_own = |name: &String, folders| {
        others.iter().all(|other| with_folders(other, folders).as_ref() != Some(name))
    };
    let own =
        (1..=most).find_map(|folders| with_folders(program, folders).filter(|name| is_own(name, folders)))?;
    // The rest of the name is the options and limits of the engine.
    let rest = engine.name.strip_prefix(&*program.file_stem()?.to_string_lossy())?;
    Some(own + rest)
}

/// The program of an engine to which the user gave no name.
fn unnamed_program(engine: &EngineSpec) -> Option<&Path> {
    let EngineSource::Command { program, .. } = &engine.source else { return None };
    engine.setting(&SpecKey::from(HarnessKey::Name)).is_none().then(|| Path::new(program))
}

/// The stem of a file after this number of its folders; `None` if it has no more of them.
fn with_folders(program: &Path, folders: usize) -> Option<String> {
    let is_name = |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    let parts: Vec<Component<'_>> = program.parent()?.components().filter(is_name).collect();
    let first = parts.len().checked_sub(folders)?;
    let parts = parts[first..].iter().map(|part| part.as_os_str()).chain(program.file_stem());
    Some(parts.map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(specs: &[&str]) -> Vec<String> {
        let engines: Vec<EngineSpec> = specs.iter().map(|spec| spec.parse().expect("sound")).collect();
        distinct(&engines).expect("sound").into_iter().map(|engine| engine.name).collect()
    }

    #[test]
    fn programs_with_the_same_file_name_are_called_by_their_folders() {
        for (specs, expected) in [
            (["./new/stash", "./old/stash"], ["new/stash", "old/stash"]),
            (["/a/build/stash.exe", "/b/build/stash.exe"], ["a/build/stash", "b/build/stash"]),
            (["../stash", "./stash"], ["../stash", "stash"]),
            (["./new/stash,Hash=4", "./old/stash,Hash=4"], ["new/stash Hash=4", "old/stash Hash=4"]),
            (["./new/stash,Hash=4", "./old/stash"], ["stash Hash=4", "stash"]),
            (["./new/stash", "./old/stash,name=stash"], ["stash", "stash #2"]),
            (["\"./my new/stash\"", "./old/stash"], ["my new/stash", "old/stash"]),
        ] {
            let expected = expected.map(str::to_owned).to_vec();
            assert_eq!(names(&specs), expected, "{specs:?}");
        }
    }

    #[test]
    fn names_that_are_the_same_get_a_number() {
        assert_eq!(names(&["./stash", "./stash", "echo", "echo"]), ["stash", "stash #2", "echo", "echo #2"]);
        let three = ["./a/stash", "./b/stash", "./a/stash"];
        assert_eq!(names(&three), ["a/stash", "b/stash", "a/stash #2"]);
        assert_eq!(names(&["./a,name=x", "./b,name=x"]), ["x", "x #2"]);
    }
}
