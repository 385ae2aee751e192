//! Where the program of an engine is.

use std::env;
use std::path::{Path, PathBuf};

use super::spec::EngineSource;
use crate::system::file_system;

/// The path of a program, relative to the folder where the harness was started, whatever `dir` is.
pub(super) fn program_path(program: &str) -> PathBuf {
    program_from(program, Path::new(""))
}

/// The path of a program as the system finds it; a relative path starts at `folder`.
pub fn program_from(program: &str, folder: &Path) -> PathBuf {
    let path = Path::new(program);
    // `./engine` has two components, so only a bare name is searched in `PATH`.
    let is_name = path.components().nth(1).is_none();
    if is_name {
        return find_in_path(path);
    }
    let path = folder.join(path);
    std::path::absolute(&path).unwrap_or(path)
}

/// What to write instead of a program that does not exist: the present folder has a file of this name, or the
/// path has spaces and the words of the command together are a file.
pub(super) fn hint(source: &EngineSource) -> String {
    let EngineSource::Command { program, args, .. } = source else { return String::new() };
    if let Some(path) = path_with_spaces(program, args) {
        return format!("; a path with spaces is quoted: `\"{path}\"`");
    }
    let is_name = Path::new(program).components().nth(1).is_none() && !program.starts_with('.');
    if is_name && Path::new(program).is_file() && find_in_path(Path::new(program)) == Path::new(program) {
        return format!("; the file in this folder is `./{program}`");
    }
    String::new()
}

/// The file that a program and its first arguments name together, if the program alone names none.
fn path_with_spaces(program: &str, args: &[String]) -> Option<String> {
    if program_path(program).exists() {
        return None;
    }
    let paths = args.iter().scan(program.to_owned(), |path, arg| {
        *path = format!("{path} {arg}");
        Some(path.clone())
    });
    paths.into_iter().find(|path| Path::new(path).is_file())
}

/// Debian's folders of chess engines, which root's `PATH` does not have.
const GAME_FOLDERS: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Searches `PATH`, and then the folders of games. A name that is not found is left to the system.
fn find_in_path(name: &Path) -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let games = GAME_FOLDERS.iter().map(PathBuf::from);
    let found = env::split_paths(&path)
        .chain(games)
        .map(|folder| folder.join(name))
        .find(|it| file_system::is_program(it));
    found.map_or_else(|| name.to_owned(), |found| std::path::absolute(&found).unwrap_or(found))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::EngineSpec;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "an engine is looked for as a file")]
    fn hint_quotes_a_path_with_spaces() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("my engines")).expect("a folder in it");
        let engine = folder.path().join("my engines/old one");
        fs::write(&engine, "").expect("a file");
        let path = engine.to_string_lossy();
        let hint_of = |line: &str| {
            let spec: EngineSpec = line.parse().expect("a spec");
            hint(&spec.source)
        };
        let quoted = format!("; a path with spaces is quoted: `\"{path}\"`");
        assert_eq!(hint_of(&path), quoted);
        assert_eq!(hint_of(&format!("{path} --uci,name=Old")), quoted);
        // The program is there, or there is no such file at all.
        assert_eq!(hint_of(&format!("\"{path}\" one")), "");
        assert_eq!(hint_of(&format!("{path}r one")), "");
    }
}
