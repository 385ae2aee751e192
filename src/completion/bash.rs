//! The script for bash. That of `clap_complete` does not put together words that bash divides at `=` and `:`, as in
//! `--engine ./mine,Hash=16,Threads=1`.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use clap::Command;
use clap_complete::engine::complete;
use clap_complete::env::EnvCompleter;

use super::words::joined;

/// The script, in which `PROGRAM` and `VARIABLE` stand for their names.
const SCRIPT: &str = r#"_PROGRAM() {
    local IFS=$'\013'
    COMPREPLY=( $( VARIABLE=bash COMPLETED_WORD="$COMP_CWORD" PROGRAM -- "${COMP_WORDS[@]}" 2> /dev/null ) )
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=/:,] ]]; then
        compopt -o nospace 2> /dev/null
    fi
}
complete -o bashdefault -o default -F _PROGRAM PROGRAM
"#;

/// The variable with the index of the word that is completed.
const INDEX: &str = "COMPLETED_WORD";

/// Between two candidates: the script's `IFS`.
const SEPARATOR: &str = "\u{b}";

/// bash, with words that may have `=` and `:`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == self.name()
    }

    fn write_registration(
        &self,
        variable: &str,
        _: &str,
        program: &str,
        _: &str,
        out: &mut dyn io::Write,
    ) -> Result<(), io::Error> {
        out.write_all(SCRIPT.replace("VARIABLE", variable).replace("PROGRAM", program).as_bytes())
    }

    fn write_complete(
        &self,
        command: &mut Command,
        pieces: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn io::Write,
    ) -> Result<(), io::Error> {
        let index = env::var_os(INDEX).and_then(|index| index.to_str()?.parse().ok());
        let index = index.unwrap_or(pieces.len().saturating_sub(1));
        let pieces: Vec<String> = pieces.into_iter().map(|it| it.to_string_lossy().into_owned()).collect();
        let line = joined(&pieces, index);
        let last = line.words.len().saturating_sub(1);
        let found = complete(command, line.words.iter().map(OsString::from).collect(), last, folder)?;
        let values = found.iter().map(|found| {
            let value = found.get_value().to_string_lossy();
            value.strip_prefix(&line.kept).unwrap_or(&value).replace(' ', "\\ ")
        });
        out.write_all(values.collect::<Vec<_>>().join(SEPARATOR).as_bytes())
    }
}
