//! The recommended time manager, from the figures alone. Classic stays unless another one is shown to be
//! better.

use super::figures::Figures;
use super::{Study, Trial, UnderControl, sequential};
use threefold_chess::clock::TimeControl;
use threefold_echo::timeman::TimeManager;
use threefold_report::format;
use threefold_report::model::report::{Duel, MatchPart};
use threefold_stats::multiplicity::Correction;
use threefold_stats::{Estimate, Logistic, elo};

/// The probability that any manager is wrongly called better than Classic, and that any is wrongly called
/// weaker under a time control.
pub(super) const ALPHA: f64 = 0.05;

/// A manager's score against Classic under all time controls together.
pub(super) struct ManagerResult {
    pub(super) manager: TimeManager,
    /// The pairs of all controls.
    pub(super) duel: Duel,
    /// The p-value of the score, after Holm's correction for the number of managers.
    pub(super) p: f64,
    /// The number of managers, for which the p-value is corrected.
    tests: usize,
    /// The reason why it is excluded.
    pub(super) excluded: Option<Exclusion>,
}

/// The reason why a manager is not recommended, whatever its score over all controls.
pub(super) enum Exclusion {
    /// It is weaker than Classic under a time control.
    Weaker(WeakerTest),
    /// It loses this number of games on time, and more on a busy machine.
    TimeLosses(usize),
}

/// A one-sided test: is a manager weaker than Classic under a time control?
#[derive(Clone, Copy)]
pub(super) struct WeakerTest {
    manager: TimeManager,
    control: TimeControl,
    elo: Estimate<Logistic>,
    /// The p-value after Holm's correction for the number of tests.
    p: f64,
    /// The number of managers and controls that are tested.
    tests: usize,
}

/// `p = 0.012 (one-sided, Holm over 4 tests)`.
fn adjusted(p: f64, tests: usize) -> String {
    match tests {
        1 => format!("{} (one-sided)", format::p_value(p)),
        _ => format!("{} (one-sided, Holm over {tests} tests)", format::p_value(p)),
    }
}

/// A recommended manager, and why.
pub(super) struct Advice {
    pub(super) manager: TimeManager,
    pub(super) reasons: Vec<String>,
}

impl ManagerResult {
    fn is_better(&self) -> bool {
        self.p <= ALPHA && self.excluded.is_none()
    }

    fn elo(&self) -> f64 {
        self.duel.fixed.map_or(0.0, |fixed| fixed.logistic.value.0)
    }

    /// The conclusion with the test that supports it, at its level; then the score over all controls.
    fn describe(&self) -> String {
        let Self { manager, .. } = self;
        let Some(fixed) = self.duel.fixed else {
            return match &self.excluded {
                Some(excluded) => format!("{manager}: {}.", excluded.describe()),
                None => format!("{manager}: not shown to be better than Classic; too little data yet."),
            };
        };
        let elo = format!("{} Elo over all controls", format::logistic(fixed.logistic));
        let level = format::percent(ALPHA);
        if let Some(excluded) = &self.excluded {
            return format!("{manager}: {}; {elo}.", excluded.describe());
        }
        let shown =
            if self.is_better() { "better than Classic" } else { "not shown to be better than Classic" };
        format!("{manager}: {shown} at the {level} level: {elo}, {}.", adjusted(self.p, self.tests))
    }
}

impl Exclusion {
    fn describe(&self) -> String {
        match self {
            Self::TimeLosses(games) => format!("loses {} on time", format::count(*games, "game")),
            Self::Weaker(WeakerTest { control, elo, p, tests, .. }) => format!(
                "weaker than Classic at {control} at the {} level: {} Elo, {}",
                format::percent(ALPHA),
                format::logistic(*elo),
                adjusted(*p, *tests)
            ),
        }
    }
}

impl Study<'_> {
    /// The result of every manager, in the order of the list of managers.
    pub(super) fn manager_results(&self) -> Vec<ManagerResult> {
        let managers = self.managers();
        let duels: Vec<Duel> = managers.iter().map(|&manager| self.pooled(manager)).collect();
        let chances = duels.iter().map(|duel| {
            let superiority = duel.fixed.and_then(|_| elo::superiority(duel.sheet.pairs()));
            // Too little data is the p-value 1, which still counts in the correction.
            superiority.map_or(1.0, |superiority| 1.0 - superiority)
        });
        let p = Correction::Holm.adjust(&chances.collect::<Vec<f64>>());
        let (tests, weaker) = (p.len(), self.weaker_tests());
        let all = managers.into_iter().zip(duels).zip(p);
        all.map(|((manager, duel), p)| {
            let excluded = self.excluded(manager, &weaker);
            ManagerResult { manager, duel, p, tests, excluded }
        })
        .collect()
    }

    /// Is a manager weaker than Classic? A test for each manager and control with enough games.
    fn weaker_tests(&self) -> Vec<WeakerTest> {
        let mut tests = Vec::new();
        for at in &self.controls {
            for meeting in &at.meetings {
                let Some(fixed) = meeting.duel.fixed else { continue };
                let (manager, control) = (meeting.manager, at.control);
                // The p-value of "no weaker" is the likelihood of superiority.
                tests.push(WeakerTest {
                    manager,
                    control,
                    elo: fixed.logistic,
                    p: fixed.superiority,
                    tests: 0,
                });
            }
        }
        let p = Correction::Holm.adjust(&tests.iter().map(|test| test.p).collect::<Vec<f64>>());
        let count = tests.len();
        tests.into_iter().zip(p).map(|(test, p)| WeakerTest { p, tests: count, ..test }).collect()
    }

    /// All pairs of a manager against Classic, in the order of the time controls.
    fn pooled(&self, manager: TimeManager) -> Duel {
        let of_manager = |part: &&MatchPart| {
            Trial::from_labels(&part.labels).is_some_and(|trial| trial.manager == manager)
        };
        let parts = self.report.matches.iter().filter(of_manager);
        let pairs: Vec<_> = parts.flat_map(|part| sequential::pairs(&part.games, manager.name())).collect();
        Duel::from_pairs([manager, Trial::BASE].map(|manager| manager.name().to_owned()), &pairs)
    }

    /// The manager loses on time, which is worse on a busy machine, or is significantly weaker under a time
    /// control.
    fn excluded(&self, manager: TimeManager, tests: &[WeakerTest]) -> Option<Exclusion> {
        let flags: usize =
            self.controls.iter().filter_map(|at| at.figures(manager)).map(|figures| figures.flags).sum();
        if flags > 0 {
            return Some(Exclusion::TimeLosses(flags));
        }
        let weaker = tests.iter().find(|test| test.manager == manager && test.p <= ALPHA)?;
        Some(Exclusion::Weaker(*weaker))
    }

    /// The best manager that is significantly better than Classic over all controls, weaker under none, and
    /// never loses on time; or else Classic. `None` before the first game.
    pub(super) fn advice(&self) -> Option<Advice> {
        let results = self.manager_results();
        if results.iter().all(|result| result.duel.sheet.pairs().trials() == 0) {
            return None;
        }
        let better = results.iter().filter(|result| result.is_better());
        let best = better.max_by(|one, other| one.elo().total_cmp(&other.elo()));
        let manager = best.map_or(Trial::BASE, |result| result.manager);
        let reasons = results.iter().map(ManagerResult::describe).chain(self.aims()).collect();
        Some(Advice { manager, reasons })
    }

    /// The manager closest to each goal, under each control.
    fn aims(&self) -> Vec<String> {
        let of_control = |at: &UnderControl<'_>| {
            let periods = at.control.moves.is_some();
            let by = if periods { " by the end of a period" } else { "" };
            let used = |it: &Figures| {
                let share = if periods { it.used_of_periods } else { it.used };
                Some((it.manager, share?.value))
            };
            let uneven = |it: &Figures| Some((it.manager, it.unevenness?.value));
            let most = at.figures.iter().filter_map(used).max_by(|one, other| one.1.total_cmp(&other.1));
            let least = at.figures.iter().filter_map(uneven).min_by(|one, other| one.1.total_cmp(&other.1));
            let most = most.map(|(manager, share)| {
                format!("{manager} uses the largest share of its clock{by} ({})", format::percent(share))
            });
            let least = least.map(|(manager, share)| {
                format!("{manager} has the least variation of tree sizes ({share:.2})")
            });
            let both: Vec<String> = most.into_iter().chain(least).collect();
            (!both.is_empty()).then(|| format!("At {}, {}.", at.control, format::listed(&both)))
        };
        self.controls.iter().filter_map(of_control).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample_games::{meeting, report};
    use super::*;
    use TimeManager::{Classic, Fixed, Legacy, Smooth, SmoothPiggybank};
    use threefold_games::game::{GameEnd, GameOutcome};
    use threefold_stats::GameResult::{Draw, Loss, Win};

    /// A match with these numbers of pairs won, level and lost.
    fn part(manager: TimeManager, control: &str, [won, level, lost]: [usize; 3]) -> MatchPart {
        let pairs = [(won, [Win, Draw]), (level, [Win, Loss]), (lost, [Loss, Draw])];
        let pairs: Vec<_> = pairs.into_iter().flat_map(|(count, pair)| vec![pair; count]).collect();
        meeting(manager, control, &pairs, [&[], &[]])
    }

    #[test]
    fn default_manager_is_the_winner_or_classic() {
        let good = || part(Smooth, "8+0.08", [60, 100, 20]);
        let better = || part(SmoothPiggybank, "8+0.08", [80, 80, 20]);
        let level = || part(Smooth, "40/10", [40, 100, 40]);
        let table: Vec<(Vec<MatchPart>, Option<TimeManager>, &str)> = vec![
            // the matches, who is recommended, what is said of the last
            (vec![], None, ""),
            (vec![part(Smooth, "8+0.08", [0, 0, 0])], None, ""),
            (vec![good()], Some(Smooth), "Smooth: better than Classic at the 5.0 % level: "),
            (
                vec![good(), better()],
                Some(SmoothPiggybank),
                "SmoothPiggybank: better than Classic at the 5.0 % level: ",
            ),
            (vec![good(), level()], Some(Smooth), "Smooth: better than Classic at the 5.0 % level: "),
            (
                vec![level()],
                Some(Classic),
                "Smooth: not shown to be better than Classic at the 5.0 % level: ",
            ),
            (
                vec![part(Fixed, "40/10", [0, 9, 0])],
                Some(Classic),
                "Fixed: not shown to be better than Classic; too little data",
            ),
            // A manager that is weaker under one control is not recommended.
            (
                vec![part(Smooth, "8+0.08", [150, 30, 0]), part(Smooth, "40/10", [20, 100, 60])],
                Some(Classic),
                "Smooth: weaker than Classic at 40/10 at the 5.0 % level: ",
            ),
            (
                vec![good(), part(Fixed, "40/10", [20, 100, 60])],
                Some(Smooth),
                "Smooth: better than Classic at the 5.0 % level: ",
            ),
        ];
        for (matches, manager, said) in table {
            let names: Vec<String> = matches.iter().map(|part| part.name.clone()).collect();
            let run = report(matches);
            let advice = Study::new(&run).advice();
            assert_eq!(advice.as_ref().map(|advice| advice.manager), manager, "{names:?}");
            let reasons = advice.map(|advice| advice.reasons).unwrap_or_default();
            let found = said.is_empty() || reasons.iter().any(|reason| reason.starts_with(said));
            assert!(found, "{names:?}: {reasons:?}");
        }
    }

    #[test]
    fn manager_that_loses_on_time_is_not_the_default() {
        let mut part = part(Smooth, "8+0.08", [60, 100, 20]);
        let game = &mut part.games_with_moves[0].record;
        (game.outcome, game.end) = (
            GameOutcome::Black,
            GameEnd::TimeForfeit {
                over: std::time::Duration::from_millis(2),
                margin: std::time::Duration::ZERO,
                delays: None,
            },
        );
        let run = report(vec![part]);
        let advice = Study::new(&run).advice().expect("there are games");
        assert_eq!(advice.manager, Trial::BASE);
        assert!(advice.reasons[0].starts_with("Smooth: loses 1 game on time; "), "{:?}", advice.reasons);
    }

    #[test]
    fn p_beside_a_conclusion_is_that_of_its_test() {
        let describe = |matches: Vec<MatchPart>| {
            let run = report(matches);
            let results = Study::new(&run).manager_results();
            results.iter().map(ManagerResult::describe).collect::<Vec<_>>()
        };
        let weak = || part(Smooth, "40/10", [20, 100, 60]);
        let alone = describe(vec![weak()]).remove(0);
        assert!(
            alone.contains(" Elo, p < 0.001 (one-sided); -") && alone.ends_with(" Elo over all controls."),
            "{alone}"
        );
        // The p of "better", which is about 1, is not beside "weaker".
        assert!(!alone.contains("p = 1"), "{alone}");
        let pair = describe(vec![part(Smooth, "8+0.08", [150, 30, 0]), weak()]).remove(0);
        assert!(pair.contains("p < 0.001 (one-sided, Holm over 2 tests); +"), "{pair}");
        let better =
            describe(vec![part(Smooth, "8+0.08", [60, 100, 20]), part(Fixed, "8+0.08", [40, 100, 40])]);
        assert!(
            better
                .iter()
                .any(|it| it.ends_with("over all controls, p < 0.001 (one-sided, Holm over 2 tests).")),
            "{better:?}"
        );
    }

    #[test]
    fn more_controls_need_stronger_evidence_of_weakness() {
        // A p of about 2 % under one of four controls is not significant.
        let weak = |control| part(Smooth, control, [35, 90, 55]);
        let level = |control| part(Smooth, control, [40, 100, 40]);
        let is_excluded = |matches| {
            let run = report(matches);
            Study::new(&run).manager_results()[0].excluded.is_some()
        };
        assert!(is_excluded(vec![weak("40/10")]));
        assert!(!is_excluded(vec![weak("40/10"), level("8+0.08"), level("4+0.04"), level("2+0.02")]));
    }

    #[test]
    fn more_managers_need_stronger_evidence() {
        // Four managers with p of about 2 % each are not significant together.
        let alone = |manager| part(manager, "8+0.08", [55, 90, 35]);
        let one = report(vec![alone(Smooth)]);
        assert_eq!(Study::new(&one).advice().map(|it| it.manager), Some(Smooth));
        let four = report([Fixed, Legacy, Smooth, SmoothPiggybank].map(alone).to_vec());
        assert_eq!(Study::new(&four).advice().map(|it| it.manager), Some(Trial::BASE));
    }
}
