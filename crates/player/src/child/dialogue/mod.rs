//! Holds a dialogue with a program, in a process of its own.

mod folder;
mod run;
mod running_clock;
mod silence;
mod transcript;

use self::run::{Attempt, Break, DialogueRun};
use super::engine::ChildEngine;
use super::live_engine::LiveEngine;
use crate::EngineFault;
use crate::dialogue::{Dialogue, DialogueResult, OutputRule, SearchOptions};

impl ChildEngine {
    /// Holds a dialogue, and once more if the engine fails it, ends or is silent: on a busy machine an answer may come late,
    /// and a race may be won.
    pub(super) fn run_dialogue(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, EngineFault> {
        let first = match self.attempt(dialogue) {
            Ok(Attempt::Met) => return Ok(DialogueResult::Met),
            Ok(Attempt::RarelyViolated(what)) => return Ok(DialogueResult::Flaky(what)),
            Ok(Attempt::Unanswered(what)) => return Ok(DialogueResult::Unanswered(what)),
            Ok(Attempt::Violated(what)) => Ok(what),
            // A crash or a silence may depend on the moment of a command, so a second attempt decides.
            Err(fault) if fault.may_be_a_race() => Err(fault),
            Err(fault) => return Err(fault),
        };
        match (first, self.attempt(dialogue)) {
            (_, Ok(Attempt::Unanswered(what))) => Ok(DialogueResult::Unanswered(what)),
            (Ok(what), Ok(Attempt::Violated(_))) => Ok(DialogueResult::Violated(what)),
            (Ok(what), Ok(Attempt::Met | Attempt::RarelyViolated(_))) => Ok(DialogueResult::Flaky(what)),
            (Err(fault), Ok(Attempt::Met | Attempt::RarelyViolated(_))) => {
                Ok(DialogueResult::Flaky(fault.to_string()))
            }
            (Err(fault), Ok(Attempt::Violated(_)) | Err(_)) | (Ok(_), Err(fault)) => Err(fault),
        }
    }

    fn attempt(&mut self, dialogue: &Dialogue) -> Result<Attempt, EngineFault> {
        let judges_answers = dialogue.judged.includes(OutputRule::BestMove);
        for _ in 0..dialogue.starts.get() {
            self.shut_down();
            let folder = folder::with_files(&dialogue.files)?;
            let live = LiveEngine::start(&mut self.program, &self.spec, &self.options)?;
            let options = SearchOptions::of_spec(&self.spec);
            let mut run = DialogueRun::new(live, self.options.startup, folder, options);
            let result = run.execute(dialogue);
            let transcript = run.transcript;
            // An engine that has failed may hang: it is killed.
            match result {
                Ok(Attempt::Met) => self.end(run.live),
                Ok(Attempt::RarelyViolated(what)) => {
                    return Ok(Attempt::RarelyViolated(transcript.with(&what)));
                }
                // Dialogues of rule `best-move` judge whether answers come. In this one nothing is left to
                // judge.
                Err(Break::TooLate(what)) if !judges_answers => return Ok(Attempt::Unanswered(what)),
                Ok(Attempt::Violated(what) | Attempt::Unanswered(what))
                | Err(Break::Violation(what) | Break::TooLate(what)) => {
                    return Ok(Attempt::Violated(transcript.with(&what)));
                }
                Err(Break::Fault(fault)) => return Err(fault),
            }
        }
        Ok(Attempt::Met)
    }
}

#[cfg(all(test, unix))]
mod tests;
