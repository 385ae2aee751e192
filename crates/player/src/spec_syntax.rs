//! The syntax of a spec: parts separated by commas, settings with keys, words separated by spaces.

use std::fmt;

use super::spec_error::SpecError;
use super::spec_key::SpecKey;

/// A setting of a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpecSetting {
    pub(super) key: SpecKey,
    pub(super) value: String,
    /// The part between two commas as it was written, with its blanks.
    pub(super) written: String,
}

impl SpecSetting {
    pub(super) fn new(key: SpecKey, value: &str) -> Self {
        let written = format!("{}={value}", key.name());
        Self { key, value: value.to_owned(), written }
    }

    fn parse(written: String) -> Result<Self, SpecError> {
        match written.split_once('=').map(|(key, value)| (key.trim(), value)) {
            Some((key, value)) if !key.is_empty() => {
                Ok(Self { key: key.into(), value: value.to_owned(), written })
            }
            Some(_) | None => Err(SpecError::NoValue(written)),
        }
    }
}

/// The text of a spec, split into its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpecText {
    /// `echo`, or a command line.
    pub(super) source: String,
    pub(super) settings: Vec<SpecSetting>,
}

impl SpecText {
    pub(super) fn parse(text: &str) -> Result<Self, SpecError> {
        let mut parts = split(text).into_iter();
        let source = parts.next().unwrap_or_default();
        if source.trim().is_empty() {
            return Err(SpecError::NoSource(text.to_owned()));
        }
        Ok(Self { source, settings: parts.map(SpecSetting::parse).collect::<Result<_, _>>()? })
    }

    /// Is there a setting with this key?
    pub(super) fn sets(&self, key: &SpecKey) -> bool {
        self.settings.iter().any(|setting| setting.key == *key)
    }
}

impl fmt::Display for SpecText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = std::iter::once(&self.source).chain(self.settings.iter().map(|setting| &setting.written));
        f.write_str(&join(&parts.cloned().collect::<Vec<_>>()))
    }
}

/// Splits at commas. `2n` backslashes before a comma are `n` backslashes and a separator; `2n + 1` are `n`
/// backslashes and a comma that belongs to the part. Elsewhere a backslash is literal.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut backslashes = 0;
    for letter in text.chars() {
        if letter == '\\' {
            backslashes += 1;
            continue;
        }
        let part = parts.last_mut().expect("there is a part from the start");
        let border = letter == ',';
        part.extend(std::iter::repeat_n('\\', if border { backslashes / 2 } else { backslashes }));
        if border && backslashes % 2 == 0 {
            parts.push(String::new());
        } else {
            part.push(letter);
        }
        backslashes = 0;
    }
    parts.last_mut().expect("there is a part from the start").extend(std::iter::repeat_n('\\', backslashes));
    parts
}

/// The inverse of [`split`].
fn join(parts: &[String]) -> String {
    let mut text = String::new();
    for (index, part) in parts.iter().enumerate() {
        let mut backslashes = 0;
        for letter in part.chars() {
            if letter == ',' {
                // `n` backslashes are written already. With `2n + 1` the comma belongs to the part.
                text.extend(std::iter::repeat_n('\\', backslashes + 1));
            }
            text.push(letter);
            backslashes = if letter == '\\' { backslashes + 1 } else { 0 };
        }
        if index + 1 < parts.len() {
            text.extend(std::iter::repeat_n('\\', backslashes));
            text.push(',');
        }
    }
    text
}

/// A word as [`words`] reads it back; a quotation mark inside it cannot be written.
pub(super) fn quoted(word: &str) -> String {
    if word.contains(' ') || word.is_empty() { format!("\"{word}\"") } else { word.to_owned() }
}

/// Splits at spaces; `"…"` keeps spaces inside a word.
pub(super) fn words(text: &str) -> Result<Vec<String>, SpecError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for letter in text.chars() {
        if letter == '"' {
            quoted = !quoted;
            // `""` is an empty word.
            word.get_or_insert_default();
        } else if letter.is_whitespace() && !quoted {
            words.extend(word.take());
        } else {
            word.get_or_insert_default().push(letter);
        }
    }
    if quoted {
        return Err(SpecError::OpenQuote(text.to_owned()));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spec_is_split_into_parts_and_words() {
        assert_eq!(split(r"a,b\,c,d\\,C:\x\y\"), ["a", "b,c", r"d\", r"C:\x\y\"]);
        assert_eq!(words(r#" a  "b c"d "" "#).expect("closed"), ["a", "b cd", ""]);
    }

    proptest! {
        #[test]
        fn joined_spec_splits_into_the_same_parts(parts in prop::collection::vec(r#"[a,\\= "]{0,6}"#, 1..5)) {
            prop_assert_eq!(split(&join(&parts)), parts);
        }
    }
}
