//! Dependency cycles among the top-level modules of a crate. Between crates the compiler forbids them.

use std::collections::{BTreeMap, BTreeSet};

/// The modules of one crate, each with the modules of the same crate that its files use, and one place of each use.
#[derive(Debug, Default)]
pub(crate) struct Uses(BTreeMap<String, BTreeMap<String, String>>);

impl Uses {
    /// Of a crate: the paths of its files below `src/`, each with its text.
    pub(crate) fn of_crate<'f>(files: impl Iterator<Item = (&'f str, &'f str)> + Clone) -> Self {
        let modules: BTreeSet<&str> = files.clone().map(|(path, _)| top_module(path)).collect();
        let root = files.clone().find(|(path, _)| is_root(path)).map_or("", |(_, text)| text);
        let re_exported = re_exports(root);
        let mut uses = Self::default();
        for (path, text) in files.filter(|(path, _)| !is_root(path) && !is_test(path)) {
            let own = top_module(path);
            for (line, name) in crate_paths(path, without_tests(text)) {
                let module = re_exported.get(name).copied().unwrap_or(name);
                if module != own && modules.contains(module) {
                    let of_own = uses.0.entry(own.to_owned()).or_default();
                    of_own.entry(module.to_owned()).or_insert_with(|| format!("{path}:{line}"));
                }
            }
        }
        uses
    }

    /// Every use on a cycle: `a uses b (a.rs:7)`.
    pub(crate) fn on_circles(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (module, used) in &self.0 {
            for (other, place) in used {
                if self.reaches(other, module) {
                    found.push(format!("`{module}` uses `{other}` ({place}), which uses `{module}` in turn"));
                }
            }
        }
        found
    }

    fn reaches(&self, from: &str, to: &str) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            if module == to {
                return true;
            }
            if seen.insert(module) {
                open.extend(self.0.get(module).into_iter().flat_map(BTreeMap::keys).map(String::as_str));
            }
        }
        false
    }
}

fn is_root(path: &str) -> bool {
    matches!(path, "lib.rs" | "main.rs")
}

fn is_test(path: &str) -> bool {
    path.split('/').any(|part| part.trim_end_matches(".rs").ends_with("tests"))
}

fn top_module(path: &str) -> &str {
    path.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

/// A file's text up to its unit tests, which may use whatever they test.
fn without_tests(text: &str) -> &str {
    let begins = ["#[cfg(test)]\nmod ", "#[cfg(all(test, unix))]\nmod "];
    begins.iter().filter_map(|begin| text.find(begin)).min().map_or(text, |at| &text[..at])
}

/// Items that the crate's root re-exports, each with the module that it comes from.
fn re_exports(root: &str) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    for statement in root.split("use ").skip(1).filter_map(|rest| rest.split(';').next()) {
        if let Some((module, items)) = statement.split_once("::") {
            found.extend(words(items).map(|item| (item, module)));
        }
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// The names that follow the crate's root in paths, `crate::` or as many `super::` as lead there, with their lines.
fn crate_paths<'t>(path: &str, text: &'t str) -> Vec<(usize, &'t str)> {
    let depth = path.matches('/').count() + usize::from(!path.ends_with("/mod.rs"));
    let to_root = "super::".repeat(depth);
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        for root in ["crate::", &to_root] {
            for (at, _) in code.match_indices(root) {
                let (before, rest) = (&code[..at], &code[at + root.len()..]);
                if before.ends_with(['$', ':']) || rest.starts_with("super::") {
                    continue;
                }
                let names = rest.strip_prefix('{').map_or_else(|| words(rest).take(1).collect(), group);
                found.extend(names.into_iter().map(|name| (number + 1, name)));
            }
        }
    }
    found
}

/// The first word of each path in `{a, b::c, d}`.
fn group(rest: &str) -> Vec<&str> {
    rest.split(['}', ';'])
        .next()
        .unwrap_or_default()
        .split(',')
        .filter_map(|path| words(path).next())
        .collect()
}

#[test]
fn dependency_cycles_are_found_through_every_kind_of_path() {
    let circle = |files: &[(&str, &str)]| Uses::of_crate(files.iter().copied()).on_circles().len();
    let root = ("lib.rs", "mod a;\nmod b;\npub use b::{Bee, Buzz};");
    let uses_b = [
        "use crate::b::Bee;",
        "use super::b;",
        "use crate::Bee;",
        "use crate::{Buzz};",
        "fn f(b: crate::Bee) {}",
    ];
    for text in uses_b {
        assert_eq!(circle(&[root, ("a.rs", text), ("b/mod.rs", "use super::a::A;")]), 2, "{text}");
    }
    let inner = [root, ("a.rs", "use super::b;"), ("b/mod.rs", "mod c;"), ("b/c.rs", "use super::super::a;")];
    assert_eq!(circle(&inner), 2);
    // A path to the parent, a comment, a unit test and another crate's macro are no uses.
    let innocent = "use super::Own;\n// crate::a\n$crate::a::x;\n#[cfg(test)]\nmod tests { use crate::a; }";
    assert_eq!(circle(&[root, ("a.rs", "use crate::b;"), ("b/mod.rs", innocent)]), 0);
    assert_eq!(circle(&[root, ("a.rs", "use crate::b;"), ("b/c.rs", "use super::a;")]), 0);
}
