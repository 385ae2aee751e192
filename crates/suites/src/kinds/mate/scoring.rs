//! Scores one answer: found, best, and the issues of all its reports.
//!
//! * *Found*: the last scored report of the first line is an exact mate for the right side. A later other
//!   score or bound cancels it.
//! * *Best*: found, with the known distance.
//! * *Issues* are counted in every exact report, each score with its PV once: a shorter mate than the known
//!   one, a mate for the wrong side or where none is known, an impossible mate score, and, for mates of the
//!   right side, a PV that does not show it. An impossible mate score is counted in bounds, too, as in
//!   matetrack: no search has such a score. A PV that ends before the mate is common in a search that takes
//!   scores from its hash table, at some depth or other. It is counted, but it decides on the case only in the
//!   last report of its line, by which the engine stands. In second and later lines (`MultiPV`) a mate against the side to
//!   move is neither wrong nor too short: a worse move may well lose. A table of the positions after one move
//!   ([`ChildValues`]) checks these lines, too; what is wrong by both counts twice, as in matetrack.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::Move;

use super::child_values::ChildValues;
use super::tablebase::OpenCheck;
use crate::{Cause, FailCause, Measure, PassCause};
use threefold_chess::score::{MateDistance, Score};
use threefold_games::mate_pv::{self, PvFault};
use threefold_oracle::referee::Referee;
use threefold_player::{Answer, Bound, ScoredInfo};

/// The mates that engines report, in moves: matetrack's bounds.
pub const VALID_MATES: [i32; 2] = [-123, 123];

/// The count of found mates.
pub const FOUND_MATES: &str = "found mates";

threefold_named_enum::named_enum! {
    /// An impossible report.
    pub enum Issue {
        /// A mate for the side that is mated.
        Wrong = "wrong mates",
        /// A mate in 0 moves, or outside of the range that the engine can report.
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

/// Which report of its line a report is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReportPlace {
    /// Another one follows.
    Earlier,
    /// It is the last one, or the same as the last one.
    Last,
}

/// The score and the PV of a report, which make it the same as another one.
type ReportKey = (u32, Score, bool, Vec<String>);

fn report_key(claim: &ScoredInfo) -> ReportKey {
    let is_exact = claim.bound == Bound::Exact;
    // The PV of a bound is not judged, so it does not distinguish reports.
    let pv = claim.pv.iter().filter(|_| is_exact).map(ToString::to_string).collect();
    (claim.multipv, claim.score, is_exact, pv)
}

/// A report that is checked.
#[derive(Debug, Clone, Copy)]
struct Report<'a> {
    claim: &'a ScoredInfo,
    score: Decisive<'a>,
    place: ReportPlace,
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

/// What the reports about a position are compared with.
#[derive(Debug, Clone, Copy)]
pub struct Truth<'t> {
    /// The distance to mate; `None` if no mate is known.
    pub known: Option<MateDistance>,
    /// The smallest and the largest mate that the engine can report, in moves.
    pub valid_mates: [i32; 2],
    /// The check of tablebase scores.
    pub tablebase: Option<OpenCheck<'t>>,
    /// The values of the positions after one move.
    pub children: &'t ChildValues,
}

/// The score of a report that is checked.
#[derive(Debug, Clone, Copy)]
enum Decisive<'t> {
    Mate(MateDistance),
    /// A tablebase win or loss in centipawns.
    Tablebase(i32, OpenCheck<'t>),
}

impl<'t> Decisive<'t> {
    /// `None` for bounds, for a mate in 0 moves, and for other scores.
    fn from_info(claim: &ScoredInfo, tablebase: Option<OpenCheck<'t>>) -> Option<Self> {
        let by_tables = || tablebase.and_then(|check| Some(Self::Tablebase(check.score(claim)?, check)));
        exact_mate(claim).filter(|mate| mate.moves() != 0).map(Self::Mate).or_else(by_tables)
    }

    fn is_win(self) -> bool {
        match self {
            Self::Mate(mate) => mate.is_win(),
            Self::Tablebase(score, _) => score > 0,
        }
    }

    /// Is it good for the side that mates?
    fn agrees(self, known: MateDistance) -> bool {
        self.is_win() == known.is_win()
    }

    /// The score at its depth, for details.
    fn detail(self, claim: &ScoredInfo) -> String {
        match self {
            Self::Mate(mate) => format!("#{} at depth {}", mate.moves(), claim.depth.0),
            Self::Tablebase(score, _) => format!("cp {score} at depth {}", claim.depth.0),
        }
    }

    const fn wrong(self) -> Issue {
        match self {
            Self::Mate(_) => Issue::Wrong,
            Self::Tablebase(..) => Issue::WrongTablebaseScore,
        }
    }

    const fn unexpected(self) -> Issue {
        match self {
            Self::Mate(_) => Issue::Unexpected,
            Self::Tablebase(..) => Issue::UnexpectedTablebaseScore,
        }
    }

    /// Is it a shorter mate than this one?
    fn is_better(self, known: MateDistance) -> bool {
        matches!(self, Self::Mate(mate) if mate.plies() < known.plies())
    }

    fn pv_fault(self, referee: &Referee, claim: &ScoredInfo) -> Option<PvFault> {
        match self {
            Self::Mate(mate) => mate_pv::fault(referee.clone(), mate, &claim.pv),
            Self::Tablebase(score, check) => check.fault(referee.clone(), score, &claim.pv),
        }
    }
}

impl MateScoring {
    /// Checks every report of an answer.
    pub fn from_answer(referee: &Referee, truth: Truth<'_>, answer: &Answer) -> Self {
        let known = truth.known;
        let last = answer.infos.last().and_then(|claim| Decisive::from_info(claim, truth.tablebase));
        let last = last.filter(|score| known.is_some_and(|known| score.agrees(known)));
        let found = if let Some(Decisive::Mate(mate)) = last { Some(mate) } else { None };
        let mut tally = Self {
            found,
            known: known.is_some(),
            best: found.is_some() && found == known,
            tablebase_win: matches!(last, Some(Decisive::Tablebase(..))),
            ..Self::default()
        };
        let reports = || answer.infos.iter().chain(&answer.other_lines);
        // Of several reports of a line, `collect` keeps the last one.
        let last_of_lines: BTreeMap<u32, ReportKey> =
            reports().map(|claim| (claim.multipv, report_key(claim))).collect();
        let mut seen = BTreeSet::new();
        for claim in reports() {
            let rank = if claim.multipv == 1 { PvRank::First } else { PvRank::Later };
            let key = report_key(claim);
            let is_last = last_of_lines.get(&claim.multipv) == Some(&key);
            let place = if is_last { ReportPlace::Last } else { ReportPlace::Earlier };
            let is_new = seen.insert(key);
            if let Score::Mate(mate) = claim.score
                && is_new
            {
                let moves = mate.moves();
                let [smallest, largest] = truth.valid_mates;
                if moves == 0 || moves < smallest || moves > largest {
                    tally.note(rank, Issue::Invalid, Decisive::Mate(mate).detail(claim));
                }
            }
            if let Some(score) = Decisive::from_info(claim, truth.tablebase)
                && is_new
            {
                let report = Report { claim, score, place };
                tally.judge_info(referee, known, rank, report);
                tally.judge_child(referee, truth.children, rank, report);
            }
        }
        tally
    }

    /// Compares one report with the known distance, and its PV with the rules or the tables.
    fn judge_info(
        &mut self,
        referee: &Referee,
        known: Option<MateDistance>,
        rank: PvRank,
        report: Report<'_>,
    ) {
        let Report { claim, score, .. } = report;
        let at = score.detail(claim);
        let Some(known) = known else { return self.note(rank, score.unexpected(), at) };
        let truth = format!("{at}, where #{} is proven", known.moves());
        // A worse line may well lose, and sooner than the best one.
        let is_compared = rank == PvRank::First || score.is_win();
        if score.agrees(known) {
            if is_compared && score.is_better(known) {
                self.note(rank, Issue::Better, truth);
            }
            self.judge_pv(referee, rank, report);
        } else if is_compared {
            self.note(rank, score.wrong(), truth);
        }
    }

    /// Compares one report with the known value of the position after its first move.
    fn judge_child(&mut self, referee: &Referee, children: &ChildValues, rank: PvRank, report: Report<'_>) {
        let Report { claim, score, .. } = report;
        let Some(&first) = claim.pv.first().filter(|_| !children.is_empty()) else { return };
        let mut after = referee.clone();
        if after.play(first).is_err() {
            return self.note_bad_pv(rank, PvFault::Error, report);
        }
        let Some(value) = children.of_mover(after.position()) else { return };
        let at = format!("{} after {first}", score.detail(claim));
        let Some(value) = value else { return self.note(rank, score.unexpected(), at) };
        let truth = format!("{at}, where #{} is proven", value.moves());
        if score.agrees(value) {
            if score.is_better(value) {
                self.note(rank, Issue::Better, truth);
            }
            self.judge_pv(referee, rank, report);
        } else {
            self.note(rank, score.wrong(), truth);
        }
    }

    fn judge_pv(&mut self, referee: &Referee, rank: PvRank, report: Report<'_>) {
        if let Some(fault) = report.score.pv_fault(referee, report.claim) {
            self.note_bad_pv(rank, fault, report);
        }
    }

    fn note_bad_pv(&mut self, rank: PvRank, fault: PvFault, report: Report<'_>) {
        let Report { claim, score, place } = report;
        *self.bad_pvs.entry(fault).or_default() += 1;
        if fault == PvFault::Short && place == ReportPlace::Earlier {
            *self.issues.entry((rank, Issue::BadPv)).or_default() += 1;
            return;
        }
        let plies = claim.pv.len();
        self.note(rank, Issue::BadPv, format!("{fault}, {plies} plies for {}", score.detail(claim)));
    }

    fn note(&mut self, line: PvRank, issue: Issue, detail: String) {
        *self.issues.entry((line, issue)).or_default() += 1;
        // Issues are declared in the order of their gravity.
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
            measures.push(Measure::count(FOUND_MATES, self.found.is_some().into()));
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

/// Why no mate is found, by the last report.
fn missed(answer: &Answer) -> String {
    match answer.infos.last() {
        Some(ScoredInfo { score, bound: Bound::Exact, .. }) => score.to_string(),
        Some(_) => "its last report is a bound".to_owned(),
        None => "it claims nothing".to_owned(),
    }
}
