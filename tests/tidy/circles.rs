//! Circles of dependencies among the files of a crate, and among its top-level modules. Between crates the
//! compiler forbids them.
//!
//! A file and those that it declares may use each other: a parent and its children are read together.

use std::collections::{BTreeMap, BTreeSet};

/// The place of a file among the modules of its crate: `run/journal/mod.rs` is `["run", "journal"]`.
type Module = Vec<String>;

/// The files of one crate without their tests, each with the files of the same crate that it uses, and one
/// place of each use.
#[derive(Debug, Default)]
pub(crate) struct Uses(BTreeMap<Module, BTreeMap<Module, String>>);

impl Uses {
    /// Of a crate: the paths of its files below `src/`, each with its text.
    pub(crate) fn of_crate<'f>(files: impl Iterator<Item = (&'f str, &'f str)> + Clone) -> Self {
        let mut tests = BTreeSet::new();
        let production: Vec<(Module, &str, String)> = files
            .map(|(path, text)| {
                let module = module_of(path);
                let code = without_tests(text, |declared| {
                    let at = match declared {
                        Declared::Module(name) => [module.clone(), vec![name.to_owned()]].concat(),
                        Declared::File(file) => [module_of(folder_of(path)), module_of(file)].concat(),
                    };
                    tests.insert(at);
                });
                (module, path, code)
            })
            .collect();
        let is_test = |module: &Module| (1..=module.len()).any(|length| tests.contains(&module[..length]));
        let modules: BTreeSet<Module> =
            production.iter().map(|(module, ..)| module.clone()).filter(|module| !is_test(module)).collect();
        let root = production.iter().find(|(module, ..)| module.is_empty());
        let re_exported = root.map_or_else(BTreeMap::new, |(.., code)| re_exports(code));
        let mut uses = Self::default();
        for (module, path, code) in production.iter().filter(|(module, ..)| modules.contains(module)) {
            for (line, target) in paths(module, code) {
                let origin = target.first().and_then(|name| re_exported.get(name)).unwrap_or(&target);
                let mut above = (0..=origin.len()).rev().map(|length| &origin[..length]);
                let file = above.find(|at| modules.contains(*at));
                let Some(file) = file.filter(|file| !module.starts_with(file) && !file.starts_with(module))
                else {
                    continue;
                };
                let of_own = uses.0.entry(module.clone()).or_default();
                of_own.entry(file.to_vec()).or_insert_with(|| format!("{path}:{line}"));
            }
        }
        uses
    }

    /// The same among top-level modules, each with all files below it.
    pub(crate) fn of_top_modules(&self) -> Self {
        let mut tops = Self::default();
        for (module, used) in &self.0 {
            for (other, place) in used.iter().filter(|(other, _)| other[0] != module[0]) {
                let of_own = tops.0.entry(module[..1].to_vec()).or_default();
                of_own.entry(other[..1].to_vec()).or_insert_with(|| place.clone());
            }
        }
        tops
    }

    /// Every use on a circle: `a uses b (a.rs:7)`.
    pub(crate) fn on_circles(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (module, used) in &self.0 {
            for (other, place) in used.iter().filter(|(other, _)| self.reaches(other, module)) {
                let [module, other] = [module, other].map(|module| module.join("::"));
                found.push(format!("`{module}` uses `{other}` ({place}), which uses `{module}` in turn"));
            }
        }
        found
    }

    fn reaches(&self, from: &Module, to: &Module) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            if module == to {
                return true;
            }
            if seen.insert(module) {
                open.extend(self.0.get(module).into_iter().flat_map(BTreeMap::keys));
            }
        }
        false
    }
}

fn module_of(path: &str) -> Module {
    let path = path.trim_end_matches(".rs");
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "mod" | "lib" | "main"));
    parts.map(str::to_owned).collect()
}

/// The folder of a file, such as `a` of `a/b.rs`.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A declaration of a module of tests that stands in another file.
enum Declared<'t> {
    /// `mod x;`
    Module(&'t str),
    /// `#[path = "x.rs"] mod y;`
    File(&'t str),
}

/// A file's text without its tests, which may use whatever they test. `declared` gets the modules of tests in
/// other files.
fn without_tests(text: &str, mut declared: impl FnMut(Declared<'_>)) -> String {
    let mut code = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let is_for_tests = line.trim_start().starts_with("#[cfg(") && words(line).any(|word| word == "test");
        if !is_for_tests || line.contains("not(test)") {
            code.push_str(line);
            code.push('\n');
            continue;
        }
        code.push('\n');
        let indent = &line[..line.len() - line.trim_start().len()];
        let mut file = None;
        for line in lines.by_ref() {
            code.push('\n');
            if let Some(path) =
                line.trim().strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]"))
            {
                file = Some(path);
            }
            if let Some((_, name)) = line.strip_suffix(';').and_then(|line| line.rsplit_once("mod ")) {
                declared(file.map_or(Declared::Module(name), Declared::File));
            }
            // The layout is that of rustfmt.
            let ends = line.ends_with(';') || line.ends_with('}');
            if line.starts_with(indent) && !line[indent.len()..].starts_with([' ', '#']) && ends {
                break;
            }
        }
    }
    code
}

/// Items that the crate's root re-exports, each with the module that it comes from.
fn re_exports(root: &str) -> BTreeMap<String, Module> {
    let mut found = BTreeMap::new();
    for (_, path) in statements(root, "pub use ") {
        for path in expand(&path) {
            let mut module: Module = words(&path).map(str::to_owned).collect();
            let item = module.pop().unwrap_or_default();
            found.insert(item, module);
        }
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// The statements that begin like this, each with its line and the rest without line breaks.
fn statements(code: &str, begin: &str) -> Vec<(usize, String)> {
    let statement = |(at, _): (usize, _)| {
        let rest = code[at + begin.len()..].split(';').next()?;
        Some((code[..at].matches('\n').count() + 1, rest.split_whitespace().collect()))
    };
    code.match_indices(begin).filter_map(statement).collect()
}

/// The paths of `a::{b, c::{d, e}}`.
fn expand(path: &str) -> Vec<String> {
    let Some((before, group)) = path.split_once('{') else { return vec![path.to_owned()] };
    let group = group.trim_end().trim_end_matches('}');
    let (mut depth, mut begin, mut found) = (0_usize, 0, Vec::new());
    // The group's last bracket is gone, so what it closes is open at the end.
    for (at, c) in group.char_indices().chain([(group.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 || at == group.len() => {
                let closing = "}".repeat(depth);
                found.extend(expand(&format!("{before}{}{closing}", group[begin..at].trim())));
                begin = at + 1;
            }
            _ => {}
        }
    }
    found
}

/// The paths below the crate's root that a module names, with their lines.
fn paths(module: &Module, code: &str) -> Vec<(usize, Module)> {
    let code: String =
        code.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let mut found = Vec::new();
    for root in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(root) {
            let before = &code[..at];
            if before.ends_with(['$', ':', '_']) || before.ends_with(char::is_alphanumeric) {
                continue;
            }
            let rest = &code[at..];
            let is_use = before.trim_end().ends_with("use");
            let end = rest.find(|c: char| c != '_' && c != ':' && !c.is_ascii_alphanumeric());
            let end = if is_use { rest.find(';') } else { end };
            let line = before.matches('\n').count() + 1;
            for path in expand(rest[..end.unwrap_or(rest.len())].trim()) {
                found.extend(absolute(module, &path).map(|path| (line, path)));
            }
        }
    }
    found
}

/// The path below the crate's root.
fn absolute(module: &Module, path: &str) -> Option<Module> {
    let mut parts = path.split("::").map(|part| words(part).next().unwrap_or_default()).peekable();
    let mut base = if parts.next_if_eq(&"crate").is_some() { Vec::new() } else { module.clone() };
    while let Some(part) = parts.next_if(|part| matches!(*part, "super" | "self")) {
        if part == "super" {
            base.pop()?;
        }
    }
    base.extend(parts.map(str::to_owned));
    Some(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: (&str, &str) = ("lib.rs", "mod a;\nmod b;\npub use b::{Bee, Buzz};\n");

    fn circles(files: &[(&str, &str)]) -> usize {
        Uses::of_crate(files.iter().copied()).on_circles().len()
    }

    #[test]
    fn circles_are_found_through_every_kind_of_path() {
        let uses_b = [
            "use crate::b::Bee;",
            "use super::b;",
            "use crate::Bee;",
            "use crate::{Buzz};",
            "use crate::{\n    c,\n    b::{x, y::{z}},\n};",
            "fn f(b: crate::Bee) {}",
            "fn f(b: super::b::Bee) {}",
            // What stands after the declaration of a file of tests counts, too.
            "#[cfg(test)]\nmod tests;\nuse crate::b;",
            "#[cfg(test)]\nmod tests {\n    use super::*;\n}\nuse crate::b;",
        ];
        for text in uses_b {
            assert_eq!(circles(&[ROOT, ("a.rs", text), ("b/mod.rs", "use super::a::A;")]), 2, "{text}");
        }
        // A production file may have a name like that of a test.
        let tests = [ROOT, ("a.rs", "use crate::multiple_tests;"), ("multiple_tests.rs", "use crate::a;")];
        assert_eq!(circles(&tests), 2);
    }

    #[test]
    fn circles_are_found_among_files_of_a_module() {
        let files = [
            ROOT,
            ("a/mod.rs", "mod x;\nmod y;"),
            ("a/x.rs", "use super::y;"),
            ("a/y.rs", "use super::x::X;"),
        ];
        let uses = Uses::of_crate(files.iter().copied());
        assert_eq!((uses.on_circles().len(), uses.of_top_modules().on_circles().len()), (2, 0));
        let rooms = [
            ROOT,
            ("a/x.rs", "use crate::b::y;"),
            ("b/y.rs", ""),
            ("b/z.rs", "use crate::a::w;"),
            ("a/w.rs", ""),
        ];
        let uses = Uses::of_crate(rooms.iter().copied());
        assert_eq!((uses.on_circles().len(), uses.of_top_modules().on_circles().len()), (0, 2));
    }

    #[test]
    fn innocent_uses_are_no_circles() {
        // A path to the parent, a comment, a unit test and another crate's macro.
        let innocent = "use super::Own;\n// crate::a\n$crate::a::x;\n#[cfg(all(test, unix))]\npub(crate) mod tests {\n    use crate::a;\n}";
        assert_eq!(circles(&[ROOT, ("a.rs", "use crate::b;"), ("b/mod.rs", innocent)]), 0);
        // A file of tests, whatever its name.
        let declares = "#[cfg(test)]\n#[path = \"b_model.rs\"]\nmod model;";
        let files = [ROOT, ("a.rs", "use crate::b;"), ("b.rs", declares), ("b_model.rs", "use crate::a;")];
        assert_eq!(circles(&files), 0);
        let files = [
            ROOT,
            ("a.rs", "use crate::b;"),
            ("b.rs", "#[cfg(test)]\nmod model;"),
            ("b/model.rs", "use crate::a;"),
        ];
        assert_eq!(circles(&files), 0);
    }
}
