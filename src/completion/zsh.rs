//! The script for zsh. That of `clap_complete` adds a blank after the `=` of an option, whose value follows, and completes
//! nothing at the first TAB of a shell that loads it from `fpath`.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use clap::Command;
use clap_complete::env::{self, EnvCompleter};

/// The script, in which `PROGRAM` and `VARIABLE` stand for their names.
const SCRIPT: &str = r#"#compdef PROGRAM
_PROGRAM() {
    local -a found open closed
    local entry
    found=("${(@f)$(VARIABLE=zsh _CLAP_IFS=$'\n' _CLAP_COMPLETE_INDEX=$((CURRENT - 1)) PROGRAM -- "${words[@]}" 2> /dev/null)}")
    for entry in $found; do
        if [[ "${entry%%:*}" == *[=/] ]]; then
            open+=("$entry")
        else
            closed+=("$entry")
        fi
    done
    (( $#open )) && _describe -V 'values' open -S ''
    (( $#closed )) && _describe -V 'values' closed
}
if [[ "${funcstack[1]}" == _PROGRAM ]]; then
    _PROGRAM "$@"
else
    compdef _PROGRAM PROGRAM
fi
"#;

/// zsh, with values that go on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Zsh;

impl EnvCompleter for Zsh {
    fn name(&self) -> &'static str {
        env::Zsh.name()
    }

    fn is(&self, name: &str) -> bool {
        env::Zsh.is(name)
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
        words: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn io::Write,
    ) -> Result<(), io::Error> {
        env::Zsh.write_complete(command, words, folder, out)
    }
}
