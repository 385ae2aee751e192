//! Rules in plans and journals: a table of names and settings.
//!
//! Settings are written in the text form. Plans may have tables of numbers (`draw = {
//! from-move = 40, moves = 8, score = 10 }`, `max-moves = 120`), which are converted to text.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::de::{DeserializeSeed, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Adjudication, AdjudicationMode, RULES, Rule, RuleKind};

/// A rule's settings in a file, in either form.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "WrittenSettings")]
struct RuleText(String);

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenSettings {
    One(Value),
    Table(BTreeMap<String, Value>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Truth(bool),
    Number(i64),
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
        }
    }
}

impl From<WrittenSettings> for RuleText {
    fn from(written: WrittenSettings) -> Self {
        Self(match written {
            WrittenSettings::One(value) => value.to_string(),
            WrittenSettings::Table(values) => {
                values.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",")
            }
        })
    }
}

impl Serialize for Adjudication {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mode = (self.mode() != AdjudicationMode::Apply).then(|| (MODE, self.mode().to_string()));
        serializer.collect_map(self.texts().map(|(kind, text)| (kind.name, text)).chain(mode))
    }
}

impl<'de> Deserialize<'de> for Adjudication {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RulesVisitor)
    }
}

struct RulesVisitor;

impl<'de> Visitor<'de> for RulesVisitor {
    type Value = Adjudication;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rules of adjudication by name")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Adjudication, M::Error> {
        let (mut rules, mut mode) = (Vec::new(), AdjudicationMode::default());
        while let Some(key) = map.next_key_seed(KeySeed)? {
            match key {
                Key::Rule(kind) => rules.push(map.next_value_seed(RuleSettingsSeed(kind))?),
                Key::Mode => mode = map.next_value::<String>()?.parse().map_err(M::Error::custom)?,
            }
        }
        Ok(Adjudication::new(rules).with_mode(mode))
    }
}

/// A rule's name. Like [`RuleSettingsSeed`], it is checked while it is read, so that an error has a line
/// number.
struct KeySeed;

/// A key in a table of rules.
enum Key {
    Rule(&'static RuleKind),
    /// What the rules do.
    Mode,
}

/// The key of [`AdjudicationMode`].
const MODE: &str = "mode";

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name == MODE {
            return Ok(Key::Mode);
        }
        RuleKind::named(&name).map(Key::Rule).ok_or_else(|| {
            let known = RULES.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
            D::Error::custom(format!("there is no rule `{name}`; the rules are {known}"))
        })
    }
}

/// The settings of this rule.
struct RuleSettingsSeed(&'static RuleKind);

impl<'de> DeserializeSeed<'de> for RuleSettingsSeed {
    type Value = Arc<dyn Rule>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let RuleText(text) = RuleText::deserialize(deserializer)?;
        (self.0.read)(self.0.name, &text).map_err(D::Error::custom)
    }
}
