//! Answers of the base that several takes need.
//!
//! Takes meet one base from the same openings. A base that is limited by nodes, or by a clock that runs by
//! nodes, answers the same in the same game. So as long as a take plays the moves of an earlier one, the base
//! is not asked again: its known answers are taken. From the first other move on it searches itself. Before
//! that it searches what it was spared, since its hash table depends on it, and this is the check: an answer
//! that differs from the known one shows that the base is not deterministic. Then the game is played again
//! without known answers, and no more of them are used.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use shakmaty::Color;

use crate::job::{RunSpec, Task};
use threefold_chess::position::GamePosition;
use threefold_games::game::{self, GameConditions, GameError, GameObserver, GameRecord};
use threefold_games::move_details::DetailSelection;
use threefold_player::{Answer, EngineFault, EngineSpec, LinePattern, Player, Question};

/// The most games that are kept. Chosen: some 100 MB at a few thousand nodes a move.
const MOST_LINES: usize = 1_000;

/// The questions of a game to an engine, in order, with its answers.
type Line = Vec<(Question, Answer)>;

/// The known answers of the base of a run, which its workers share.
#[derive(Debug, Default)]
pub(super) struct KnownAnswers {
    /// The engine; `None` if the run has no use for known answers.
    base: Option<EngineSpec>,
    lines: Mutex<VecDeque<Arc<Line>>>,
    is_refuted: AtomicBool,
}

/// An engine whose known answers are taken in its place.
struct SparedPlayer<'p> {
    player: &'p mut dyn Player,
    /// Known games that begin with the questions of this one.
    candidates: Vec<Arc<Line>>,
    line: Line,
    /// Does the engine play this game itself by now?
    is_begun: bool,
    /// Has it answered a question otherwise than before?
    is_refuted: bool,
}

impl KnownAnswers {
    /// For a run; without takes, on wall clocks, with pondering or several threads nothing is ever known.
    pub(super) fn for_run(spec: &RunSpec) -> Self {
        let base = spec.takes.and_then(|_| spec.parts.first()).and_then(|part| part.task.engines().get(1));
        let is_alike = |base: &&EngineSpec| !base.ponder && !base.restart && base.threads() == 1;
        let on_wall_clocks = |task: &Task| matches!(task, Task::Match(games) if games.is_on_wall_clocks());
        let base =
            base.filter(is_alike).filter(|_| !spec.parts.iter().any(|part| on_wall_clocks(&part.task)));
        Self { base: base.cloned(), ..Self::default() }
    }

    /// Has this engine known answers?
    pub(super) fn are_of(&self, engine: &EngineSpec) -> bool {
        self.base.as_ref() == Some(engine) && !self.is_refuted.load(Ordering::Relaxed)
    }

    /// Plays a game in which this side is the base. `None` if the game is to be played again without known
    /// answers, because the base gave another one.
    pub(super) fn play(
        &self,
        base: Color,
        opening: &GamePosition,
        players: [&mut dyn Player; 2],
        (terms, details): (&GameConditions, &DetailSelection),
        observer: &mut dyn GameObserver,
    ) -> Result<Option<GameRecord>, GameError> {
        let [white, black] = players;
        let (mut spared, played);
        match base {
            Color::White => {
                spared = self.spare(white);
                played = game::play(opening, [&mut spared, black], terms, details, observer);
            }
            Color::Black => {
                spared = self.spare(black);
                played = game::play(opening, [white, &mut spared], terms, details, observer);
            }
        }
        // `catch_up` ends a refuted game by an interruption, which must not stop the run.
        if spared.is_refuted {
            self.is_refuted.store(true, Ordering::Relaxed);
            return Ok(None);
        }
        let record = played?;
        // A game that the engine did not begin has known answers only, so they are kept already.
        if spared.is_begun && !record.end.is_fault() {
            self.keep(spared.line);
        }
        Ok(Some(record))
    }

    /// The engine for a game.
    fn spare<'p>(&self, player: &'p mut dyn Player) -> SparedPlayer<'p> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        // The lines are shared, not copied, and the lock is released before the game.
        let candidates = lines.iter().cloned().collect();
        SparedPlayer { player, candidates, line: Line::new(), is_begun: false, is_refuted: false }
    }

    /// Keeps the answers of a game.
    fn keep(&self, line: Line) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.truncate(MOST_LINES - 1);
        // The latest first: the next take comes to these openings soon.
        lines.push_front(Arc::new(line));
    }
}

impl SparedPlayer<'_> {
    /// Asks the engine what it was spared.
    fn catch_up(&mut self) -> Result<(), EngineFault> {
        self.player.new_game()?;
        for (question, known) in &self.line {
            let again = self.player.answer(question);
            if matches!(again, Err(EngineFault::Interrupted)) {
                return again.map(|_| ());
            }
            if !again.is_ok_and(|again| is_same_search(&again, known)) {
                // No fault of the engine: `play` discards this game.
                self.is_refuted = true;
                return Err(EngineFault::Interrupted);
            }
        }
        self.is_begun = true;
        Ok(())
    }
}

/// Are two answers alike in all that a search decides? Times and speeds are not.
fn is_same_search(one: &Answer, other: &Answer) -> bool {
    let reports = |answer: &Answer| {
        let infos = answer.infos.iter();
        infos
            .map(|info| (info.score, info.bound, info.depth, info.nodes, info.pv.clone()))
            .collect::<Vec<_>>()
    };
    (one.best, one.ponder, one.nodes) == (other.best, other.ponder, other.nodes)
        && one.in_place_of_move == other.in_place_of_move
        && reports(one) == reports(other)
}

impl Player for SparedPlayer<'_> {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn quote_lines(&mut self, patterns: &[LinePattern]) {
        self.player.quote_lines(patterns);
    }

    /// The engine itself begins the game when it is asked first.
    fn new_game(&mut self) -> Result<(), EngineFault> {
        Ok(())
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, EngineFault> {
        let place = self.line.len();
        if !self.is_begun {
            // A question has all moves of its game, so an equal one at this place means an equal game up to
            // here.
            self.candidates.retain(|line| line.get(place).is_some_and(|(known, _)| known == question));
            if let Some(line) = self.candidates.first() {
                let known = line[place].clone();
                self.line.push(known.clone());
                return Ok(known.1);
            }
            self.catch_up()?;
        }
        let answer = self.player.answer(question)?;
        self.line.push((question.clone(), answer.clone()));
        Ok(answer)
    }
}
