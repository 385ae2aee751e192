//! References between files: a path relative to the naming file, or [`BUILT_IN`] and the name of a built-in
//! file.

use std::path::Path;

/// The prefix of built-in files' names in arguments, files and journals.
pub const BUILT_IN: &str = "builtin:";

/// A file that another file names, as a path from where the other's own path starts.
///
/// ```
/// use threefold_suites::reference::resolve;
/// assert_eq!(resolve("suites/mate.toml", "../positions/mates.epd"), "suites/../positions/mates.epd");
/// assert_eq!(resolve("suites/mate.toml", "builtin:mates"), "builtin:mates");
/// assert_eq!(resolve("builtin:suites/mate.toml", "mates.epd"), "builtin:suites/mates.epd");
/// ```
pub fn resolve(file: &str, named: &str) -> String {
    if named.starts_with(BUILT_IN) {
        return named.to_owned();
    }
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    // `join` drops the folder if the path is absolute.
    folder.join(named).to_string_lossy().into_owned()
}

/// A file name without folder and extension.
///
/// ```
/// use threefold_suites::reference::stem;
/// assert_eq!(stem("suites/mate.toml"), "mate");
/// assert_eq!(stem("builtin:mate"), "mate");
/// ```
pub fn stem(file: &str) -> String {
    let file = file.strip_prefix(BUILT_IN).unwrap_or(file);
    Path::new(file).file_stem().map_or_else(|| file.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
