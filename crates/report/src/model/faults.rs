//! Engine faults: crashes, hangs, protocol errors, illegal moves, time losses.
//!
//! A fault costs its case or game only, so the report lists all faults in one place, apart from wrong moves.
//! An engine that crashes once often crashes again, so faults with the same cause are one line with their
//! number and first places.

use std::collections::HashMap;
use std::fmt;

use crate::format;
use crate::model::report::{MatchPart, Report};
use crate::model::time_losses;
use threefold_chess::clock::Flag;
use threefold_games::game::{GameEnd, GameOutcome, GameRecord};
use threefold_player::traffic::LogPlace;
use threefold_player::{FaultCause, FaultTraffic, RecordedFault};
use threefold_suites::Cause;

/// A fault of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Who.
    pub engine: String,
    /// In which part of the run.
    pub part: String,
    /// The case or the game.
    pub place: String,
    /// What it is counted under.
    pub cause: FaultCause,
    /// What happened.
    pub what: String,
    /// Where the log names it, if there was a log.
    pub log: Option<LogPlace>,
}

/// Faults of an engine in a part of the run that have the same cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultGroup {
    /// Who.
    pub engine: String,
    /// In which part of the run.
    pub part: String,
    /// What went wrong.
    pub cause: FaultCause,
    /// What happened the first time.
    pub what: String,
    /// Where the log names the first of them, if there was a log.
    pub log: Option<LogPlace>,
    /// The number of faults in the group.
    pub count: usize,
    /// The first cases or games, three at most.
    pub places: Vec<String>,
}

/// Places that are named for each group.
const FIRST_PLACES: usize = 3;

impl FaultGroup {
    /// `match: Base: it ended (signal: 11) … (3 times: game 1, game 4, game 9)`
    pub fn in_part(&self) -> String {
        format!("{}: {self}", self.part)
    }

    /// `game 4`, or `148 times: game 1, game 3, game 5 and 145 more`.
    pub fn occurrences(&self) -> String {
        let places = self.places.join(", ");
        match self.count {
            1 => places,
            count if count <= FIRST_PLACES => format!("{} times: {places}", format::grouped(count as u64)),
            count => {
                let more = format::grouped((count - self.places.len()) as u64);
                format!("{} times: {places} and {more} more", format::grouped(count as u64))
            }
        }
    }
}

/// Without the part, which the reader knows from the place of the line.
impl fmt::Display for FaultGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.engine, self.what, self.occurrences())?;
        self.log.iter().try_for_each(|place| write!(f, "; see {place}"))
    }
}

/// Faults in groups, in the order of their first occurrences.
pub(crate) fn grouped(faults: impl IntoIterator<Item = Fault>) -> Vec<FaultGroup> {
    let mut groups: Vec<FaultGroup> = Vec::new();
    let mut known: HashMap<(String, String, FaultCause), usize> = HashMap::new();
    for Fault { engine, part, place, cause, what, log } in faults {
        let next = groups.len();
        let index = *known.entry((part.clone(), engine.clone(), cause)).or_insert(next);
        if index == next {
            groups.push(FaultGroup { engine, part, cause, what, log, count: 0, places: Vec::new() });
        }
        let group = &mut groups[index];
        group.count += 1;
        if group.places.len() < FIRST_PLACES {
            group.places.push(place);
        }
    }
    groups
}

impl Report {
    /// Every fault of an engine, suites first, in the order of the run.
    pub fn faults(&self) -> Vec<Fault> {
        let cases = self.suites.iter().flat_map(|suite| {
            suite.cases.iter().filter_map(|case| {
                let Cause::Fault(cause) = case.verdict.cause else { return None };
                Some(Fault {
                    engine: suite.engine.clone(),
                    part: suite.name.clone(),
                    place: case.id.clone(),
                    cause,
                    what: case.verdict.reason(),
                    log: None,
                })
            })
        });
        let logged =
            |fault: Fault| Fault { log: self.traffic_of(&fault).and_then(|it| it.log.clone()), ..fault };
        cases.chain(self.matches.iter().flat_map(of_games)).map(logged).collect()
    }

    /// The UCI traffic before a fault, if it was kept.
    pub fn traffic_of(&self, fault: &Fault) -> Option<&FaultTraffic> {
        self.traffic.get(&(fault.part.clone(), fault.place.clone()))
    }

    /// The engine faults of the run, equal ones in one group.
    pub fn fault_groups(&self) -> Vec<FaultGroup> {
        grouped(self.faults())
    }

    /// How many faults each engine committed, the most first: `4 engine faults (Base 3, New 1)`; `None`
    /// without any.
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
            .then(|| format!("{} ({})", format::count(faults.len(), "engine fault"), named.join(", ")))
    }
}

/// The faults in the games of a match.
pub(crate) fn of_games(part: &MatchPart) -> impl Iterator<Item = Fault> {
    part.games.iter().filter_map(|game| {
        let (engine, cause, what) = fault_of_game(&game.record)?;
        Some(Fault {
            engine: engine.to_owned(),
            part: part.name.clone(),
            place: game_place(game.number),
            cause,
            what,
            log: None,
        })
    })
}

/// The fault that ended a game: who committed it, its cause, and what happened.
pub fn fault_of_game<M>(game: &GameRecord<M>) -> Option<(&str, FaultCause, String)> {
    let (cause, what) = breach(&game.end)?;
    Some((loser(game)?, cause, what))
}

/// How a game is named, by its number from 1.
pub fn game_place(number: usize) -> String {
    format!("game {number}")
}

/// The player with a fault loses the game.
fn loser<M>(game: &GameRecord<M>) -> Option<&str> {
    match game.outcome {
        GameOutcome::White => Some(&game.players[1]),
        GameOutcome::Black => Some(&game.players[0]),
        GameOutcome::Draw => None,
    }
}

/// The fault that ended a game; `None` for a regular end.
fn breach(end: &GameEnd) -> Option<(FaultCause, String)> {
    match end {
        GameEnd::TimeForfeit { over, margin, delays } => {
            let flag = Flag { over: *over, margin: *margin };
            let cause = if flag.is_excused(*delays) { FaultCause::BusyMachine } else { FaultCause::TimeLoss };
            Some((cause, time_losses::describe(flag, *delays)))
        }
        GameEnd::IllegalMove(_) => Some((FaultCause::IllegalMove, end.fault_text()?)),
        GameEnd::EngineFault(RecordedFault { cause, detail }) => Some((*cause, detail.clone())),
        GameEnd::Checkmate
        | GameEnd::Stalemate
        | GameEnd::Threefold
        | GameEnd::FiftyMoves
        | GameEnd::InsufficientMaterial
        | GameEnd::Adjudicated(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(engine: &str, place: usize, cause: FaultCause, what: &str) -> Fault {
        Fault {
            engine: engine.to_owned(),
            part: "match".to_owned(),
            place: format!("game {place}"),
            cause,
            what: what.to_owned(),
            log: None,
        }
    }

    #[test]
    fn equal_crashes_are_one_line() {
        let crash = |game| {
            let what = format!(
                "it ended (signal: 11) at 0x7f{game:x}a, pid {game}; its last output: {}",
                "x".repeat(500)
            );
            fault("Base", game, FaultCause::Crash, &what)
        };
        let illegal = |game, what| fault("New", game, FaultCause::IllegalMove, what);
        let faults = (1..=1000)
            .map(crash)
            .chain([illegal(7, "illegal move `a1a1`"), illegal(9, "illegal move `b2b3`")]);
        let groups = grouped(faults);
        assert_eq!(groups.len(), 2, "{groups:#?}");
        assert_eq!(groups[0].occurrences(), "1\u{202f}000 times: game 1, game 2, game 3 and 997 more");
        assert_eq!(groups[1].to_string(), "New: illegal move `a1a1` (2 times: game 7, game 9)");
    }

    #[test]
    fn faults_are_grouped_by_cause() {
        let table = [
            ((FaultCause::TimeLoss, "lost on time by 14 ms"), (FaultCause::TimeLoss, "lost by 3.5 ms"), 1),
            (
                (FaultCause::Crash, "it ended (signal: 3)"),
                (FaultCause::Crash, "it ended (exit status: 4)"),
                1,
            ),
            ((FaultCause::Crash, "it stopped"), (FaultCause::NoAnswer, "it stopped"), 2),
            ((FaultCause::TimeLoss, "late"), (FaultCause::BusyMachine, "late"), 2),
        ];
        for (one, other, groups) in table {
            let faults = [one, other].map(|(cause, what)| fault("A", 1, cause, what));
            assert_eq!(grouped(faults).len(), groups, "{one:?} / {other:?}");
        }
    }

    #[test]
    fn first_fault_of_a_group_names_its_log_line() {
        let log = |line| Some(LogPlace { file: "match.log".to_owned(), line });
        let crash = |game, line| Fault { log: log(line), ..fault("A", game, FaultCause::Crash, "it ended") };
        let groups = grouped([crash(1, 1234), crash(2, 5678)]);
        assert_eq!(groups[0].to_string(), "A: it ended (2 times: game 1, game 2); see match.log:1234");
    }

    #[test]
    fn few_log_positions_are_all_named() {
        let groups = grouped((1..=3).map(|game| fault("A", game, FaultCause::TimeLoss, "late")));
        assert_eq!(groups[0].occurrences(), "3 times: game 1, game 2, game 3");
        assert_eq!(grouped([fault("A", 2, FaultCause::TimeLoss, "late")])[0].occurrences(), "game 2");
    }
}
