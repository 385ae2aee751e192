//! `engines.json`, the engines that a user of cutechess-cli has set up, for `conf=NAME` and `-engines`.
//!
//! cutechess-cli reads the file in the current folder, or else `cutechess/engines.json` in the user's folder
//! of settings.

use std::env;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use super::error::LineError;
use super::settings::EngineKeys;
use super::surroundings::Surroundings;

/// An engine of the file. Variants are left out: the position decides.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    name: String,
    #[serde(default)]
    command: String,
    #[serde(default)]
    protocol: String,
    #[serde(default)]
    working_directory: String,
    #[serde(default)]
    stderr_file: String,
    #[serde(default)]
    init_strings: Vec<String>,
    #[serde(default)]
    whitepov: bool,
    #[serde(default)]
    ponder: bool,
    restart: Option<String>,
    validate_claims: Option<bool>,
    #[serde(default)]
    debug: bool,
    timeout_scale_factor: Option<f64>,
    #[serde(default)]
    options: Vec<EntryOption>,
}

/// A UCI option of an engine.
#[derive(Debug, Deserialize)]
struct EntryOption {
    name: String,
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    value: Value,
    /// `None` if it is the same as the value.
    default: Option<Value>,
}

/// The file that is used, if there is one.
fn file() -> Option<PathBuf> {
    let here = PathBuf::from("engines.json");
    let settings = env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".config")));
    let of_user = settings.map(|folder| folder.join("cutechess/engines.json"));
    [Some(here), of_user].into_iter().flatten().find(|file| file.is_file())
}

/// The file with its engines.
fn found(surroundings: &Surroundings<'_>) -> Result<(PathBuf, Vec<Entry>), LineError> {
    let file = file().ok_or(LineError::NoEnginesFile)?;
    let read = (surroundings.read)(&file);
    let text = read.map_err(|source| LineError::Unreadable { file: file.clone(), source })?;
    match serde_json::from_str(&text) {
        Ok(entries) => Ok((file, entries)),
        Err(source) => Err(LineError::NoEngines { file, source }),
    }
}

/// The names of all engines, in the order of the file.
pub(super) fn names(surroundings: &Surroundings<'_>) -> Result<Vec<String>, LineError> {
    Ok(found(surroundings)?.1.into_iter().map(|entry| entry.name).collect())
}

/// The keys of an engine of the file, as `-engine` takes them.
pub(super) fn keys(name: &str, surroundings: &Surroundings<'_>) -> Result<EngineKeys, LineError> {
    let (file, entries) = found(surroundings)?;
    let known: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
    match entries.into_iter().find(|entry| entry.name == name) {
        Some(entry) => entry.keys().map_err(|cause| LineError::Entry { file, name: name.to_owned(), cause }),
        None => Err(LineError::UnknownEngine { file, name: name.to_owned(), known }),
    }
}

impl Entry {
    fn keys(self) -> Result<EngineKeys, String> {
        if self.command.trim().is_empty() {
            return Err("it has no command".to_owned());
        }
        let switches = [
            ("whitepov", self.whitepov),
            ("ponder", self.ponder),
            ("debug", self.debug),
            // The switch `trust` of the command line is this setting in the file.
            ("trust", self.validate_claims == Some(false)),
        ];
        let texts = [
            ("name", self.name),
            ("cmd", self.command.trim().to_owned()),
            ("proto", self.protocol),
            ("dir", self.working_directory),
            ("stderr", self.stderr_file),
            ("initstr", self.init_strings.join("\\n")),
            ("restart", self.restart.unwrap_or_default()),
            ("tscale", self.timeout_scale_factor.map(|factor| factor.to_string()).unwrap_or_default()),
        ];
        let texts = texts.into_iter().filter(|(_, value)| !value.is_empty());
        let switches =
            switches.into_iter().filter(|(_, is_on)| *is_on).map(|(key, _)| (key, "true".to_owned()));
        let mut keys: EngineKeys =
            texts.chain(switches).map(|(key, value)| (key.to_owned(), value)).collect();
        for option in self.options {
            // A button has no value, and what equals the default needs no setting.
            if option.kind != "button" && option.default.as_ref() != Some(&option.value) {
                let value = match &option.value {
                    Value::String(text) => text.clone(),
                    Value::Bool(_) | Value::Number(_) => option.value.to_string(),
                    Value::Null | Value::Array(_) | Value::Object(_) => {
                        return Err(format!("option {} has no value", option.name));
                    }
                };
                keys.push((format!("option.{}", option.name), value));
            }
        }
        Ok(keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_becomes_the_keys_of_an_engine() {
        let entry = r#"{"name": "A", "command": "/x/my engine", "protocol": "uci", "workingDirectory": "/x",
            "stderrFile": "e.log", "initStrings": ["one", "two"], "whitepov": true, "ponder": false, "restart": "on",
            "validateClaims": false, "debug": true, "timeoutScaleFactor": 2.5, "variants": ["standard"], "options": [
            {"name": "Hash", "type": "spin", "default": 16, "value": 64}, {"name": "Same", "type": "check",
            "default": true, "value": true}, {"name": "Text", "value": "a b"}, {"name": "Clear", "type": "button"}]}"#;
        let entry: Entry = serde_json::from_str(entry).expect("sound");
        let keys: Vec<String> =
            entry.keys().expect("sound").iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(
            keys,
            [
                "name=A",
                "cmd=/x/my engine",
                "proto=uci",
                "dir=/x",
                "stderr=e.log",
                "initstr=one\\ntwo",
                "restart=on",
                "tscale=2.5",
                "whitepov=true",
                "debug=true",
                "trust=true",
                "option.Hash=64",
                "option.Text=a b",
            ]
        );
    }

    #[test]
    fn unusable_entries_are_errors() {
        for (entry, message) in [
            (r#"{"name": "A"}"#, "it has no command"),
            (r#"{"name": "A", "command": "a", "options": [{"name": "Hash"}]}"#, "option Hash has no value"),
        ] {
            let entry: Entry = serde_json::from_str(entry).expect("read");
            assert_eq!(entry.keys().expect_err(message), message);
        }
    }
}
