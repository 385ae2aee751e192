//! The journal's form of a match: version 1.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::fields::{LineV1, nanos, parse_field};
use super::pgn_options::PgnOptionsV1;
use crate::job::{MatchTask, Purpose};
use threefold_games::cutechess_order::CutechessOrder;
use threefold_games::opening::Opening;
use threefold_games::pairing::ScheduleRules;
use threefold_games::playout::adjudication::Adjudication;
use threefold_stats::AnyRule;
use threefold_stats::stopping::{self, Parameter};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchV1 {
    engines: Vec<String>,
    openings: Vec<OpeningV1>,
    format: String,
    pairs: usize,
    control: String,
    pace: String,
    #[serde(default)]
    adjudication: Adjudication,
    purpose: PurposeV1,
    /// In nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    budget: Option<u64>,
    /// These are left out if they have their default, which journals of 0.2 imply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    encounter: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    colours: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seeds: Option<NonZeroUsize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rounds: Option<NonZeroUsize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cutechess: Option<CutechessOrderV1>,
    /// In nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wait: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pgn: Option<PgnOptionsV1>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CutechessOrderV1 {
    games: NonZeroUsize,
    repetitions: NonZeroUsize,
    policy: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpeningV1 {
    line: LineV1,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    eco: Option<String>,
    name: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum PurposeV1 {
    Match,
    Test(TestV1),
    Calibration,
    Tuning,
}

/// A stopping rule with its parameters. Journals of 0.2 imply an SPRT, and have three of its parameters in
/// `conduct`.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TestV1 {
    #[serde(default = "sprt")]
    rule: String,
    #[serde(default, skip_serializing)]
    conduct: Option<ConductV1>,
    #[serde(flatten)]
    parameters: BTreeMap<String, ParameterV1>,
}

fn sprt() -> String {
    "sprt".to_owned()
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum ParameterV1 {
    Count(u64),
    Number(f64),
    Word(String),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConductV1 {
    counts: String,
    batch: u64,
    overshoot: String,
}

impl From<&MatchTask> for MatchV1 {
    fn from(games: &MatchTask) -> Self {
        let MatchTask {
            engines,
            openings,
            format,
            encounters,
            rules,
            control,
            clock_source,
            adjudication,
            purpose,
            budget,
            wait,
            pgn,
        } = games;
        let usual = ScheduleRules::default();
        Self {
            engines: engines.iter().map(|engine| engine.text.clone()).collect(),
            openings: openings
                .iter()
                .map(|Opening { history: line, eco, name }| OpeningV1 {
                    line: line.into(),
                    eco: eco.clone(),
                    name: name.clone(),
                })
                .collect(),
            format: format.to_string(),
            pairs: *encounters,
            control: control.to_string(),
            pace: clock_source.to_string(),
            adjudication: adjudication.clone(),
            purpose: match purpose {
                Purpose::Match => PurposeV1::Match,
                Purpose::Calibration => PurposeV1::Calibration,
                Purpose::Tuning => PurposeV1::Tuning,
                Purpose::Test(rule) => PurposeV1::Test(TestV1::from(rule)),
            },
            budget: budget.map(nanos),
            encounter: (rules.encounter != usual.encounter).then(|| rules.encounter.to_string()),
            colours: (rules.colours != usual.colours).then(|| rules.colours.to_string()),
            seeds: (rules.seeds != usual.seeds).then_some(rules.seeds),
            rounds: rules.rounds,
            cutechess: rules.cutechess.map(CutechessOrderV1::from_order),
            wait: (!wait.is_zero()).then(|| nanos(*wait)),
            pgn: PgnOptionsV1::from_options(pgn),
        }
    }
}

impl CutechessOrderV1 {
    fn from_order(order: CutechessOrder) -> Self {
        let CutechessOrder { games, repetitions, policy } = order;
        Self { games, repetitions, policy: policy.to_string() }
    }

    fn restore(self) -> Result<CutechessOrder, String> {
        let Self { games, repetitions, policy } = self;
        Ok(CutechessOrder { games, repetitions, policy: parse_field(&policy)? })
    }
}

impl MatchV1 {
    pub(super) fn restore(self) -> Result<MatchTask, String> {
        let usual = ScheduleRules::default();
        let opening =
            |OpeningV1 { line, eco, name }| line.restore().map(|line| Opening { history: line, eco, name });
        Ok(MatchTask {
            engines: self.engines.iter().map(|text| parse_field(text)).collect::<Result<_, _>>()?,
            openings: self.openings.into_iter().map(opening).collect::<Result<_, _>>()?,
            format: parse_field(&self.format)?,
            encounters: self.pairs,
            control: parse_field(&self.control)?,
            clock_source: parse_field(&self.pace)?,
            adjudication: self.adjudication,
            purpose: match self.purpose {
                PurposeV1::Match => Purpose::Match,
                PurposeV1::Calibration => Purpose::Calibration,
                PurposeV1::Tuning => Purpose::Tuning,
                PurposeV1::Test(test) => Purpose::Test(test.restore()?),
            },
            budget: self.budget.map(Duration::from_nanos),
            rules: ScheduleRules {
                encounter: self.encounter.as_deref().map_or(Ok(usual.encounter), parse_field)?,
                colours: self.colours.as_deref().map_or(Ok(usual.colours), parse_field)?,
                seeds: self.seeds.unwrap_or(usual.seeds),
                rounds: self.rounds,
                cutechess: self.cutechess.map(CutechessOrderV1::restore).transpose()?,
            },
            wait: self.wait.map(Duration::from_nanos).unwrap_or_default(),
            pgn: self.pgn.map(PgnOptionsV1::restore).transpose()?.unwrap_or_default(),
        })
    }
}

impl From<&AnyRule> for TestV1 {
    fn from(rule: &AnyRule) -> Self {
        let parameters = rule.parameters().into_iter().map(|(name, value)| {
            let value = match value {
                Parameter::Count(count) => ParameterV1::Count(count),
                Parameter::Number(number) => ParameterV1::Number(number),
                Parameter::Word(word) => ParameterV1::Word(word),
            };
            (name.to_owned(), value)
        });
        Self { rule: rule.kind().name.to_owned(), conduct: None, parameters: parameters.collect() }
    }
}

impl TestV1 {
    pub(super) fn restore(self) -> Result<AnyRule, String> {
        let Self { rule, conduct, mut parameters } = self;
        if let Some(ConductV1 { counts, batch, overshoot }) = conduct {
            parameters.extend([
                ("counts".to_owned(), ParameterV1::Word(counts)),
                ("batch_pairs".to_owned(), ParameterV1::Count(batch)),
                ("overshoot".to_owned(), ParameterV1::Word(overshoot)),
            ]);
        }
        let given = parameters.into_iter().map(|(name, value)| {
            let value = match value {
                ParameterV1::Count(count) => Parameter::Count(count),
                ParameterV1::Number(number) => Parameter::Number(number),
                ParameterV1::Word(word) => Parameter::Word(word),
            };
            (name, value)
        });
        stopping::parse_rule(&rule, given.collect())
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::sync::Arc;

    use super::*;
    use threefold_games::cutechess_order::OpeningPolicy;
    use threefold_games::pairing::{Colours, EncounterLength};
    use threefold_games::playout::adjudication::{
        AdjudicationMode, DrawRule, Like, MaxMoves, ResignRule, Rule,
    };

    /// A match as version 0.2 wrote it, with these fields.
    fn written(rules: &str) -> MatchV1 {
        serde_json::from_str(&format!(
            r#"{{"engines": ["echo"], "openings": [], "format": "gauntlet", "pairs": 1, "control": "nodes=9",
                "pace": "wall", {rules} "purpose": "match"}}"#
        ))
        .expect("sound")
    }

    #[test]
    fn rules_of_the_schedule_are_read_back() {
        let mut task = written("").restore().expect("sound");
        assert_eq!((task.rules, task.wait), (ScheduleRules::default(), Duration::ZERO), "older journals");
        task.rules = ScheduleRules {
            encounter: EncounterLength::Single,
            colours: Colours::FixedReversed,
            seeds: NonZeroUsize::new(3).expect("not zero"),
            rounds: NonZeroUsize::new(5),
            cutechess: Some(CutechessOrder {
                games: NonZeroUsize::new(4).expect("not zero"),
                repetitions: NonZeroUsize::new(2).expect("not zero"),
                policy: OpeningPolicy::Round,
            }),
        };
        task.wait = Duration::from_millis(20);
        let read = MatchV1::from(&task).restore().expect("sound");
        assert_eq!((read.rules, read.wait), (task.rules, task.wait));
        let error = written(r#""encounter": "triple","#).restore().expect_err("no such encounter");
        assert!(error.contains("triple"), "{error}");
    }

    #[test]
    fn adjudication_rules_are_read_back_with_their_mode() {
        let rules: [Arc<dyn Rule>; 3] = [
            Arc::new(DrawRule { from_move: 34, moves: 8, score: 20 }),
            Arc::new(ResignRule { moves: 3, score: 600, two_sided: true, like: Like::Threefold }),
            Arc::new(MaxMoves(NonZeroU32::new(200).expect("not zero"))),
        ];
        let task = written("").restore().expect("sound");
        assert_eq!(task.adjudication, Adjudication::default());
        let shadow = Adjudication::new(rules).with_mode(AdjudicationMode::Shadow);
        let shadow = MatchTask { adjudication: shadow, ..task.clone() };
        assert_eq!(MatchV1::from(&shadow).restore().expect("sound"), shadow);
        let again = serde_json::to_value(MatchV1::from(&task)).expect("JSON");
        let new = ["encounter", "colours", "seeds", "rounds", "wait"];
        assert!(new.into_iter().all(|key| again.get(key).is_none()), "{again}");
    }
}
