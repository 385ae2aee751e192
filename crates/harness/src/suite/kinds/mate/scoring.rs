//! Scores one answer: found, best, and the issues of all its reports.
//!
//! * *Found*: the last scored report of the first line is an exact mate for the right side. A later other
//!   score or bound cancels it.
//! * *Best*: found, with the known distance.
//! * *Issues* are counted in every exact report, each score with its PV once: a shorter mate than the known
//!   one, a mate for the wrong side or where none is known, an impossible mate score, and, for mates of the
//!   right side, a PV that does not show it. Of second and later lines (`MultiPV`) only mates for the right
//!   side are checked: a worse line may well lose.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::Move;

use super::pv::{self, PvFault};
use super::tablebase::OpenCheck;
use crate::player::{Answer, Bound, ScoredInfo};
use crate::suite::{Cause, FailCause, Measure, PassCause};
use threefold_chess::score::{MateDistance, Score};
use threefold_oracle::referee::Referee;

/// The longest mate that engines report, in moves: matetrack's bound.
const FURTHEST: i32 = 123;

threefold_named_enum::named_enum! {
    /// An impossible report.
    pub enum Issue {
        /// A mate for the side that is mated.
        Wrong = "wrong mates",
        /// A mate in 0 moves, or in more moves than any engine reports.
        Invalid = "invalid mate scores",
        /// A mate where none is known.
        Unexpected = "unexpected mates",
        /// A shorter mate than the known one: the suite may be wrong.
        Better = "better mates",
        /// A tablebase win for the side that is mated.
        WrongTablebaseScore = "wrong TB scores",
        /// A tablebase win where no mate is known.
        UnexpectedTablebaseScore = "unexpected TB scores",
        /// A PV that does not show the mate or the tablebase win.
        BadPv = "bad PVs",
    }
}

impl Issue {
    /// The cause of a failed case.
    const fn cause(self) -> FailCause {
        match self {
            Self::Wrong => FailCause::WrongMate,
            Self::Invalid => FailCause::InvalidMate,
            Self::Unexpected => FailCause::UnexpectedMate,
            Self::Better => FailCause::BetterMate,
            Self::WrongTablebaseScore => FailCause::WrongTablebaseScore,
            Self::UnexpectedTablebaseScore => FailCause::UnexpectedTablebaseScore,
            Self::BadPv => FailCause::BadPv,
        }
    }
}

/// The rank of a report's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PvRank {
    First,
    /// The second or a later one.
    Later,
}

/// The score of one answer.
#[derive(Debug, Clone, Default)]
pub struct MateScoring {
    /// The mate of the last report, if it is for the right side.
    found: Option<MateDistance>,
    /// Is a mate known?
    known: bool,
    best: bool,
    /// Is the last report a tablebase win for the right side?
    tablebase_win: bool,
    issues: BTreeMap<(PvRank, Issue), u64>,
    bad_pvs: BTreeMap<PvFault, u64>,
    /// The first issue of the most serious kind, with its description.
    gravest: Option<(Issue, String)>,
}

/// The mate of a report, unless it is a bound.
pub fn exact_mate(claim: &ScoredInfo) -> Option<MateDistance> {
    match (claim.bound, claim.score) {
        (Bound::Exact, Score::Mate(mate)) => Some(mate),
        (Bound::Exact, Score::Cp(_)) | (Bound::Lower | Bound::Upper, _) => None,
    }
}

impl MateScoring {
    /// Checks every report of an answer.
    pub fn of(
        referee: &Referee,
        known: Option<MateDistance>,
        tablebase: Option<OpenCheck<'_>>,
        answer: &Answer,
    ) -> Self {
        let last = answer.infos.last().and_then(exact_mate);
        let found = last.filter(|mate| known.is_some_and(|known| known.is_win() == mate.is_win()));
        let best = found.is_some() && found == known;
        let mut tally = Self { found, known: known.is_some(), best, ..Self::default() };
        let mut seen = BTreeSet::new();
        let score = |claim: &ScoredInfo| tablebase.and_then(|check| check.score(claim));
        tally.tablebase_win = answer.infos.last().and_then(score).zip(known).is_some_and(agrees);
        let first = answer.infos.iter().map(|claim| (PvRank::First, claim));
        let later = answer.other_lines.iter().map(|claim| (PvRank::Later, claim));
        for (line, claim) in first.chain(later) {
            let pv: Vec<String> = claim.pv.iter().map(ToString::to_string).collect();
            if let Some(mate) = exact_mate(claim) {
                if (line == PvRank::First || mate.is_win()) && seen.insert((line, claim.score, pv)) {
                    tally.judge_info(referee, known, line, (claim, mate));
                }
            } else if let Some((check, score)) = tablebase.zip(score(claim))
                && seen.insert((line, claim.score, pv))
            {
                tally.judge_tablebase_score(referee, known, line, (claim, score, check));
            }
        }
        tally
    }

    /// Compares one report with the known distance.
    fn judge_info(
        &mut self,
        referee: &Referee,
        known: Option<MateDistance>,
        line: PvRank,
        (claim, mate): (&ScoredInfo, MateDistance),
    ) {
        let moves = mate.moves();
        let at = format!("#{moves} at depth {}", claim.depth.0);
        if moves == 0 || moves.abs() > FURTHEST {
            return self.note(line, Issue::Invalid, at);
        }
        let Some(known) = known else { return self.note(line, Issue::Unexpected, at) };
        let truth = format!("{at}, where #{} is proven", known.moves());
        if mate.is_win() != known.is_win() {
            return self.note(line, Issue::Wrong, truth);
        }
        if mate.plies() < known.plies() {
            self.note(line, Issue::Better, truth);
        }
        if let Some(fault) = pv::fault(referee.clone(), mate, &claim.pv) {
            *self.bad_pvs.entry(fault).or_default() += 1;
            self.note(line, Issue::BadPv, format!("{fault}, {} plies for {at}", claim.pv.len()));
        }
    }

    /// Compares one tablebase score with the known mate, and its PV with the tables.
    fn judge_tablebase_score(
        &mut self,
        referee: &Referee,
        known: Option<MateDistance>,
        line: PvRank,
        (claim, score, check): (&ScoredInfo, i32, OpenCheck<'_>),
    ) {
        let at = format!("cp {score} at depth {}", claim.depth.0);
        let Some(known) = known else { return self.note(line, Issue::UnexpectedTablebaseScore, at) };
        if agrees((score, known)) {
            if let Some(fault) = check.fault(referee.clone(), score, &claim.pv) {
                *self.bad_pvs.entry(fault).or_default() += 1;
                self.note(line, Issue::BadPv, format!("{fault}, {} plies for {at}", claim.pv.len()));
            }
        } else if line == PvRank::First || score > 0 {
            self.note(line, Issue::WrongTablebaseScore, format!("{at}, where #{} is proven", known.moves()));
        }
    }

    fn note(&mut self, line: PvRank, issue: Issue, detail: String) {
        *self.issues.entry((line, issue)).or_default() += 1;
        if self.gravest.as_ref().is_none_or(|(gravest, _)| issue < *gravest) {
            self.gravest = Some((issue, detail));
        }
    }

    /// Issues first, because they are bugs; then the mate found.
    pub fn judge(
        &self,
        referee: &Referee,
        known: Option<MateDistance>,
        best: Move,
        answer: &Answer,
    ) -> (Cause, String) {
        if let Some((issue, detail)) = &self.gravest {
            return (issue.cause().into(), detail.clone());
        }
        let Some(known) = known else { return (PassCause::NoMateClaimed.into(), String::new()) };
        let Some(found) = self.found else { return (FailCause::Missed.into(), missed(answer)) };
        if !self.best {
            let detail = format!("#{} instead of #{}", found.moves(), known.moves());
            return (FailCause::Longer.into(), detail);
        }
        let first = answer.infos.last().and_then(|claim| claim.pv.first().copied());
        match first {
            Some(first) if referee.legal(first).ok() != Some(best) => {
                let detail = format!("{}, and the mate begins with {first}", referee.uci(best));
                (FailCause::AnotherMove.into(), detail)
            }
            Some(_) | None => (PassCause::BestMate.into(), String::new()),
        }
    }

    /// The counts, with matetrack's names. Found and best mates are counted even if they are zero.
    pub fn measures(&self) -> Vec<Measure> {
        let mut measures = Vec::new();
        if self.known {
            measures.push(Measure::count("found mates", self.found.is_some().into()));
            measures.push(Measure::count("best mates", self.best.into()));
            if self.tablebase_win {
                measures.push(Measure::count("found TB wins", 1));
            }
        }
        for (&(line, issue), &count) in &self.issues {
            let name = match line {
                PvRank::First => issue.to_string(),
                PvRank::Later => format!("MultiPV {issue}"),
            };
            measures.push(Measure::count(name, count));
        }
        for (fault, &count) in &self.bad_pvs {
            measures.push(Measure::count(format!("PV status \"{fault}\""), count));
        }
        measures
    }
}

/// Is a score good for the side that mates?
fn agrees((score, known): (i32, MateDistance)) -> bool {
    (score > 0) == known.is_win()
}

/// Why no mate is found, by the last report.
fn missed(answer: &Answer) -> String {
    match answer.infos.last() {
        Some(ScoredInfo { score, bound: Bound::Exact, .. }) => score.to_string(),
        Some(_) => "its last report is a bound".to_owned(),
        None => "it claims nothing".to_owned(),
    }
}
