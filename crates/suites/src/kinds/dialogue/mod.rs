//! Dialogues with the engine's program in plain UCI lines, as graphical interfaces and match runners hold
//! them: what is sent, at which moment, and what must come back.
//!
//! The suite file has the dialogues as text, so a new one needs no code. Each is held with a process of its
//! own; one that fails is held again, and is flaky if it passes then. Echo inside this process has no
//! protocol and is skipped.

mod written;

use std::sync::Arc;

use self::written::DialogueSettings;
use crate::input::{CaseDefinition, CaseInfo, Ids, OptionOverrides, SuiteError, SuiteInput};
use crate::{Case, CaseStep, ClockLimit, Kind, LostCase};
use threefold_chess::clock::{ClockSource, Limits};
use threefold_chess::position::GamePosition;
use threefold_player::{Answer, Dialogue};

/// The suite kind `dialogue`.
pub const KIND: Kind = Kind {
    name: "dialogue",
    summary: "Dialogues with the program in UCI lines, and the rules of its output",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Strict,
    load,
};

const SETTINGS: &str = "give `[[settings.dialogues]]` with `id`, `class`, `summary` and `steps`, and `options`, \
                        `needs`, `starts`, `variants`, `positions` and `rules` if needed";

/// A dialogue with the names of its case.
struct NamedDialogue {
    id: String,
    class: String,
    summary: String,
    dialogue: Dialogue,
    needs: Needs,
}

/// What the engine must be able to do, besides its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// It searches the moves of `searchmoves` alone.
    SearchMoves,
}

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    let settings: DialogueSettings = input.settings(SETTINGS)?;
    if !input.limits.is_infinite() || !input.positions.is_empty() {
        let what = "the dialogues have their own searches and positions";
        return Err(input.error(what, "remove the limits, and give `positions = []`"));
    }
    let (file, mut ids) = (input.suite_file, Ids::default());
    let read = settings.dialogues.iter().map(|written| {
        let named = written.read(file)?;
        for it in &named {
            ids.claim(file, written.line(file), &it.id)?;
        }
        Ok(named)
    });
    let dialogues = SuiteError::collect(read)?;
    Ok(dialogues.into_iter().flatten().map(|named| named.definition(input.suite)).collect())
}

impl NamedDialogue {
    fn definition(self, suite: &str) -> CaseDefinition {
        let Self { id, class, summary, dialogue, needs } = self;
        let info = CaseInfo {
            suite: suite.to_owned(),
            id,
            class,
            accepted: summary,
            note: String::new(),
            position: GamePosition::start_position(),
            clock_source: ClockSource::Wall,
            players: vec![OptionOverrides::default()],
            background_threads: 0,
        };
        let dialogue = Arc::new(dialogue);
        CaseDefinition::new(info, move |_: &Limits| -> Box<dyn Case> {
            Box::new(DialogueCase { needs, dialogue: Arc::clone(&dialogue) })
        })
    }
}

/// The dialogue: one step, whose result is the verdict.
struct DialogueCase {
    /// What is not known yet of the engine.
    needs: Needs,
    dialogue: Arc<Dialogue>,
}

impl Case for DialogueCase {
    fn next(&mut self, _: Option<&Answer>) -> CaseStep {
        match std::mem::replace(&mut self.needs, Needs::Nothing) {
            Needs::SearchMoves => CaseStep::CheckSearchMoves,
            Needs::Nothing => CaseStep::Hold(Arc::clone(&self.dialogue)),
        }
    }
}

#[cfg(test)]
mod tests;
