//! Checks the output of both engines during a game.
//!
//! An answer is checked after its best move has arrived and before the opponent is asked, so no engine's
//! clock runs meanwhile. The lines of an answer are those that [`Answer`] keeps: the last 1000 of the first
//! line and of the others.

use std::time::Duration;

use shakmaty::uci::UciMove;
use shakmaty::{ByColor, Color};

use super::limits::exceeded;
use super::pv_path::{PathFault, PvPath};
use super::{GameWarning, WarnedLine, WarningRule};
use crate::mate_pv::{PvFault, length_fault};
use threefold_chess::clock::{Limits, duration};
use threefold_chess::score::{MateDistance, Score};
use threefold_chess::uci::{NO_MOVE, Reply, wdl_fault};
use threefold_oracle::referee::Referee;
use threefold_player::{Answer, Bound, ScoredInfo};

/// An engine that needs longer for `ucinewgame` and `isready` is slow.
const SLOW_READY: Duration = Duration::from_secs(1);

/// How many lines came in addition to the first.
fn others(count: u32) -> String {
    match count {
        0 => String::new(),
        1 => " and 1 line more".to_owned(),
        more => format!(" and {more} lines more"),
    }
}

/// The score in the text of an `info` line: that of the report is reversed if the engine has `whitepov=on`, but the
/// chances in the text are not. `None` for a line without chances, whose score is not needed.
fn written_score(line: &str) -> Option<(Score, Bound)> {
    match line.contains("wdl").then(|| Reply::parse(line)) {
        Some(Reply::Info(info)) => info.score,
        _ => None,
    }
}

/// Checks the output of both engines during a game.
#[derive(Debug)]
pub(crate) struct WarningChecker {
    /// Sides without checks.
    exempt: ByColor<bool>,
    path: PvPath,
    /// The mate score of the previous move, by the other side.
    previous: Option<MateDistance>,
    found: Vec<GameWarning>,
}

impl WarningChecker {
    /// A checker for a game, with the sides that are exempt.
    pub(crate) fn new(exempt: ByColor<bool>) -> Self {
        Self { exempt, path: PvPath::default(), previous: None, found: Vec::new() }
    }

    /// The warnings so far, in the order of their first occurrences.
    pub(crate) fn into_warnings(self) -> Vec<GameWarning> {
        self.found
    }

    /// Records how long a side needed for a new game.
    pub(crate) fn check_ready(&mut self, side: Color, took: Option<Duration>) {
        if let Some(took) = took.filter(|&took| took > SLOW_READY) {
            self.warn(WarningRule::SlowReady, side, 0, || {
                format!("after {}", duration::format_duration(took))
            });
        }
    }

    /// Records a move to ponder on that is illegal after the move of this ply.
    pub(crate) fn warn_of_ponder_move(&mut self, side: Color, ply: usize, given: UciMove) {
        self.warn(WarningRule::IllegalPonderMove, side, ply, || format!("ponder {given}"));
    }

    /// Checks an answer, before its move is played. `ply` is the number of moves played after the opening.
    pub(crate) fn check(
        &mut self,
        (referee, limits): (&Referee, &Limits),
        side: Color,
        ply: usize,
        answer: &Answer,
    ) {
        self.check_mate_signs(side, ply, answer);
        if *self.exempt.get(side) {
            return;
        }
        for (rule, what) in exceeded(limits, answer) {
            self.warn(rule, side, ply, || what);
        }
        if let Some(first) = &answer.between.first {
            let lines = answer.between.count;
            self.warn(WarningRule::OutputBetweenSearches, side, ply, || {
                format!("before this search it sent `{first}`{}", others(lines.saturating_sub(1)))
            });
        }
        if answer.infos.is_empty() && answer.other_lines.is_empty() {
            self.warn(WarningRule::NoScore, side, ply, || {
                let text = answer.in_place_of_move.as_deref().unwrap_or(NO_MOVE);
                let best = answer.best.map_or_else(|| text.to_owned(), |best| best.to_string());
                format!("bestmove {best}").trim_end().to_owned()
            });
        }
        self.path.clear();
        for info in answer.infos.iter().chain(&answer.other_lines).filter(|info| !info.pv.is_empty()) {
            self.check_pv(referee, side, ply, info);
        }
        for info in answer.infos.iter().chain(&answer.other_lines) {
            let line = info.line.as_deref().unwrap_or_default();
            if let Some(wrong) = wdl_fault(line, written_score(line)) {
                self.warn_line(WarningRule::WrongWdl, side, ply, (None, info), || {
                    format!("{wrong}, in {info}")
                });
            }
        }
        self.check_best_move(referee, side, ply, answer);
    }

    fn check_pv(&mut self, referee: &Referee, side: Color, ply: usize, info: &ScoredInfo) {
        match (self.path.follow(referee, &info.pv), info.score, info.bound) {
            (Err(PathFault::Illegal(index)), ..) => {
                self.warn_move(WarningRule::IllegalPvMove, side, ply, (index, info));
            }
            (Err(PathFault::Over(end, index)), ..) => {
                self.warn_move(WarningRule::after(end), side, ply, (index, info));
            }
            (Ok(()), Score::Mate(mate), Bound::Exact) => {
                let rule = match length_fault(mate, info.pv.len(), self.path.mates()) {
                    None => return,
                    Some(PvFault::Short) => WarningRule::ShortMatePv,
                    Some(PvFault::Long) => WarningRule::LongMatePv,
                    Some(_) => WarningRule::MatePvWithoutMate,
                };
                self.warn_line(rule, side, ply, (None, info), || info.to_string());
            }
            // A bound claims no mate of this distance.
            (Ok(()), Score::Mate(_), Bound::Lower | Bound::Upper) | (Ok(()), Score::Cp(_), _) => {}
        }
    }

    /// A bound or a variation without moves says nothing about the best move.
    fn check_best_move(&mut self, referee: &Referee, side: Color, ply: usize, answer: &Answer) {
        let Some(info) = answer.infos.last().filter(|info| info.bound == Bound::Exact) else { return };
        let (Some(best), Some(&first)) = (answer.best, info.pv.first()) else { return };
        // Castling has two notations.
        let same = || Some(referee.legal(best).ok()? == referee.legal(first).ok()?);
        if best != first && same() != Some(true) {
            let line = (Some(best), info);
            self.warn_line(WarningRule::BestMoveNotInPv, side, ply, line, || {
                format!("bestmove {best}; {info}")
            });
        }
    }

    /// Compares the mate score with that of the opponent's move before.
    fn check_mate_signs(&mut self, side: Color, ply: usize, answer: &Answer) {
        if let Some(info) = answer.final_info().filter(|info| info.score.is_mate_zero()) {
            self.warn(WarningRule::MateZero, side, ply, || info.to_string());
        }
        let mate = answer.final_info().and_then(|info| match (info.score, info.bound) {
            (Score::Mate(mate), Bound::Exact) if !mate.is_none() => Some(mate),
            (Score::Mate(_) | Score::Cp(_), _) => None,
        });
        let previous = std::mem::replace(&mut self.previous, mate);
        let is_exempt = self.exempt.white || self.exempt.black;
        if let (Some(own), Some(other), false) = (mate, previous, is_exempt)
            && own.is_win() == other.is_win()
        {
            self.warn(WarningRule::MateSigns, side, ply, || {
                format!("mate {}, and mate {} by the opponent before", own.moves(), other.moves())
            });
        }
    }

    fn warn_move(&mut self, rule: WarningRule, side: Color, ply: usize, (index, info): (usize, &ScoredInfo)) {
        let mv = info.pv[index];
        self.warn_line(rule, side, ply, (Some(mv), info), || format!("move {}, {mv}, of {info}", index + 1));
    }

    /// Warns about a line and a move in it.
    fn warn_line(
        &mut self,
        rule: WarningRule,
        side: Color,
        ply: usize,
        (mv, info): (Option<UciMove>, &ScoredInfo),
        detail: impl FnOnce() -> String,
    ) {
        if let Some(warning) = self.warn(rule, side, ply, detail) {
            warning.line = Some(WarnedLine { mv, text: info.own_line() });
        }
    }

    /// Counts a warning, and returns it if it is the first of its rule and side.
    fn warn(
        &mut self,
        rule: WarningRule,
        side: Color,
        ply: usize,
        detail: impl FnOnce() -> String,
    ) -> Option<&mut GameWarning> {
        if *self.exempt.get(side) {
            return None;
        }
        if let Some(known) = self.found.iter_mut().find(|known| known.rule == rule && known.side == side) {
            known.count += 1;
            return None;
        }
        self.found.push(GameWarning { rule, side, count: 1, ply, detail: detail(), line: None });
        self.found.last_mut()
    }
}
