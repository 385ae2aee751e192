//! The lines of fastchess and of cutechess-cli, printed from the events of a run.
//!
//! `OpenBench` and fishtest read them: the form is fixed to the letter, every line is flushed, no line is
//! empty before the last game has ended, and all are ASCII.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::heading::Heading;
use super::peer::Peer;
use super::players;
use super::printing::Form;
use super::ranking::{self, Ranking};
use super::reason::{Loss, counted_loss, reason, result};
use super::score::{Score, Unit, hypotheses, llr_line, sprt_line};
use super::warning::{self, Checked};
use threefold_games::game::GameRecord;
use threefold_games::pairing::{ScheduledGame, TournamentFormat};
use threefold_player::EngineSpec;
use threefold_run::event::RunEvent;
use threefold_run::job::{JobKey, white_result};
use threefold_run::{JobResult, MatchTask, PartEnding, PartProgress, RunSpec, Task};
use threefold_stats::{GameResult, Sprt};

/// The line of hyphens around a results block.
const RULE: &str = "--------------------------------------------------";

/// When what is printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Intervals {
    pub(super) form: Form,
    pub(super) unit: Unit,
    /// Pairs or games between two results blocks; 0 for the last one only.
    pub(super) rating: usize,
    /// Games between two score lines; 0 for the last one only.
    pub(super) score: usize,
    /// The warnings that are printed.
    pub(super) checked: Checked,
}

/// Prints the lines of a run.
pub(super) struct Lines<W> {
    out: W,
    task: MatchTask,
    heading: Heading,
    intervals: Intervals,
    /// The score of each pairing, for the player that comes first in the list of engines.
    scores: BTreeMap<(usize, usize), Score>,
    /// The tables of cutechess-cli; `None` for fastchess.
    ranking: Option<Ranking>,
    /// The number of ended games at the last table, and at the last list of outcomes.
    ranked: usize,
    listed: usize,
    /// First games of pairs whose second game has not ended, or the other way round: the result for the first
    /// engine of the pairing.
    open: BTreeMap<usize, GameResult>,
    /// Games that have ended.
    ended: usize,
    /// The numbers of the games of a knockout tournament, in the order in which they began.
    numbers: BTreeMap<JobKey, usize>,
    /// The players of its encounters, as places of the task's engines; by part.
    encounters: Vec<[usize; 2]>,
    /// Time losses and crashes, by player.
    losses: BTreeMap<String, [u64; 2]>,
    /// The number of printed warnings.
    warnings: usize,
    /// Has the test been decided?
    is_over: bool,
    /// Is nothing printed now?
    is_silent: bool,
    error: Option<io::Error>,
}

impl<W: Write> Lines<W> {
    pub(super) fn new(out: W, task: MatchTask, heading: Heading, intervals: Intervals) -> Self {
        Self {
            out,
            task,
            heading,
            intervals,
            scores: BTreeMap::new(),
            ranking: None,
            ranked: 0,
            listed: 0,
            open: BTreeMap::new(),
            ended: 0,
            numbers: BTreeMap::new(),
            encounters: Vec::new(),
            losses: BTreeMap::new(),
            warnings: 0,
            is_over: false,
            is_silent: false,
            error: None,
        }
    }

    /// Adds the rank tables of cutechess-cli.
    pub(super) fn with_ranking(self, ranking: Option<Ranking>) -> Self {
        Self { ranking, ..self }
    }

    /// Prints what an event of the run asks for.
    pub(super) fn take(&mut self, event: &RunEvent<'_>) {
        match event {
            RunEvent::Opened { spec, offers, .. } => {
                self.begin(spec);
                self.heading.learn(offers);
            }
            RunEvent::JobStarted { key } if !self.is_over => self.started(*key),
            RunEvent::JobEnded { key, result: JobResult::Game(game), progress, .. } if !self.is_over => {
                self.finished(*key, game, progress);
            }
            _ => {}
        }
    }

    /// Takes over the encounters that a knockout tournament has so far.
    pub(super) fn begin(&mut self, spec: &RunSpec) {
        if self.is_knockout() {
            self.encounters = spec.parts.iter().filter_map(|part| self.players(&part.task)).collect();
        }
    }

    /// Counts a game of an earlier session, and prints nothing.
    pub(super) fn count(&mut self, key: JobKey, game: &GameRecord, progress: &PartProgress<'_>) {
        self.is_silent = true;
        if self.is_knockout() {
            self.numbers.insert(key, self.numbers.len() + 1);
        }
        self.finished(key, game, progress);
        self.is_silent = false;
    }

    pub(super) const fn task(&self) -> &MatchTask {
        &self.task
    }

    /// Has the test been decided? Nothing but the end lines is printed then.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Has a warning about an engine been printed?
    pub(super) const fn has_warnings(&self) -> bool {
        self.warnings > 0
    }

    /// Prints a line. Characters beyond ASCII, which only names can have, become `?`.
    pub(super) fn line(&mut self, text: &str) {
        if self.is_silent {
            return;
        }
        // OpenBench decodes lines as ASCII, and any other byte ends its task.
        let ascii: String = text.chars().map(|letter| if letter.is_ascii() { letter } else { '?' }).collect();
        // One write, so that lines of several threads don't mix.
        let written = self.out.write_all(format!("{ascii}\n").as_bytes()).and_then(|()| self.out.flush());
        // The first error is kept for `end`. It does not stop the run, whose games are in the journal.
        self.error = self.error.take().or(written.err());
    }

    /// Prints the lines after the last game.
    ///
    /// # Errors
    /// If any line could not be written.
    pub(super) fn end(mut self, closing: &[String]) -> io::Result<()> {
        if self.ranking.is_some() && self.ended > self.ranked {
            self.block((0, 1));
        }
        if self.ended > self.listed {
            self.outcomes();
        }
        if self.intervals.form == Form::Fastchess && !self.losses.is_empty() {
            // OpenBench stops reading at an empty line, so there is none before the last game has ended.
            self.line("");
            for (player, [on_time, crashed]) in std::mem::take(&mut self.losses) {
                self.line(&format!("Player: {player}"));
                self.line(&format!("  Timeouts: {on_time}"));
                self.line(&format!("  Crashed: {crashed}"));
            }
            self.line("");
        }
        for line in closing {
            self.line(line);
        }
        self.error.map_or(Ok(()), Err)
    }

    fn is_knockout(&self) -> bool {
        self.task.format == TournamentFormat::Knockout
    }

    /// The players of an encounter.
    fn players(&self, encounter: &Task) -> Option<[usize; 2]> {
        let place =
            |engine: &EngineSpec| self.task.engines.iter().position(|other| other.name == engine.name);
        let [one, other] = encounter.engines() else { return None };
        Some([place(one)?, place(other)?])
    }

    /// The number of a game, from 1.
    pub(super) fn number(&self, key: JobKey) -> usize {
        self.numbers.get(&key).copied().unwrap_or(key.job + 1)
    }

    /// A game with its players among all engines. Pairs of a knockout tournament are numbered through all
    /// encounters.
    fn scheduled_game(&self, key: JobKey) -> Option<ScheduledGame> {
        let schedule = self.task.schedule();
        let game = schedule.game(key.job)?;
        if !self.is_knockout() {
            return Some(game);
        }
        let players = self.encounters.get(key.part)?;
        Some(ScheduledGame {
            white: players[game.white],
            black: players[game.black],
            encounter: key.part * schedule.games() + game.encounter,
            ..game
        })
    }

    fn started(&mut self, key: JobKey) {
        let Some(scheduled) = self.scheduled_game(key) else { return };
        let mut games = self.task.schedule().games();
        if self.is_knockout() {
            games = (self.task.engines.len() - 1) * self.task.schedule().regular_games();
            self.numbers.insert(key, self.numbers.len() + 1);
        }
        let [white, black] = [scheduled.white, scheduled.black].map(|engine| &self.task.engines[engine].name);
        self.line(&format!("Started game {} of {games} ({white} vs {black})", self.number(key)));
    }

    fn finished(&mut self, key: JobKey, game: &GameRecord, progress: &PartProgress<'_>) {
        let Some(scheduled) = self.scheduled_game(key) else { return };
        for warning in warning::lines(game, self.intervals.checked) {
            self.line(&warning);
            self.warnings += 1;
        }
        let [white, black] = &game.players;
        let peer = if self.ranking.is_some() { Peer::Cutechess } else { Peer::Fastchess };
        let text = format!(
            "Finished game {} ({white} vs {black}): {} {{{}}}",
            self.number(key),
            result(game.outcome),
            reason(peer, game)
        );
        self.line(&text);
        self.ended += 1;
        if let Some((player, loss)) = counted_loss(game) {
            self.losses.entry(player.to_owned()).or_default()[usize::from(loss == Loss::ByCrash)] += 1;
        }
        let pairing = (scheduled.white.min(scheduled.black), scheduled.white.max(scheduled.black));
        if let Some(ranking) = &mut self.ranking {
            ranking.add(scheduled.white, scheduled.black, game);
        }
        let white = white_result(game);
        let first = if scheduled.white == pairing.0 { white } else { white.reversed() };
        let is_whole = self.add(pairing, scheduled.encounter, first);
        // How many games a knockout tournament has is known at its end only.
        let is_last = !self.is_knockout() && self.ended == self.task.schedule().games();
        let is_due =
            |interval: usize, number: usize| is_last || (interval > 0 && number.is_multiple_of(interval));
        if is_due(self.intervals.score, self.ended) {
            self.score_line(pairing);
        }
        let number = if self.intervals.unit == Unit::Pairs { scheduled.encounter + 1 } else { self.ended };
        // fishtest takes each block for one more pair, so the first game of a pair prints none.
        if is_last || (is_whole && is_due(self.intervals.rating, number)) {
            self.block(pairing);
        }
        let interval = self.ranking.as_ref().map_or(0, |ranking| ranking.outcome_interval);
        if interval > 0 && self.ended.is_multiple_of(interval) {
            self.outcomes();
        }
        if let Some(ending @ (PartEnding::AcceptedH1 | PartEnding::AcceptedH0 | PartEnding::Undecided)) =
            progress.ending
        {
            self.test_ended(pairing, ending);
        }
    }

    /// Adds a result to the score of a pairing. Of pairs only whole ones count; is this one whole, or a
    /// single game?
    fn add(&mut self, pairing: (usize, usize), pair: usize, first: GameResult) -> bool {
        let score = self.scores.entry(pairing).or_default();
        match self.intervals.unit {
            Unit::Games => score.add_game(first),
            Unit::Pairs => {
                let Some(other) = self.open.remove(&pair) else {
                    self.open.insert(pair, first);
                    return false;
                };
                score.add_pair([other, first]);
            }
        }
        true
    }

    /// `Score of A vs B: …`, which fastchess prints in cutechess-cli's form only.
    fn score_line(&mut self, pairing: (usize, usize)) {
        if self.intervals.form == Form::Cutechess {
            let score = self.scores.get(&pairing).copied().unwrap_or_default();
            let [losses, draws, wins] = score.results();
            let [first, second] = self.names(pairing);
            let text = format!(
                "Score of {first} vs {second}: {wins} - {losses} - {draws}  [{:.3}] {}",
                score.share(),
                losses + draws + wins
            );
            self.line(&text);
        }
    }

    fn names(&self, pairing: (usize, usize)) -> [String; 2] {
        [pairing.0, pairing.1].map(|engine| self.task.engines[engine].name.clone())
    }

    /// The results block of the first pairing, or the table of all players.
    pub(super) fn summary(&mut self) {
        self.score_line((0, 1));
        self.block((0, 1));
    }

    /// The results block of a pairing, or the table of all players.
    fn block(&mut self, pairing: (usize, usize)) {
        let score = self.scores.get(&pairing).copied().unwrap_or_default();
        let test = self.task.test().map(|test| Sprt::from(*test.hypotheses()));
        let llr = test.map(|test| (score.llr(&test, self.intervals.unit), test));
        let mut lines = Vec::new();
        self.ranked = self.ended;
        match (self.intervals.form, &self.ranking) {
            (_, Some(ranking)) => lines.extend(ranking.lines()),
            _ if self.task.engines.len() > 2 => {
                lines.extend(players::lines(&self.task.engines, &self.scores, self.intervals.unit));
            }
            (Form::Fastchess, _) => {
                let [first, second] = self.names(pairing);
                lines.push(format!("Results of {first} vs {second} ({}):", self.heading));
                lines.extend(score.lines(self.intervals.unit));
            }
            (Form::Cutechess, _) => lines.push(score.elo_line()),
        }
        if let Some((llr, test)) = llr {
            lines.push(match (self.intervals.form, &self.ranking) {
                (_, Some(_)) => ranking::test_line(llr, &test),
                (Form::Fastchess, None) => llr_line(llr, &test),
                (Form::Cutechess, None) => sprt_line(llr, &test),
            });
        }
        if self.intervals.form == Form::Fastchess {
            lines.insert(0, RULE.to_owned());
            lines.push(RULE.to_owned());
        }
        for line in &lines {
            self.line(line);
        }
    }

    /// How the games of each player ended, for cutechess-cli.
    fn outcomes(&mut self) {
        self.listed = self.ended;
        for line in self.ranking.as_ref().map(Ranking::outcomes).unwrap_or_default() {
            self.line(&line);
        }
    }

    /// A test has its decision, or no games are left: the last results block and the verdict.
    fn test_ended(&mut self, pairing: (usize, usize), ending: PartEnding) {
        let Some(hypotheses) = self.task.test().map(|test| hypotheses(test.hypotheses())) else { return };
        self.is_over = true;
        let accepted = match ending {
            PartEnding::AcceptedH1 => "H1",
            PartEnding::AcceptedH0 => "H0",
            // An undecided test has had its last block with its last game.
            _ => return,
        };
        self.score_line(pairing);
        self.block(pairing);
        if self.intervals.form == Form::Fastchess {
            self.line(&format!("SPRT ({hypotheses}) completed - {accepted} was accepted"));
        } else {
            self.line("Tournament finished");
        }
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
