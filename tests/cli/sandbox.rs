//! A temporary folder for each test, with short suites, a book and a plan, and engines made of a few lines of
//! shell.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use assert_cmd::Command;
use tempfile::TempDir;

/// The program under test.
pub(crate) const THREEFOLD: &str = crate::PROGRAM;

/// Time limit of every wait, far more than needed, so that a hang is a failure. `init` runs its whole plan.
pub(crate) const DEADLINE: Duration = Duration::from_mins(6);

/// A short match of two engines.
pub(crate) const GAMES: &str =
    "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --nodes 60 --games 4 --openings book.epd";

const SUITES: &[(&str, &str)] = &[
    (
        "traps.toml",
        "version = 1\nkind = \"repetition\"\ntitle = \"Traps\"\npositions = [\"traps.csv\"]\n[limits]\nnodes = 300\n",
    ),
    (
        "mates.toml",
        "version = 1\nkind = \"mate\"\ntitle = \"Mates\"\npositions = [\"mates.epd\"]\n[limits]\nnodes = 300\n",
    ),
    (
        "clocks.toml",
        "version = 1\nkind = \"time-control\"\ntitle = \"Clocks\"\npositions = [\"book.epd\"]\n[settings]\n\
         plies = 20\n[[settings.controls]]\ncontrol = \"1+0.01\"\nnodes_per_second = 5000\n",
    ),
    (
        "plan.toml",
        "version = 1\ntitle = \"A small plan\"\nseed = 1\nengine = \"echo,name=Echo,Hash=1\"\n\
         suites = [\"traps.toml\", \"mates.toml\", \"clocks.toml\"]\n[adjudication]\nmax-moves = 20\n\
         [[test]]\nname = \"policies\"\nnew = \"echo,name=New,RepetitionPolicy=HistoryIgnored,Hash=1\"\n\
         base = \"echo,name=Base,RepetitionPolicy=HistoryDraw,Hash=1\"\nnodes = 60\npairs = 4\nquick-pairs = 1\n\
         openings = \"book.epd\"\nelo0 = -10\nelo1 = 10\n\
         [[calibration]]\nname = \"ladder\"\nengine = \"echo,name=Echo,Hash=1\"\nnodes = [20, 60]\nrounds = 2\n\
         quick-rounds = 1\nopenings = \"book.epd\"\n",
    ),
    ("engines.toml", "old = \"echo,name=Old,Hash=1\"\nnew = \"echo,name=New,Hash=2\"\nnumber = 3\n"),
];

/// Shipped files, each with the number of lines to use, without comments.
const POSITIONS: &[(&str, &str, usize)] = &[
    ("traps.csv", "positions/traps.csv", 9),
    ("mates.epd", "positions/mates.epd", 5),
    ("book.epd", "positions/openings.epd", 8),
];

/// A folder to work in.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// Exit code and output of a command.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Sandbox {
    /// An empty sandbox.
    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn new() -> Self {
        let sandbox = Self::empty();
        for (file, text) in SUITES {
            sandbox.write(file, text);
        }
        for (file, shipped, lines) in POSITIONS {
            let shipped = Path::new(crate::WORKSPACE).join(shipped);
            let text = fs::read_to_string(shipped).expect("a shipped file");
            let first: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).take(*lines).collect();
            sandbox.write(file, format!("{}\n", first.join("\n")));
        }
        sandbox
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    pub(crate) fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        fs::write(path, text).expect("room on the disk");
    }

    /// A copy of a file with one replacement, under another name.
    pub(crate) fn vary(&self, file: &str, old: &str, new: &str, under: &str) {
        let text = self.read(file);
        assert!(text.contains(old), "{file} has no `{old}`");
        self.write(under, text.replacen(old, new, 1));
    }

    pub(crate) fn read(&self, file: &str) -> String {
        let path = self.path(file);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Every file with its bytes, by its path in the sandbox.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(self.folder.path()).expect("below the folder");
                    found.insert(name.to_owned(), fs::read(&path).expect("a file"));
                }
            }
        }
        found
    }

    /// The SPEC of an engine that answers each line by the arms of a shell's `case`.
    pub(crate) fn engine(&self, name: &str, arms: &str) -> String {
        self.script(
            name,
            &format!(
                "while read -r line; do case \"$line\" in\n{arms}\nuci) echo uciok;;\nisready) echo readyok;;\n\
                 quit) exit;;\nesac; done\n"
            ),
        )
    }

    /// The SPEC of an engine that is a shell script.
    pub(crate) fn script(&self, name: &str, script: &str) -> String {
        self.write(&format!("{name}.sh"), script);
        format!("sh {name}.sh,name={name}")
    }

    /// Runs a command with words separated by spaces.
    pub(crate) fn run(&self, words: &str) -> CommandOutput {
        self.run_words(&words.split_whitespace().collect::<Vec<_>>())
    }

    pub(crate) fn run_words(&self, words: &[&str]) -> CommandOutput {
        let output = Command::new(THREEFOLD)
            .args(words)
            .current_dir(self.folder.path())
            .timeout(DEADLINE)
            .output()
            .expect("it runs");
        CommandOutput::from(output)
    }
}

impl Sandbox {
    /// Runs a line of shell in which `$T` is the program.
    pub(crate) fn shell(&self, line: &str) -> CommandOutput {
        let output = Command::new("bash")
            .args(["-c", line])
            .env("T", THREEFOLD)
            .current_dir(self.folder.path())
            .timeout(DEADLINE)
            .output()
            .expect("it runs");
        CommandOutput::from(output)
    }
}

impl From<Output> for CommandOutput {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}
