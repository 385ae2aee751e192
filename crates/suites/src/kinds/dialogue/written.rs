//! A dialogue as the suite file has it.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use super::limit::{LimitUse, has_other_limit};
use super::{NamedDialogue, Needs, file_bytes};
use crate::input::{SourceFile, SuiteError};
use threefold_chess::uci::Command;
use threefold_oracle::Referee;
use threefold_player::Dialogue;
use threefold_player::dialogue::{DialogueFile, JudgedRules, OutputRule, Step};

/// The text that stands for a variant's value in the steps.
const VARIANT: &str = "{variant}";
/// The text that stands for a position in the steps.
const POSITION: &str = "{position}";
/// The text that stands for the folder of the files in options and steps.
const FOLDER: &str = "{folder}";

/// The kind's settings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DialogueSettings {
    pub(super) dialogues: Vec<WrittenDialogue>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenDialogue {
    id: Spanned<String>,
    class: String,
    /// What must come back, in one sentence.
    summary: String,
    /// UCI options; an engine without one of them is skipped.
    #[serde(default)]
    options: BTreeMap<String, String>,
    #[serde(default)]
    needs: Vec<Spanned<String>>,
    /// Files in a folder of their own, `{folder}` in options and steps: their bytes by name.
    #[serde(default)]
    files: BTreeMap<Spanned<String>, Spanned<String>>,
    /// The number of processes that are started for one attempt.
    starts: Option<NonZeroU32>,
    /// By name, what stands in the steps for `{variant}`. Each is a case.
    #[serde(default)]
    variants: BTreeMap<String, String>,
    /// What stands in the steps for `{position}`: the arguments of `position`. The steps are taken with each.
    #[serde(default)]
    positions: Vec<Spanned<String>>,
    /// The rules of the output that are judged, each in a case of its own; without them one case judges what
    /// every dialogue must keep.
    #[serde(default)]
    rules: Vec<Spanned<String>>,
    steps: Spanned<String>,
}

impl WrittenDialogue {
    /// Its line in the file.
    pub(super) fn line(&self, file: &SourceFile) -> usize {
        file.line_at(self.id.span().start)
    }

    /// Its cases: each variant with each rule.
    pub(super) fn read(&self, file: &SourceFile) -> Result<Vec<NamedDialogue>, SuiteError> {
        self.check_positions(file)?;
        let (needs, rules) = (self.needs(file)?, self.rules(file)?);
        let id = self.id.get_ref();
        let variants: Vec<(String, &str)> = if self.variants.is_empty() {
            vec![(id.clone(), "")]
        } else {
            self.variants.iter().map(|(name, value)| (format!("{id}.{name}"), value.as_str())).collect()
        };
        let mut all = Vec::new();
        for (id, variant) in variants {
            // The limits are known only when the case begins, so both forms are prepared.
            let usual = self.dialogue(file, variant, LimitUse::AsWritten)?;
            let on_clock = self.dialogue(file, variant, LimitUse::Clock)?;
            let named = |id: String, summary: String, judged| {
                let judged_by = |dialogue: &Dialogue| Arc::new(Dialogue { judged, ..dialogue.clone() });
                NamedDialogue {
                    id,
                    class: self.class.clone(),
                    summary,
                    usual: judged_by(&usual),
                    on_clock: (!has_other_limit(&on_clock.steps)).then(|| judged_by(&on_clock)),
                    needs,
                }
            };
            if rules.is_empty() {
                all.push(named(id, self.summary.clone(), JudgedRules::Basic));
                continue;
            }
            for &rule in &rules {
                let summary = format!("{} {}", self.summary, rule.summary());
                all.push(named(format!("{id}.{rule}"), summary, JudgedRules::One(rule)));
            }
        }
        Ok(all)
    }

    /// The dialogue of a variant.
    fn dialogue(&self, file: &SourceFile, variant: &str, limits: LimitUse) -> Result<Dialogue, SuiteError> {
        let (files, steps) = (self.files(file, variant)?, self.steps(file, variant, limits)?);
        let names_folder = |text: &String| text.contains(FOLDER);
        if files.is_empty() && (names_folder(self.steps.get_ref()) || self.options.values().any(names_folder))
        {
            let what = format!("`{FOLDER}` stands for nothing");
            return Err(file.error_at_span(self.id.span(), what, "give the dialogue `files`"));
        }
        Ok(Dialogue {
            options: self.options.clone().into_iter().collect(),
            files,
            steps,
            starts: self.starts.unwrap_or(NonZeroU32::MIN),
            judged: JudgedRules::Basic,
        })
    }

    /// The steps, with each of the positions one after the other.
    fn steps(&self, file: &SourceFile, variant: &str, limits: LimitUse) -> Result<Vec<Step>, SuiteError> {
        let text = limits.fill_in(&self.steps.get_ref().replace(VARIANT, variant));
        let texts = if self.positions.is_empty() {
            vec![text]
        } else {
            self.positions.iter().map(|position| text.replace(POSITION, position.get_ref())).collect()
        };
        let error = |error: threefold_player::dialogue::DialogueError| {
            file.error_at_span(self.steps.span(), error.to_string(), "correct this step of the dialogue")
        };
        let steps = texts.iter().map(|text| Step::read_all(text).map_err(error));
        Ok(steps.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn files(&self, file: &SourceFile, variant: &str) -> Result<Vec<DialogueFile>, SuiteError> {
        let read = self.files.iter().map(|(name, content)| {
            let text = name.get_ref();
            // A name must not lead out of the folder on any system; `:` follows the letter of a drive.
            if text.is_empty() || text.contains(['/', '\\', ':']) || text.starts_with('.') {
                let what = format!("`{text}` is no name of a file in the folder of the dialogue");
                return Err(file.error_at_span(name.span(), what, "give a name such as `KQvK.rtbw`"));
            }
            let bytes = file_bytes::parse(&content.get_ref().replace(VARIANT, variant));
            let wrong = |what| file.error_at_span(content.span(), what, "correct the bytes of this file");
            Ok(DialogueFile { name: text.clone(), bytes: bytes.map_err(wrong)? })
        });
        read.collect()
    }

    fn check_positions(&self, file: &SourceFile) -> Result<(), SuiteError> {
        for position in &self.positions {
            let command = Command::parse(&format!("position {}", position.get_ref()));
            let is_legal = matches!(command, Ok(Some(Command::Position(it))) if Referee::new(&it).is_ok());
            if !is_legal {
                let what = format!("`{}` is no legal position", position.get_ref());
                let remedy = "give `startpos` or `fen …`, with `moves …` if needed";
                return Err(file.error_at_span(position.span(), what, remedy));
            }
        }
        Ok(())
    }

    fn needs(&self, file: &SourceFile) -> Result<Needs, SuiteError> {
        match self.needs.as_slice() {
            [] => Ok(Needs::Nothing),
            [need] if need.get_ref() == "searchmoves" => Ok(Needs::SearchMoves),
            [need, ..] => {
                let what = format!("`{}` is nothing that a dialogue can need", need.get_ref());
                Err(file.error_at_span(need.span(), what, "give `needs = [\"searchmoves\"]`, or set options"))
            }
        }
    }

    fn rules(&self, file: &SourceFile) -> Result<Vec<OutputRule>, SuiteError> {
        let rule = |written: &Spanned<String>| {
            written.get_ref().parse().map_err(|_| {
                let names: Vec<&str> = OutputRule::ALL.iter().map(|rule| rule.name()).collect();
                let what = format!("there is no rule `{}`", written.get_ref());
                file.error_at_span(written.span(), what, &format!("use one of {}", names.join(", ")))
            })
        };
        self.rules.iter().map(rule).collect()
    }
}
