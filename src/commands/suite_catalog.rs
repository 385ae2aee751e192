//! `suite --list` and `suite --export`: the built-in suites, plans and positions.

use std::path::Path;

use crate::exit::Exit;
use crate::input::built_in::{self, BuiltIn, Category};
use crate::input::by_name;
use crate::output::tables::{labelled_list, table_in, terminal_width};
use crate::{files, streams};
use threefold_player::output_file::{self, IfThere};
use threefold_suites::Suite;

/// Lists the built-in suites, plans and position files.
pub fn list() -> anyhow::Result<Exit> {
    let rows = built_in::all(Category::Suite).map(row).collect::<anyhow::Result<Vec<_>>>()?;
    let width = terminal_width();
    streams::result(&table_in(&["suite", "kind", "cases", "summary"], rows, width))?;
    streams::result("")?;
    for (label, category) in [("plans", Category::Plan), ("positions and openings", Category::Positions)] {
        let mut names: Vec<String> = built_in::all(category).map(BuiltIn::name).collect();
        names.sort();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        streams::result(&labelled_list(label, &names, width))?;
    }
    Ok(Exit::Fine)
}

fn row(file: &'static BuiltIn) -> anyhow::Result<Vec<String>> {
    let suite = Suite::read(&by_name::suite(Path::new(&file.file()))?)?;
    Ok(vec![file.name(), suite.kind.name.to_owned(), suite.definitions.len().to_string(), suite.summary])
}

/// Writes every suite, plan and position file below this folder; without `force` none if one of them exists.
pub fn export(folder: &Path, force: bool) -> anyhow::Result<Exit> {
    let files: Vec<_> = built_in::exported().map(|file| (folder.join(file.path()), file)).collect();
    for (path, _) in &files {
        output_file::check(path, IfThere::forced(force))?;
    }
    for (path, file) in &files {
        files::write_whole(path, file.text().as_bytes())?;
    }
    streams::notice(&format!("{} files written to {}", files.len(), folder.display()));
    Ok(Exit::Fine)
}
