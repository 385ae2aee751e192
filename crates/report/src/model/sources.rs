//! Where the cases and engines of a run come from: files and lines of the user's repository.
//!
//! CI servers attach a finding to a line. A case's line is that of the position file which names it, and else
//! its suite file. A suite that is built in has no file in the repository, so that its cases are attached to
//! the engine.

use std::collections::BTreeMap;
use std::fmt;

use threefold_player::EngineSource;
use threefold_run::Task;
use threefold_run::regress::baseline::CaseName;
use threefold_run::run_record::PartResult;
use threefold_suites::{CaseRecord, SourceFile};

/// A file, with the line if it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file, as the user named it, relative to the folder of the run.
    pub file: String,
    /// The line, from 1.
    pub line: Option<usize>,
}

/// `positions/traps.csv:12`
impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        self.line.iter().try_for_each(|line| write!(f, ":{line}"))
    }
}

/// The places of cases and engines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sources {
    /// The place of each case that is not built in.
    pub cases: BTreeMap<CaseName, SourcePlace>,
    /// The program of each engine, by its name in the report.
    pub programs: BTreeMap<String, String>,
}

/// How the names of built-in files begin.
const BUILT_IN: &str = "builtin:";

impl Sources {
    /// The places of everything in these parts of a run.
    pub(crate) fn from_parts(parts: &[PartResult<'_>]) -> Self {
        let mut sources = Self::default();
        for record in parts {
            for engine in record.part.task.engines() {
                let program = match &engine.source {
                    EngineSource::Echo => "echo",
                    EngineSource::Command { program, .. } => program,
                };
                sources.programs.insert(engine.name.clone(), normalised(program));
            }
            let Task::Suite(task) = &record.part.task else { continue };
            let lines = lines_of_ids(&task.source.positions);
            let suite_file = &task.source.suite_file.file;
            for case in record.cases() {
                let line = lines.get(case.id.as_str());
                let whole = || {
                    let place = SourcePlace { file: normalised(suite_file), line: None };
                    (!suite_file.starts_with(BUILT_IN)).then_some(place)
                };
                if let Some(place) = line.cloned().or_else(whole) {
                    sources.cases.insert(case_name(case), place);
                }
            }
        }
        sources
    }

    /// The place of a case, or the program of the engine that ran it.
    pub fn of_case(&self, case: &CaseRecord) -> SourcePlace {
        self.case(case).cloned().unwrap_or_else(|| self.of_engine(&case.engine))
    }

    /// The place of a case; `None` if it is built in.
    pub fn case(&self, case: &CaseRecord) -> Option<&SourcePlace> {
        self.cases.get(&case_name(case))
    }

    /// The program of an engine, or its name if the program is unknown.
    pub fn of_engine(&self, engine: &str) -> SourcePlace {
        let file = self.programs.get(engine).map_or(engine, String::as_str);
        SourcePlace { file: file.to_owned(), line: None }
    }
}

/// The name of a case in a baseline.
pub(crate) fn case_name(case: &CaseRecord) -> CaseName {
    CaseName { suite: case.suite.clone(), id: case.id.clone() }
}

/// The line of each id in the position files: the first field of a CSV row, or the operation `id` of an EPD
/// line.
fn lines_of_ids(files: &[SourceFile]) -> BTreeMap<&str, SourcePlace> {
    let mut lines = BTreeMap::new();
    for file in files.iter().filter(|file| !file.file.starts_with(BUILT_IN)) {
        for (index, text) in file.text.lines().enumerate() {
            let by_operation = text.split_once("id \"").and_then(|(_, rest)| rest.split('"').next());
            let id = by_operation.or_else(|| text.split(',').next()).unwrap_or_default();
            let place = SourcePlace { file: normalised(&file.file), line: Some(index + 1) };
            lines.entry(id).or_insert(place);
        }
    }
    lines
}

/// A path with `/` between its parts and without `.` and `a/..`, as CI servers expect it.
fn normalised(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| *part != ".") {
        match parts.last() {
            // A leading `..` has nothing to cancel, and the empty part before a leading `/` is the root.
            Some(&last) if part == ".." && last != ".." && !last.is_empty() => _ = parts.pop(),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_in_csv_and_epd() {
        let file = |file: &str, text: &str| SourceFile { file: file.to_owned(), text: text.to_owned() };
        let files = [
            file("suites/../positions/a.csv", "# note\nid,class,fen\nthird.001,third,8/8 w\n"),
            file("./b.epd", "8/8 w - - bm #1; id \"mate.1\"; c0 \"x\";\n"),
            file("builtin:positions/c.csv", "hidden,x\n"),
        ];
        let lines = lines_of_ids(&files);
        let place = |file: &str, line| Some(SourcePlace { file: file.to_owned(), line: Some(line) });
        assert_eq!(lines.get("third.001").cloned(), place("positions/a.csv", 3));
        assert_eq!(lines.get("mate.1").cloned(), place("b.epd", 1));
        assert_eq!(lines.get("hidden"), None);
    }

    #[test]
    fn paths_are_normalised() {
        for (given, expected) in [
            ("./mine", "mine"),
            ("a/../b/./c", "b/c"),
            ("../x", "../x"),
            ("/usr/bin/x", "/usr/bin/x"),
            ("a\\b", "a/b"),
        ] {
            assert_eq!(normalised(given), expected);
        }
    }
}
