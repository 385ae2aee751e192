//! The dialogue of a probe: the same question without the history and with it.
//!
//! The engine is asked for the score of the one move that repeats (`searchmoves`). If the score is near zero
//! with the history and was not without it, the engine scores the repetition as a draw. An engine that does
//! not know `searchmoves` answers with another move. That answer is dropped, and the engine is asked for its
//! move instead, again without and with the history. In a perpetual check the PV shows the policy: if second
//! occurrences are draws, it ends with one; otherwise it repeats once more.

use shakmaty::uci::UciMove;

use super::selection::{MoveAppeal, Probe};
use crate::signature::{ProbeResult, Topic};
use crate::{Case, CaseStep, Verdict};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Score};
use threefold_oracle::referee::Referee;
use threefold_player::{Answer, Bound, FaultCause, Question, ScoredInfo};

/// A score this near to zero, in centipawns, is a draw.
const DRAWN: u32 = 2;

/// A score this near to zero may be a draw of an engine that adds a bonus to it, as in kind `rule`.
const NEARLY_DRAWN: u32 = 20;

/// A PV that continues for this number of plies after a repeated position did not score it as a draw. One ply
/// is not enough: engines differ on whether the root position counts.
const BEYOND: usize = 3;

/// The dialogue of a case.
pub(super) struct ProbeCase {
    probe: Probe,
    limits: Limits,
    stage: ProbeStage,
    is_new_game: bool,
    nodes: u64,
}

/// The question asked next, or whose answer is awaited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProbeStage {
    /// The score of the move without the history.
    ScoreWithout,
    /// The score of the move with the history.
    ScoreWith,
    /// The choice of move without the history.
    ChoiceWithout,
    /// The choice of move with the history.
    ChoiceWith,
    /// The PV of a perpetual check.
    Perpetual,
}

impl ProbeCase {
    /// Begins.
    pub(super) fn new(probe: Probe, limits: Limits) -> Self {
        let stage =
            if probe.topic == Topic::InTree { ProbeStage::Perpetual } else { ProbeStage::ScoreWithout };
        Self { probe, limits, stage, is_new_game: false, nodes: 0 }
    }

    /// Each question begins a new game, so that answers are independent.
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
            ProbeStage::ScoreWithout | ProbeStage::ChoiceWithout | ProbeStage::Perpetual => {
                &self.probe.without_history
            }
            ProbeStage::ScoreWith | ProbeStage::ChoiceWith => &self.probe.position,
        };
        let only = match self.stage {
            ProbeStage::ScoreWithout | ProbeStage::ScoreWith => vec![self.probe.asked],
            ProbeStage::ChoiceWithout | ProbeStage::ChoiceWith | ProbeStage::Perpetual => Vec::new(),
        };
        Question { position: line.clone(), limits: self.limits, searchmoves: only }
    }

    /// The next stage, or the result and its reason.
    fn hear(&self, answer: &Answer) -> Result<ProbeStage, (ProbeResult, String)> {
        let mute = |why: &str| Err((ProbeResult::Inconclusive, why.to_owned()));
        match self.stage {
            // It does not know searchmoves, even if its own choice without the history was the move asked
            // for.
            ProbeStage::ScoreWithout | ProbeStage::ScoreWith if !is_about(answer, self.probe.asked) => {
                Ok(ProbeStage::ChoiceWithout)
            }
            ProbeStage::ScoreWithout => match judged(answer) {
                None => mute("it gives no score"),
                Some(score) if is_drawn(score) => {
                    mute("it scores the move as a draw without the history, too")
                }
                Some(_) => Ok(ProbeStage::ScoreWith),
            },
            ProbeStage::ScoreWith => match judged(answer) {
                None => mute("it gives no score"),
                Some(Score::Cp(Centipawns(cp)))
                    if (DRAWN + 1..=NEARLY_DRAWN).contains(&cp.unsigned_abs()) =>
                {
                    mute("its score is nearly that of a draw")
                }
                Some(score) => Err((drawn(is_drawn(score)), format!("{} for {score}", self.probe.asked))),
            },
            ProbeStage::ChoiceWithout if self.wants(answer.best) => Ok(ProbeStage::ChoiceWith),
            ProbeStage::ChoiceWithout => {
                mute("its move without the history is wrong, so its choice shows nothing")
            }
            ProbeStage::ChoiceWith => Err(self.choice(answer)),
            ProbeStage::Perpetual => Err(self.perpetual(answer)),
        }
    }

    /// Without the history: is the choice the one that the history can change?
    fn wants(&self, best: Option<UciMove>) -> bool {
        let Some(best) = best else { return false };
        match self.probe.appeal {
            MoveAppeal::Attracts => best == self.probe.asked,
            MoveAppeal::Repels => best != self.probe.asked && self.is_sound(best),
        }
    }

    /// A sound choice other than the move asked about. If only a third occurrence saves the game, all others
    /// are alike.
    fn is_sound(&self, mv: UciMove) -> bool {
        self.probe.topic == Topic::Third || self.probe.best.contains(&mv)
    }

    /// With the history, a winning side avoids a draw and a losing side seeks it. An unchanged choice is
    /// conclusive only if a draw would have been better or worse by the engine's own score.
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
            (true, _) => (
                ProbeResult::Draw,
                format!("it knows no searchmoves; with the history it plays {best} instead"),
            ),
            (false, true) => (
                ProbeResult::NoDraw,
                format!("it knows no searchmoves; with or without the history it plays {best}"),
            ),
            (false, false) => (
                ProbeResult::Inconclusive,
                "it plays the same with the history, and a draw would be as good".to_owned(),
            ),
        }
    }

    /// The longest PV of a drawn score: by how many plies it continues after a repeated position.
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
            return CaseStep::Done(Verdict::new(answer, FaultCause::IllegalMove, illegal.to_string()));
        }
        match self.hear(answer) {
            Ok(stage) => {
                self.stage = stage;
                self.ask()
            }
            Err((finding, why)) => {
                let verdict = Verdict::new(answer, finding.cause(self.probe.topic), why);
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

/// By how many plies a PV continues after the first position in it that occurred before; `None` if there is
/// none.
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
