//! The texts of a spec that name files, and how they are replaced.

use std::path::{Path, PathBuf};

use threefold_player::{EngineSource, EngineSpec, program_from};

use super::{EngineFile, EngineFiles, EngineFilesError};

impl EngineFiles {
    /// The files that a spec names on this machine: the program, which is looked for as at its start; each
    /// argument, each part of an argument after its first `=`, and each option value that is the path of an
    /// existing file; and the book. A number is never a path. Reads each file once, in full.
    ///
    /// # Errors
    ///
    /// If the spec sets `dir` or `stderr`, names a folder, or names a program that is a script or has no
    /// known format; if a file can't be read, has more than [`super::MOST_BYTES`], or a name that not every
    /// system has; or if there are more than [`super::MOST_FILES`].
    pub fn read_for(spec: &EngineSpec) -> Result<Self, EngineFilesError> {
        refuse_local_keys(spec)?;
        let mut files = Vec::new();
        if let EngineSource::Command { program, .. } = &spec.source {
            files.push(EngineFile::program(&spec.text, program, &program_from(program, Path::new("")))?);
        }
        let mut add = |text: &str| {
            if !files.iter().any(|file: &EngineFile| !file.is_program() && file.text == text) {
                files.push(EngineFile::data(&spec.text, text, Path::new(text))?);
            }
            Ok(())
        };
        for text in values(spec).into_iter().filter(|text| may_be_a_path(text)) {
            let path = Path::new(text);
            // A word such as `tests` may be a folder by chance.
            if path.is_dir() && text.contains(['/', '\\']) {
                return Err(EngineFilesError::Folder { engine: spec.text.clone(), text: text.to_owned() });
            }
            if path.is_file() {
                add(text)?;
            }
        }
        if let Some(book) = &spec.book {
            add(&book_text(book))?;
        }
        Self::new(files)
    }

    /// The spec with the given local files in place of those it names. `place` is asked for each file of this
    /// list. The spec's text and name do not change, so reports are the same on all machines.
    ///
    /// # Errors
    ///
    /// If the spec sets `dir` or `stderr`, or names a program or a book that is not in this list: a
    /// permission for the files of this list would say nothing about it.
    pub fn relocate(
        &self,
        spec: &EngineSpec,
        place: &dyn Fn(&EngineFile) -> PathBuf,
    ) -> Result<EngineSpec, EngineFilesError> {
        refuse_local_keys(spec)?;
        let missing =
            |text: &str| EngineFilesError::NotListed { engine: spec.text.clone(), text: text.to_owned() };
        let local = |text: &str| {
            let file = self.files.iter().find(|file| !file.is_program() && file.text == text)?;
            Some(place(file).to_string_lossy().into_owned())
        };
        let mut spec = spec.clone();
        if let EngineSource::Command { program, args, .. } = &mut spec.source {
            let listed = self.files.iter().find(|file| file.is_program() && file.text == *program);
            *program = place(listed.ok_or_else(|| missing(program))?).to_string_lossy().into_owned();
            for argument in args {
                let whole = local(argument);
                let part = || {
                    argument.split_once('=').and_then(|(key, text)| Some(format!("{key}={}", local(text)?)))
                };
                if let Some(replaced) = whole.or_else(part) {
                    *argument = replaced;
                }
            }
        }
        for (_, value) in &mut spec.options {
            if let Some(replaced) = local(value) {
                *value = replaced;
            }
        }
        if let Some(book) = &mut spec.book {
            let text = book_text(book);
            *book = PathBuf::from(local(&text).ok_or_else(|| missing(&text))?);
        }
        Ok(spec)
    }
}

/// Refuses keys that name places on one machine. On a worker, `stderr` would write a file that the submitter
/// chose.
fn refuse_local_keys(spec: &EngineSpec) -> Result<(), EngineFilesError> {
    let local = |key| Err(EngineFilesError::LocalKey { engine: spec.text.clone(), key });
    if matches!(&spec.source, EngineSource::Command { dir: Some(_), .. }) {
        return local("dir");
    }
    if spec.stderr.is_some() { local("stderr") } else { Ok(()) }
}

/// The texts that may name a file.
fn values(spec: &EngineSpec) -> Vec<&str> {
    let mut values = Vec::new();
    if let EngineSource::Command { args, .. } = &spec.source {
        for argument in args {
            values.push(argument.as_str());
            values.extend(argument.split_once('=').map(|(_, value)| value));
        }
    }
    values.extend(spec.options.iter().map(|(_, value)| value.as_str()));
    values
}

/// A file that is called `4` by chance does not change what `Threads=4` means.
fn may_be_a_path(text: &str) -> bool {
    !text.is_empty() && text.parse::<f64>().is_err() && !matches!(text, "true" | "false")
}

fn book_text(book: &Path) -> String {
    book.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::may_be_a_path;

    #[test]
    fn number_or_truth_value_is_never_a_path() {
        for (text, expected) in
            [("8", false), ("-0.5", false), ("true", false), ("", false), ("./8", true), ("8.nnue", true)]
        {
            assert_eq!(may_be_a_path(text), expected, "{text:?}");
        }
    }
}
