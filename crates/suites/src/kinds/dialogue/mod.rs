//! Dialogues with the engine's program in plain UCI lines, as graphical interfaces and match runners hold
//! them: what is sent, at which moment, and what must come back.
//!
//! The suite file has the dialogues as text, so a new one needs no code. Each is held with a process of its
//! own; one that fails is held again, and is flaky if it passes then. Echo inside this process has no
//! protocol and is skipped. A suite that is limited by a clock has only searches that clocks limit, or nothing.

mod file_bytes;
mod limit;
mod written;

use std::sync::Arc;

use self::written::DialogueSettings;
use crate::input::{CaseDefinition, CaseInfo, Ids, OptionOverrides, SuiteError, SuiteInput};
use crate::{Case, CaseStep, ClockLimit, Kind, LostCase, SkipCause, Verdict};
use threefold_chess::clock::{ClockSource, Limits};
use threefold_chess::position::GamePosition;
use threefold_player::{Answer, Dialogue};

/// The suite kind `dialogue`.
pub const KIND: Kind = Kind {
    name: "dialogue",
    summary: "Dialogues with the program in UCI lines, and the rules of its output",
    clock: ClockLimit::Allowed,
    lost_case: LostCase::Strict,
    load,
};

const SETTINGS: &str = "give `[[settings.dialogues]]` with `id`, `class`, `summary` and `steps`, and `options`, \
                        `files`, `needs`, `starts`, `variants`, `positions` and `rules` if needed";

/// A dialogue with the names of its case.
struct NamedDialogue {
    id: String,
    class: String,
    summary: String,
    /// With the limits that it has.
    usual: Arc<Dialogue>,
    /// With clocks alone; `None` if it is about another limit.
    on_clock: Option<Arc<Dialogue>>,
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
    if has_other_limits(input.limits) || !input.positions.is_empty() {
        let what = "the dialogues have their own searches and positions";
        return Err(input.error(what, "limit them by `tc` alone or not at all, and give `positions = []`"));
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

/// Is there a limit that is no clock?
fn has_other_limits(limits: &Limits) -> bool {
    !Limits { clocks: None, ..*limits }.is_infinite()
}

impl NamedDialogue {
    fn definition(self, suite: &str) -> CaseDefinition {
        let Self { id, class, summary, usual, on_clock, needs } = self;
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
        CaseDefinition::new(info, move |limits: &Limits| -> Box<dyn Case> {
            let dialogue = if limits.clocks.is_some() { on_clock.clone() } else { Some(Arc::clone(&usual)) };
            Box::new(DialogueCase { needs, dialogue })
        })
    }
}

/// The dialogue: one step, whose result is the verdict.
struct DialogueCase {
    /// What is not known yet of the engine.
    needs: Needs,
    /// `None` if it needs another limit than a clock.
    dialogue: Option<Arc<Dialogue>>,
}

impl Case for DialogueCase {
    fn next(&mut self, _: Option<&Answer>) -> CaseStep {
        let Some(dialogue) = self.dialogue.clone() else {
            return CaseStep::Done(Verdict::unanswered(SkipCause::NotSupported, "limits that are no clocks"));
        };
        match std::mem::replace(&mut self.needs, Needs::Nothing) {
            Needs::SearchMoves => CaseStep::CheckSearchMoves,
            Needs::Nothing => CaseStep::Hold(dialogue),
        }
    }
}

#[cfg(test)]
mod tests;
