//! Reads the points of moves from a line of EPD.

use std::collections::BTreeMap;

use super::MovePoints;
use crate::epd::EpdRecord;
use crate::input::{SourceFile, SuiteError};
use threefold_games::move_reader;
use threefold_oracle::referee::Referee;

/// Points by move if there are any, else one point by `bm` or `am`. With `bm`, `am` says nothing new: every
/// other move has no point either.
pub(super) fn parse_points(source_file: &SourceFile, record: &EpdRecord) -> Result<MovePoints, SuiteError> {
    let reader = PointsReader {
        source_file,
        record,
        referee: Referee::new(&record.position).map_err(|error| {
            source_file.error_at_line(record.number, error.to_string(), "correct the position")
        })?,
    };
    let points = match reader.parallel()? {
        Some(points) => Some(points),
        None => reader.pairs()?,
    };
    let worth = match points {
        Some(points) => MovePoints { points, others: 0 },
        None => reader.one_point()?,
    };
    if worth.most() == 0 {
        return Err(reader.error("no move has a point", "give one some"));
    }
    Ok(worth)
}

struct PointsReader<'a> {
    source_file: &'a SourceFile,
    record: &'a EpdRecord,
    referee: Referee,
}

impl PointsReader<'_> {
    /// `c8` with `c9` or `c7`.
    fn parallel(&self) -> Result<Option<BTreeMap<String, u64>>, SuiteError> {
        let moves = self.record.operation("c9").or_else(|| self.record.operation("c7"));
        let (Some(moves), Some(points)) = (moves, self.record.operation("c8")) else { return Ok(None) };
        let (moves, points): (Vec<&str>, Vec<&str>) =
            (moves.split_whitespace().collect(), points.split_whitespace().collect());
        if moves.len() != points.len() {
            let what = format!("{} moves and {} points", moves.len(), points.len());
            return Err(self.error(what, "give each move its points"));
        }
        let pairs = moves.into_iter().zip(points);
        pairs.map(|(mv, points)| Ok((self.mv(mv)?, self.points(points)?))).collect::<Result<_, _>>().map(Some)
    }

    /// `c0 "f5=10, Be5+=2"`. A `c0` of another form is a remark.
    fn pairs(&self) -> Result<Option<BTreeMap<String, u64>>, SuiteError> {
        let Some(text) = self.record.operation("c0") else { return Ok(None) };
        let text = with_commas(text);
        let pairs: Option<Vec<(&str, &str)>> = text
            .split(',')
            .map(|pair| {
                let (mv, points) = pair.trim().rsplit_once('=')?;
                (!mv.contains(char::is_whitespace) && points.parse::<u64>().is_ok()).then_some((mv, points))
            })
            .collect();
        let Some(pairs) = pairs else { return Ok(None) };
        let read = |(mv, points)| Ok((self.mv(mv)?, self.points(points)?));
        pairs.into_iter().map(read).collect::<Result<_, _>>().map(Some)
    }

    fn one_point(&self) -> Result<MovePoints, SuiteError> {
        let moves = |text: &str, points: u64| {
            text.split_whitespace()
                .map(|mv| Ok((self.mv(mv.trim_end_matches(','))?, points)))
                .collect::<Result<BTreeMap<_, _>, SuiteError>>()
        };
        match (self.record.operation("bm"), self.record.operation("am")) {
            (Some(best), None) => Ok(MovePoints { points: moves(best, 1)?, others: 0 }),
            (None, Some(avoid)) => Ok(MovePoints { points: moves(avoid, 0)?, others: 1 }),
            (Some(best), Some(avoid)) => {
                let (best, avoid) = (moves(best, 1)?, moves(avoid, 0)?);
                match best.keys().find(|mv| avoid.contains_key(*mv)) {
                    Some(mv) => {
                        Err(self
                            .error(format!("`{mv}` is in `bm` and in `am`"), "remove it from one of them"))
                    }
                    None => Ok(MovePoints { points: best, others: 0 }),
                }
            }
            (None, None) => Err(self.error(
                "no move is said to be good or bad",
                "give `bm`, `am`, or points (`c0 \"f5=10, Be5=2\"`)",
            )),
        }
    }

    /// A move, as UCI writes it.
    fn mv(&self, given: &str) -> Result<String, SuiteError> {
        let mv = move_reader::parse_move(&self.referee, given);
        mv.map(|mv| mv.to_string())
            .map_err(|error| self.error(error.to_string(), "write moves as SAN (Nf3) or UCI (g1f3)"))
    }

    fn points(&self, given: &str) -> Result<u64, SuiteError> {
        let complain = || self.error(format!("`{given}` is no number of points"), "give a whole number");
        given.parse().map_err(|_| complain())
    }

    fn error(&self, what: impl Into<String>, remedy: &str) -> SuiteError {
        self.source_file.error_at_line(self.record.number, what, remedy)
    }
}

/// Points by move, with a comma between the points of a move and the next move: suites that circulate lack
/// some.
fn with_commas(text: &str) -> String {
    let mut separated = String::with_capacity(text.len());
    let mut is_in_points = false;
    for letter in text.chars() {
        if is_in_points && letter.is_ascii_alphabetic() {
            separated.push_str(", ");
        }
        is_in_points = letter.is_ascii_digit() && (is_in_points || separated.ends_with('='));
        separated.push(letter);
    }
    separated
}
