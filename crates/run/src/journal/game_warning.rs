//! The journal's form of the warnings of a game and of what they count for: version 1.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::fields::parse_field;
use threefold_games::warning::{GameWarning, WarningPolicy};

/// The rule, the side (`w` or `b`), how often, after how many moves first, and what happened then.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WarningV1(String, char, u32, usize, String);

impl From<&GameWarning> for WarningV1 {
    fn from(warning: &GameWarning) -> Self {
        let GameWarning { rule, side, count, ply, detail, line: _ } = warning;
        Self(rule.to_string(), side.char(), *count, *ply, detail.clone())
    }
}

impl WarningV1 {
    pub(super) fn restore(self) -> Result<GameWarning, String> {
        let Self(rule, side, count, ply, detail) = self;
        let side = Color::from_char(side).ok_or_else(|| format!("warning `{rule}`: `{side}` is no side"))?;
        Ok(GameWarning { rule: parse_field(&rule)?, side, count, ply, detail, line: None })
    }
}

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WarningPolicyV1 {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
    strict: bool,
}

impl WarningPolicyV1 {
    /// Is it the policy of journals that do not have one?
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn restore(self) -> Result<WarningPolicy, String> {
        let ignored = self.ignored.iter().map(|rule| parse_field(rule)).collect::<Result<_, _>>()?;
        Ok(WarningPolicy { ignored, strict: self.strict })
    }
}

impl From<&WarningPolicy> for WarningPolicyV1 {
    fn from(policy: &WarningPolicy) -> Self {
        Self { ignored: policy.ignored.iter().map(ToString::to_string).collect(), strict: policy.strict }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use threefold_games::warning::WarningRule;

    pub(in crate::journal) fn warning() -> GameWarning {
        GameWarning {
            rule: WarningRule::NoScore,
            side: Color::Black,
            count: 7,
            ply: 3,
            detail: "bestmove e7e5".to_owned(),
            line: None,
        }
    }

    pub(in crate::journal) fn policy() -> WarningPolicy {
        WarningPolicy { ignored: [WarningRule::MateSigns, WarningRule::NoScore].into(), strict: true }
    }

    #[test]
    fn warnings_are_read_back() {
        let json = serde_json::to_string(&WarningV1::from(&warning())).expect("JSON");
        assert_eq!(json, r#"["no-score","b",7,3,"bestmove e7e5"]"#);
        let read = serde_json::from_str::<WarningV1>(&json).expect("sound").restore();
        assert_eq!(read, Ok(warning()));
        for wrong in [r#"["no-score","x",7,3,""]"#, r#"["no-such-rule","b",7,3,""]"#] {
            assert!(serde_json::from_str::<WarningV1>(wrong).expect("a list").restore().is_err(), "{wrong}");
        }
    }

    #[test]
    fn policy_is_read_back_and_the_default_is_left_out() {
        assert!(WarningPolicyV1::from(&WarningPolicy::default()).is_default());
        let written = WarningPolicyV1::from(&policy());
        assert!(!written.is_default());
        assert_eq!(written.restore(), Ok(policy()));
    }
}
