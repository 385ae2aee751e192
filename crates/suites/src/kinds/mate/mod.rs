//! Mates with a proven distance: does the engine find the mate, the shortest one, and does its PV show it?
//!
//! Counted as matetrack does (github.com/vondele/matetrack, `matecheck.py`), with its terms, so that figures
//! are comparable: *found* and *best* mates are by the last report of the search, *issues* by every report. A
//! case passes if the shortest mate is found without any issue and the move played starts its PV. A longer
//! mate, or none, is a lack of strength, and a suite's thresholds limit it; an issue is a bug.

pub mod child_values;
pub mod mate_lists;
pub mod scoring;
pub mod tablebase;

use std::collections::HashMap;
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use shakmaty::Role;
use shakmaty::uci::UciMove;

use crate::input::{CaseDefinition, CaseInfo, Ids, OptionOverrides, SourceFile, SuiteError, SuiteInput};
use crate::single_question::{self, SingleQuestion};
use crate::{Case, ClockLimit, Kind, LostCase, Verdict, epd};
use child_values::ChildValues;
use scoring::{MateScoring, Truth};
use tablebase::{TablebaseCheck, TablebaseRules};
use threefold_chess::clock::{ClockSource, Limits};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{MateDistance, Score};
use threefold_games::move_reader;
use threefold_oracle::referee::Referee;
use threefold_player::{Answer, Bound, Question, ScoredInfo};

/// The suite kind `mate`.
pub const KIND: Kind = Kind {
    name: "mate",
    summary: "Positions with a proven distance to mate, mating or being mated",
    clock: ClockLimit::Allowed,
    lost_case: LostCase::Search,
    load,
};

const SETTINGS: &str = "`[settings]` may hold `mate = true` to ask `go mate N` in addition to the limits (or `mate = 5` \
                        for the same N everywhere), `longest = 3` to ask only for mates by the side to move within that \
                        many moves, `shortest_distance` and `longest_distance` for mates by either side, \
                        `child_values = [\"FILE\"]` to check the lines of `MultiPV`, `valid_mates = [-123, 123]`, \
                        `syzygy = \"FOLDER\"` to check tablebase scores, `tablebase_scores = [19754, 20000]`, \
                        `syzygy_fifty_move_rule = false`, and `tablebase_entry_only = true`";

/// The kind's settings, version 1 of the suite file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct MateSettings {
    /// Ask for a mate, too: an engine that knows `go mate` may stop when it has found it.
    #[serde(default)]
    mate: MateGoal,
    /// Only mates by the side to move within this number of moves.
    longest: Option<NonZeroU16>,
    /// Only mates of at least this number of moves, by either side: matetrack's `--bmMin`.
    shortest_distance: Option<NonZeroU16>,
    /// Only mates of at most this number of moves, by either side: matetrack's `--bmMax`.
    longest_distance: Option<NonZeroU16>,
    /// The folder of Syzygy tables for the check of tablebase scores.
    syzygy: Option<PathBuf>,
    /// The smallest and the largest score of a tablebase win, in centipawns; Stockfish's by default. With 0
    /// as the largest, the ply of the entry into the tables is not checked.
    tablebase_scores: Option<[i32; 2]>,
    /// Does the fifty-move rule apply to tablebase wins? Without it the engine's option `Syzygy50MoveRule` is
    /// set to false, too.
    syzygy_fifty_move_rule: Option<bool>,
    /// Check of the PVs of tablebase scores only that they enter the tables where the score says.
    #[serde(default)]
    tablebase_entry_only: bool,
    /// The smallest and the largest mate that the engine can report, in moves.
    valid_mates: Option<[i32; 2]>,
    /// The files with the values of the positions after one move; the suite reader loads them.
    #[serde(default, rename = "child_values")]
    _child_values: Vec<String>,
}

/// The N of `go mate N`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
enum MateGoal {
    /// The known distance, or no such limit.
    Known(bool),
    /// This number of moves for every position.
    Fixed(NonZeroU16),
}

impl Default for MateGoal {
    fn default() -> Self {
        Self::Known(false)
    }
}

impl MateGoal {
    fn moves(self, known: Option<MateDistance>) -> Option<u32> {
        match self {
            Self::Known(asked) => known.map(|it| it.moves().unsigned_abs()).filter(|_| asked),
            Self::Fixed(moves) => Some(moves.get().into()),
        }
    }
}

impl MateSettings {
    /// Is the position asked?
    fn asks(&self, mate: &KnownMate) -> bool {
        let within = |longest: NonZeroU16| {
            mate.distance.is_some_and(|mate| mate.is_win() && mate.moves() <= i32::from(longest.get()))
        };
        let distance = mate.distance.map(|mate| mate.moves().unsigned_abs());
        let far = |shortest: NonZeroU16| distance.is_some_and(|moves| moves >= shortest.get().into());
        let near = |longest: NonZeroU16| distance.is_some_and(|moves| moves <= longest.get().into());
        self.longest.is_none_or(within)
            && self.shortest_distance.is_none_or(far)
            && self.longest_distance.is_none_or(near)
    }
}

/// A position with its proven distance.
#[derive(Debug, Clone, PartialEq, Eq)]
struct KnownMate {
    /// Its line in the file, from 1.
    number: usize,
    /// Unique in its suite.
    id: String,
    history: GamePosition,
    /// `None` if the line has none: then any reported mate is unexpected.
    distance: Option<MateDistance>,
    /// The only move that keeps the distance, if the file names one (`only`): a class of its own.
    only: Option<UciMove>,
    /// Other operations of the line.
    note: String,
}

/// Reads positions with `bm #N;` or `dm N;` (N in full moves, negative if the side to move is mated), or with
/// neither. Mate provers write `dm N;` with moves in `bm`. If a position occurs twice, the line with the
/// shorter mate counts.
fn read_mates(source_file: &SourceFile) -> Result<Vec<KnownMate>, SuiteError> {
    let mut mates: Vec<KnownMate> = Vec::new();
    // Files of mates have many thousands of positions, too many to compare each with all others.
    let mut places: HashMap<GamePosition, usize> = HashMap::new();
    let read = epd::records(source_file)?.map(|read| known(source_file, &read?));
    for mate in SuiteError::collect(read)? {
        let place = *places.entry(mate.history.clone()).or_insert(mates.len());
        match mates.get_mut(place) {
            Some(earlier) => {
                let moves = |mate: &KnownMate| mate.distance.map_or(i32::MAX, |it| it.moves().abs());
                if moves(&mate) < moves(earlier) {
                    *earlier = mate;
                }
            }
            None => mates.push(mate),
        }
    }
    Ok(mates)
}

fn known(source_file: &SourceFile, record: &epd::EpdRecord) -> Result<KnownMate, SuiteError> {
    let remedy = "give `bm #3;` (or `dm 3;`), in moves, negative where the side to move is mated";
    let complain = |what: String| source_file.error_at_line(record.number, what, remedy);
    let distance = |given: &str| {
        let moves = given.parse::<i32>().ok().filter(|&moves| moves != 0);
        moves
            .and_then(MateDistance::from_moves)
            .ok_or_else(|| complain(format!("`{given}` is no distance to mate")))
    };
    let (best, given) = (record.operation("bm"), record.operation("dm"));
    let by_best = best.and_then(|best| best.strip_prefix('#')).map(distance).transpose()?;
    let by_distance = given.map(distance).transpose()?;
    let distance = match (by_best, by_distance, best) {
        (Some(one), Some(other), Some(best)) if one != other => {
            let what = format!("`bm {best}` and `dm {}` contradict each other", other.moves());
            return Err(complain(what));
        }
        (None, None, Some(best)) => return Err(complain(format!("`bm {best}` is no distance to mate"))),
        _ => by_best.or(by_distance),
    };
    let referee = Referee::new(&record.position).map_err(|error| complain(error.to_string()))?;
    if let Some(ending) = referee.ending() {
        return Err(source_file.error_at_line(
            record.number,
            format!("the game is over here ({ending})"),
            "remove the line",
        ));
    }
    let moves = best.filter(|best| !best.starts_with('#'));
    for mv in moves.into_iter().flat_map(str::split_whitespace) {
        move_reader::parse_move(&referee, mv).map_err(|error| {
            source_file.error_at_line(record.number, error.to_string(), "give the mating move in `bm`")
        })?;
    }
    let codes = ["id", "dm", "PV", "hmvc", "fmvn", "bm"];
    // Moves in `bm` are a remark of the case; a distance in it is shown already.
    let note = record.remarks(if moves.is_some() { &codes[..5] } else { &codes });
    let only = record.operation("only").and_then(|only| only.parse().ok());
    Ok(KnownMate {
        number: record.number,
        id: record.id(),
        history: record.position.clone(),
        distance,
        only,
        note,
    })
}

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    let settings: MateSettings = input.optional_settings(SETTINGS)?;
    input.limited()?;
    let checks = Arc::new(Checks::new(&settings, input)?);
    let mut ids = Ids::default();
    let mut define = |source_file: &SourceFile, mate: KnownMate| {
        ids.claim(source_file, mate.number, &mate.id)?;
        Ok(definition(input.suite, mate, settings.mate, Arc::clone(&checks)))
    };
    let mut definitions = Vec::new();
    for source_file in input.positions {
        let asked = read_mates(source_file)?.into_iter().filter(|mate| settings.asks(mate));
        definitions.extend(asked.map(|mate| define(source_file, mate)));
    }
    SuiteError::collect(definitions)
}

/// What the answers of all cases are checked with.
#[derive(Debug)]
struct Checks {
    valid_mates: [i32; 2],
    tablebase: Option<TablebaseCheck>,
    children: ChildValues,
    /// The options that the engine needs for the checks.
    options: OptionOverrides,
}

impl Checks {
    fn new(settings: &MateSettings, input: &SuiteInput<'_>) -> Result<Self, SuiteError> {
        let fifty_move_rule = settings.syzygy_fifty_move_rule;
        let rules = TablebaseRules {
            scores: settings.tablebase_scores.unwrap_or(tablebase::STOCKFISH_RANGE),
            fifty_move_rule: fifty_move_rule.unwrap_or(true),
            entry_only: settings.tablebase_entry_only,
        };
        let option = |rule: bool| ("Syzygy50MoveRule".to_owned(), rule.to_string());
        Ok(Self {
            valid_mates: settings.valid_mates.unwrap_or(scoring::VALID_MATES),
            tablebase: settings.syzygy.clone().map(|folder| TablebaseCheck::new(folder, rules)),
            children: ChildValues::from_files(input.child_values)?,
            options: fifty_move_rule.map(option).into_iter().collect(),
        })
    }

    /// What a position with this distance is compared with. The error is for the user.
    fn truth(&self, known: Option<MateDistance>) -> Result<Truth<'_>, String> {
        let tablebase = self.tablebase.as_ref().map(TablebaseCheck::open).transpose()?;
        Ok(Truth { known, valid_mates: self.valid_mates, tablebase, children: &self.children })
    }
}

fn definition(suite: &str, mate: KnownMate, goal: MateGoal, checks: Arc<Checks>) -> CaseDefinition {
    let side = |distance: MateDistance| if distance.is_win() { "mate" } else { "mated" };
    let by_distance = mate.distance.map(|it| format!("{}-in-{}", side(it), it.moves().abs()));
    let underpromotes = mate.only.is_some_and(
        |only| matches!(only, UciMove::Normal { promotion: Some(role), .. } if role != Role::Queen),
    );
    let class = if underpromotes { Some("underpromotion".to_owned()) } else { by_distance };
    let info = CaseInfo {
        suite: suite.to_owned(),
        id: mate.id.clone(),
        class: class.unwrap_or_else(|| "no-mate-known".to_owned()),
        accepted: mate.distance.map_or_else(|| "no claim".to_owned(), |it| format!("#{}", it.moves())),
        note: mate.note.clone(),
        position: mate.history.clone(),
        clock_source: ClockSource::Wall,
        players: vec![checks.options.clone()],
        background_threads: 0,
    };
    let known = mate.distance;
    let open = move |limits: &Limits| -> Box<dyn Case> {
        let goal = goal.moves(mate.distance);
        let limits = Limits { mate: goal.or(limits.mate), ..*limits };
        let question = Question { position: mate.history.clone(), limits, searchmoves: Vec::new() };
        let (line, distance, checks) = (mate.history.clone(), mate.distance, Arc::clone(&checks));
        let judge = move |answer: &Answer| judge(&line, distance, goal, &checks, answer);
        Box::new(SingleQuestion::new(question, judge))
    };
    let is_solution = move |report: &ScoredInfo| {
        report.bound == Bound::Exact && known.is_some_and(|distance| report.score == Score::Mate(distance))
    };
    CaseDefinition::new(info, open).solved_by(is_solution)
}

/// Judges an answer; `goal` is the N of `go mate N`.
fn judge(
    position: &GamePosition,
    known: Option<MateDistance>,
    goal: Option<u32>,
    checks: &Checks,
    answer: &Answer,
) -> Verdict {
    let referee = match Referee::new(position) {
        Ok(referee) => referee,
        Err(error) => return Verdict::unsound_case(error.to_string()),
    };
    let truth = match checks.truth(known) {
        Ok(truth) => truth,
        Err(error) => return Verdict::unsound_case(error),
    };
    let scoring = MateScoring::from_answer(&referee, truth, answer);
    let (cause, detail) = match single_question::legal(&referee, answer) {
        Err((cause, detail)) => (cause.into(), detail),
        Ok(best) => scoring.judge(&referee, known, best, answer),
    };
    let beyond = goal.filter(|&goal| searches_on(goal, answer));
    let beyond = beyond.map(|goal| format!("it searches on beyond `go mate {goal}`"));
    let details: Vec<String> =
        [detail].into_iter().filter(|detail| !detail.is_empty()).chain(beyond).collect();
    Verdict { measures: scoring.measures(), ..Verdict::new(answer, cause, details.join("; ")) }
}

/// Does it search on for two depths or more after a mate that is short enough? Then it does not know `go
/// mate`.
fn searches_on(goal: u32, answer: &Answer) -> bool {
    let near = answer
        .infos
        .iter()
        .find(|claim| scoring::exact_mate(claim).is_some_and(|mate| mate.moves().unsigned_abs() <= goal));
    near.is_some_and(|near| answer.infos.iter().any(|claim| claim.depth.0 > near.depth.0 + 1))
}

#[cfg(test)]
mod child_values_tests;
#[cfg(test)]
mod tablebase_tests;
#[cfg(test)]
mod tests;
