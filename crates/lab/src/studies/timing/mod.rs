//! The study of time managers: use of the clock and Elo, from a run of `study time`.
//!
//! Lc0's smooth manager has two goals: the whole clock is used at the end of the game, and the search trees
//! of all moves, with reused nodes, have the same size. Both are measured here, in addition to the Elo.

mod advice;
pub mod course;
mod courses;
mod csv;
mod figures;
mod game_side;
mod html;
mod plots;
#[cfg(test)]
mod sample_games;
mod sequential;
mod trial;

pub use trial::Trial;

use shakmaty::Color;

use self::figures::Figures;
use self::game_side::GameSide;
use self::sequential::Sequential;
use threefold_chess::clock::TimeControl;
use threefold_echo::timeman::TimeManager;
use threefold_report::ReportSet;
use threefold_report::model::report::{Duel, MatchPart, MatchResult, Report};

/// The reports of `study time`: the page and its figures. The command prints those that are not by move
/// number.
pub const REPORTS: ReportSet = ReportSet {
    name: "time",
    printed: csv::PRINTED,
    files: &[html::FORMAT, csv::FORMAT],
    is_measurement: true,
    needs_moves: true,
    derive_labels: Some(|parts| parts.iter().map(trial::derived).collect()),
};

/// The results of every manager.
struct Study<'r> {
    report: &'r Report,
    /// In the order of the run.
    controls: Vec<UnderControl<'r>>,
}

/// The results under one time control.
struct UnderControl<'r> {
    control: TimeControl,
    /// Time control and clock, in words.
    terms: &'r str,
    meetings: Vec<Meeting<'r>>,
    /// Statistics of every manager, in the order of their declaration.
    figures: Vec<Figures>,
}

/// A manager's match against Classic.
struct Meeting<'r> {
    manager: TimeManager,
    duel: &'r Duel,
    test: Sequential,
}

impl<'r> Study<'r> {
    fn new(report: &'r Report) -> Self {
        let trials: Vec<(Trial, &MatchPart)> = report
            .matches
            .iter()
            .filter_map(|part| Some((Trial::from_labels(&part.labels)?, part)))
            .collect();
        let mut controls: Vec<UnderControl<'r>> = Vec::new();
        for (Trial { control, .. }, _) in &trials {
            if controls.iter().all(|known| known.control != *control) {
                let here = trials.iter().filter(|(trial, _)| trial.control == *control);
                controls.push(UnderControl::new(*control, &here.copied().collect::<Vec<_>>()));
            }
        }
        Self { report, controls }
    }

    /// The managers that played, in the order of their declaration.
    fn managers(&self) -> Vec<TimeManager> {
        let met = |manager: &TimeManager| self.controls.iter().any(|at| at.meeting(*manager).is_some());
        TimeManager::ALL.iter().copied().filter(met).collect()
    }
}

impl<'r> UnderControl<'r> {
    fn new(control: TimeControl, trials: &[(Trial, &'r MatchPart)]) -> Self {
        let meetings = trials.iter().filter_map(|(trial, part)| Meeting::new(*trial, part)).collect();
        let figures = TimeManager::ALL.iter().filter_map(|&manager| {
            let parts = trials.iter().filter(|(trial, _)| manager == trial.manager || manager == Trial::BASE);
            let games: Vec<(usize, GameSide<'r>)> =
                parts.flat_map(|(_, part)| sides(part, manager)).collect();
            (!games.is_empty()).then(|| Figures::new(manager, &games))
        });
        Self {
            control,
            terms: trials.first().map_or("", |(_, part)| &part.terms),
            figures: figures.collect(),
            meetings,
        }
    }

    fn meeting(&self, manager: TimeManager) -> Option<&Meeting<'r>> {
        self.meetings.iter().find(|meeting| meeting.manager == manager)
    }

    fn figures(&self, manager: TimeManager) -> Option<&Figures> {
        self.figures.iter().find(|figures| figures.manager == manager)
    }
}

impl<'r> Meeting<'r> {
    fn new(trial: Trial, part: &'r MatchPart) -> Option<Self> {
        match &part.result {
            MatchResult::Duel(duel) => {
                let pairs = sequential::pairs(&part.games, &duel.ours);
                Some(Self { manager: trial.manager, duel, test: Sequential::new(&pairs) })
            }
            MatchResult::Test(_) | MatchResult::Ratings(_) | MatchResult::Table | MatchResult::Tuning(_) => {
                None
            }
        }
    }
}

/// A manager's sides of a match, each with the number of its pair: all matches play the same openings, so
/// that the number says which one it was.
fn sides(part: &MatchPart, manager: TimeManager) -> impl Iterator<Item = (usize, GameSide<'_>)> {
    part.games_with_moves.iter().flat_map(move |game| {
        let plays = move |color: Color| game.record.players[color.fold_wb(0, 1)] == manager.name();
        let colors = Color::ALL.into_iter().filter(move |&color| plays(color));
        colors.filter_map(move |color| Some((game.number.div_ceil(2), GameSide::new(game, color)?)))
    })
}

#[cfg(test)]
mod tests {
    use super::sample_games::{meeting, report, reported_move};
    use super::*;
    use TimeManager::{Classic, Fixed, Legacy, Smooth};
    use threefold_chess::clock::SearchEnd::Budget;
    use threefold_run::Labels;
    use threefold_stats::GameResult::{Draw, Loss, Win};

    #[test]
    fn every_manager_is_reported_for_every_time_control() {
        let ours = [reported_move(100, 90, 1000, 100, Budget)];
        let theirs = [reported_move(100, 50, 1000, 100, Budget)];
        let run = report(vec![
            meeting(Smooth, "8+0.08", &[[Win, Draw], [Win, Loss]], [&ours, &theirs]),
            meeting(Fixed, "8+0.08", &[[Loss, Draw]], [&ours, &theirs]),
            meeting(Smooth, "40/10", &[[Win, Draw]], [&ours, &theirs]),
            MatchPart { labels: Labels::NONE, ..meeting(Legacy, "40/10", &[[Win, Draw]], [&ours, &theirs]) },
        ]);
        let study = Study::new(&run);
        let seen: Vec<String> = study
            .controls
            .iter()
            .flat_map(|at| {
                at.figures.iter().map(|it| format!("{} at {}: {}", it.manager, at.control, it.games))
            })
            .collect();
        // Classic's games are those of all its matches; matches without labels do not count.
        assert_eq!(
            seen,
            [
                "Classic at 8+0.08: 6",
                "Fixed at 8+0.08: 2",
                "Smooth at 8+0.08: 4",
                "Classic at 40/10: 2",
                "Smooth at 40/10: 2"
            ]
        );
        assert_eq!(study.managers(), [Fixed, Smooth]);
        let [at, _] = &study.controls[..] else { panic!("two controls") };
        let test = &at.meeting(Smooth).expect("it played").test;
        assert_eq!(test.path.len(), 2);
        let used =
            |manager| at.figures(manager).and_then(|it| it.used).map(|used| (used.value * 1e4).round());
        // 90 and 50 of 8080 milliseconds, one move each.
        assert_eq!([used(Smooth), used(Classic)], [Some(111.0), Some(62.0)]);
    }

    #[test]
    fn other_runs_are_not_studies() {
        let run = report(Vec::new());
        let study = Study::new(&run);
        assert!(study.controls.is_empty() && study.managers().is_empty());
        for format in REPORTS.files {
            assert!((format.render)(&run).is_ok());
        }
    }
}
