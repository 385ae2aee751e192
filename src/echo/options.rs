//! Echo's options: one table, from which parsing, UCI's `option` lines and the documentation are derived.
//!
//! A row's setter receives a value that its kind has already accepted, so that no setter can refuse.

#[cfg(feature = "lab")]
use super::lab::Feature;
use super::lab::Lab;
#[cfg(feature = "mutants")]
use super::mutants::Mutant;
use super::mutants::Seed;
use super::repetition::RepetitionPolicy;

/// What an option may be set to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// What it is unless set.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// What it is unless set.
        default: i64,
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// What it is unless set.
        default: &'static str,
        /// Every word there is.
        choices: Vec<&'static str>,
    },
    /// Any text, none unless set.
    Text,
    /// Nothing to set: it does something once.
    Button,
}

/// One option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionRow {
    /// As UCI spells it.
    pub name: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// What it may be set to.
    pub kind: OptionKind,
}

/// Why an option can't be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("`{given}` is no option of Echo; use one of {known}")]
    Unknown {
        /// The name given.
        given: String,
        /// The names there are.
        known: String,
    },
    /// It can't have this value.
    #[error("`{name}` can't be `{given}`; use {remedy}")]
    Value {
        /// The option.
        name: &'static str,
        /// The value given.
        given: String,
        /// What would be right.
        remedy: String,
    },
}

/// Everything that is set, resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Size of the hash table in mebibytes.
    pub hash: u32,
    /// How many lines of play are reported.
    pub multi_pv: u32,
    /// Search threads.
    pub threads: u32,
    /// Castling is written as king takes rook, and any start is accepted.
    pub chess960: bool,
    /// Milliseconds a move that are lost on the way.
    pub move_overhead: u32,
    /// Nodes that make a millisecond; 0: time is measured.
    pub nodes_a_millisecond: u32,
    /// Which repetitions are draws.
    pub repetition_policy: RepetitionPolicy,
    /// The features of the search that are on.
    pub lab: Lab,
    /// The seeded bug, in a build with mutants.
    pub seed: Seed,
}

impl Settings {
    /// As they are unless set.
    pub const DEFAULT: Self = Self {
        hash: 16,
        multi_pv: 1,
        threads: 1,
        chess960: false,
        move_overhead: 10,
        nodes_a_millisecond: 0,
        repetition_policy: RepetitionPolicy::HistoryIgnored,
        lab: Lab::FULL,
        seed: Seed::NONE,
    };
}

/// What else is to be done once an option is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    Set,
    /// Whatever searches have left behind is to be forgotten.
    ClearHash,
    /// The tables of endings in these folders are to be opened, or those open closed where there is no text.
    OpenEndings,
}

/// What setting an option does.
enum Setter {
    Check(fn(&mut Settings, bool)),
    Spin(fn(&mut Settings, i64)),
    Combo(fn(&mut Settings, &str)),
    Button(Effect),
    Text(Effect),
    #[cfg(feature = "lab")]
    Feature(Feature),
}

/// An option together with what setting it does.
struct Row {
    option: OptionRow,
    set: Setter,
}

const fn check(
    name: &'static str,
    summary: &'static str,
    default: bool,
    set: fn(&mut Settings, bool),
) -> Row {
    Row { option: OptionRow { name, summary, kind: OptionKind::Check { default } }, set: Setter::Check(set) }
}

const fn spin(
    name: &'static str,
    summary: &'static str,
    [default, min, max]: [i64; 3],
    set: fn(&mut Settings, i64),
) -> Row {
    let kind = OptionKind::Spin { default, min, max };
    Row { option: OptionRow { name, summary, kind }, set: Setter::Spin(set) }
}

const fn combo(
    name: &'static str,
    summary: &'static str,
    default: &'static str,
    choices: Vec<&'static str>,
    set: fn(&mut Settings, &str),
) -> Row {
    let kind = OptionKind::Combo { default, choices };
    Row { option: OptionRow { name, summary, kind }, set: Setter::Combo(set) }
}

/// Every option there is, in the order UCI lists them.
pub fn table() -> Vec<OptionRow> {
    rows().into_iter().map(|row| row.option).collect()
}

impl Settings {
    /// Sets one option. Names and words are taken in any case; a button takes anything.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Effect, OptionError> {
        let mut rows = rows();
        let Some(at) = rows.iter().position(|row| row.option.name.eq_ignore_ascii_case(name)) else {
            let known: Vec<&str> = rows.iter().map(|row| row.option.name).collect();
            return Err(OptionError::Unknown { given: name.to_owned(), known: known.join(", ") });
        };
        let Row { option, set } = rows.swap_remove(at);
        let refuse = |remedy| OptionError::Value { name: option.name, given: value.to_owned(), remedy };
        match (set, &option.kind) {
            (Setter::Check(set), _) => match value.to_ascii_lowercase().as_str() {
                "true" => set(self, true),
                "false" => set(self, false),
                _ => return Err(refuse("true or false".to_owned())),
            },
            (Setter::Spin(set), &OptionKind::Spin { min, max, .. }) => match value.parse() {
                Ok(number) if (min..=max).contains(&number) => set(self, number),
                Ok(_) | Err(_) => return Err(refuse(format!("a whole number from {min} to {max}"))),
            },
            (Setter::Combo(set), OptionKind::Combo { choices, .. }) => {
                match choices.iter().find(|choice| choice.eq_ignore_ascii_case(value)) {
                    Some(choice) => set(self, choice),
                    None => return Err(refuse(format!("one of {}", choices.join(", ")))),
                }
            }
            (Setter::Button(effect) | Setter::Text(effect), _) => return Ok(effect),
            #[cfg(feature = "lab")]
            (Setter::Feature(feature), _) => match value.parse() {
                Ok(on) => self.lab.switch(feature, on),
                Err(_) => return Err(refuse("true or false".to_owned())),
            },
            (Setter::Spin(_) | Setter::Combo(_), _) => {
                unreachable!("a row is built with the kind of its setter")
            }
        }
        Ok(Effect::Set)
    }
}

/// Every option there is: a new one is one row here, or in the laboratory's table.
fn rows() -> Vec<Row> {
    #[cfg(feature = "lab")]
    let switches = Feature::ALL.iter().map(|&feature| Row {
        option: OptionRow {
            name: feature.name(),
            summary: feature.summary(),
            kind: OptionKind::Check { default: true },
        },
        set: Setter::Feature(feature),
    });
    #[cfg(not(feature = "lab"))]
    let switches = std::iter::empty();
    rows_of_play().into_iter().chain(rows_of_time()).chain(rows_of_research()).chain(switches).collect()
}

const DEFAULT: Settings = Settings::DEFAULT;

/// The option that names folders of tables of endings.
pub(super) const SYZYGY_PATH: &str = "SyzygyPath";

/// What a GUI asks for.
fn rows_of_play() -> Vec<Row> {
    vec![
        spin(
            "Hash",
            "Size of the hash table in MiB.",
            [i64::from(DEFAULT.hash), 1, 65_536],
            |settings, n| {
                settings.hash = n as u32;
            },
        ),
        Row {
            option: OptionRow {
                name: "Clear Hash",
                summary: "Empties the hash table and forgets what searches have learnt.",
                kind: OptionKind::Button,
            },
            set: Setter::Button(Effect::ClearHash),
        },
        // Whether the opponent's time is thought on is decided by `go ponder`; a GUI asks for the option.
        check("Ponder", "Tells a GUI that `go ponder` is understood.", false, |_, _| {}),
        spin(
            "MultiPV",
            "How many lines of play are reported.",
            [i64::from(DEFAULT.multi_pv), 1, 256],
            |settings, n| settings.multi_pv = n as u32,
        ),
        spin(
            "Threads",
            "Search threads; with more than one, answers vary.",
            [i64::from(DEFAULT.threads), 1, 256],
            |settings, n| settings.threads = n as u32,
        ),
        Row {
            option: OptionRow {
                name: SYZYGY_PATH,
                summary: "Folders of Syzygy tables, separated as the system separates paths.",
                kind: OptionKind::Text,
            },
            set: Setter::Text(Effect::OpenEndings),
        },
        check("UCI_Chess960", "Castling is written as king takes rook.", DEFAULT.chess960, |settings, on| {
            settings.chess960 = on;
        }),
    ]
}

/// What the clock is read by.
fn rows_of_time() -> Vec<Row> {
    vec![
        spin(
            "MoveOverhead",
            "Milliseconds a move that are lost on the way to the clock.",
            [i64::from(DEFAULT.move_overhead), 0, 10_000],
            |settings, n| settings.move_overhead = n as u32,
        ),
        spin(
            "nodestime",
            "Nodes that make a millisecond on the engine's clock; 0: time is measured.",
            [i64::from(DEFAULT.nodes_a_millisecond), 0, 1_000_000],
            |settings, n| settings.nodes_a_millisecond = n as u32,
        ),
    ]
}

/// What is studied.
fn rows_of_research() -> Vec<Row> {
    vec![
        combo(
            "RepetitionPolicy",
            "Which repetitions the search scores as draws.",
            DEFAULT.repetition_policy.name(),
            RepetitionPolicy::ALL.iter().map(|policy| policy.name()).collect(),
            |settings, word| {
                settings.repetition_policy = word.parse().expect("one of the row's own choices");
            },
        ),
        #[cfg(feature = "mutants")]
        combo(
            "Mutant",
            "One bug, seeded on purpose.",
            SOUND,
            [SOUND].into_iter().chain(Mutant::ALL.iter().map(|mutant| mutant.name())).collect(),
            |settings, word| settings.seed = word.parse().map_or(Seed::NONE, Seed::of),
        ),
    ]
}

/// The value of `Mutant` that seeds no bug.
#[cfg(feature = "mutants")]
const SOUND: &str = "None";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_by_name_whatever_their_case() {
        let mut settings = Settings::DEFAULT;
        for (name, value, effect) in [
            ("hash", "64", Effect::Set),
            ("MULTIPV", "3", Effect::Set),
            ("repetitionpolicy", "historydraw", Effect::Set),
            ("uci_chess960", "TRUE", Effect::Set),
            ("clear hash", "", Effect::ClearHash),
        ] {
            assert_eq!(settings.set(name, value), Ok(effect), "{name}");
        }
        assert_eq!(
            settings,
            Settings {
                hash: 64,
                multi_pv: 3,
                chess960: true,
                repetition_policy: RepetitionPolicy::HistoryDraw,
                ..Settings::DEFAULT
            }
        );
    }

    #[test]
    fn what_cannot_be_set_is_answered_with_what_can() {
        let table = [
            ("Hash", "0", "`Hash` can't be `0`; use a whole number from 1 to 65536"),
            ("hash", "big", "`Hash` can't be `big`; use a whole number from 1 to 65536"),
            ("Ponder", "1", "`Ponder` can't be `1`; use true or false"),
            (
                "RepetitionPolicy",
                "Never",
                "`RepetitionPolicy` can't be `Never`; use one of HistoryDraw, HistoryIgnored, Threefold",
            ),
        ];
        for (name, value, complaint) in table {
            let mut settings = Settings::DEFAULT;
            assert_eq!(settings.set(name, value).expect_err(name).to_string(), complaint);
            assert_eq!(settings, Settings::DEFAULT);
        }
        let unknown = Settings::DEFAULT.clone().set("Hush", "1").expect_err("unknown").to_string();
        assert!(
            unknown.starts_with("`Hush` is no option of Echo; use one of Hash, Clear Hash,"),
            "{unknown}"
        );
    }

    #[test]
    fn every_default_is_accepted_and_changes_nothing() {
        for OptionRow { name, kind, .. } in table() {
            let default = match kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } => default.to_owned(),
                OptionKind::Text | OptionKind::Button => continue,
            };
            let mut settings = Settings::DEFAULT;
            assert_eq!(settings.set(name, &default), Ok(Effect::Set), "{name}");
            assert_eq!(settings, Settings::DEFAULT, "{name}");
        }
    }
}
