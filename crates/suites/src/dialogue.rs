//! The dialogue between a case and an engine.
//!
//! A case is a state machine that takes answers and returns questions. So the same case judges a child
//! process, the built-in Echo, and a script in a test. [`run_case`] is the only loop around it.

use std::sync::Arc;
use std::time::Duration;

use super::cause::FailCause;
use super::timing::Timing;
use super::verdict::Verdict;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_player::{
    Answer, BenchCounts, Clause, Dialogue, DialogueResult, EngineFault, Player, Question,
};

/// The name of the count of nodes per second.
pub const NPS: &str = "nps";

/// The next step of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaseStep {
    /// Send every player `ucinewgame`, then step again with `None`.
    NewGame,
    /// Ask this; step again with the answer.
    Ask(Question),
    /// Ask the second player of the same engine; step again with the answer.
    AskSecond(Question),
    /// Count the leaves of the tree of legal moves at this depth; step again with an answer whose `nodes` are
    /// the leaves.
    Count(GamePosition, Ply),
    /// Skip the case if the engine ignores `searchmoves`, else step again with `None`.
    CheckSearchMoves,
    /// Run the engine's benchmark within this time; step again with an answer that has its `nodes`, and `nps`
    /// among the counts if the speed is known.
    Bench {
        /// The time that it may take.
        timeout: Duration,
        /// Does the case fail if the engine prints no count in this time? Otherwise it is skipped.
        is_required: bool,
    },
    /// End the players, then step again with `None`.
    Quit,
    /// Test this clause of the protocol; its result is the verdict, and the dialogue is over.
    Test(Clause),
    /// Hold this dialogue in UCI lines; its result is the verdict, and the case is over.
    Hold(Arc<Dialogue>),
    /// The dialogue is over.
    Done(Verdict),
}

/// A dialogue with one engine about one position, or one game.
pub trait Case: Send {
    /// The next step, given the answer to the last question (`None` at first, and after `NewGame` and
    /// `Quit`).
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep;
}

/// The run was interrupted during a dialogue: there is no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// The end of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseEnd {
    /// The verdict.
    pub verdict: Verdict,
    /// The index of the player that was asked last. A fault is this player's.
    pub asked_last: usize,
}

/// Runs a case to its verdict, as [`run_case_to_end`] does.
pub fn run_case(
    case: &mut dyn Case,
    players: &mut [Box<dyn Player>],
    timing: Timing,
) -> Result<Verdict, Interrupted> {
    run_case_to_end(case, players, timing).map(|end| end.verdict)
}

/// Runs a case to its verdict, with the number of players that its [`CaseInfo`](super::CaseInfo) requires. A
/// fault of the engine is a verdict, too; after one the engine may be gone, so the next case should get a new
/// one. An answer that comes too late ends the case, whatever it says.
pub fn run_case_to_end(
    case: &mut dyn Case,
    players: &mut [Box<dyn Player>],
    timing: Timing,
) -> Result<CaseEnd, Interrupted> {
    let mut time = None;
    let mut see = |question: &Question, answer: &Answer| {
        if timing.is_measured(&question.limits) {
            time = Some(time.unwrap_or_default() + answer.elapsed);
        }
        timing.judge(&question.limits, answer)
    };
    let mut players = AskedPlayers { players, asked_last: 0 };
    let verdict = converse(case, &mut players, &mut see)?;
    Ok(CaseEnd { verdict: Verdict { time, ..verdict }, asked_last: players.asked_last })
}

/// The players of a case, and which of them was asked last.
struct AskedPlayers<'p> {
    players: &'p mut [Box<dyn Player>],
    asked_last: usize,
}

impl AskedPlayers<'_> {
    fn at(&mut self, index: usize) -> &mut dyn Player {
        self.asked_last = index;
        self.players[index].as_mut()
    }

    fn each(&mut self, act: impl Fn(&mut dyn Player) -> Result<(), EngineFault>) -> Result<(), EngineFault> {
        (0..self.players.len()).try_for_each(|index| act(self.at(index)))
    }
}

/// The dialogue itself. Each answer to a question is checked by `see`, and ends the case if that returns a
/// verdict.
fn converse(
    case: &mut dyn Case,
    players: &mut AskedPlayers<'_>,
    see: &mut dyn FnMut(&Question, &Answer) -> Option<Verdict>,
) -> Result<Verdict, Interrupted> {
    let mut ask = |player: &mut dyn Player, question: &Question| {
        let answer = player.answer(question)?;
        let late = see(question, &answer);
        // No case asks for it, so none needs to judge it.
        match answer.unreadable_move().filter(|_| late.is_none()) {
            Some(breach) => Err(breach),
            None => Ok((late, Some(answer))),
        }
    };
    let mut answer = None;
    loop {
        let result = match case.next(answer.as_ref()) {
            CaseStep::NewGame => players.each(|player| player.new_game()).map(|()| (None, None)),
            CaseStep::Ask(question) => ask(players.at(0), &question),
            CaseStep::AskSecond(question) => ask(players.at(1), &question),
            CaseStep::Count(line, depth) => {
                let leaves = players.at(0).perft(&line, depth);
                leaves.map(|nodes| (None, Some(Answer { nodes, ..Answer::silent() })))
            }
            CaseStep::CheckSearchMoves => players.at(0).check_searchmoves().map(|()| (None, None)),
            CaseStep::Quit => {
                // A verdict that follows is about the player before.
                let asked_last = players.asked_last;
                players.each(|player| player.quit()).map(|()| {
                    players.asked_last = asked_last;
                    (None, None)
                })
            }
            CaseStep::Bench { timeout, is_required } => match players.at(0).bench(timeout) {
                // Elsewhere a missing feature only skips the case.
                Err(EngineFault::NotSupported(what)) if is_required => {
                    return Ok(Verdict::unanswered(FailCause::NoNodeCount, what));
                }
                counts => counts.map(|counts| (None, Some(bench_answer(counts)))),
            },
            CaseStep::Test(clause) => {
                test_twice(players.at(0), clause).map(|result| (Some(Verdict::of_dialogue(result)), None))
            }
            CaseStep::Hold(dialogue) => players
                .at(0)
                .hold_dialogue(&dialogue)
                .map(|result| (Some(Verdict::of_dialogue(result)), None)),
            CaseStep::Done(verdict) => return Ok(verdict),
        };
        answer = match result {
            Ok((Some(late), _)) => return Ok(late),
            Ok((None, answer)) => answer,
            Err(EngineFault::Interrupted) => return Err(Interrupted),
            Err(fault) => return Ok(Verdict::of_fault(&fault)),
        };
    }
}

/// Tests a clause, and once more if it is not met, or if the engine ends or hangs: some depend on the moment at which a
/// command comes.
fn test_twice(player: &mut dyn Player, clause: Clause) -> Result<DialogueResult, EngineFault> {
    let first = match player.test_clause(clause) {
        Ok(Ok(())) => return Ok(DialogueResult::Met),
        Ok(Err(what)) => Ok(what),
        Err(fault) if fault.may_be_a_race() => Err(fault),
        Err(fault) => return Err(fault),
    };
    match (first, player.test_clause(clause)) {
        (Ok(what), Ok(Err(_))) => Ok(DialogueResult::Violated(what)),
        (Ok(what), Ok(Ok(()))) => Ok(DialogueResult::Flaky(what)),
        (Err(fault), Ok(Ok(()))) => Ok(DialogueResult::Flaky(fault.to_string())),
        (Err(fault), _) | (Ok(_), Err(fault)) => Err(fault),
    }
}

fn bench_answer(BenchCounts { nodes, nps }: BenchCounts) -> Answer {
    let counts = nps.map(|nps| (NPS.to_owned(), nps)).into_iter().collect();
    // 0 nodes mean that there is no count, which the case judges.
    Answer { nodes: nodes.unwrap_or_default(), counts, ..Answer::silent() }
}

/// Dialogues with a script instead of an engine.
#[cfg(test)]
pub(super) mod script {
    use std::sync::{Arc, Mutex};
    use std::vec::IntoIter;

    use super::{Case, run_case};
    use crate::{Timing, Verdict};
    use threefold_chess::clock::Limits;
    use threefold_chess::position::GamePosition;
    use threefold_chess::score::{Centipawns, MateDistance, Ply, Score};
    use threefold_player::{Answer, BenchCounts, Bound, EngineFault, Player, Question, ScoredInfo};

    /// One of two players that read from the same script; the first one counts the games.
    struct ScriptReader {
        counts: bool,
        script: Arc<Mutex<(IntoIter<Answer>, usize)>>,
        heard: Arc<Mutex<Vec<Question>>>,
    }

    impl Player for ScriptReader {
        fn name(&self) -> &'static str {
            "script"
        }

        fn new_game(&mut self) -> Result<(), EngineFault> {
            self.script.lock().expect("one thread").1 += usize::from(self.counts);
            Ok(())
        }

        fn answer(&mut self, question: &Question) -> Result<Answer, EngineFault> {
            self.heard.lock().expect("one thread").push(question.clone());
            Ok(self.script.lock().expect("one thread").0.next().expect("an answer for every question"))
        }

        fn perft(&mut self, position: &GamePosition, depth: Ply) -> Result<u64, EngineFault> {
            let question = Question {
                position: position.clone(),
                limits: Limits::depth(depth),
                searchmoves: Vec::new(),
            };
            self.answer(&question).map(|answer| answer.nodes)
        }

        fn bench(&mut self, _: std::time::Duration) -> Result<BenchCounts, EngineFault> {
            let answer = self.script.lock().expect("one thread").0.next().expect("an answer");
            let nps = answer.counts.first().map(|(_, nps)| *nps);
            Ok(BenchCounts { nodes: Some(answer.nodes), nps })
        }
    }

    /// An answer that plays `best` (none if empty) after reports such as `cp 31 e2e4 e7e5` or `mate 1 >=
    /// b1b8`.
    pub(crate) fn says(best: &str, claims: &[&str]) -> Answer {
        let claims = (1..).zip(claims).map(|(depth, text)| claim(Ply(depth), text)).collect();
        let best = (!best.is_empty()).then(|| best.parse().expect("a move"));
        Answer { best, infos: claims, nodes: 100, ..Answer::silent() }
    }

    fn claim(depth: Ply, text: &str) -> ScoredInfo {
        let mut words = text.split(' ').peekable();
        let (unit, count) = (words.next(), words.next().expect("a count").parse().expect("a number"));
        let score = match unit {
            Some("cp") => Score::Cp(Centipawns(count)),
            _ => Score::Mate(MateDistance::from_moves(count).expect("a small number")),
        };
        let bound = words.next_if_eq(&">=").map_or(Bound::Exact, |_| Bound::Lower);
        let pv = words.map(|mv| mv.parse().expect("a move")).collect();
        ScoredInfo { score, bound, multipv: 1, depth, nodes: None, pv, line: None }
    }

    /// Runs a case with these answers. Returns the verdict, and each question with the number of games begun
    /// before it.
    pub(crate) fn lead(
        case: &mut dyn Case,
        answers: impl IntoIterator<Item = Answer>,
    ) -> (Verdict, Vec<Question>, usize) {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let answers = answers.into_iter().collect::<Vec<_>>().into_iter();
        let script = Arc::new(Mutex::new((answers, 0)));
        let chair = |counts: bool| -> Box<dyn Player> {
            Box::new(ScriptReader { counts, script: Arc::clone(&script), heard: Arc::clone(&asked) })
        };
        let mut players = [chair(true), chair(false)];
        let verdict = run_case(case, &mut players, Timing::default()).expect("there is no interruption");
        let asked = asked.lock().expect("one thread").clone();
        let games = script.lock().expect("one thread").1;
        (verdict, asked, games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VerdictKind;
    use threefold_player::WaitLimit;
    use threefold_player::scripted::ScriptedPlayer;

    /// A case that never ends.
    struct Greeting;

    impl Case for Greeting {
        fn next(&mut self, _: Option<&Answer>) -> CaseStep {
            let position = GamePosition::start_position();
            CaseStep::Ask(Question {
                position,
                limits: threefold_chess::clock::Limits::nodes(1),
                searchmoves: Vec::new(),
            })
        }
    }

    #[test]
    fn missing_engine_feature_skips_the_case() {
        let plain = ScriptedPlayer::new("plain", |_| {
            Err(EngineFault::NotSupported("option UCI_Chess960".to_owned()))
        });
        let verdict = run_case(&mut Greeting, &mut [Box::new(plain)], Timing::default()).expect("a verdict");
        assert_eq!(
            (verdict.kind(), verdict.reason().as_str()),
            (VerdictKind::Skipped, "not supported: option UCI_Chess960")
        );
    }

    /// A case whose second player is asked.
    struct AskSecond;

    impl Case for AskSecond {
        fn next(&mut self, _: Option<&Answer>) -> CaseStep {
            let position = GamePosition::start_position();
            let limits = threefold_chess::clock::Limits::nodes(1);
            CaseStep::AskSecond(Question { position, limits, searchmoves: Vec::new() })
        }
    }

    #[test]
    fn fault_is_of_the_player_that_was_asked_last() {
        let hung = |name: &'static str| -> Box<dyn Player> {
            Box::new(ScriptedPlayer::new(name, |_| Err(EngineFault::ProtocolBreach("`bestmove`".to_owned()))))
        };
        let cases: [(&mut dyn Case, usize); 2] = [(&mut Greeting, 0), (&mut AskSecond, 1)];
        for (case, asked_last) in cases {
            let end = run_case_to_end(case, &mut [hung("a"), hung("b")], Timing::default());
            assert_eq!(end.expect("a verdict").asked_last, asked_last);
        }
    }

    #[test]
    fn fault_is_a_verdict_and_interruption_is_none() {
        let hung = ScriptedPlayer::new("hung", |_| {
            Err(EngineFault::TimedOut {
                task: "answering".to_owned(),
                waited: Duration::from_secs(3),
                limit: WaitLimit::Clock,
            })
        });
        let verdict = run_case(&mut Greeting, &mut [Box::new(hung)], Timing::default()).expect("a verdict");
        assert_eq!(
            (verdict.kind(), verdict.reason().as_str()),
            (VerdictKind::Fault, "no answer: it was not done answering within 3.0 s")
        );
        let stopped = ScriptedPlayer::new("stopped", |_| Err(EngineFault::Interrupted));
        assert_eq!(run_case(&mut Greeting, &mut [Box::new(stopped)], Timing::default()), Err(Interrupted));
    }
}
