//! The folders of a user for a program's own files.

use std::env;
use std::path::PathBuf;

/// The folder of files that are neither settings nor a cache; `None` if no variable names it.
pub fn state() -> Option<PathBuf> {
    let home = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/state" };
    folder("XDG_STATE_HOME", home)
}

/// The folder of files that may be removed at any time; `None` if no variable names it.
pub fn cache() -> Option<PathBuf> {
    folder("XDG_CACHE_HOME", if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" })
}

fn folder(variable: &str, under_home: &str) -> Option<PathBuf> {
    // The XDG specification has relative paths ignored.
    let of = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || of("HOME").map(|home| home.join(under_home));
    of(variable).or_else(|| if cfg!(windows) { of("LOCALAPPDATA") } else { home() })
}
