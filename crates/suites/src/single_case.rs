//! Reduces a suite to one of its cases, so that the case can be run again alone. Its threshold is that the
//! case passes.
//!
//! Most kinds make one or more cases of each record of a position file. The reduced suite has only the record
//! of the case. It is used only if the case in it is described exactly as in the whole suite. Otherwise the
//! suite file names the case with the key `cases`: some kinds (a bench, smoke games) have no positions.

use std::path::Path;

use csv::ReaderBuilder;

use crate::file::SuiteFiles;
use crate::reference::stem;
use crate::{CaseInfo, SourceFile, Suite, SuiteError, SuiteSource};
use threefold_chess::clock::Limits;

/// Reduces a suite to the record of one case, which must pass; `None` if the case cannot be separated from
/// the others. The suite file and the position file lose their folders.
///
/// # Errors
/// If the suite cannot be read.
pub fn reduced(source: &SuiteSource, id: &str) -> Result<Option<SuiteSource>, SuiteError> {
    let whole = Suite::read(source)?;
    let Some(wanted) = whole.definitions.iter().map(|definition| &definition.info).find(|info| info.id == id)
    else {
        return Ok(None);
    };
    let files = source.files()?;
    for file in files.positions {
        let (header, mut records) = records(file);
        // The id is usually a part of the record's text.
        records.sort_by_key(|record| !record.contains(id));
        let candidates =
            records.iter().filter_map(|record| with_record(source, files, file, &header, record));
        if let Some(mut found) = candidates.into_iter().find(|candidate| is_only_case(candidate, wanted)) {
            require_pass(&mut found);
            return Ok(Some(found));
        }
    }
    let mut named = portable(&with_cases(source, &[id])?, None)?;
    Ok(is_only_case(&named, wanted).then(|| {
        require_pass(&mut named);
        named
    }))
}

/// The threshold that the case passes.
fn require_pass(source: &mut SuiteSource) {
    // The reduced suite has no such table any more: `portable_with` removes it.
    source.suite_file.text.push_str("\n[thresholds]\npass = 1.0\n");
}

/// The suite whose file names these cases alone.
///
/// # Errors
/// If the suite file is not TOML.
pub fn with_cases(source: &SuiteSource, ids: &[&str]) -> Result<SuiteSource, SuiteError> {
    let SourceFile { file, text: _ } = &source.suite_file;
    let mut table: toml::Table = source.suite_file.toml("give a suite file")?;
    let ids: Vec<toml::Value> = ids.iter().map(|&id| id.into()).collect();
    table.insert("cases".to_owned(), ids.into());
    let text = toml::to_string(&table).expect("it was read from TOML");
    let suite_file = SourceFile { file: file.clone(), text };
    Ok(SuiteSource { suite_file, positions: source.positions.clone() })
}

/// The suite without thresholds and with these limits, if they are given. The suite file and its position
/// files lose their folders, so that all of them can be written into one folder.
///
/// # Errors
/// If the suite file is not TOML.
pub fn portable(source: &SuiteSource, limits: Option<&Limits>) -> Result<SuiteSource, SuiteError> {
    portable_with(&source.suite_file, source.files()?, limits)
}

fn portable_with(
    suite_file: &SourceFile,
    files: SuiteFiles<'_>,
    limits: Option<&Limits>,
) -> Result<SuiteSource, SuiteError> {
    let mut table: toml::Table = suite_file.toml("give a suite file")?;
    table.remove("thresholds");
    let names = |files: &[SourceFile]| -> toml::Value {
        files.iter().map(|file| toml::Value::from(file_name(&file.file))).collect::<Vec<_>>().into()
    };
    table.insert("positions".to_owned(), names(files.positions));
    if let Some(toml::Value::Table(settings)) = table.get_mut("settings")
        && !files.child_values.is_empty()
    {
        settings.insert("child_values".to_owned(), names(files.child_values));
    }
    let positions = files.positions.iter().chain(files.child_values);
    let positions =
        positions.map(|file| SourceFile { file: file_name(&file.file), text: file.text.clone() }).collect();
    if let Some(limits) = limits {
        table.insert("limits".to_owned(), written_limits(limits, table.get("limits")).into());
    }
    let suite_file = SourceFile {
        file: format!("{}.toml", stem(&suite_file.file)),
        text: toml::to_string(&table).expect("it was read from TOML"),
    };
    Ok(SuiteSource { suite_file, positions })
}

/// The limits as a suite file has them. The tolerance of the earlier ones is kept where there is a time
/// limit.
fn written_limits(limits: &Limits, earlier: Option<&toml::Value>) -> toml::Table {
    let number = |number: u64| toml::Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    let milliseconds = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let mut table = toml::Table::new();
    table.extend(limits.nodes.map(|nodes| ("nodes".to_owned(), number(nodes))));
    table.extend(limits.depth.map(|depth| ("depth".to_owned(), number(depth.0.into()))));
    table.extend(limits.movetime.map(|time| ("movetime".to_owned(), number(milliseconds(time)))));
    table.extend(limits.clocks.map(|clocks| ("tc".to_owned(), clocks.to_string().into())));
    if limits.movetime.is_some() || limits.clocks.is_some() {
        let margin = earlier.and_then(|earlier| earlier.get("timemargin")).cloned();
        table.extend(margin.map(|margin| ("timemargin".to_owned(), margin)));
    }
    table
}

fn file_name(file: &str) -> String {
    Path::new(file).file_name().map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned())
}

fn with_record(
    source: &SuiteSource,
    files: SuiteFiles<'_>,
    file: &SourceFile,
    header: &str,
    record: &str,
) -> Option<SuiteSource> {
    let record = SourceFile { file: file.file.clone(), text: format!("{header}{}\n", record.trim_end()) };
    portable_with(&source.suite_file, SuiteFiles { positions: &[record], ..files }, None).ok()
}

fn is_only_case(candidate: &SuiteSource, wanted: &CaseInfo) -> bool {
    let read = Suite::read(candidate).ok();
    read.is_some_and(|suite| suite.definitions.len() == 1 && suite.definitions[0].info == *wanted)
}

/// The header of a position file, which is empty for EPD, and its records. A CSV record may have several
/// lines.
fn records(file: &SourceFile) -> (String, Vec<String>) {
    if !Path::new(&file.file).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) {
        let lines = file
            .text
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with(['#', '%']));
        return (String::new(), lines.map(str::to_owned).collect());
    }
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .from_reader(file.text.as_bytes());
    // The suite was read before, so every record can be read.
    let rows: Vec<_> = reader.records().filter_map(Result::ok).collect();
    let mut texts = rows.iter().filter_map(|row| {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(row).ok()?;
        String::from_utf8(writer.into_inner().ok()?).ok()
    });
    (texts.next().unwrap_or_default(), texts.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Share;

    const MATES: &str = "# comment\n6k1/5ppp/8/8/8/8/8/R6K w - - bm #1; id \"a.1\";\n\
         6k1/5ppp/8/8/8/8/8/1R5K w - - bm #1; id \"a.11\";\n";
    const TRAPS: &str = "id,class,fen,moves,best,note\n\
         t.1,trap,4k3/8/8/8/8/8/8/R3K3 w - - 0 1,,a1a8,\"one, and\ntwo\"\n\
         t.2,trap,4k3/8/8/8/8/8/8/R3K3 w - - 0 1,,a1a7,\n";

    fn source(kind: &str, file: &str, text: &str) -> SuiteSource {
        let suite = format!(
            "version = 1\nkind = \"{kind}\"\ntitle = \"T\"\npositions = [\"../positions/{file}\"]\n\
             [limits]\nnodes = 500\n[thresholds]\npass = 0.5\n"
        );
        SuiteSource {
            suite_file: SourceFile { file: "suites/mine.toml".to_owned(), text: suite },
            positions: vec![SourceFile {
                file: format!("suites/../positions/{file}"),
                text: text.to_owned(),
            }],
        }
    }

    #[test]
    fn reduced_suite_has_the_same_case_alone() {
        for (kind, file, text, ids) in
            [("mate", "m.epd", MATES, ["a.1", "a.11"]), ("repetition", "t.csv", TRAPS, ["t.1", "t.2"])]
        {
            let whole = source(kind, file, text);
            let cases = Suite::read(&whole).expect("a suite").definitions;
            for (id, case) in ids.into_iter().zip(&cases) {
                let alone = reduced(&whole, id).expect("a suite").expect("separable");
                let suite = Suite::read(&alone).expect("the reduced suite can be read");
                assert_eq!(suite.definitions.len(), 1);
                assert_eq!(suite.definitions[0].info, case.info, "name, note and line are the same");
                assert_eq!((suite.limits.nodes, suite.thresholds.pass), (Some(500), Share::new(1.0)));
                assert_eq!(
                    (alone.suite_file.file.as_str(), alone.positions[0].file.as_str()),
                    ("mine.toml", file)
                );
            }
            assert_eq!(reduced(&whole, "a.12").expect("a suite"), None);
        }
    }

    #[test]
    fn limits_of_the_run_replace_those_of_the_suite() {
        let clock = Limits::clocks("40/3+0.01".parse().expect("a time control"));
        for limits in [Limits::depth(threefold_chess::score::Ply(7)), clock] {
            let written = portable(&source("mate", "m.epd", MATES), Some(&limits)).expect("TOML");
            assert_eq!(Suite::read(&written).expect("a suite").limits, limits);
        }
    }

    #[test]
    fn reduced_suite_keeps_the_child_values() {
        let children = SourceFile {
            file: "p/children.epd".to_owned(),
            text: "6k1/5ppp/8/8/8/8/R7/7K b - - bm #-1;\n".to_owned(),
        };
        let whole = source("mate", "m.epd", MATES).with_child_values(vec![children.clone()]);
        let alone = reduced(&whole, "a.11").expect("a suite").expect("separable");
        let files = alone.files().expect("a suite");
        assert_eq!(files.positions[0].text.lines().count(), 1);
        assert_eq!(
            (files.child_values[0].file.as_str(), &files.child_values[0].text),
            ("children.epd", &children.text)
        );
    }

    #[test]
    fn suite_without_positions_names_its_case() {
        let game = |id: &str| format!("[[settings.games]]\nid = \"{id}\"\ncontrol = \"1+0.01\"\n");
        let games = format!("[settings]\nplies = 9\n{}{}", game("one"), game("two"));
        for (kind, settings, id) in
            [("bench", "", "bench"), ("smoke", &*games, "two"), ("compliance", "", "quit")]
        {
            let text = format!("version = 1\nkind = \"{kind}\"\ntitle = \"B\"\npositions = []\n{settings}");
            let suite_file = SourceFile { file: "b.toml".to_owned(), text };
            let whole = SuiteSource { suite_file, positions: Vec::new() };
            let alone = reduced(&whole, id).expect("a suite").expect("separable");
            let suite = Suite::read(&alone).expect("the reduced suite can be read");
            let ids: Vec<&str> = suite.definitions.iter().map(|it| it.info.id.as_str()).collect();
            assert_eq!((ids, suite.thresholds.pass), (vec![id], Share::new(1.0)), "{kind}");
            assert_eq!(reduced(&whole, "nothing").expect("a suite"), None);
        }
    }
}
