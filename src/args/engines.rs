//! The help of `--engine`.

use threefold_player::spec::HarnessKey;

/// The help of `--engine`: the syntax of a SPEC, and its keys.
pub fn engine_help(asked: &str) -> String {
    let row =
        |key: &HarnessKey| format!("  {:16} {}", format!("{key}={}", key.value_syntax()), key.summary());
    let keys: Vec<String> = HarnessKey::ALL.iter().map(row).collect();
    format!(
        "{asked}.\n\nSPEC is SOURCE[,KEY=VALUE]…: SOURCE is `echo` or a command, and a key that is not listed here is \
         a UCI option. Write `\\,` for a comma inside a value.\n{}",
        keys.join("\n")
    )
}
