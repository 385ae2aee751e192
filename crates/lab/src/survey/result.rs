//! What two runs of a plan say of an engine.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context;

use threefold_run::{PartResult, RunRecord};
use threefold_suites::signature::SignatureReading;
use threefold_suites::{CaseRecord, LostCase, VerdictKind};

/// Search suites whose wrong answers are faults all the same: their cases are decided by the rules or by a proof within
/// a few plies.
const PROVEN: [&str; 5] = ["value", "special-moves", "rule", "mate-game", "explosion"];
/// Classes of these suites in which a right answer takes knowledge of an ending, or more than a few plies.
const ENDINGS: [&str; 6] =
    ["pawn-draw", "pawn-win", "rook-pawns-draw", "rook-pawns-win", "right-bishop", "wrong-bishop"];
/// The suite that measures a choice of the engine, of which neither is wrong.
const POLICY: &str = "policy";

/// The counts of a suite, or of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SuiteCounts {
    /// Passed cases.
    pub passed: usize,
    /// Failed cases and faults.
    pub failed: usize,
    /// Skipped cases, of which nothing is known.
    pub skipped: usize,
}

/// A case that the engine got wrong in both runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The suite.
    pub suite: String,
    /// The case.
    pub id: String,
    /// What the case asks.
    pub accepted: String,
    /// The position with its moves.
    pub position: String,
    /// The reason of the second run; of a dialogue with the command that repeats it.
    pub reason: String,
}

/// The result of an engine.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SurveyResult {
    /// The name that the engine gives itself.
    pub name: String,
    /// The limits of its searches, and its options.
    pub spec: String,
    /// By suite, in the order of the plan.
    pub suites: Vec<(String, SuiteCounts)>,
    /// By suite and class.
    pub classes: BTreeMap<(String, String), SuiteCounts>,
    /// The repetition policy that its answers show.
    pub policy: String,
    /// Mates of suite `mate` that were found, if longer than necessary.
    pub mates_found: u64,
    /// What it got wrong in both runs.
    pub faults: Vec<Fault>,
}

impl SuiteCounts {
    fn add(&mut self, kind: VerdictKind) {
        match kind {
            VerdictKind::Passed => self.passed += 1,
            VerdictKind::Failed | VerdictKind::Fault => self.failed += 1,
            VerdictKind::Skipped => self.skipped += 1,
        }
    }

    /// `38 of 40`; `skipped` if nothing is known.
    pub fn text(self) -> String {
        let asked = self.passed + self.failed;
        if asked == 0 { "skipped".to_owned() } else { format!("{} of {asked}", self.passed) }
    }
}

/// Is the verdict wrong?
const fn is_wrong(case: &CaseRecord) -> bool {
    matches!(case.verdict.kind(), VerdictKind::Failed | VerdictKind::Fault)
}

impl SurveyResult {
    /// Reads the journals of both runs. The counts are those of the second one, which leaves nothing out.
    ///
    /// # Errors
    /// If a journal can't be read.
    pub fn read(first: &Path, second: &Path) -> anyhow::Result<Self> {
        let read = |file: &Path| RunRecord::read(file).with_context(|| file.display().to_string());
        let (first, second) = (read(first)?, read(second)?);
        let first_parts = first.planned_parts();
        let wrong_first: BTreeSet<(&str, &str)> = first_parts
            .iter()
            .flat_map(PartResult::cases)
            .filter(|case| is_wrong(case))
            .map(|case| (case.suite.as_str(), case.id.as_str()))
            .collect();
        let mut result = Self::default();
        for part in second.planned_parts() {
            let Some(suite) = part.suite else { continue };
            let engine = part.part.task.engines().first();
            if let Some(engine) = engine {
                result.spec.clone_from(&engine.text);
                let id = part.builds.iter().find_map(|builds| builds.first()?.engine_id.name.clone());
                result.name = id.unwrap_or_else(|| result.name.clone());
            }
            // The temporary folder, which is no part of what the engine does.
            let program = part.builds.iter().find_map(|builds| builds.first()?.files.first());
            let folder = program.and_then(|file| Path::new(&file.path).parent()).map(Path::to_owned);
            let folder = folder.unwrap_or_default();
            let mut counts = SuiteCounts::default();
            let is_strict = suite.lost_case == LostCase::Strict && suite.name != POLICY;
            let is_proven = is_strict || PROVEN.contains(&suite.name.as_str());
            for case in part.cases() {
                counts.add(case.verdict.kind());
                let class = (suite.name.clone(), case.class.clone());
                result.classes.entry(class).or_default().add(case.verdict.kind());
                let is_seen_twice =
                    is_wrong(case) && wrong_first.contains(&(case.suite.as_str(), case.id.as_str()));
                let is_decided = is_proven && !ENDINGS.contains(&case.class.as_str());
                if is_decided && is_seen_twice {
                    result.faults.push(Fault::new(case, &folder));
                }
                if suite.name == "mate" {
                    let found = case.verdict.measures.iter().filter(|measure| measure.name == "found mates");
                    result.mates_found += found.map(|measure| measure.amount).sum::<u64>();
                }
            }
            if suite.name == POLICY {
                let cases: Vec<CaseRecord> = part.cases().cloned().collect();
                result.policy = SignatureReading::from_records(&cases).signature.to_string();
            }
            result.suites.push((suite.name.clone(), counts));
        }
        Ok(result)
    }

    /// The counts of a suite.
    pub fn suite(&self, name: &str) -> SuiteCounts {
        self.suites.iter().find(|(suite, _)| suite == name).map(|(_, counts)| *counts).unwrap_or_default()
    }

    /// The counts of several suites together.
    pub fn together(&self, names: &[&str]) -> SuiteCounts {
        names.iter().map(|name| self.suite(name)).fold(SuiteCounts::default(), |sum, it| SuiteCounts {
            passed: sum.passed + it.passed,
            failed: sum.failed + it.failed,
            skipped: sum.skipped + it.skipped,
        })
    }
}

impl Fault {
    /// The fault that a case shows, without the folder of the engine.
    fn new(case: &CaseRecord, folder: &Path) -> Self {
        let reason = case.verdict.reason();
        let folder = folder.to_string_lossy();
        Self {
            suite: case.suite.clone(),
            id: case.id.clone(),
            accepted: case.accepted.clone(),
            position: case.line.to_string(),
            reason: if folder.is_empty() { reason } else { reason.replace(&*folder, ".") },
        }
    }
}
