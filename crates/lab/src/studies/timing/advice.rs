//! The recommended time manager, from the figures alone. Classic stays unless another one is shown to be better.

use super::figures::Figures;
use super::{Study, Trial, UnderControl, sequential};
use threefold_echo::timeman::TimeManager;
use threefold_report::format;
use threefold_report::model::{Duel, MatchPart};
use threefold_stats::elo;
use threefold_stats::multiplicity::Correction;

/// The probability that any manager is wrongly called better than Classic.
pub(super) const ALPHA: f64 = 0.05;

/// A manager's score against Classic under all time controls together.
pub(super) struct ManagerResult {
    pub(super) manager: TimeManager,
    /// The pairs of all controls.
    pub(super) duel: Duel,
    /// The p-value of the score, after Holm's correction for the number of managers.
    pub(super) p: f64,
    /// The reason why it is excluded.
    pub(super) excluded: Option<String>,
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

    fn describe(&self) -> String {
        let elo = self.duel.fixed.map_or_else(
            || "too little data yet".to_owned(),
            |fixed| format!("{} Elo, {}", format::logistic(fixed.logistic), format::p_value(self.p)),
        );
        let verdict = match &self.excluded {
            Some(why) => why,
            None if self.is_better() => "better than Classic",
            None => "not shown to be better than Classic",
        };
        format!("{}: {verdict}; {elo}.", self.manager)
    }
}

impl Study<'_> {
    /// The result of every manager, in the order of the list of managers.
    pub(super) fn manager_results(&self) -> Vec<ManagerResult> {
        let managers = self.managers();
        let duels: Vec<Duel> = managers.iter().map(|&manager| self.pooled(manager)).collect();
        let chances = duels.iter().map(|duel| {
            let superiority = duel.fixed.and_then(|_| elo::superiority(duel.sheet.pairs()));
            superiority.map_or(1.0, |superiority| 1.0 - superiority)
        });
        let p = Correction::Holm.adjust(&chances.collect::<Vec<f64>>());
        let all = managers.into_iter().zip(duels).zip(p);
        all.map(|((manager, duel), p)| ManagerResult { manager, duel, p, excluded: self.excluded(manager) })
            .collect()
    }

    /// All pairs of a manager against Classic, in the order of the time controls.
    fn pooled(&self, manager: TimeManager) -> Duel {
        let of_manager =
            |part: &&MatchPart| Trial::of(&part.labels).is_some_and(|trial| trial.manager == manager);
        let parts = self.report.matches.iter().filter(of_manager);
        let pairs: Vec<_> = parts.flat_map(|part| sequential::pairs(&part.games, manager.name())).collect();
        Duel::of([manager, Trial::BASE].map(|manager| manager.name().to_owned()), &pairs)
    }

    /// The manager is significantly weaker under a time control, or loses on time, which is worse on a busy machine.
    fn excluded(&self, manager: TimeManager) -> Option<String> {
        let weaker = self.controls.iter().find(|at| {
            let fixed = at.meeting(manager).and_then(|meeting| meeting.duel.fixed);
            fixed.is_some_and(|fixed| fixed.logistic.high.0 < 0.0)
        });
        let flags: usize =
            self.controls.iter().filter_map(|at| at.figures(manager)).map(|figures| figures.flags).sum();
        match (flags, weaker) {
            (0, None) => None,
            (0, Some(at)) => Some(format!("weaker than Classic at {}", at.control)),
            (flags, _) => Some(format!("loses {} on time", format::count(flags, "game"))),
        }
    }

    /// The best manager that is significantly better than Classic over all controls, weaker under none, and never loses on
    /// time; or else Classic. `None` before the first game.
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
    use threefold_harness::arena::game::{GameEnd, GameOutcome};
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
            (vec![good()], Some(Smooth), "Smooth: better than Classic; "),
            (vec![good(), better()], Some(SmoothPiggybank), "SmoothPiggybank: better than Classic; "),
            (vec![good(), level()], Some(Smooth), "Smooth: better than Classic; "),
            (vec![level()], Some(Classic), "Smooth: not shown to be better than Classic; "),
            (
                vec![part(Fixed, "40/10", [0, 9, 0])],
                Some(Classic),
                "Fixed: not shown to be better than Classic; too little data",
            ),
            // A manager that is weaker under one control is not recommended.
            (
                vec![part(Smooth, "8+0.08", [150, 30, 0]), part(Smooth, "40/10", [20, 100, 60])],
                Some(Classic),
                "Smooth: weaker than Classic at 40/10; ",
            ),
            (
                vec![good(), part(Fixed, "40/10", [20, 100, 60])],
                Some(Smooth),
                "Smooth: better than Classic; ",
            ),
        ];
        for (matches, manager, said) in table {
            let names: Vec<String> = matches.iter().map(|part| part.name.clone()).collect();
            let run = report(matches);
            let advice = Study::of(&run).advice();
            assert_eq!(advice.as_ref().map(|advice| advice.manager), manager, "{names:?}");
            let reasons = advice.map(|advice| advice.reasons).unwrap_or_default();
            let found = said.is_empty() || reasons.iter().any(|reason| reason.starts_with(said));
            assert!(found, "{names:?}: {reasons:?}");
        }
    }

    #[test]
    fn manager_that_loses_on_time_is_not_the_default() {
        let mut part = part(Smooth, "8+0.08", [60, 100, 20]);
        let game = &mut part.games[0].record;
        (game.outcome, game.end) = (
            GameOutcome::Black,
            GameEnd::TimeForfeit { over: std::time::Duration::from_millis(2), waited: None },
        );
        let run = report(vec![part]);
        let advice = Study::of(&run).advice().expect("there are games");
        assert_eq!(advice.manager, Trial::BASE);
        assert!(advice.reasons[0].starts_with("Smooth: loses 1 game on time; "), "{:?}", advice.reasons);
    }

    #[test]
    fn more_managers_need_stronger_evidence() {
        // Four managers with p of about 2 % each are not significant together.
        let alone = |manager| part(manager, "8+0.08", [55, 90, 35]);
        let one = report(vec![alone(Smooth)]);
        assert_eq!(Study::of(&one).advice().map(|it| it.manager), Some(Smooth));
        let four = report([Fixed, Legacy, Smooth, SmoothPiggybank].map(alone).to_vec());
        assert_eq!(Study::of(&four).advice().map(|it| it.manager), Some(Trial::BASE));
    }
}
