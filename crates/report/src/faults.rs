//! What engines did that no engine may: crashes, silence, broken protocol, illegal moves, fallen flags.
//!
//! Each costs its case or its game and nothing else, so a report gathers them in one place: a suite that
//! looks bad because the engine crashed is another story than one that the engine played badly. An engine that crashes
//! once crashes often, so equal faults are one line with their number and the first places.

use std::collections::HashMap;
use std::fmt;

use super::model::{MatchPart, Report};
use super::{flags, phrase};
use threefold_chess::clock::Flag;
use threefold_harness::arena::game::{End, GameRecord, Outcome};
use threefold_harness::suite::Mark;

/// A fault of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Who.
    pub engine: String,
    /// In which part of the run.
    pub part: String,
    /// The case or the game.
    pub place: String,
    /// What happened.
    pub what: String,
}

/// Equal faults of an engine in a part of the run: equal but for numbers, such as times and addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultGroup {
    /// Who.
    pub engine: String,
    /// In which part of the run.
    pub part: String,
    /// What happened the first time.
    pub what: String,
    /// How often.
    pub count: usize,
    /// The first cases or games, three at most.
    pub places: Vec<String>,
}

/// Places that are named for each group.
const FIRST_PLACES: usize = 3;

impl FaultGroup {
    /// `game 4`, or `148 times: game 1, game 3, game 5 and 145 more`.
    pub fn occurrences(&self) -> String {
        let places = self.places.join(", ");
        match self.count {
            1 => places,
            count if count <= FIRST_PLACES => format!("{} times: {places}", phrase::grouped(count as u64)),
            count => {
                let more = phrase::grouped((count - self.places.len()) as u64);
                format!("{} times: {places} and {more} more", phrase::grouped(count as u64))
            }
        }
    }
}

/// Without the part, which the reader knows from the place of the line.
impl fmt::Display for FaultGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.engine, self.what, self.occurrences())
    }
}

/// Faults in groups, in the order of their first occurrences.
pub(super) fn grouped(faults: impl IntoIterator<Item = Fault>) -> Vec<FaultGroup> {
    let mut groups: Vec<FaultGroup> = Vec::new();
    let mut known: HashMap<(String, String, String), usize> = HashMap::new();
    for Fault { engine, part, place, what } in faults {
        let next = groups.len();
        let index = *known.entry((part.clone(), engine.clone(), without_numbers(&what))).or_insert(next);
        if index == next {
            groups.push(FaultGroup { engine, part, what, count: 0, places: Vec::new() });
        }
        let group = &mut groups[index];
        group.count += 1;
        if group.places.len() < FIRST_PLACES {
            group.places.push(place);
        }
    }
    groups
}

/// A text with every number replaced: hexadecimal with `0x`, or decimal digits.
fn without_numbers(text: &str) -> String {
    let mut general = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let hexadecimal =
            rest.strip_prefix("0x").filter(|digits| digits.starts_with(|c: char| c.is_ascii_hexdigit()));
        if let Some(digits) = hexadecimal {
            general.push('0');
            rest = digits.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        } else if first.is_ascii_digit() {
            general.push('0');
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        } else {
            general.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    general
}

impl Report {
    /// Every fault of an engine, suites first, in the order of the run.
    pub fn faults(&self) -> Vec<Fault> {
        let cases = self.suites.iter().flat_map(|suite| {
            let faulty = suite.cases.iter().filter(|case| case.verdict.mark == Mark::Fault);
            faulty.map(|case| Fault {
                engine: suite.engine.clone(),
                part: suite.name.clone(),
                place: case.id.clone(),
                what: case.verdict.reason.clone(),
            })
        });
        cases.chain(self.matches.iter().flat_map(of_games)).collect()
    }

    /// The same, equal ones together.
    pub fn fault_groups(&self) -> Vec<FaultGroup> {
        grouped(self.faults())
    }

    /// How many faults each engine committed, the most first: `4 engine faults (Base 3, New 1)`; `None` without any.
    pub fn fault_summary(&self) -> Option<String> {
        let faults = self.faults();
        let mut by_engine: Vec<(&str, usize)> = Vec::new();
        for fault in &faults {
            match by_engine.iter_mut().find(|(engine, _)| *engine == fault.engine) {
                Some((_, count)) => *count += 1,
                None => by_engine.push((&fault.engine, 1)),
            }
        }
        by_engine.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let named: Vec<String> =
            by_engine.iter().map(|(engine, count)| format!("{engine} {count}")).collect();
        (!faults.is_empty())
            .then(|| format!("{} ({})", phrase::count(faults.len(), "engine fault"), named.join(", ")))
    }
}

/// The faults in the games of a match.
pub(super) fn of_games(part: &MatchPart) -> impl Iterator<Item = Fault> {
    part.games.iter().filter_map(|game| {
        Some(Fault {
            engine: loser(&game.record)?.to_owned(),
            part: part.name.clone(),
            place: format!("game {}", game.number),
            what: breach(&game.record.end)?,
        })
    })
}

/// Whoever commits a fault loses the game.
fn loser(game: &GameRecord) -> Option<&str> {
    match game.outcome {
        Outcome::White => Some(&game.players[1]),
        Outcome::Black => Some(&game.players[0]),
        Outcome::Draw => None,
    }
}

/// What broke a game off; `None` where it ended as games do.
fn breach(end: &End) -> Option<String> {
    match end {
        End::TimeForfeit { over, waited } => Some(flags::told(Flag { over: *over }, *waited)),
        End::IllegalMove(mv) => Some(format!("illegal move `{mv}`")),
        End::EngineFault(what) => Some(what.clone()),
        End::Checkmate
        | End::Stalemate
        | End::Threefold
        | End::FiftyMoves
        | End::InsufficientMaterial
        | End::Adjudicated(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(engine: &str, place: usize, what: &str) -> Fault {
        Fault {
            engine: engine.to_owned(),
            part: "match".to_owned(),
            place: format!("game {place}"),
            what: what.to_owned(),
        }
    }

    #[test]
    fn a_thousand_equal_crashes_are_one_line() {
        let crash = |game| {
            let what = format!(
                "it ended (signal: 11) at 0x7f{game:x}a, pid {game}; its last words: {}",
                "x".repeat(500)
            );
            fault("Base", game, &what)
        };
        let faults = (1..=1000)
            .map(crash)
            .chain([fault("New", 7, "illegal move `a1a1`"), fault("New", 9, "illegal move `b2b3`")]);
        let groups = grouped(faults);
        assert_eq!(groups.len(), 3, "{groups:#?}");
        assert_eq!(groups[0].occurrences(), "1\u{202f}000 times: game 1, game 2, game 3 and 997 more");
        assert_eq!(groups[1].to_string(), "New: illegal move `a1a1` (game 7)");
    }

    #[test]
    fn times_and_addresses_do_not_tell_faults_apart() {
        let table = [
            ("lost on time by 14 ms", "lost on time by 3.5 ms", true),
            ("at 0xdeadbeef", "at 0x7", true),
            ("illegal move `a1a8`", "illegal move `a2a7`", true),
            ("illegal move `a1a8`", "illegal move `b1a8`", false),
            ("0xyz", "1xyz", true),
            ("exit status: 3", "signal: 3", false),
        ];
        for (one, other, equal) in table {
            assert_eq!(without_numbers(one) == without_numbers(other), equal, "{one} / {other}");
        }
    }

    #[test]
    fn few_places_are_all_named() {
        let groups = grouped((1..=3).map(|game| fault("A", game, "late")));
        assert_eq!(groups[0].occurrences(), "3 times: game 1, game 2, game 3");
        assert_eq!(grouped([fault("A", 2, "late")])[0].occurrences(), "game 2");
    }
}
