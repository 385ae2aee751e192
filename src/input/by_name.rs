//! Inputs by name: suites, plans, positions and openings, from a file or built in.
//!
//! An existing file takes precedence. A name without folder and extension may be built in; `builtin:NAME`
//! always is. The same applies to names in a suite or plan, relative to the folder of that file.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::files;
use crate::input::book::{self, Book};
use crate::input::built_in::{self, BuiltIn, Category};
use threefold_games::opening;
use threefold_games::opening::BookFormat;
use threefold_run::regress::plan::{PlanFiles, RegressionPlan};
use threefold_suites::reference::{BUILT_IN, stem};
use threefold_suites::{SourceFile, SuiteSource};

/// The plan in an engine's repository.
pub const PLAN_FILE: &str = "threefold.toml";

/// The location of an input.
enum Input {
    /// In a file.
    File(PathBuf),
    /// In the program.
    BuiltIn(&'static BuiltIn),
}

/// A text from the command line.
pub fn source_file(given: &Path, category: Category) -> anyhow::Result<SourceFile> {
    find(given, Path::new(""), category)?.source_file(category)
}

/// A suite with its position files, as text.
pub fn suite(given: &Path) -> anyhow::Result<SuiteSource> {
    with_positions(source_file(given, Category::Suite)?)
}

/// The name, the format and the bytes of a file of openings.
pub fn openings(given: &Path) -> anyhow::Result<(String, BookFormat, Vec<u8>)> {
    find(given, Path::new(""), Category::Positions)?.openings()
}

/// A file of openings, not read yet.
pub fn book(given: &Path) -> anyhow::Result<Book> {
    match find(given, Path::new(""), Category::Positions)? {
        Input::File(file) => Book::of_file(&file),
        Input::BuiltIn(file) => Ok(Book::of_bytes(file.file(), file.text().into_bytes())),
    }
}

/// A plan with its files.
pub struct GivenPlan {
    /// The plan.
    pub plan: RegressionPlan,
    /// The files that it names.
    pub materials: PlanFiles,
    /// Is it identical to the built-in plan of `regress`?
    pub is_built_in: bool,
}

/// A plan with its files, as text.
pub fn plan(given: &Path) -> anyhow::Result<GivenPlan> {
    let source_file = source_file(given, Category::Plan)?;
    // Compared by its text, so an exported copy counts, too.
    let (file, is_built_in) = (source_file.file.clone(), source_file.text == built_in::plan());
    let plan = RegressionPlan::parse(source_file)?;
    Ok(GivenPlan { materials: materials(&plan, &file)?, plan, is_built_in })
}

/// Suites with their positions, and openings.
fn materials(plan: &RegressionPlan, file: &str) -> anyhow::Result<PlanFiles> {
    let asked = || format!("named in {file}");
    let named_input = |named: &str, category| find(Path::new(named), folder_of(file), category);
    let mut materials = PlanFiles::default();
    for suite in plan.suites() {
        let found = named_input(&suite, Category::Suite);
        let source_file = found.and_then(|found| found.source_file(Category::Suite)).with_context(asked)?;
        materials.suites.insert(suite, with_positions(source_file).with_context(asked)?);
    }
    for book in plan.books() {
        let found = named_input(&book, Category::Positions).and_then(Input::openings);
        let (name, format, bytes) = found.with_context(asked)?;
        let read = opening::parse_book(&bytes, format, None).with_context(|| name)?;
        materials.books.insert(book, read.openings);
    }
    Ok(materials)
}

fn with_positions(source_file: SourceFile) -> anyhow::Result<SuiteSource> {
    let named = SuiteSource::position_files(&source_file)?;
    let positions = named.iter().map(|named| {
        find(Path::new(named), folder_of(&source_file.file), Category::Positions)
            .and_then(|found| found.source_file(Category::Positions))
            .with_context(|| format!("named in {}", source_file.file))
    });
    let positions = positions.collect::<anyhow::Result<_>>()?;
    Ok(SuiteSource { suite_file: source_file, positions })
}

fn folder_of(file: &str) -> &Path {
    Path::new(file).parent().unwrap_or(Path::new(""))
}

/// Finds an input; `folder` is the folder of the file that names it, empty for the command line.
fn find(given: &Path, folder: &Path, category: Category) -> anyhow::Result<Input> {
    let text = given.to_str().unwrap_or_default();
    if let Some(name) = text.strip_prefix(BUILT_IN) {
        return built_in::find(name, category).map(Input::BuiltIn);
    }
    // A folder of this name does not hide a built-in file.
    if given.exists() && !given.is_dir() {
        return Ok(Input::File(given.to_owned()));
    }
    let name = given.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if given.parent() == Some(folder) && !name.is_empty() && !name.contains('.') {
        let found = built_in::find(name, category);
        return found.map(Input::BuiltIn).with_context(|| format!("{}: no such file", given.display()));
    }
    if !given.exists()
        && let Ok(meant) = built_in::find(&stem(name), category)
    {
        anyhow::bail!(
            "{}: can't be read; check the path, or use the built-in {} `{}`",
            given.display(),
            category.noun(),
            meant.name()
        );
    }
    Ok(Input::File(given.to_owned()))
}

impl Input {
    fn source_file(self, category: Category) -> anyhow::Result<SourceFile> {
        match self {
            Self::File(file) if category == Category::Positions => files::positions(&file),
            Self::File(file) => files::source_file(&file),
            Self::BuiltIn(file) => Ok(file.source_file()),
        }
    }

    fn openings(self) -> anyhow::Result<(String, BookFormat, Vec<u8>)> {
        match self {
            Self::File(file) => {
                let (format, bytes) = book::unpacked(&file)?;
                Ok((file.display().to_string(), format, bytes))
            }
            Self::BuiltIn(file) => {
                Ok((file.file(), BookFormat::of_file(Path::new(&file.file())), file.text().into_bytes()))
            }
        }
    }
}
