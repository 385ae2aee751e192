//! A part of a run on the screen: its figures, the path of its test, and the points of its engines.

use std::time::Duration;

use crate::output::figures::{FigureTexts, PartFigures};
use threefold_games::game::GameOutcome;
use threefold_games::pairing::EncounterLength;
use threefold_player::visible::visible;
use threefold_run::{JobResult, PairCounting, Part, PartProgress, Task};
use threefold_stats::{Bounds, Pentanomial};

/// A part of a run.
pub(super) struct PartState {
    figures: PartFigures,
    /// The names of its engines.
    engines: Vec<String>,
    /// What its test counts.
    unit: &'static str,
    path: Option<TestPath>,
    standings: Vec<Standing>,
}

/// The statistic of a test after each pair or single game, between its bounds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TestPath {
    /// The abbreviation of the statistic.
    pub(super) name: &'static str,
    /// What it has a value for: pairs, or games.
    pub(super) unit: &'static str,
    pub(super) bounds: Bounds,
    pub(super) values: Vec<f64>,
}

/// The finished games of an engine in a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) engine: String,
    /// Wins, draws and losses.
    pub(super) score: [usize; 3],
}

impl Standing {
    /// The points, counted in halves.
    pub(super) const fn half_points(&self) -> usize {
        2 * self.score[0] + self.score[1]
    }
}

impl PartState {
    pub(super) fn new(part: &Part) -> Self {
        let engines: Vec<String> = part.task.engines().iter().map(|engine| visible(&engine.name)).collect();
        let is_tournament = matches!(&part.task, Task::Match(_)) && engines.len() > 2;
        let standing = |engine: &String| Standing { engine: engine.clone(), score: [0; 3] };
        Self {
            figures: PartFigures::new(part),
            standings: engines.iter().filter(|_| is_tournament).map(standing).collect(),
            engines,
            unit: unit(&part.task),
            path: None,
        }
    }

    /// The games of a tournament that had a winner, and the drawn ones.
    pub(super) fn won_and_drawn(&self) -> [usize; 2] {
        let sum = |result: usize| self.standings.iter().map(|standing| standing.score[result]).sum::<usize>();
        // A drawn game is in the score of two engines.
        [sum(0), sum(1) / 2]
    }

    pub(super) fn name(&self) -> &str {
        self.figures.name()
    }

    pub(super) fn engines(&self) -> &[String] {
        &self.engines
    }

    pub(super) const fn texts(&self) -> &FigureTexts {
        self.figures.texts()
    }

    pub(super) const fn is_match(&self) -> bool {
        self.figures.is_match()
    }

    /// The counts of pairs of the first engine.
    pub(super) fn pairs(&self) -> Option<&Pentanomial> {
        Some(self.figures.counts()?.0)
    }

    /// Wins, draws and losses of the first engine in the games that count.
    pub(super) fn score(&self) -> Option<[u64; 3]> {
        Some(self.figures.counts()?.1)
    }

    pub(super) const fn path(&self) -> Option<&TestPath> {
        self.path.as_ref()
    }

    /// The engines of a tournament, the one with the most points first; empty for two engines.
    pub(super) fn standings(&self) -> Vec<&Standing> {
        let mut sorted: Vec<&Standing> = self.standings.iter().collect();
        sorted.sort_by_key(|standing| std::cmp::Reverse(standing.half_points()));
        sorted
    }

    /// The line that is printed when the screen is closed; `None` if no job of the part ran.
    pub(super) fn line(&self) -> Option<String> {
        self.figures.has_begun().then(|| self.figures.line())
    }

    /// Takes the state at the start of the process.
    pub(super) fn open(&mut self, progress: &PartProgress<'_>, now: Duration) {
        self.figures.open(progress, now);
        self.follow(progress);
    }

    /// A job of the part starts.
    pub(super) fn begin(&mut self, now: Duration) {
        self.figures.begin(now);
    }

    /// Counts a result.
    pub(super) fn record(&mut self, job: usize, result: &JobResult) {
        self.figures.record(job, result);
        let JobResult::Game(game) = result else { return };
        let (white, black) = match game.outcome {
            GameOutcome::White => (0, 2),
            GameOutcome::Draw => (1, 1),
            GameOutcome::Black => (2, 0),
        };
        for (player, result) in game.players.iter().zip([white, black]) {
            let player = visible(player);
            if let Some(standing) = self.standings.iter_mut().find(|standing| standing.engine == player) {
                standing.score[result] += 1;
            }
        }
    }

    /// Computes the figures after a result.
    pub(super) fn update(&mut self, progress: &PartProgress<'_>, now: Duration) {
        self.figures.update(progress, now);
        self.follow(progress);
    }

    /// Adds what is new of the path of the test.
    fn follow(&mut self, progress: &PartProgress<'_>) {
        let Some(test) = progress.test else { return };
        let path = self.path.get_or_insert_with(|| TestPath {
            name: test.statistic().name,
            unit: self.unit,
            bounds: test.running.bounds(),
            values: Vec::new(),
        });
        path.bounds = test.running.bounds();
        path.values.extend(test.path.iter().skip(path.values.len()));
    }
}

/// What a test of this task counts.
fn unit(task: &Task) -> &'static str {
    let Task::Match(games) = task else { return "cases" };
    match PairCounting::Distinct.trials(games.rules.encounter, games.test()) {
        EncounterLength::Pair => "pairs",
        EncounterLength::Single => "games",
    }
}
