//! The contents of a queue's file, and what makes them valid.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use threefold_stats::anytime::OnlineEbh;

/// The version of the file.
const VERSION: u32 = 1;

/// The characters of the longest name.
pub(crate) const LONGEST_NAME: usize = 40;

/// A queue as its file has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueueContents {
    version: u32,
    /// The bound on the false discovery rate.
    pub(crate) level: f64,
    /// The number of tests that share half of the level.
    pub(crate) expected_tests: NonZeroU32,
    /// The number of the next test that is added.
    next: u32,
    /// The tests, in the order in which they were added.
    pub(crate) tests: Vec<StoredTest>,
}

/// A test as the file has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredTest {
    pub(crate) number: u32,
    pub(crate) name: String,
    pub(crate) priority: i32,
    /// The folder in which it was added; relative paths start there.
    pub(crate) folder: PathBuf,
    /// The words of `sprt`, without `threefold`.
    pub(crate) words: Vec<String>,
    /// The files of the engines when it was added.
    pub(crate) files: Vec<StoredFile>,
    /// Its place in the order of the first starts, from 0.
    pub(crate) place: Option<usize>,
    /// Why it could not be started or finished.
    pub(crate) problem: Option<String>,
    /// Did the user withdraw it?
    pub(crate) is_withdrawn: bool,
}

/// A file of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredFile {
    pub(crate) path: String,
    pub(crate) sha256: String,
}

/// A test that is to be added.
#[derive(Debug)]
pub(crate) struct NewTest {
    /// Its name, if the user gave one.
    pub(crate) name: Option<String>,
    /// The name of its first engine, of which a name is made otherwise.
    pub(crate) engine: String,
    pub(crate) priority: i32,
    pub(crate) folder: PathBuf,
    pub(crate) words: Vec<String>,
    pub(crate) files: Vec<StoredFile>,
}

impl QueueContents {
    /// An empty queue.
    pub(crate) fn new(level: f64, expected_tests: NonZeroU32) -> Self {
        Self { version: VERSION, level, expected_tests, next: 1, tests: Vec::new() }
    }

    /// The contents of a text.
    ///
    /// # Errors
    /// If they are damaged, or contradict themselves.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let contents: Self = serde_json::from_str(text)?;
        anyhow::ensure!(
            contents.version == VERSION,
            "has version {}, and this program reads {VERSION}",
            contents.version
        );
        anyhow::ensure!(contents.online().is_some(), "`level` is {}, not between 0 and 1", contents.level);
        let (mut numbers, mut names, mut places) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for test in &contents.tests {
            let (number, name) = (test.number, &test.name);
            check_name(name).map_err(|why| anyhow::anyhow!("test {number}: the name `{name}` {why}"))?;
            anyhow::ensure!(number < contents.next, "test {number}: `next` is {}", contents.next);
            anyhow::ensure!(numbers.insert(number), "two tests have the number {number}");
            anyhow::ensure!(names.insert(name), "two tests have the name `{name}`");
            anyhow::ensure!(
                test.place.is_none_or(|place| place < contents.next as usize && places.insert(place)),
                "test {number}: `place` is that of another test, or too large"
            );
        }
        Ok(contents)
    }

    /// The text of a file.
    pub(crate) fn text(&self) -> anyhow::Result<String> {
        Ok(format!("{}\n", serde_json::to_string_pretty(self)?))
    }

    /// What decides which tests can be merged.
    pub(crate) fn online(&self) -> Option<OnlineEbh> {
        OnlineEbh::new(self.level, self.expected_tests)
    }

    /// Adds a test; its number and its name.
    ///
    /// # Errors
    /// If its name is taken.
    pub(crate) fn add(&mut self, new: NewTest) -> anyhow::Result<StoredTest> {
        let NewTest { name, engine, priority, folder, words, files } = new;
        let name = match name {
            Some(name) => {
                let taken = self.tests.iter().find(|test| test.name == name);
                if let Some(test) = taken {
                    anyhow::bail!("--name {name}: test {} has this name; give another one", test.number);
                }
                name
            }
            None => self.free_name(&engine),
        };
        let number = self.next;
        // A number is never used again, since the folder of a test has it as its name.
        self.next += 1;
        let (place, problem, is_withdrawn) = (None, None, false);
        let test = StoredTest { number, name, priority, folder, words, files, place, problem, is_withdrawn };
        self.tests.push(test.clone());
        Ok(test)
    }

    /// A name that no test has: that of an engine, with a number if it is taken.
    fn free_name(&self, engine: &str) -> String {
        // The characters that `test` and a number may add.
        const SPARE: usize = 8;
        let kept = |character: &char| !character.is_whitespace() && !character.is_control();
        let base: String = engine.chars().filter(kept).take(LONGEST_NAME - SPARE).collect();
        let base = if check_name(&base).is_ok() { base } else { format!("test{base}") };
        let numbered = (2_u32..).map(|number| format!("{base}-{number}"));
        let is_free = |name: &String| self.tests.iter().all(|test| test.name != *name);
        std::iter::once(base.clone()).chain(numbered).find(is_free).unwrap_or(base)
    }

    /// The test with this name or number.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn find(&self, given: &str) -> anyhow::Result<&StoredTest> {
        // No name is a number, so at most one test fits.
        let is_it = |test: &&StoredTest| test.name == given || test.number.to_string() == given;
        self.tests.iter().find(is_it).ok_or_else(|| {
            anyhow::anyhow!("the queue has no test `{given}`; `threefold queue list` shows the names")
        })
    }

    /// The test with this number, to change it.
    pub(crate) fn test_mut(&mut self, number: u32) -> Option<&mut StoredTest> {
        self.tests.iter_mut().find(|test| test.number == number)
    }

    /// The place of the next test that is started.
    pub(crate) fn next_place(&self) -> usize {
        self.tests.iter().filter_map(|test| test.place).max().map_or(0, |last| last + 1)
    }
}

/// Is a name one that the commands and a table can show?
pub(crate) fn check_name(name: &str) -> Result<(), &'static str> {
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        return Err("does not have 1 to 40 characters");
    }
    if name.chars().any(|character| character.is_whitespace() || character.is_control()) {
        return Err("has spaces or control characters");
    }
    if name.starts_with('-') || name.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("begins with a dash, or is a number");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_test(name: Option<&str>, engine: &str) -> NewTest {
        NewTest {
            name: name.map(str::to_owned),
            engine: engine.to_owned(),
            priority: 0,
            folder: PathBuf::from("/engine"),
            words: ["sprt", "--engine", "./new"].map(str::to_owned).to_vec(),
            files: Vec::new(),
        }
    }

    fn queue() -> QueueContents {
        let ten = NonZeroU32::new(10).expect("not 0");
        let mut queue = QueueContents::new(0.05, ten);
        for (name, engine) in [(Some("lmr"), "new"), (None, "new"), (None, "new"), (None, "7")] {
            queue.add(new_test(name, engine)).expect("a free name");
        }
        queue
    }

    #[test]
    fn names_are_free_and_numbers_are_never_used_again() {
        let mut queue = queue();
        let names: Vec<&str> = queue.tests.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["lmr", "new", "new-2", "test7"]);
        let error = queue.add(new_test(Some("lmr"), "x")).expect_err("taken").to_string();
        assert_eq!(error, "--name lmr: test 1 has this name; give another one");
        queue.tests.pop();
        assert_eq!(queue.add(new_test(None, "other")).expect("a free name").number, 5);
        assert_eq!(
            (queue.find("5").expect("there").name.as_str(), queue.find("7").is_err()),
            ("other", true)
        );
    }

    #[test]
    fn text_is_read_back_and_contradictions_are_refused() {
        let queue = queue();
        let text = queue.text().expect("JSON");
        assert_eq!(QueueContents::parse(&text).expect("its own text"), queue);
        for (from, to, expected) in [
            ("\"version\": 1", "\"version\": 9", "has version 9"),
            ("\"level\": 0.05", "\"level\": 1.5", "`level` is 1.5"),
            ("\"number\": 2", "\"number\": 1", "two tests have the number 1"),
            ("\"number\": 2", "\"number\": 9", "`next` is 5"),
            ("\"new-2\"", "\"new\"", "two tests have the name `new`"),
            ("\"new-2\"", "\"a b\"", "has spaces"),
            ("\"place\": null", "\"place\": 0", "`place` is that of another test"),
            ("\"priority\"", "\"prioritys\"", "unknown field"),
        ] {
            let error = QueueContents::parse(&text.replace(from, to)).expect_err(to).to_string();
            assert!(error.contains(expected), "{to}: {error}");
        }
        assert!(QueueContents::parse(&text[..text.len() / 2]).is_err());
    }
}
