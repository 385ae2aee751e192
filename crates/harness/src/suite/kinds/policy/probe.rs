//! The dialogue of a probe: the same question without the history and with it.
//!
//! The engine is asked for the score of the one move that repeats (`searchmoves`). A score near zero that was far
//! from it without the history is the repetition's. An engine that doesn't know `searchmoves` answers with another
//! move: that answer is thrown away, and it is asked for its move instead, again without the history and with it.
//! In a perpetual its line of play tells: where second occurrences count, it ends with one; where they don't, it
//! goes round once more.

use shakmaty::uci::UciMove;

use super::selection::{MoveAppeal, Probe};
use crate::player::{Answer, Bound, FaultCause, Question, ScoredInfo};
use crate::suite::signature::{ProbeResult, Topic};
use crate::suite::{Case, CaseStep, Verdict};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Score};
use threefold_oracle::referee::Referee;

/// A score this near to zero, in centipawns, is a draw.
const DRAWN: u32 = 2;

/// A line of play that goes on for so many plies after a position came back didn't take that for a draw. One ply
/// is no sign: engines differ on whether the position they start from counts.
const BEYOND: usize = 3;

/// The dialogue.
pub(super) struct ProbeCase {
    probe: Probe,
    limits: Limits,
    stage: ProbeStage,
    is_new_game: bool,
    nodes: u64,
}

/// What is asked next, or whose answer is awaited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProbeStage {
    /// The score of the move without the history.
    Bare,
    /// The score of the move with it.
    Told,
    /// The choice without the history.
    BareChoice,
    /// The choice with it.
    Choice,
    /// The line of play of a perpetual.
    Perpetual,
}

impl ProbeCase {
    /// Begins.
    pub(super) fn new(probe: Probe, limits: Limits) -> Self {
        let stage = if probe.topic == Topic::InTree { ProbeStage::Perpetual } else { ProbeStage::Bare };
        Self { probe, limits, stage, is_new_game: false, nodes: 0 }
    }

    /// Each question begins a new game, so that no answer hangs on another.
    fn ask(&mut self) -> CaseStep {
        self.is_new_game = !self.is_new_game;
        if self.is_new_game { CaseStep::NewGame } else { CaseStep::Ask(self.question()) }
    }

    fn illegal(&self, best: Option<UciMove>) -> Option<UciMove> {
        // Both lines end in the same position.
        let referee = Referee::new(&self.probe.without_history).ok()?;
        best.filter(|&best| referee.legal(best).is_err())
    }

    fn question(&self) -> Question {
        let line = match self.stage {
            ProbeStage::Bare | ProbeStage::BareChoice | ProbeStage::Perpetual => &self.probe.without_history,
            ProbeStage::Told | ProbeStage::Choice => &self.probe.line,
        };
        let only = match self.stage {
            ProbeStage::Bare | ProbeStage::Told => vec![self.probe.asked],
            ProbeStage::BareChoice | ProbeStage::Choice | ProbeStage::Perpetual => Vec::new(),
        };
        Question { line: line.clone(), limits: self.limits, searchmoves: only }
    }

    /// The next stage, or what was found, and why.
    fn hear(&self, answer: &Answer) -> Result<ProbeStage, (ProbeResult, String)> {
        let mute = |why: &str| Err((ProbeResult::Inconclusive, why.to_owned()));
        match self.stage {
            // It knows no searchmoves, though without the history it may have wanted the move of its own accord.
            ProbeStage::Bare | ProbeStage::Told if !is_about(answer, self.probe.asked) => {
                Ok(ProbeStage::BareChoice)
            }
            ProbeStage::Bare => match judged(answer) {
                None => mute("it gives no score"),
                Some(score) if is_drawn(score) => {
                    mute("it takes the move for a draw without the history, too")
                }
                Some(_) => Ok(ProbeStage::Told),
            },
            ProbeStage::Told => match judged(answer) {
                None => mute("it gives no score"),
                Some(score) => Err((drawn(is_drawn(score)), format!("{} for {score}", self.probe.asked))),
            },
            ProbeStage::BareChoice if self.wants(answer.best) => Ok(ProbeStage::Choice),
            ProbeStage::BareChoice => mute("without the history it errs, so its choice shows nothing"),
            ProbeStage::Choice => Err(self.choice(answer)),
            ProbeStage::Perpetual => Err(self.perpetual(answer)),
        }
    }

    /// Without the history: is the choice the one that the history can turn?
    fn wants(&self, best: Option<UciMove>) -> bool {
        let Some(best) = best else { return false };
        match self.probe.appeal {
            MoveAppeal::Attracts => best == self.probe.asked,
            MoveAppeal::Repels => best != self.probe.asked && self.is_sound(best),
        }
    }

    /// A choice other than the move asked about. Where a third occurrence alone saves, all others are alike.
    fn is_sound(&self, mv: UciMove) -> bool {
        self.probe.topic == Topic::Third || self.probe.best.contains(&mv)
    }

    /// With the history: a draw is shunned by who wins, and sought by who loses. That a choice stays the same says
    /// something where a draw would have been better or worse by the engine's own score, and nothing else does.
    fn choice(&self, answer: &Answer) -> (ProbeResult, String) {
        let asked = self.probe.asked;
        let Some(best) = answer.best else {
            return (ProbeResult::Inconclusive, "it names no move".to_owned());
        };
        let (turned, held) = match self.probe.appeal {
            MoveAppeal::Attracts => (best != asked, judged(answer).is_some_and(is_winning)),
            MoveAppeal::Repels => (best == asked, judged(answer).is_some_and(is_losing)),
        };
        match (turned, held) {
            (true, _) => {
                (ProbeResult::Draw, format!("it knows no searchmoves; the history turns it to {best}"))
            }
            (false, true) => {
                (ProbeResult::NoDraw, format!("it knows no searchmoves; history or not, it plays {best}"))
            }
            (false, false) => (
                ProbeResult::Inconclusive,
                "it plays the same with the history, and a draw would be as good".to_owned(),
            ),
        }
    }

    /// The longest line of play of a drawn score: how far it goes on after a position came back.
    fn perpetual(&self, answer: &Answer) -> (ProbeResult, String) {
        let drawn = answer.infos.iter().filter(|claim| is_drawn_claim(claim));
        match drawn.filter_map(|claim| beyond(&self.probe.without_history, &claim.pv)).max() {
            None => (
                ProbeResult::Inconclusive,
                "no line of play for a draw in which a position comes back".to_owned(),
            ),
            Some(plies) if plies >= BEYOND => (
                ProbeResult::NoDraw,
                format!("its line of play goes on for {plies} plies after a position came back"),
            ),
            Some(_) => (ProbeResult::Draw, "its line of play ends where a position came back".to_owned()),
        }
    }
}

impl Case for ProbeCase {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        let Some(answer) = answer else { return self.ask() };
        self.nodes += answer.nodes;
        if let Some(illegal) = self.illegal(answer.best) {
            return CaseStep::Done(Verdict::of(answer, FaultCause::IllegalMove, illegal.to_string()));
        }
        match self.hear(answer) {
            Ok(stage) => {
                self.stage = stage;
                self.ask()
            }
            Err((finding, why)) => {
                let verdict = Verdict::of(answer, finding.cause(self.probe.topic), why);
                CaseStep::Done(Verdict { nodes: self.nodes, ..verdict })
            }
        }
    }
}

const fn drawn(is_drawn: bool) -> ProbeResult {
    if is_drawn { ProbeResult::Draw } else { ProbeResult::NoDraw }
}

fn is_about(answer: &Answer, mv: UciMove) -> bool {
    answer.best == Some(mv)
}

fn judged(answer: &Answer) -> Option<Score> {
    answer.final_info().map(|claim| claim.score)
}

const fn is_drawn(score: Score) -> bool {
    match score {
        Score::Cp(centipawns) => centipawns.0.unsigned_abs() <= DRAWN,
        Score::Mate(_) => false,
    }
}

fn is_winning(score: Score) -> bool {
    !is_drawn(score) && score > Score::Cp(Centipawns(0))
}

fn is_losing(score: Score) -> bool {
    !is_drawn(score) && score < Score::Cp(Centipawns(0))
}

fn is_drawn_claim(claim: &ScoredInfo) -> bool {
    claim.bound == Bound::Exact && is_drawn(claim.score)
}

/// How many plies a line of play goes on after the first position in it that stood before; `None` where none did.
fn beyond(start: &GamePosition, moves: &[UciMove]) -> Option<usize> {
    let mut referee = Referee::new(start).ok()?;
    for (played, &mv) in (1..).zip(moves) {
        let legal = referee.legal(mv).ok()?;
        if referee.occurrences_after(legal) > 0 {
            return Some(moves.len() - played);
        }
        referee.play(mv).ok()?;
    }
    None
}
