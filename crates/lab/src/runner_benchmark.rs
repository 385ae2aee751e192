//! The overhead of a match runner: moves per second, CPU time, and the delay between an engine's move and the
//! other engine's `go`.
//!
//! The engines measure, not the runners: each `instant-engine` records when it writes a `bestmove` and when
//! it reads a `go`. So every runner is measured in the same way.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// A `go` or a `bestmove`, with its time, as an engine records it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedEvent {
    /// The position at a `go`, or after a `bestmove`.
    pub position: u64,
    /// Nanoseconds since 1970.
    pub at: u64,
    /// True if a `go` was read; false if a `bestmove` is about to be written.
    pub is_go: bool,
}

impl TimedEvent {
    /// The length of a record in bytes.
    pub const SIZE: usize = 17;

    /// The bytes of the record.
    pub fn bytes(self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&self.position.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.at.to_le_bytes());
        bytes[16] = self.is_go.into();
        bytes
    }

    /// Reads a record.
    pub fn read(bytes: &[u8; Self::SIZE]) -> Self {
        let number =
            |range: std::ops::Range<usize>| u64::from_le_bytes(bytes[range].try_into().expect("eight bytes"));
        Self { position: number(0..8), at: number(8..16), is_go: bytes[16] != 0 }
    }
}

/// A runner and how it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runner {
    /// Its name in the table.
    pub name: String,
    /// The words of the command with placeholders in braces.
    words: Vec<String>,
}

/// The values of the placeholders in a command.
#[derive(Debug, Clone, Copy)]
pub struct Placeholders<'p> {
    /// The program with the engine: this one.
    pub program: &'p Path,
    /// The file in which the engines record their times.
    pub times: &'p Path,
    /// The openings, an EPD file.
    pub book: &'p Path,
    /// The file for the games.
    pub pgn: &'p Path,
    /// A new journal; only threefold writes one.
    pub journal: &'p Path,
    /// The number of games.
    pub games: u32,
    /// The number of games at a time.
    pub jobs: usize,
    /// The time control.
    pub tc: &'p str,
}

/// The commands of known runners. `{_}` is a blank inside a word, and `{path}` is the runner's program.
const KNOWN: [(&str, &str); 4] = [
    (
        "threefold",
        "{path} match --engine {program},name=A,args=instant-engine{_}--times{_}{times} \
         --engine {program},name=B,args=instant-engine{_}--times{_}{times} --tc {tc} --games {games} -j {concurrency} \
         --openings {book} --run {journal} --pgn {pgn} --quiet",
    ),
    (
        "fastchess",
        "{path} -engine cmd={program} args=instant-engine{_}--times{_}{times} name=A -engine cmd={program} \
         args=instant-engine{_}--times{_}{times} name=B -each tc={tc} -rounds {rounds} -games 2 -repeat -concurrency \
         {concurrency} -force-concurrency -openings file={book} format=epd order=sequential -pgnout file={pgn} -recover",
    ),
    (
        "c-chess-cli",
        "{path} -engine cmd={program}{_}instant-engine{_}--times{_}{times} name=A -engine \
         cmd={program}{_}instant-engine{_}--times{_}{times} name=B -each tc={tc} -games {games} -concurrency {concurrency} \
         -repeat -openings file={book} -pgn {pgn}",
    ),
    (
        "cutechess-cli",
        "{path} -engine cmd={program} arg=instant-engine arg=--times arg={times} name=A -engine cmd={program} \
         arg=instant-engine arg=--times arg={times} name=B -each proto=uci tc={tc} -rounds {rounds} -games 2 -repeat \
         -concurrency {concurrency} -openings file={book} format=epd order=sequential -pgnout {pgn} -recover",
    ),
];

impl Runner {
    /// The program and its arguments.
    pub fn command(&self, given: &Placeholders<'_>) -> Vec<String> {
        let [program, times, book, pgn, journal] =
            [given.program, given.times, given.book, given.pgn, given.journal]
                .map(|path| path.display().to_string());
        let engine = format!("{program} instant-engine --times {times}");
        let values = [
            ("{engine}", engine),
            ("{program}", program),
            ("{times}", times),
            ("{book}", book),
            ("{pgn}", pgn),
            ("{journal}", journal),
            ("{games}", given.games.to_string()),
            ("{rounds}", given.games.div_ceil(2).to_string()),
            ("{concurrency}", given.jobs.to_string()),
            ("{tc}", given.tc.to_owned()),
            ("{_}", " ".to_owned()),
        ];
        let filled =
            |word: &String| values.iter().fold(word.clone(), |word, (name, value)| word.replace(name, value));
        self.words.iter().map(filled).collect()
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl FromStr for Runner {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        let known: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
        let known = known.join("`, `");
        let Some((name, command)) = given.split_once('=') else {
            return Err(format!(
                "write NAME=PATH with one of `{known}`, or NAME=COMMAND with {{engine}} in it"
            ));
        };
        let words = if command.contains("{engine}") {
            words(command)
        } else {
            let (_, template) = KNOWN.iter().find(|(known, _)| *known == name).ok_or_else(|| {
                format!("`{name}` is none of `{known}`; give a COMMAND with {{engine}} for each of the two engines")
            })?;
            words(template).iter().map(|word| word.replace("{path}", command)).collect()
        };
        Ok(Self { name: name.to_owned(), words })
    }
}

/// What the engines recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Turns {
    /// The number of moves.
    pub moves: usize,
    /// The time from each `bestmove` to the other engine's `go`, in ascending order.
    pub delays: Vec<Duration>,
}

impl Turns {
    /// Finds the `go` that follows each `bestmove`: the next one for the position after that move.
    pub fn of(mut events: Vec<TimedEvent>) -> Self {
        // With equal times the `bestmove` comes first, as it must.
        events.sort_by_key(|event| (event.at, event.is_go));
        let mut awaited: HashMap<u64, VecDeque<u64>> = HashMap::new();
        let mut turns = Self::default();
        for TimedEvent { position, at, is_go } in events {
            if is_go {
                // Games at the same time may have the same position: each `go` takes the oldest `bestmove`.
                let moved_at = awaited.get_mut(&position).and_then(VecDeque::pop_front);
                turns.delays.extend(moved_at.map(|moved_at| Duration::from_nanos(at - moved_at)));
            } else {
                turns.moves += 1;
                awaited.entry(position).or_default().push_back(at);
            }
        }
        turns.delays.sort_unstable();
        turns
    }

    /// The delay that this share of the delays, from 0 to 1, does not exceed; `None` without delays.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let last = self.delays.len().checked_sub(1)?;
        Some(self.delays[(last as f64 * share).round() as usize])
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    fn placeholders() -> Placeholders<'static> {
        Placeholders {
            program: Path::new("/bin/lab"),
            times: Path::new("t"),
            book: Path::new("b.epd"),
            pgn: Path::new("g.pgn"),
            journal: Path::new("r.sqlite"),
            games: 5,
            jobs: 2,
            tc: "10+0.1",
        }
    }

    #[test]
    fn commands_of_runners_are_filled_in() {
        let command = |given: &str| given.parse::<Runner>().expect(given).command(&placeholders()).join("|");
        assert!(
            command("c-chess-cli=./c")
                .starts_with("./c|-engine|cmd=/bin/lab instant-engine --times t|name=A|-engine")
        );
        assert!(command("fastchess=./f").contains("|args=instant-engine --times t|"));
        assert!(command("fastchess=./f").contains("|-rounds|3|-games|2|"));
        assert_eq!(command("x=./x {engine} {games} {tc}"), "./x|/bin/lab instant-engine --times t|5|10+0.1");
        for given in ["fastchess", "other=./o", "=x"] {
            assert!(given.parse::<Runner>().is_err(), "{given}");
        }
        let every = KNOWN.iter().map(|(name, _)| format!("{name}=./p").parse::<Runner>().expect(name));
        for runner in every {
            let command = runner.command(&placeholders()).join("|");
            assert!(!command.contains(['{', '}']), "{command}");
        }
    }

    #[test]
    fn the_command_of_threefold_is_one_that_it_understands() {
        let runner: Runner = "threefold=./threefold".parse().expect("known");
        let command = runner.command(&placeholders());
        assert!(threefold::commands::Cli::try_parse_from(&command).is_ok(), "{command:?}");
    }

    #[test]
    fn a_turn_ends_with_the_go_for_the_position() {
        let event = |position, at, is_go| TimedEvent { position, at, is_go };
        let turns = Turns::of(vec![
            event(1, 10, true),
            event(2, 20, false),
            event(2, 27, true),
            event(3, 30, false),
            // Another game at the same position.
            event(2, 22, false),
            event(2, 25, true),
            event(3, 130, true),
        ]);
        assert_eq!(turns.moves, 3);
        assert_eq!(turns.delays, [5, 5, 100].map(Duration::from_nanos));
        assert_eq!(turns.quantile(0.5), Some(Duration::from_nanos(5)));
        assert_eq!(turns.quantile(1.0), Some(Duration::from_nanos(100)));
        assert_eq!(Turns::default().quantile(0.5), None);
    }
}
