//! The question of a part of the study of repetitions, from its labels.

use std::fmt;

use super::variant::{Variant, VariantMatch};
use threefold_run::{Labels, Part, Task};
use threefold_suites::SuiteSource;

/// The question of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// The traps that a variant passes.
    Traps(Variant),
    /// The search cost of a variant.
    Cost {
        /// The variant of Echo's repetition detection.
        variant: Variant,
        /// The round. In round 0 Echo counts repetitions, which takes time; the others measure time.
        round: usize,
    },
    /// A match of two variants.
    Match(VariantMatch),
}

/// The label that names the question.
const QUESTION: &str = "question";
const TRAPS: &str = "traps";
const COST: &str = "cost";
const MATCH: &str = "worth";
/// The label with the number of a round.
const ROUND: &str = "round";
/// The labels of a variant's option values, and of those of its opponent.
const OPTION_LABELS: [&str; 6] =
    ["policy", "detector", "hash-scores", "upcoming", "hash-fifty", "perpetual-bonus"];
const BASE_OPTION_LABELS: [&str; 6] = [
    "base-policy",
    "base-detector",
    "base-hash-scores",
    "base-upcoming",
    "base-hash-fifty",
    "base-perpetual-bonus",
];

impl Question {
    /// The labels of a part with this question.
    pub fn labels(self) -> Labels {
        let labels = |question: &str| Labels::NONE.with(QUESTION, question);
        match self {
            Self::Traps(variant) => with_options(labels(TRAPS), OPTION_LABELS, variant),
            Self::Cost { variant, round } => {
                with_options(labels(COST).with(ROUND, round), OPTION_LABELS, variant)
            }
            Self::Match(VariantMatch { new, base }) => {
                with_options(with_options(labels(MATCH), OPTION_LABELS, new), BASE_OPTION_LABELS, base)
            }
        }
    }

    /// The question of a part with these labels; `None` if the part is not of the study.
    pub(super) fn from_labels(labels: &Labels) -> Option<Self> {
        let variant = |keys: [&str; 6]| Variant::parse(keys.map(|key| labels.get(key)));
        match labels.get(QUESTION)? {
            TRAPS => Some(Self::Traps(variant(OPTION_LABELS)?)),
            COST => Some(Self::Cost { variant: variant(OPTION_LABELS)?, round: labels.parsed(ROUND)? }),
            MATCH => Some(Self::Match(VariantMatch {
                new: variant(OPTION_LABELS)?,
                base: variant(BASE_OPTION_LABELS)?,
            })),
            _ => None,
        }
    }
}

/// The name of the part, for people.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Traps(variant) => write!(f, "traps {variant}"),
            Self::Cost { variant, round } => write!(f, "effort {round} {variant}"),
            Self::Match(pairing) => write!(f, "{pairing}"),
        }
    }
}

fn with_options(labels: Labels, keys: [&str; 6], variant: Variant) -> Labels {
    keys.into_iter().zip(variant.option_values()).fold(labels, |labels, (key, value)| labels.with(key, value))
}

/// The labels of a run without labels. The variant follows from the engine's options, the question from the
/// suite. The suite of traps comes first; each later suite of a variant is another round.
pub(super) fn derived(parts: &[Part]) -> Vec<Labels> {
    let traps: Option<&SuiteSource> = parts.iter().find_map(|part| match &part.task {
        Task::Suite(task) => Some(&task.source),
        Task::Match(_) => None,
    });
    let mut asked: Vec<Variant> = Vec::new();
    let mut question = |part: &Part| match &part.task {
        Task::Suite(task) => {
            let variant = Variant::of_engine(&task.engine)?;
            if traps == Some(&task.source) {
                return Some(Question::Traps(variant));
            }
            let round = asked.iter().filter(|&&earlier| earlier == variant).count();
            asked.push(variant);
            Some(Question::Cost { variant, round })
        }
        Task::Match(task) => {
            let [new, base] = &task.engines[..] else { return None };
            Some(Question::Match(VariantMatch {
                new: Variant::of_engine(new)?,
                base: Variant::of_engine(base)?,
            }))
        }
    };
    parts.iter().map(|part| question(part).map_or(Labels::NONE, Question::labels)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture::games;
    use super::*;
    use threefold_player::EngineSpec;
    use threefold_run::{MatchTask, SuiteTask};
    use threefold_suites::SourceFile;

    /// Every kind of question, in the order of a run.
    fn questions() -> Vec<Question> {
        let cost =
            |round| Variant::measured().into_iter().map(move |variant| Question::Cost { variant, round });
        let matches = VariantMatch::all().into_iter().map(Question::Match);
        let traps = Variant::all_with_detection().into_iter().map(Question::Traps);
        traps.chain(cost(0)).chain(cost(1)).chain(matches).collect()
    }

    #[test]
    fn question_is_read_back_from_its_labels() {
        for question in questions() {
            assert_eq!(Question::from_labels(&question.labels()), Some(question));
        }
        let some = questions()[0].labels();
        for labels in [Labels::NONE, some.clone().with(QUESTION, "why"), some.with("policy", "Maybe")] {
            assert_eq!(Question::from_labels(&labels), None, "{labels:?}");
        }
    }

    #[test]
    fn labels_are_derived_from_options_and_suites() {
        let engine = |variant: Variant| -> EngineSpec {
            let mut options = vec![("name", "somebody")];
            options.extend(variant.options());
            "echo".parse::<EngineSpec>().and_then(|echo| echo.with(&options)).expect("sound")
        };
        let suite = |variant, text: &str| {
            let page = SourceFile { file: "s.toml".to_owned(), text: text.to_owned() };
            let source = SuiteSource { suite_file: page, positions: Vec::new() };
            let engine = engine(variant);
            Task::Suite(SuiteTask::new(engine, source))
        };
        let task = |question| match question {
            Question::Traps(variant) => suite(variant, "traps"),
            Question::Cost { variant, .. } => suite(variant, "effort"),
            Question::Match(VariantMatch { new, base }) => {
                Task::Match(MatchTask { engines: vec![engine(new), engine(base)], ..games() })
            }
        };
        let parts: Vec<Part> = questions()
            .into_iter()
            .map(|question| Part::without_labels(String::new(), task(question)))
            .collect();
        let expected: Vec<Labels> = questions().into_iter().map(Question::labels).collect();
        assert_eq!(derived(&parts), expected);
        let other = Task::Match(MatchTask { engines: vec!["echo".parse().expect("sound"); 2], ..games() });
        assert_eq!(derived(&[Part::without_labels(String::new(), other)]), [Labels::NONE]);
    }
}
