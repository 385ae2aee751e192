//! Lists of pairs, and what people judged of them.
//!
//! A list is CSV with a header. Its columns are those that a list of commits has anyway: `id`, `repository`,
//! the two commits, `kind`, and what the commit is about. Only `id` is required.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::experiment::Experiment;
use threefold_suites::csv_line::line_of_record;

/// A pair of programs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommitPair {
    /// Its name, which is also the name of its folders.
    pub id: String,
    /// The repository of the engine, such as `owner/name`.
    pub repository: String,
    /// The commit of the first program.
    pub first_commit: String,
    /// The commit of the second program.
    pub second_commit: String,
    /// The group whose rate is printed: the kind of a bug, or the repository.
    pub group: String,
    /// The bug, or the subject of the patch.
    pub description: String,
    /// Why the bug shows only sometimes; empty for others.
    pub rare: String,
    /// The bench count that the message of the first commit has, if the list has it.
    pub first_bench: Option<String>,
    /// The bench count that the message of the second commit has.
    pub second_bench: Option<String>,
    /// The first program.
    pub first_program: PathBuf,
    /// The second program.
    pub second_program: PathBuf,
}

/// The pairs of an experiment, with the judgements of the list.
#[derive(Debug, Clone, Default)]
pub struct PairList {
    /// In the order of the list.
    pub pairs: Vec<CommitPair>,
    /// From the columns `shows` and `why`.
    pub judgements: Judgements,
}

/// What a person says of a pair whose run was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Judgement {
    /// Does a red case show the bug? `None` without a judgement.
    pub shows: Option<Shows>,
    /// The reason, such as why a bug was missed.
    pub why: String,
}

/// Whether a red case shows the bug of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// It does.
    Bug,
    /// It shows something else.
    SomethingElse,
}

/// Judgements by the id of the pair.
pub type Judgements = BTreeMap<String, Judgement>;

/// A list that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// It is no CSV file.
    #[error("{file}: {cause}; write CSV with a header")]
    Csv {
        /// The file.
        file: PathBuf,
        /// The error of the reader.
        cause: csv::Error,
    },
    /// A line has no id.
    #[error("{file}: line {line}: column `id` is missing or empty; give each pair a name of its own")]
    NoId {
        /// The file.
        file: PathBuf,
        /// The line.
        line: u64,
    },
    /// Two lines have one id.
    #[error("{file}: line {line}: `{id}` is the name of another pair, too; rename one")]
    Twice {
        /// The file.
        file: PathBuf,
        /// The line.
        line: u64,
        /// The name.
        id: String,
    },
    /// A judgement that is neither yes nor no.
    #[error("{file}: line {line}: column `shows` is `{given}`; write yes, no, or nothing")]
    Shows {
        /// The file.
        file: PathBuf,
        /// The line.
        line: u64,
        /// What is there.
        given: String,
    },
}

/// The cells of a line by column.
type Row = BTreeMap<String, String>;

impl PairList {
    /// Reads a list; `programs` has `ID/fix/engine` and so on for pairs without a program of their own.
    ///
    /// # Errors
    /// If the text is no CSV, or a pair has no name of its own.
    pub fn parse(
        experiment: Experiment,
        file: &Path,
        text: &str,
        programs: &Path,
    ) -> Result<Self, ListError> {
        let rows = rows(file, text)?;
        let mut pairs: Vec<CommitPair> = Vec::new();
        for (line, row) in &rows {
            let pair = CommitPair::from_row(experiment, row, programs);
            if pairs.iter().any(|other| other.id == pair.id) {
                return Err(ListError::Twice { file: file.to_owned(), line: *line, id: pair.id });
            }
            pairs.push(pair);
        }
        Ok(Self { pairs, judgements: judged(file, &rows)? })
    }

    /// The pairs of a folder without a list: each subfolder is one.
    pub fn of_folders(experiment: Experiment, names: Vec<String>, programs: &Path) -> Self {
        let pair =
            |id: String| CommitPair::from_row(experiment, &Row::from([("id".to_owned(), id)]), programs);
        Self { pairs: names.into_iter().map(pair).collect(), judgements: Judgements::new() }
    }
}

/// Reads a file of judgements: columns `id`, `shows` and `why`.
///
/// # Errors
/// If the text is no CSV, or `shows` is neither yes nor no.
pub fn judgements(file: &Path, text: &str) -> Result<Judgements, ListError> {
    judged(file, &rows(file, text)?)
}

/// The rows with their lines.
fn rows(file: &Path, text: &str) -> Result<Vec<(u64, Row)>, ListError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut read = || -> Result<Vec<(u64, Row)>, csv::Error> {
        let header = reader.headers()?.clone();
        let row = |record: csv::StringRecord| {
            let line = record.position().map_or(1, |position| line_of_record(text, position, None));
            Ok((line, record.deserialize(Some(&header))?))
        };
        reader.records().map(|record| record.and_then(row)).collect()
    };
    let rows: Vec<(u64, Row)> = read().map_err(|cause| ListError::Csv { file: file.to_owned(), cause })?;
    match rows.iter().find(|(_, row)| cell(row, "id").is_none()) {
        Some((line, _)) => Err(ListError::NoId { file: file.to_owned(), line: *line }),
        None => Ok(rows),
    }
}

fn judged(file: &Path, rows: &[(u64, Row)]) -> Result<Judgements, ListError> {
    let judgement = |(line, row): &(u64, Row)| {
        let shows = match cell(row, "shows").as_deref() {
            None => None,
            Some("yes") => Some(Shows::Bug),
            Some("no") => Some(Shows::SomethingElse),
            Some(given) => {
                let (file, given) = (file.to_owned(), given.to_owned());
                return Err(ListError::Shows { file, line: *line, given });
            }
        };
        let why = cell(row, "why").unwrap_or_default();
        Ok((cell(row, "id").unwrap_or_default(), Judgement { shows, why }))
    };
    rows.iter().map(judgement).collect()
}

/// A cell that is there and not empty.
fn cell(row: &Row, column: &str) -> Option<String> {
    row.get(column).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

impl CommitPair {
    fn from_row(experiment: Experiment, row: &Row, programs: &Path) -> Self {
        let text = |column: &str| cell(row, column).unwrap_or_default();
        let id = text("id");
        let program = |which: &str| {
            let own = cell(row, &format!("{which}_program")).map(PathBuf::from);
            own.unwrap_or_else(|| programs.join(&id).join(which).join("engine"))
        };
        let repository = text("repository");
        let group = match experiment {
            Experiment::RealBugs => text("kind"),
            Experiment::OrdinaryCommits => repository.clone(),
        };
        Self {
            first_commit: text(experiment.first()),
            second_commit: text(experiment.second()),
            description: text(experiment.description()),
            rare: text("rare"),
            first_bench: cell(row, &format!("{}_bench", experiment.first())),
            second_bench: cell(row, "bench"),
            first_program: program(experiment.first()),
            second_program: program(experiment.second()),
            id,
            repository,
            group,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(experiment: Experiment, text: &str) -> Result<PairList, String> {
        PairList::parse(experiment, Path::new("list.csv"), text, Path::new("/programs"))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn list_names_commits_programs_and_judgements() {
        let text = "id,repository,parent,fix,kind,bug,rare,fix_program,shows,why\n\
                    a,o/a,11,12,mate,wrong,,/own/fix,yes,case 3\nb,o/b,21,22,rules,\"one, two\",a race,,,\n";
        let list = parse(Experiment::RealBugs, text).expect("a list");
        let [a, b] = &list.pairs[..] else { panic!("two pairs") };
        assert_eq!((a.first_commit.as_str(), a.second_commit.as_str()), ("12", "11"));
        assert_eq!(a.first_program, Path::new("/own/fix"));
        assert_eq!(a.second_program, Path::new("/programs/a/parent/engine"));
        assert_eq!(
            (b.description.as_str(), b.group.as_str(), b.rare.as_str()),
            ("one, two", "rules", "a race")
        );
        assert_eq!(list.judgements["a"], Judgement { shows: Some(Shows::Bug), why: "case 3".to_owned() });
        assert_eq!(list.judgements["b"], Judgement::default());
    }

    #[test]
    fn ordinary_commits_are_grouped_by_repository_and_have_bench_counts() {
        let text = "id,repository,base,patch,subject,bench,base_bench\np,o/e,31,32,Simplify,5,4\n";
        let list = parse(Experiment::OrdinaryCommits, text).expect("a list");
        let pair = &list.pairs[0];
        assert_eq!((pair.group.as_str(), pair.description.as_str()), ("o/e", "Simplify"));
        assert_eq!((pair.first_bench.as_deref(), pair.second_bench.as_deref()), (Some("4"), Some("5")));
    }

    #[test]
    fn unusable_lists_name_the_line() {
        for (text, part) in [
            ("name\na\n", "line 2: column `id` is missing"),
            ("id,bug\n\na,\"two\nlines\"\nb,\n,\n", "line 6: column `id` is missing"),
            ("id,bug\na,\"two\nlines\"\na,\n", "line 4: `a` is the name of another pair"),
            ("id,bug,shows\na,\"two\nlines\",\nb,,maybe\n", "line 4: column `shows` is `maybe`"),
            ("id\na\nb\na\n", "line 4: `a` is the name of another pair"),
            ("id,shows\na,maybe\n", "line 2: column `shows` is `maybe`"),
            ("id,kind\na\n", "write CSV with a header"),
        ] {
            let error = parse(Experiment::RealBugs, text).expect_err(text);
            assert!(error.contains(part), "{error}");
        }
    }
}
