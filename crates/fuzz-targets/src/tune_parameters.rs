//! The parameters of a tune: OpenBench's columns, and TOML.

use threefold_run::tune::parameter_file::{self, ParameterFile};
use threefold_suites::SourceFile;

use crate::{Accepted, Target, cases, text};

/// The fuzz target `tune_parameters`.
pub const TARGET: Target = Target { name: "tune_parameters", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "A, int, 75, -17, 303, 16.0, 0.004\n",
    "B, float, 1.5, 0.1, 4.0, 0.195, 0.002\n",
    "[[parameter]]\n",
    "name = \"C\"\n",
    "type = \"int\"\n",
    "value = 5\n",
    "min = 0\n",
    "max = 10\n",
    "c_end = 1\n",
    "r_end = 0.002\n",
    "int",
    "float",
    "1",
    "-1",
    "0.5",
    "1e999",
    "nan",
    "9007199254740993",
    "inf",
    "\"",
    ",",
    ", ",
    "=",
    "#",
    "\n",
    "\r\n",
    "\t",
    " ",
    "é",
];

/// Reads the text as columns and as TOML. Parameters print as lines that read back.
pub fn check(bytes: &[u8]) -> Accepted {
    let Some(text) = text(bytes) else { return Accepted(0) };
    let files = ["p.csv", "p.toml"].map(|file| SourceFile { file: file.to_owned(), text: text.to_owned() });
    Accepted(files.iter().map(read).sum())
}

fn read(file: &SourceFile) -> usize {
    match ParameterFile::parse(file) {
        Ok(read) => {
            let all = read.parameters.all();
            assert_eq!(read.lines.len(), all.len());
            let lines: Vec<String> = all.iter().map(parameter_file::line).collect();
            let again = SourceFile { file: "again.csv".to_owned(), text: lines.join("\n") };
            let again = ParameterFile::parse(&again).unwrap_or_else(|error| panic!("{lines:?}: {error}"));
            assert_eq!(again.parameters, read.parameters, "{lines:?}");
            1
        }
        Err(error) => {
            error.all().for_each(|error| cases::line_is_there(error, &[file]));
            0
        }
    }
}
