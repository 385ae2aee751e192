//! Whether engine faults alone decide a match or a test.
//!
//! A fault costs its engine a game, which shows nothing about its strength. So the result is computed with
//! and without the pairs that had a fault. If the two say different things, neither is the conclusion.

use serde_json::{Value, json};

use crate::format;
use crate::model::json_intervals;
use crate::model::match_stats::{Duel, Test, TestStanding};
use crate::model::report::{FailureKind, MatchPart, MatchResult, Report};
use threefold_games::pairing::EncounterLength;
use threefold_stats::{Judgement, Logistic};

/// What the result of a match or a test says about the first engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    /// H1, or: it is stronger.
    More,
    /// H0, or: it is weaker.
    Less,
    /// Nothing yet.
    Open,
}

impl Claim {
    /// An interval says something if it excludes 0.
    fn of_interval([low, high]: [Logistic; 2]) -> Self {
        match (low.0 > 0.0, high.0 < 0.0) {
            (true, _) => Self::More,
            (_, true) => Self::Less,
            (false, false) => Self::Open,
        }
    }
}

impl MatchPart {
    /// Both results of a finished match or test, if they say different things with and without the pairs that
    /// had a fault.
    pub fn fault_dispute(&self) -> Option<String> {
        match &self.result {
            MatchResult::Test(test) => test.fault_dispute(),
            MatchResult::Duel(duel) if self.ending.is_some() => duel.fault_dispute(),
            MatchResult::Duel(_) | MatchResult::Table | MatchResult::Ratings(_) | MatchResult::Tuning(_) => {
                None
            }
        }
    }
}

impl MatchPart {
    /// Both results of a test, where pairs had a fault.
    pub(crate) fn with_and_without_faults(&self) -> Option<String> {
        match &self.result {
            MatchResult::Test(test) => test.with_and_without_faults(),
            MatchResult::Duel(_) | MatchResult::Table | MatchResult::Ratings(_) | MatchResult::Tuning(_) => {
                None
            }
        }
    }
}

impl Duel {
    /// `Elo +87.0 ± 50.1 with the 3 pairs that had an engine fault, +20.0 ± 60.2 without them`, if only one
    /// of them differs from 0.
    pub(crate) fn fault_dispute(&self) -> Option<String> {
        let without = self.without_faults.as_deref()?;
        let elo = |duel: &Self| {
            duel.fixed.map_or_else(|| "unknown".to_owned(), |fixed| format::plus_minus(fixed.logistic))
        };
        (self.claim() != without.claim()).then(|| {
            format!("Elo {} {}, {} without them", elo(self), self.with_faults_of(without), elo(without))
        })
    }

    fn claim(&self) -> Claim {
        // The anytime interval exists also if all pairs have the same result.
        Claim::of_interval(self.fixed.map_or(self.anytime, |fixed| [fixed.logistic.low, fixed.logistic.high]))
    }

    /// Which games were lost by faults: `3 games that B lost by engine faults count as losses.`; `None`
    /// without any.
    pub(crate) fn fault_note(&self) -> Option<String> {
        let named: Vec<String> = [&self.ours, &self.theirs]
            .into_iter()
            .zip(self.faults)
            .filter(|&(_, faults)| faults > 0)
            .map(|(engine, faults)| {
                format!("{engine} lost {} by engine faults", format::count(faults as usize, "game"))
            })
            .collect();
        (!named.is_empty()).then(|| format!("{}; they count as losses.", named.join(", ")))
    }

    /// The figures for `report.json`.
    pub(crate) fn json_without_faults(&self) -> Value {
        json!({
            "pairs": self.sheet.pairs().counts,
            "logistic_elo": self.fixed.map(|it| json_intervals::logistic(it.logistic)),
            "anytime_logistic_elo": json_intervals::ends(self.anytime),
        })
    }

    /// `with the 3 pairs that had an engine fault`.
    fn with_faults_of(&self, without: &Self) -> String {
        let games = self.sheet.games().trials() - without.sheet.games().trials();
        let trials = match self.encounter {
            EncounterLength::Pair => format::count(games as usize / 2, "pair"),
            EncounterLength::Single => format::count(games as usize, "game"),
        };
        format!("with the {trials} that had an engine fault")
    }
}

impl Report {
    /// The matches of fixed length whose result depends on engine faults, each with its name. Tests have
    /// sentences of their own.
    pub(crate) fn disputed(&self) -> Vec<String> {
        let matches = self.matches.iter().filter(|part| matches!(part.result, MatchResult::Duel(_)));
        let disputed = matches.filter_map(|part| Some((part, part.fault_dispute()?)));
        disputed.map(|(part, both)| format!("{}: Not decided: {both}.", part.name)).collect()
    }

    /// Does a result depend on engine faults?
    pub fn depends_on_faults(&self) -> bool {
        self.failure_reasons.iter().any(|reason| reason.kind == FailureKind::DependsOnFaults)
    }
}

impl Test {
    /// Why the test is not decided though it does not simply go on: faults would decide it, or no new game
    /// can follow.
    pub(crate) fn not_decided(&self) -> Option<String> {
        let trials = match self.duel.encounter {
            EncounterLength::Pair => {
                format::count(self.duel.sheet.pairs().trials() as usize, "distinct pair")
            }
            EncounterLength::Single => {
                format::count(self.duel.sheet.games().trials() as usize, "distinct game")
            }
        };
        match self.fault_dispute() {
            Some(both) => Some(format!("Not decided: {both}.")),
            None if self.standing == TestStanding::NoNewGames => Some(format!(
                "Not decided: {trials} (Elo {}, {}). Every opening was played, and further games only repeat earlier \
                 ones; give more openings.",
                self.elo(),
                self.evidence()
            )),
            None => None,
        }
    }

    /// `H1 accepted, Elo +6.0 ± 4.1, LLR 2.97 (-2.94, 2.94) [0, 5] with the 3 pairs that had an engine fault;
    /// undecided, Elo … without them`, if the two differ.
    pub(crate) fn fault_dispute(&self) -> Option<String> {
        let without = self.without_faults.as_deref()?;
        let differs = self.standing == TestStanding::DependsOnFaults || self.claim() != without.claim();
        differs.then(|| self.both(without))
    }

    /// The result with and without the pairs that had a fault, where there are any.
    pub(crate) fn with_and_without_faults(&self) -> Option<String> {
        self.without_faults.as_deref().map(|without| self.both(without))
    }

    fn both(&self, without: &Self) -> String {
        let [all, rest] = [self, without].map(|test| {
            let claim = match test.claim() {
                Claim::More => "H1",
                Claim::Less => "H0",
                Claim::Open => "neither hypothesis",
            };
            format!("{claim}, Elo {}, {}", test.elo(), test.evidence())
        });
        format!("{all} {}; {rest} without them", self.duel.with_faults_of(&without.duel))
    }

    /// What the test says: its decision, or else what the statistic, an e-value or the anytime interval
    /// shows.
    fn claim(&self) -> Claim {
        // Both versions have this standing: a hypothesis is accepted only with and without faults.
        match self.standing {
            TestStanding::AcceptedH1 => return Claim::More,
            TestStanding::AcceptedH0 => return Claim::Less,
            TestStanding::BudgetSpent
            | TestStanding::NoNewGames
            | TestStanding::DependsOnFaults
            | TestStanding::AnotherPassed
            | TestStanding::Interrupted
            | TestStanding::Running
            | TestStanding::TooManyFaults => {}
        }
        match self.running.judgement() {
            Judgement::AcceptH1 => return Claim::More,
            Judgement::AcceptH0 => return Claim::Less,
            Judgement::Continue => {}
        }
        match self.proven() {
            [true, false] => Claim::More,
            [false, true] => Claim::Less,
            // If both hypotheses are rejected, the difference lies between them, which supports neither.
            [true, true] | [false, false] => Claim::of_interval(self.duel.anytime),
        }
    }

    /// Does an e-value reject H0, and does one reject H1?
    fn proven(&self) -> [bool; 2] {
        let risks = self.hypotheses().risks();
        self.bets.bets().map_or([false; 2], |bets| {
            [bets.against_h0().highest.rejects(risks.alpha), bets.against_h1().highest.rejects(risks.beta)]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_run::distinct_pairs::CountedTrial;
    use threefold_stats::GameResult::{self, Draw, Loss, Win};
    use threefold_stats::{EloModel, Risks, Sprt, Trial};

    fn names() -> [String; 2] {
        ["New", "Base"].map(str::to_owned)
    }

    /// Level pairs, half of them by two wins, and others that are won narrowly by faults.
    fn pairs(level: usize, faults: usize) -> Vec<CountedTrial> {
        let pair = |results, has_fault| CountedTrial { results: Trial::Pair(results), has_fault, share: 0.0 };
        let level = (0..level).map(|index| {
            let narrow: [[GameResult; 2]; 4] = [[Win, Draw], [Draw, Loss], [Draw, Draw], [Win, Loss]];
            pair(narrow[index % 4], false)
        });
        level.chain((0..faults).map(|_| pair([Win, Draw], true))).collect()
    }

    #[test]
    fn match_that_faults_decide_is_not_decided() {
        let duel = Duel::of_counted(names(), &pairs(40, 20));
        let dispute = duel.fault_dispute().expect("only the faults make it stronger");
        assert!(dispute.starts_with("Elo +"), "{dispute}");
        assert!(dispute.contains(" with the 20 pairs that had an engine fault, +0.0 ± "), "{dispute}");
        assert!(dispute.ends_with(" without them"), "{dispute}");
        assert_eq!(Duel::of_counted(names(), &pairs(40, 1)).fault_dispute(), None);
        assert_eq!(Duel::of_counted(names(), &pairs(40, 0)).fault_dispute(), None);
        // All games are lost by faults: without them there is no pair.
        let dispute = Duel::of_counted(names(), &pairs(0, 40)).fault_dispute().expect("nothing else decides");
        assert_eq!(dispute, "Elo unknown with the 40 pairs that had an engine fault, unknown without them");
    }

    #[test]
    fn test_that_faults_decide_names_both_results() {
        let sprt = Sprt::new(EloModel::Logistic, 0.0, 50.0, Risks::USUAL).expect("sound");
        let test = |level, faults, standing| {
            Test::of_counted(names(), &pairs(level, faults), &sprt.into(), standing)
        };
        let disputed = test(24, 40, TestStanding::BudgetSpent);
        let both = disputed.fault_dispute().expect("the faults accept H1");
        assert!(both.starts_with("H1, Elo +"), "{both}");
        assert!(
            both.contains(" with the 40 pairs that had an engine fault; neither hypothesis, Elo +"),
            "{both}"
        );
        assert_eq!(test(24, 1, TestStanding::BudgetSpent).fault_dispute(), None);
        assert_eq!(test(40, 0, TestStanding::BudgetSpent).fault_dispute(), None);
        assert!(test(40, 1, TestStanding::DependsOnFaults).fault_dispute().is_some());
        // The scheduler accepts a hypothesis only if both tests do.
        assert_eq!(test(40, 40, TestStanding::AcceptedH1).fault_dispute(), None);
    }
}
