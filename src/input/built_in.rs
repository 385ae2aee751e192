//! What is built into the program: suites, plans, positions, openings, and the baseline of Echo.
//!
//! `build.rs` packs the files of `suites/`, `positions/` and `reports/baseline/`. A file is used by its name,
//! which is its file name without ending, or by its path in the repository, under which it is journaled.

use std::io::Read;
use std::path::{Component, Path};

use flate2::read::GzDecoder;

use threefold_run::job::BaselineText;
use threefold_run::regress::baseline::{CASES, FIGURES};
use threefold_suites::SourceFile;
use threefold_suites::reference::{BUILT_IN, stem};

include!(concat!(env!("OUT_DIR"), "/built_in.rs"));

/// The plan of `regress` for Echo.
pub const PLAN: &str = "builtin:regress";
/// The plan of `regress` for any other engine.
pub const ENGINE_PLAN: &str = "builtin:engine";
/// The default openings.
pub const OPENINGS: &str = "builtin:balanced";

/// Built-in files with another name than their file name.
const NAMES: &[(&str, &str)] = &[("positions/openings.epd", "balanced")];

/// A file that is built in.
#[derive(Debug)]
pub struct BuiltIn {
    /// Its path in the repository.
    path: &'static str,
    /// Its bytes, as gzip.
    packed: &'static [u8],
}

/// What a built-in file is used as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    /// A suite file.
    Suite,
    /// A plan of `regress`.
    Plan,
    /// A file of positions; openings are positions, too.
    Positions,
}

impl Category {
    /// The noun for messages.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Suite => "suite",
            Self::Plan => "plan",
            Self::Positions => "position file",
        }
    }
}

impl BuiltIn {
    /// Its path in the repository and below an exported folder.
    pub const fn path(&self) -> &'static str {
        self.path
    }

    /// Its name for users.
    pub fn name(&self) -> String {
        let own = NAMES.iter().find(|(path, _)| *path == self.path);
        own.map_or_else(|| stem(self.path), |(_, name)| (*name).to_owned())
    }

    /// Its name in journals and messages.
    pub fn file(&self) -> String {
        format!("{BUILT_IN}{}", self.path)
    }

    /// Its text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        GzDecoder::new(self.packed).read_to_string(&mut text).expect("the build packed a text");
        text
    }

    /// Its text, with its name for messages.
    pub fn source_file(&self) -> SourceFile {
        SourceFile { file: self.file(), text: self.text() }
    }

    /// What it is used as; `None` for the baseline.
    fn category(&self) -> Option<Category> {
        let (folder, _) = self.path.split_once('/')?;
        match folder {
            "positions" => Some(Category::Positions),
            "suites" => {
                let table: toml::Table = self.text().parse().expect("a suite file is TOML");
                Some(if table.contains_key("suites") { Category::Plan } else { Category::Suite })
            }
            _ => None,
        }
    }
}

/// Every built-in file of a category, in the order of their paths.
pub fn all(category: Category) -> impl Iterator<Item = &'static BuiltIn> {
    FILES.iter().filter(move |file| file.category() == Some(category))
}

/// Everything that a user may export: all but the baseline.
pub fn exported() -> impl Iterator<Item = &'static BuiltIn> {
    FILES.iter().filter(|file| file.category().is_some())
}

/// The built-in file with this name or path.
///
/// # Errors
/// If there is none; the message gives the closest name.
pub fn find(name: &str, category: Category) -> anyhow::Result<&'static BuiltIn> {
    // Suites name their positions relative to their folder, as `suites/../positions/NAME`.
    let path = without_dots(name);
    let is_called = |file: &&BuiltIn| file.path == path || file.name() == name || stem(file.path) == name;
    // The category of a file is in its text, so only those of this name are unpacked.
    let called = || FILES.iter().filter(is_called).filter_map(|file| Some((file, file.category()?)));
    if let Some((found, _)) = called().find(|&(_, of_file)| of_file == category) {
        return Ok(found);
    }
    let remedy = match called().next() {
        Some((_, other)) => format!("it is a {}", other.noun()),
        None => format!("the closest name is `{}`", nearest(&stem(name), category)),
    };
    anyhow::bail!(
        "there is no built-in {} `{name}`; {remedy} (`threefold suite --list` lists all)",
        category.noun()
    )
}

fn nearest(name: &str, category: Category) -> String {
    let name = name.to_lowercase();
    let similarity = |known: &str| strsim::jaro_winkler(&name, known);
    let names = all(category).map(BuiltIn::name);
    names.max_by(|a, b| similarity(a).total_cmp(&similarity(b))).expect("every category has a file")
}

/// A path with `..` resolved.
fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => _ = parts.pop(),
            Component::Normal(part) => parts.extend(part.to_str()),
            _ => {}
        }
    }
    parts.join("/")
}

/// The text of the plan of `regress`.
pub fn plan() -> String {
    text("suites/regress.toml")
}

/// The results of Echo under that plan in this version. Where they were measured says nothing to a user.
pub fn baseline() -> BaselineText {
    let [cases, figures] = [CASES, FIGURES].map(|file| text(&format!("reports/baseline/{file}")));
    BaselineText { cases, figures, environment: None }
}

fn text(path: &str) -> String {
    FILES.iter().find(|file| file.path == path).expect("the build packed it").text()
}
